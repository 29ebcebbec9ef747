import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { TaxLine, TaxLines } from '#contract/admin-tax.ts'
import { paths } from '#contract/paths.ts'
import { taxPaths, type TaxFigure } from '#contract/tax-paths.ts'
import { formatUsd } from '#shared/money.ts'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { Link } from '#web/app/Link.tsx'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { formatMomentIn } from './report-format.ts'
import { taxFigureIn, taxLinesPath, taxLinesQuery } from './tax-queries.ts'

/** `/admin/tax/lines`: the sales and refunds behind a figure of the tax report. */
export function TaxLinesPage() {
  const [parameters] = useSearchParams()
  const period = parameters.get('period') ?? ''
  return (
    <AdminFrame
      title="Tax report lines"
      actions={
        <Link to={period ? taxPaths.of(period) : taxPaths.admin} className={buttonClass('outline')}>
          <Icon name="left" className="size-5" /> Back to the report
        </Link>
      }
    >
      {period ? (
        <Lines period={period} figure={taxFigureIn(parameters)} after={parameters.get('after')} />
      ) : (
        <p>This figure doesn’t exist. Open one from the report.</p>
      )}
    </AdminFrame>
  )
}

function Lines({ period, figure, after }: { period: string; figure: TaxFigure; after: string | null }) {
  const query = useQuery(taxLinesQuery(period, figure, after))
  return (
    <QueryBoundary query={query}>
      {(answer) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <p className="text-ink-soft">
            {answer.name}. {answer.count === 1 ? '1 line adds' : `${answer.count} lines add`} up to{' '}
            {formatUsd(answer.net)} without tax and {formatUsd(answer.tax)} of tax; refunds are negative.
          </p>
          <PagedTable
            caption="Lines, newest first"
            columns={columnsOf(answer)}
            rows={answer.lines}
            keyOf={({ id }) => id}
            totalTitle="All lines"
            empty="Nothing in this period."
            first={after && taxPaths.linesOf(period, figure)}
            hasMore={answer.next !== null}
            after={() => taxLinesPath(period, figure, answer.next ?? '')}
          />
        </div>
      )}
    </QueryBoundary>
  )
}

const columnsOf = ({ timeZone, net, tax }: TaxLines): readonly [Column<TaxLine>, ...Column<TaxLine>[]] => [
  {
    key: 'at',
    title: 'When',
    cell: ({ at }) => (
      <time dateTime={at} className="whitespace-nowrap">
        {formatMomentIn(timeZone, at)}
      </time>
    ),
  },
  { key: 'what', title: 'What', cell: ({ what }) => what },
  { key: 'place', title: 'Where', cell: ({ place }) => place },
  {
    key: 'order',
    title: 'Order',
    cell: ({ orderNumber }) => (
      <Link to={paths.adminOrder(orderNumber)} className="link-line whitespace-nowrap">
        {orderNumber}
      </Link>
    ),
  },
  { key: 'net', title: 'Net', isNumber: true, cell: (line) => formatUsd(line.net), total: formatUsd(net) },
  { key: 'tax', title: 'Tax', isNumber: true, cell: (line) => formatUsd(line.tax), total: formatUsd(tax) },
]

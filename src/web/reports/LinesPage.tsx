import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { OriginColumn } from '#contract/report-figures.ts'
import type { ReportLine, ReportLines } from '#contract/reports.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { Check } from '#web/ui/Check.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { useCollectionNames } from '#web/admin/use-collection-names.ts'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import type { Column } from '#web/ui/Table.tsx'
import {
  daysIn,
  linesPath,
  linesQuery,
  linesRequestIn,
  withDays,
  type Days,
  type LinesRequest,
} from './report-queries.ts'
import { formatDay, formatMomentIn } from './report-format.ts'

/** `/reports/lines`: the lines behind a figure of a report, checked against its total. */
export function LinesPage() {
  const [parameters] = useSearchParams()
  const days = daysIn(parameters)
  const request = linesRequestIn(parameters)
  const collectionName = useCollectionNames()
  return (
    <AdminFrame
      title={request ? titleOf(request, collectionName) : 'Report details'}
      actions={
        <Link to={withDays(paths.reports, days)} className={buttonClass('outline')}>
          <Icon name="left" className="size-5" /> Back to the report
        </Link>
      }
    >
      {request ? (
        <Lines days={days} request={request} after={parameters.get('after')} />
      ) : (
        <p>This figure doesn’t exist. Open one from the report.</p>
      )}
    </AdminFrame>
  )
}

const columnNames: Readonly<Record<OriginColumn, string>> = {
  revenue: 'Orders',
  net: 'Net',
  refunded: 'Refunded',
  commission: 'Commission',
  margin: 'Margin',
}

const providerNames: Readonly<Record<string, string>> = { stripe: 'Stripe', paypal: 'PayPal' }

function titleOf({ figure, of, column = 'revenue' }: LinesRequest, collectionName: (id: string) => string): string {
  const provider = providerNames[of] ?? 'Stripe'
  switch (figure) {
    case 'revenue':
      return 'Total Revenue'
    case 'tax':
      return 'Tax Collected'
    case 'collection':
      return `Revenue from ${collectionName(of)}`
    case 'brought':
      return columnNames[column]
    case 'database':
      return `${provider} Database Total`
    case 'listed':
      return `${provider} Total`
    case 'missing':
      return `Missing from Database (${provider})`
    case 'others':
      return `From other apps (${provider})`
    case 'refunded':
      return `Refunded Amounts (${provider})`
  }
}

function Lines({ days, request, after }: { days: Days; request: LinesRequest; after: string | null }) {
  const lines = useQuery(linesQuery(days, request, after))
  return (
    <>
      <p className="mb-4 text-ink-soft">
        {lines.data?.name && `${nameIn(request, lines.data.name)}. `}
        {days.start_date ? formatDay(days.start_date) : 'From the first order'}{' '}
        {days.end_date ? `to ${formatDay(days.end_date)}` : 'until now'}.
      </p>
      <QueryBoundary query={lines}>
        {(answer) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <SumCheck answer={answer} />
            <PagedTable
              caption="Lines, newest first"
              columns={columnsOf(answer)}
              rows={answer.lines}
              keyOf={({ id }) => id}
              totalTitle="All lines"
              empty="Nothing in this period."
              first={after && linesPath(days, request)}
              hasMore={answer.next !== null}
              after={() => `${linesPath(days, request)}&after=${encodeURIComponent(answer.next ?? '')}`}
            />
          </div>
        )}
      </QueryBoundary>
    </>
  )
}

const nameIn = ({ of }: LinesRequest, name: string): string => (of.startsWith('day:') ? formatDay(name) : name)

/** The same total three ways, added up on every request. */
function SumCheck({ answer: { count, total, reported, booked, asOf, timeZone } }: { answer: ReportLines }) {
  const agrees = total === reported && (booked === null || booked === total)
  const sentence = `${count} ${count === 1 ? 'line adds' : 'lines add'} up to ${formatUsd(total)}; the report shows ${formatUsd(reported)}${booked === null ? '' : `, the ledger ${formatUsd(booked)}`}.`
  return (
    <Check passed={agrees} failure="These totals don’t match">
      {sentence} As of {formatMomentIn(timeZone, asOf)}.
    </Check>
  )
}

const columnsOf = ({ total, timeZone }: ReportLines): readonly [Column<ReportLine>, ...Column<ReportLine>[]] => [
  {
    key: 'at',
    title: 'When',
    cell: ({ at }) => (
      <time dateTime={at} className="whitespace-nowrap">
        {formatMomentIn(timeZone, at)}
      </time>
    ),
  },
  {
    key: 'what',
    title: 'Description',
    cell: ({ what }) => <span className="block max-w-[20em] min-w-32 wrap-anywhere">{what}</span>,
  },
  {
    key: 'order',
    title: 'Order',
    cell: ({ orderNumber }) =>
      orderNumber ? (
        <Link to={paths.adminOrder(orderNumber)} className="link-line whitespace-nowrap">
          {formatOrderNumber(orderNumber)}
        </Link>
      ) : (
        'none'
      ),
  },
  {
    key: 'payment',
    title: 'Payment',
    cell: ({ paymentKey, providerId }) => (
      <span className="block max-w-[18em] min-w-32 text-sm wrap-anywhere">
        {paymentKey}
        {providerId && <span className="block text-ink-soft">{providerId}</span>}
      </span>
    ),
  },
  { key: 'amount', title: 'Amount', isNumber: true, cell: ({ amount }) => formatUsd(amount), total: formatUsd(total) },
]

import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { Rehearsal, RehearsedOrder } from '#contract/rehearsals.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, minus, type Cents } from '#shared/money.ts'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { Moment } from '#web/admin/Moment.tsx'
import { download } from '#web/api/download.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { useHydrated } from '#web/ui/use-form.ts'
import { changeIn, type RehearsedChange } from './rehearsal-link.ts'
import { formatDay } from './report-format.ts'

/** `/admin/rehearsal`: what the last 90 days would have been under the rule that a form has. */
export function RehearsalPage() {
  const isHydrated = useHydrated()
  const { hash } = useLocation()
  const change = isHydrated ? changeIn(hash) : undefined
  return (
    <AdminFrame title="What would the last 90 days have been?">
      {change && <RehearsalOf change={change} hash={hash} />}
      {isHydrated && !change && (
        <p>
          Open this page from a form that changes prices, rates, codes or shipping, such as the{' '}
          <Link to={paths.adminSettings} className="link-line">
            settings
          </Link>
          .
        </p>
      )}
    </AdminFrame>
  )
}

function RehearsalOf({ change, hash }: { change: RehearsedChange; hash: string }) {
  const [parameters] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(parameters.get('page')) || 1))
  const rehearsal = useQuery<Rehearsal>({
    queryKey: ['POST /api/admin/rehearsals', { body: { change, page } }],
    staleTime: 0,
  })
  const pathOf = (number: number) => `${paths.adminRehearsal}${number > 1 ? `?page=${number}` : ''}${hash}`
  return (
    <QueryBoundary query={rehearsal}>
      {(answer) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
          <Summary answer={answer} change={change} />
          <section aria-labelledby="rehearsed-orders">
            <h2 id="rehearsed-orders" className="mb-3 text-[1.375rem]">
              Orders that it concerns
            </h2>
            <PagedTable
              caption="Orders that it concerns, oldest first"
              columns={orderColumns}
              rows={answer.rows}
              keyOf={({ orderNumber }) => orderNumber}
              empty="No order of these days."
              first={page > 1 && pathOf(1)}
              firstText="First"
              hasMore={answer.hasMore}
              after={() => pathOf(page + 1)}
              nextText="Next"
            />
          </section>
        </div>
      )}
    </QueryBoundary>
  )
}

function Summary({ answer, change }: { answer: Rehearsal; change: RehearsedChange }) {
  const { about, from, to, orders, unpaid, carts, floor } = answer
  const { run, busy, failure } = useRequest()
  return (
    <section aria-labelledby="rehearsed-sums" className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-5">
      <h2 id="rehearsed-sums" className="text-[1.375rem] wrap-anywhere">
        {about}
      </h2>
      <p className="max-w-[44em] text-ink-soft">
        {formatDay(from)} to {formatDay(to)}. Every order is quoted again by the functions the shop sells with. Demand
        is taken as it was: nobody buys more or less because of the change. Profit is before refunds.
      </p>
      <SumsTable title={`${countOf(orders.sales, 'order')}, ${orders.changed} concerned`} sums={orders} floor={floor} />
      {unpaid.sales > 0 && (
        <SumsTable
          title={`${countOf(unpaid.sales, 'payment')} started and not paid, ${unpaid.changed} concerned`}
          sums={unpaid}
          floor={floor}
        />
      )}
      <p className="max-w-[44em]">
        {countOf(carts.carts, 'cart')} without a payment: goods worth {formatUsd(carts.before)} today, then{' '}
        {formatUsd(carts.after)}.
      </p>
      <Button
        variant="outline"
        busy={busy}
        onClick={() => void run(() => download('/api/admin/rehearsals/workbook', { change }))}
      >
        Download every order
      </Button>
      {failure && <Notice>{failure.sentence}</Notice>}
    </section>
  )
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

type Sums = Rehearsal['orders']
type SumRow = { what: string; before: string; after: string; difference: string }

function SumsTable({ title, sums, floor }: { title: string; sums: Sums; floor: Cents }) {
  const { before, after, unknown } = sums
  const amounts = (what: string, name: 'profit' | 'tax' | 'commission' | 'total'): SumRow => ({
    ...{ what, before: formatUsd(before[name]), after: formatUsd(after[name]) },
    difference: signed(minus(after[name], before[name])),
  })
  const more = after.belowFloor - before.belowFloor
  const rows: SumRow[] = [
    amounts(unknown > 0 ? `Profit (${unknown} unknown)` : 'Profit', 'profit'),
    {
      what: `Leave less than ${formatUsd(floor)}`,
      ...{ before: String(before.belowFloor), after: String(after.belowFloor) },
      difference: more > 0 ? `+${more}` : String(more),
    },
    amounts('Tax', 'tax'),
    amounts('Commission', 'commission'),
    amounts('Paid', 'total'),
  ]
  return (
    <div className="w-full max-w-[44em]">
      <Table caption={title} columns={sumColumns} rows={rows} keyOf={({ what }) => what} empty="" stacks />
    </div>
  )
}

const sumColumns: readonly [Column<SumRow>, ...Column<SumRow>[]] = [
  { key: 'what', title: 'Sum', cell: ({ what }) => what },
  { key: 'before', title: 'As it was', isNumber: true, cell: ({ before }) => before },
  { key: 'after', title: 'Then', isNumber: true, cell: ({ after }) => after },
  { key: 'difference', title: 'Difference', isNumber: true, cell: ({ difference }) => difference },
]

const signed = (amount: Cents): string => `${amount > 0 ? '+' : ''}${formatUsd(amount)}`

type Figure = 'total' | 'tax' | 'commission' | 'profit'

const figureColumn = (key: Figure, title: string): Column<RehearsedOrder> => ({
  ...{ key, title, isNumber: true },
  cell: ({ before, after }) => <Change before={before[key]} after={after[key]} />,
})

/** What it was above what it would have been. */
const Change = ({ before, after }: { before: Cents | null; after: Cents | null }) =>
  before === null || after === null ? (
    'unknown'
  ) : (
    <>
      <span className="block text-sm text-ink-soft">
        <span className="sr-only">was </span>
        {formatUsd(before)}
      </span>
      <span className="sr-only">, then </span>
      {formatUsd(after)}
    </>
  )

const orderColumns: readonly [Column<RehearsedOrder>, ...Column<RehearsedOrder>[]] = [
  {
    key: 'order',
    title: 'Order',
    cell: ({ orderNumber }) => (
      <Link to={paths.adminOrder(orderNumber)} className="link-line whitespace-nowrap">
        {formatOrderNumber(orderNumber)}
      </Link>
    ),
  },
  { key: 'placed', title: 'Placed', cell: ({ placedAt }) => <Moment at={placedAt} /> },
  { key: 'country', title: 'Country', cell: ({ country }) => country },
  figureColumn('total', 'Paid'),
  figureColumn('tax', 'Tax'),
  figureColumn('commission', 'Commission'),
  figureColumn('profit', 'Profit'),
  {
    key: 'difference',
    title: 'Difference',
    isNumber: true,
    cell: ({ before, after }) =>
      before.profit === null || after.profit === null ? '' : signed(minus(after.profit, before.profit)),
  },
]

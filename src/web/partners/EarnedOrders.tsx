import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { EarnedOrder } from '#contract/earnings.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { commissionLabels, objectionLabels } from '#domain/partners/labels.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import type { Column } from '#web/ui/Table.tsx'
import { earnedOrdersQuery } from './earnings-queries.ts'
import { dayThere } from './earnings-format.ts'

/** Orders that came through the partner's links, and the state of each commission. */
export function EarnedOrders({ timeZone }: { timeZone: string }) {
  const [parameters] = useSearchParams()
  const older = parameters.get('older')
  return (
    <QueryBoundary query={useQuery(earnedOrdersQuery(older))}>
      {({ orders, hasMore }) => (
        <PagedTable
          caption="Your orders"
          columns={columnsIn(timeZone)}
          rows={orders}
          keyOf={({ orderNumber }) => orderNumber}
          empty="No orders through your links yet. Share one, and its first order appears here as soon as it’s paid."
          first={older && portalPaths.orders}
          hasMore={hasMore}
          after={({ orderNumber }) => `${portalPaths.orders}?older=${orderNumber}`}
        />
      )}
    </QueryBoundary>
  )
}

const columnsIn = (timeZone: string): readonly [Column<EarnedOrder>, ...Column<EarnedOrder>[]] => [
  {
    key: 'order',
    title: 'Order',
    cell: ({ orderNumber, paidAt }) => (
      <span className="whitespace-nowrap">
        {formatOrderNumber(orderNumber)}
        <time dateTime={paidAt} className="block text-sm font-normal text-ink-soft">
          paid {dayThere(paidAt, timeZone)}
        </time>
      </span>
    ),
  },
  {
    key: 'link',
    title: 'Link or code',
    cell: ({ link, code }) => <span className="whitespace-nowrap">{code ?? `/r/${link}`}</span>,
  },
  { key: 'goods', title: 'Item total', isNumber: true, cell: ({ goods }) => formatUsd(goods) },
  { key: 'returned', title: 'Refunded', isNumber: true, cell: ({ returned }) => formatUsd(returned) },
  { key: 'earned', title: 'You earn', isNumber: true, cell: ({ earned }) => formatUsd(earned) },
  {
    key: 'state',
    title: 'Status',
    cell: (order) => (
      <div className="min-w-32">
        {commissionStateOf(order, timeZone)}
        <Changes order={order} timeZone={timeZone} />
      </div>
    ),
  },
]

export function commissionStateOf(
  { state, approvedFrom, objection }: Pick<EarnedOrder, 'state' | 'approvedFrom' | 'objection'>,
  timeZone: string,
): string {
  if (objection) return objectionLabels[objection]
  if (state === 'pending') return `Pending until ${dayThere(approvedFrom, timeZone)}`
  return state === 'paid' ? 'Paid out' : 'Approved'
}

/** Each commission entry: the item, the rate and the amount. */
const Changes = ({ order, timeZone }: { order: EarnedOrder; timeZone: string }) => (
  <details>
    <summary className="link-line inline-flex min-h-7 items-center text-sm whitespace-nowrap">
      {order.changes.length} {order.changes.length === 1 ? 'entry' : 'entries'}
      <span className="sr-only"> of order {formatOrderNumber(order.orderNumber)}</span>
    </summary>
    <ul className="grid gap-2 py-2 md:min-w-[19rem]">
      {order.changes.map(({ kind, at, productName, base, rate, amount }, index) => (
        // Entries are only added.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          {dayThere(at, timeZone)}: {commissionLabels[kind]}, {productName}
          <br />
          <span className="text-ink-soft">
            {formatUsd(base)} at {formatRate(rate)}: {formatUsd(amount)}
          </span>
        </li>
      ))}
    </ul>
  </details>
)

import type { PastOrderMonths } from '#contract/reports.ts'
import { formatUsd, sum } from '#shared/money.ts'
import { Table, type Column } from '#web/ui/Table.tsx'
import { formatStep } from './report-format.ts'

type Month = PastOrderMonths['months'][number]

/** Orders of a former shop by month; nothing for a label that came from nowhere. */
export function PastOrders({ months }: PastOrderMonths) {
  if (months.length === 0) return null
  return (
    <section aria-labelledby="past-orders-title">
      <h2 id="past-orders-title" className="mb-3 text-[1.375rem]">
        Orders of your former shop
      </h2>
      <Table
        caption="Orders of your former shop by month"
        isCaptionHidden
        columns={columnsOf(months)}
        rows={months}
        keyOf={({ month, shop }) => `${month} ${shop}`}
        totalTitle="All months"
        empty=""
      />
      <p className="mt-3 text-sm text-ink-soft">
        Imported, without canceled orders. Goods are before discounts, shipping and tax. No other figure on this page
        counts them.
      </p>
    </section>
  )
}

const columnsOf = (months: readonly Month[]): readonly [Column<Month>, ...Column<Month>[]] => [
  { key: 'month', title: 'Month', cell: ({ month }) => formatStep({ from: `${month}-01`, to: '' }) },
  { key: 'shop', title: 'Shop', cell: ({ shop }) => shop },
  {
    key: 'orders',
    title: 'Orders',
    isNumber: true,
    cell: ({ orders }) => orders,
    total: months.reduce((all, { orders }) => all + orders, 0),
  },
  {
    key: 'goods',
    title: 'Goods',
    isNumber: true,
    cell: ({ goods }) => formatUsd(goods),
    total: formatUsd(sum(months.map(({ goods }) => goods))),
  },
  {
    key: 'refunded',
    title: 'Refunded',
    isNumber: true,
    cell: ({ refunded }) => formatUsd(refunded),
    total: formatUsd(sum(months.map(({ refunded }) => refunded))),
  },
]

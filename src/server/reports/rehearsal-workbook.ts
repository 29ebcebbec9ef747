import type { RehearsedChange } from '#contract/rehearsals.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { addRehearsed, NO_SALES_REHEARSED, type RehearsalSums, type SaleFigures } from '#domain/reports/rehearsal.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, minus } from '#shared/money.ts'
import { WORKBOOK_TYPE, writeWorkbook, type CoverLine, type Row, type Sheet } from '#server/files/workbook.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { beginRehearsal, rehearsedOrders, rehearseUnpaid, type RehearsalNeeds } from './rehearsals.ts'
import { moment, money, rowsOf, text } from './workbook-parts.ts'

const NOTES = [
  'Demand is taken as it was: nobody buys more or less because of the change. That is the one thing it cannot know.',
  'Profit is before refunds: what was paid without tax, less the printer’s bill, the provider’s fee and commission. Both are those booked, or else expected.',
  'Tax follows what is taxed, at the rate of each order. The printer’s bill stays as it is.',
]

/** Every order of the last 90 days, as it was and as it would have been. Streamed. @throws as `beginRehearsal` */
export async function rehearsalWorkbook(shop: RehearsalNeeds, requested: RehearsedChange): Promise<FileAnswer> {
  const rehearsing = await beginRehearsal(shop, requested)
  const { about, days, zone, floor } = rehearsing
  let sums = NO_SALES_REHEARSED
  const sheet: Sheet = {
    name: 'By order',
    columns: [
      ...[text('Order', 13), moment('Placed'), text('Country', 18), text('Concerned', 11)],
      ...[money('Paid'), money('Paid then'), money('Tax'), money('Tax then')],
      ...[money('Commission'), money('Commission then'), money('Profit'), money('Profit then'), money('Difference')],
    ],
    rows: rowsOf(rehearsedOrders(shop, rehearsing), (page) =>
      page.map(({ order, rehearsed }) => {
        sums = addRehearsed(sums, rehearsed, floor)
        const { before, after, isChanged } = rehearsed
        return [
          ...[
            formatOrderNumber(order.orderNumber),
            order.createdAt,
            countryName(order.country),
            isChanged ? 'yes' : 'no',
          ],
          ...figureCells(before, after),
        ]
      }),
    ),
  }
  const cover = async (): Promise<CoverLine[]> => {
    const { unpaid, carts } = await rehearseUnpaid(shop, rehearsing)
    return [
      { label: 'Contents', value: 'What the orders of the last 90 days would have been under another rule' },
      { label: 'Rule', value: about },
      { label: 'From', value: days.from },
      { label: 'To', value: days.to },
      { label: 'Time zone', value: `${zone}; days start at midnight` },
      { label: 'Currency', value: 'US dollars (USD)' },
      ...sumLines('Orders', sums),
      ...sumLines('Payments that were started and not paid', unpaid),
      { label: 'Carts without a payment', count: carts.carts },
      { label: 'Their goods, as they are', money: carts.before },
      { label: 'Their goods, then', money: carts.after },
      { label: 'Notes' },
      { label: '', value: `An order below the floor leaves less than ${formatUsd(floor)}.` },
      ...NOTES.map((value) => ({ label: '', value })),
    ]
  }
  return {
    name: `rehearsal-${days.to}.xlsx`,
    type: WORKBOOK_TYPE,
    bytes: writeWorkbook({ title: 'Rehearsal', timeZone: zone, cover, sheets: [sheet] }),
  }
}

const figureCells = (before: SaleFigures, after: SaleFigures): Row => [
  ...[before.total, after.total, before.tax, after.tax, before.commission, after.commission],
  ...[before.profit, after.profit],
  before.profit === null || after.profit === null ? null : minus(after.profit, before.profit),
]

const sumLines = (what: string, { sales, changed, unknown, before, after }: RehearsalSums): CoverLine[] => [
  { label: what, count: sales },
  { label: 'Those that the rule concerns', count: changed },
  { label: 'Without a known profit', count: unknown },
  { label: 'Profit, as it was', money: before.profit },
  { label: 'Profit, then', money: after.profit },
  { label: 'Tax, as it was', money: before.tax },
  { label: 'Tax, then', money: after.tax },
  { label: 'Commission, as it was', money: before.commission },
  { label: 'Commission, then', money: after.commission },
  { label: 'Below the floor, as it was', count: before.belowFloor },
  { label: 'Below the floor, then', count: after.belowFloor },
]

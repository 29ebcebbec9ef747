import { entriesOfPrinterCost, entriesOfPrinterCredit } from '#domain/ledger/ledger.ts'
import { chargeOf, costOfLine } from '#domain/orders/printer-cost.ts'
import { minus, negate, ZERO } from '#shared/money.ts'
import { combineWrites, type Tx } from '#server/db/db.ts'
import { countPostings, post } from '#server/ledger/ledger.ts'
import { isSale, listOrderLines, type Order } from '#server/orders/orders.ts'
import { recordCost, recordLineCost } from '#server/orders/production.ts'
import type { PrinterOrder } from '#server/providers/printful/client.ts'
import { savePrinterOrders } from './printer-orders.ts'

/**
 * Books the difference between the printer's current cost of an order and what is booked, whether a charge or a credit, and updates our
 * copy of the printer's order. Line costs are stored only the first time.
 * @param order locked
 */
export async function bookPrinterCost(tx: Tx, order: Order, theirs: PrinterOrder, now: Date): Promise<void> {
  const charge = chargeOf(theirs)
  const { id, externalId, status, createdAt } = theirs
  await savePrinterOrders(tx, [{ id, externalId, status, cost: charge, createdAt }], now)
  const booked = order.partnerCostCents ?? ZERO
  if (charge === null || charge === booked) return
  const lines = booked === ZERO ? await listOrderLines(tx, order.id) : []
  await combineWrites(
    tx,
    recordCost(tx, order.id, charge),
    ...lines.map((line) => recordLineCost(tx, line, costOfLine(line, theirs.lines))),
  )

  const difference = minus(charge, booked)
  const isCredit = difference < ZERO
  const number = 1 + (await countPostings(tx, order.id, ['partner_cost', 'partner_credit']))
  await post(tx, {
    kind: isCredit ? 'partner_credit' : 'partner_cost',
    key: `partner:${order.externalId}:${number}`,
    orderId: order.id,
    paymentKey: null,
    bookedAt: now,
    entries: isCredit
      ? entriesOfPrinterCredit(negate(difference), isSale(order))
      : entriesOfPrinterCost(difference, isSale(order)),
  })
}

import { sql } from 'drizzle-orm'
import { entriesOfPrinterCost, entriesOfPrinterCredit } from '#domain/ledger/ledger.ts'
import { chargeOf, costOfLine } from '#domain/orders/printer-cost.ts'
import { minus, negate, ZERO } from '#shared/money.ts'
import { combineWrites, type Tx } from '#server/db/db.ts'
import { printerOrder } from '#server/db/schema.ts'
import { countPostings, post } from '#server/ledger/ledger.ts'
import { listOrderLines, type Order } from '#server/orders/orders.ts'
import type { PrinterOrder, PrinterOrderHead } from '#server/providers/printful/client.ts'
import { recordCost, recordLineCost } from './store.ts'

export { recordCost }

/** Keeps a copy of the partner's orders as they stand there: our books are compared with it. */
export async function savePrinterOrders(tx: Tx, orders: readonly PrinterOrderHead[], now: Date): Promise<void> {
  if (!orders.length) return
  const rows = orders.map(({ cost, ...row }) => ({ ...row, costCents: cost, readAt: now }))
  await tx
    .insert(printerOrder)
    .values(rows)
    .onConflictDoUpdate({
      target: printerOrder.id,
      set: {
        externalId: sql`excluded.external_id`,
        status: sql`excluded.status`,
        costCents: sql`excluded.cost_cents`,
        createdAt: sql`excluded.created_at`,
        readAt: now,
      },
    })
}

/**
 * Books what the partner takes for an order, and what it gives back of that, by what it says now: the difference to what is booked.
 * The copy of the partner's orders says the same from then on. What its lines cost is frozen when it is first known.
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
    entries: isCredit ? entriesOfPrinterCredit(negate(difference)) : entriesOfPrinterCost(difference),
  })
}

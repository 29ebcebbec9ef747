import { sql } from 'drizzle-orm'
import { entriesOfPartnerCost, entriesOfPartnerCredit } from '#domain/ledger/ledger.ts'
import { chargeOf, costOfLine } from '#domain/orders/partner-cost.ts'
import { minus, negated, ZERO } from '#kernel/money.ts'
import { writeTogether, type Tx } from '#server/db/db.ts'
import { partnerOrder } from '#server/db/schema.ts'
import { countPostings, post } from '#server/ledger/ledger.ts'
import { listOrderLines, type Order } from '#server/orders/orders.ts'
import type { PartnerOrder, PartnerOrderHead } from '#server/providers/printful/client.ts'
import { noteCost, noteLineCost } from './store.ts'

export { noteCost }

/** Keeps a copy of the partner's orders as they stand there: our books are compared with it. */
export async function putPartnerOrders(tx: Tx, orders: readonly PartnerOrderHead[], now: Date): Promise<void> {
  if (!orders.length) return
  const rows = orders.map(({ cost, ...row }) => ({ ...row, costCents: cost, readAt: now }))
  await tx
    .insert(partnerOrder)
    .values(rows)
    .onConflictDoUpdate({
      target: partnerOrder.id,
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
export async function bookPartnerCost(tx: Tx, order: Order, theirs: PartnerOrder, now: Date): Promise<void> {
  const charge = chargeOf(theirs)
  const { id, externalId, status, createdAt } = theirs
  await putPartnerOrders(tx, [{ id, externalId, status, cost: charge, createdAt }], now)
  const booked = order.partnerCostCents ?? ZERO
  if (charge === null || charge === booked) return
  const lines = booked === ZERO ? await listOrderLines(tx, order.id) : []
  await writeTogether(
    tx,
    noteCost(tx, order.id, charge),
    ...lines.map((line) => noteLineCost(tx, line, costOfLine(line, theirs.lines))),
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
    entries: isCredit ? entriesOfPartnerCredit(negated(difference)) : entriesOfPartnerCost(difference),
  })
}

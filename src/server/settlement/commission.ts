import type { GoneBack } from '#domain/partners/commission.ts'
import { partsOfAmount, restOf, totalOf } from '#domain/settlement/returns.ts'
import { cents, sum, type Cents } from '#kernel/money.ts'
import type { Tx } from '#server/db/db.ts'
import { hasPosted } from '#server/ledger/ledger.ts'
import { listOrderLines, wholeOf, type Order, type OrderLine } from '#server/orders/orders.ts'
import { restateCommission, type CommissionEvent } from '#server/partners/commission.ts'
import type { Needs } from '#server/shop.ts'
import { listDisputes, listRefunds } from './store.ts'

/** An order that has just been made may be a partner's; nothing was booked of it before, and nothing went back. */
export const followSale = (
  tx: Tx,
  shop: Needs<'clock' | 'config'>,
  { id: orderId, checkoutId, paymentKey }: Order,
  lines: readonly OrderLine[],
  cause: string,
): Promise<void> =>
  restateCommission(tx, shop, { orderId, checkoutId, paymentKey, lines, gone: [] }, { kind: 'sale', cause })

/** What has just been booked of an order changes what its partner has earned; the caller holds the order. */
export async function followCommission(
  tx: Tx,
  shop: Needs<'clock' | 'config'>,
  order: Order,
  event: CommissionEvent & { kind: Exclude<CommissionEvent['kind'], 'sale'> },
): Promise<void> {
  const { id: orderId, checkoutId, paymentKey } = order
  const lines = await listOrderLines(tx, orderId)
  const gone = await goneBackOf(tx, order)
  await restateCommission(tx, shop, { orderId, checkoutId, paymentKey, lines, gone }, event)
}

/** Of its goods: what was refunded, and of the rest what a bank has taken for now or for good. */
async function goneBackOf(tx: Tx, order: Order): Promise<GoneBack[]> {
  const refunds = (await listRefunds(tx, order.paymentKey)).flatMap(({ bookedAt, reversedAt, parts, pieces }) =>
    bookedAt && !reversedAt && parts ? [{ parts, pieces }] : [],
  )
  const rest = restOf(
    wholeOf(order),
    refunds.map(({ parts }) => parts),
  )
  const taken = cents(Math.min(await takenByBanks(tx, order), totalOf(rest)))
  return [
    ...refunds.map(({ parts, pieces }) => ({ merchandise: parts.merchandise, pieces })),
    { merchandise: partsOfAmount(rest, taken).merchandise, pieces: null },
  ]
}

async function takenByBanks(tx: Tx, { paymentKey }: Order): Promise<Cents> {
  const taken: Cents[] = []
  for (const { provider, disputeId, status, amountCents } of await listDisputes(tx, paymentKey)) {
    const isAgainstUs = status === 'open' || status === 'lost'
    if (isAgainstUs && (await hasPosted(tx, `dispute:${provider}:${disputeId}:taken`))) taken.push(amountCents)
  }
  return sum(taken)
}

import type { GoneBack } from '#domain/partners/commission.ts'
import type { ProviderPayment } from '#domain/settlement/objection.ts'
import { partsOfAmount, restOf, totalOf } from '#domain/settlement/returns.ts'
import { cents, sum, type Cents } from '#kernel/money.ts'
import { after, DAY_MS, HOUR_MS } from '#kernel/time.ts'
import type { Tx } from '#server/db/db.ts'
import { hasPosted } from '#server/ledger/ledger.ts'
import { listOrderLines, lockOrder, wholeOf, type Order, type OrderLine } from '#server/orders/orders.ts'
import { restateCommission, type CommissionEvent } from '#server/partners/commission.ts'
import { listFoundOut, noteObjection, payerOf, placesOf } from '#server/partners/own-purchases.ts'
import type { Needs } from '#server/shop.ts'
import { listDisputes, listRefunds } from './store.ts'

/** An order that has just been made may be a partner's; nothing was booked of it before, and nothing went back. */
export const followSale = (
  tx: Tx,
  shop: Needs<'clock' | 'config'>,
  { id: orderId, checkoutId, paymentKey, customerEmail, shippingAddress, billingAddress }: Order,
  lines: readonly OrderLine[],
  { payer }: Pick<ProviderPayment, 'payer'>,
): Promise<void> => {
  const buyer = {
    emails: [customerEmail, payer?.email ?? null],
    addresses: placesOf(shippingAddress, billingAddress),
    payer: payer && payerOf(payer),
  }
  const sold = { orderId, checkoutId, paymentKey, lines, gone: [], buyer }
  return restateCommission(tx, shop, sold, { kind: 'sale', cause: `sale:${paymentKey}` })
}

/** How long before, and after, a sale can be paid out it is compared with what became known of its partner since. */
const BEFORE_PAYOUT_MS = HOUR_MS
const AFTER_APPROVAL_MS = DAY_MS

/**
 * Takes back what partners have earned by purchases that turn out to be their own, before it is paid out.
 * @returns how many orders
 */
export async function takeBackOwnPurchases(shop: Needs<'db' | 'clock' | 'config' | 'log'>): Promise<number> {
  const now = shop.clock.now()
  const span = { from: after(now, -AFTER_APPROVAL_MS), until: after(now, BEFORE_PAYOUT_MS) }
  const found = await listFoundOut(shop.db, span)
  for (const { orderId, objection } of found)
    await shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      await noteObjection(tx, order.checkoutId, objection)
      await followCommission(tx, shop, order, { kind: 'own_purchase', cause: `own:${orderId}` })
      shop.log.info({ orderNumber: order.orderNumber, objection }, 'a sale was its partner’s own purchase')
    })
  return found.length
}

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

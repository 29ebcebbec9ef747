import type { ReturnedGoods } from '#domain/partners/commission.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { partsOfAmount, remainingParts, totalOf } from '#domain/payments/returns.ts'
import { cents, sum, type Cents } from '#shared/money.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import type { Tx } from '#server/db/db.ts'
import { hasPosted } from '#server/ledger/ledger.ts'
import { listOrderLines, lockOrder, partsOfOrder, type Order, type OrderLine } from '#server/orders/orders.ts'
import { restateCommission, type CommissionEvent } from '#server/partners/commission.ts'
import { listLateObjections, saveObjection, payerOf, placesOf } from '#server/partners/own-purchases.ts'
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
  const sold = { orderId, checkoutId, paymentKey, lines, returned: [], buyer }
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
  const found = await listLateObjections(shop.db, span)
  for (const { orderId, objection } of found)
    await shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      await saveObjection(tx, order.checkoutId, objection)
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
  const gone = await returnedGoodsOf(tx, order)
  await restateCommission(tx, shop, { orderId, checkoutId, paymentKey, lines, returned: gone }, event)
}

/** Of its goods: what was refunded, and of the rest what a bank has taken for now or for good. */
async function returnedGoodsOf(tx: Tx, order: Order): Promise<ReturnedGoods[]> {
  const refunds = (await listRefunds(tx, order.paymentKey)).flatMap(({ bookedAt, reversedAt, parts, pieces }) =>
    bookedAt && !reversedAt && parts ? [{ parts, pieces }] : [],
  )
  const rest = remainingParts(
    partsOfOrder(order),
    refunds.map(({ parts }) => parts),
  )
  const taken = cents(Math.min(await disputedAmountOf(tx, order), totalOf(rest)))
  return [
    ...refunds.map(({ parts, pieces }) => ({ merchandise: parts.merchandise, pieces })),
    { merchandise: partsOfAmount(rest, taken).merchandise, pieces: null },
  ]
}

async function disputedAmountOf(tx: Tx, { paymentKey }: Order): Promise<Cents> {
  const taken: Cents[] = []
  for (const { provider, disputeId, status, amountCents } of await listDisputes(tx, paymentKey)) {
    const isAgainstUs = status === 'open' || status === 'lost'
    if (isAgainstUs && (await hasPosted(tx, `dispute:${provider}:${disputeId}:taken`))) taken.push(amountCents)
  }
  return sum(taken)
}

import type { PaymentKey } from '#shared/ids.ts'
import { minus, sum, ZERO } from '#shared/money.ts'
import { findOrderOfPayment, lockOrder } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { insertRefund, listRefunds } from '#server/orders/refunds.ts'
import { followReturns, reverseRefund } from './returns.ts'
import { lockException } from './exceptions.ts'
import { lockPurchasedCard } from './gift-card-purchases.ts'

/**
 * Queues a refund of what is left of a payment without an order, not counting pending refunds.
 * @returns whether anything was left to refund
 */
export const refundException = (
  { db, clock, jobs }: Needs<'db' | 'clock' | 'jobs'>,
  key: PaymentKey,
  reason: string,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const exception = await lockException(tx, key)
    if (!exception || exception.resolvedAt) return false
    const given = (await listRefunds(tx, key)).filter(({ status }) => status !== 'failed')
    const rest = minus(exception.amountCents, sum(given.map(({ amountCents }) => amountCents)))
    if (rest <= ZERO) return false
    const row = { paymentKey: key, amountCents: rest, reason, createdAt: clock.now() }
    const { id } = await insertRefund(tx, row)
    await jobs.enqueue(tx, 'refund-payment', { refundId: id })
    return true
  })

/**
 * Reverses booked refunds that the provider does not know: the shopper got no money.
 * @returns the number of refunds
 * @throws ProviderUnavailable nothing was changed
 */
export async function takeBackUnknownRefunds(
  shop: Parameters<typeof followReturns>[0],
  key: PaymentKey,
): Promise<number> {
  // Only refunds stored before the call: the provider's list may lack one made meanwhile.
  const seen = new Set((await listRefunds(shop.db, key)).map(({ id }) => id))
  const known = new Set((await shop.payments.listReturns(key)).refunds.map(({ id }) => id))
  const taken = await shop.db.transaction(async (tx) => {
    const found = await findOrderOfPayment(tx, key)
    const order = found && (await lockOrder(tx, found.id))
    if (!order && !(await lockPurchasedCard(tx, key))) await lockException(tx, key)
    const unknown = (await listRefunds(tx, key)).filter(
      ({ id, providerRefundId, paysRefundId, giftCardId, bookedAt, reversedAt, status }) =>
        seen.has(id) &&
        bookedAt &&
        !reversedAt &&
        status !== 'pending' &&
        paysRefundId === null &&
        giftCardId === null &&
        !(providerRefundId && known.has(providerRefundId)),
    )
    for (const row of unknown) await reverseRefund(tx, shop, order, row)
    return unknown.length
  })
  // Recompute the order's payment status.
  await followReturns(shop, key)
  return taken
}

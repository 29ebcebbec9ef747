import type { PaymentKey } from '#shared/ids.ts'
import { minus, sum, ZERO } from '#shared/money.ts'
import { findOrderOfPayment, lockOrder } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { followReturns, takeBackRefund } from './refunds.ts'
import { insertRefund, listRefunds, lockException } from './store.ts'

// What the owner has done about money whose books do not agree.

/**
 * Gives back what is left of a payment that made no order; the provider is asked for it once this is committed. What is on its way is
 * not given back again.
 * @returns whether there was something to give back
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
 * Takes refunds out of the book that the provider, asked again, does not know: the shopper has no money of them.
 * @returns how many
 * @throws ProviderUnavailable nothing was changed
 */
export async function takeBackUnknownRefunds(
  shop: Parameters<typeof followReturns>[0],
  key: PaymentKey,
): Promise<number> {
  // Of those that stand here before it is asked: what is made meanwhile it may not have listed.
  const seen = new Set((await listRefunds(shop.db, key)).map(({ id }) => id))
  const known = new Set((await shop.payments.listReturns(key)).refunds.map(({ id }) => id))
  const taken = await shop.db.transaction(async (tx) => {
    const found = await findOrderOfPayment(tx, key)
    const order = found && (await lockOrder(tx, found.id))
    if (!order) await lockException(tx, key)
    const unknown = (await listRefunds(tx, key)).filter(
      ({ id, providerRefundId, paysRefundId, bookedAt, reversedAt, status }) =>
        seen.has(id) &&
        bookedAt &&
        !reversedAt &&
        status !== 'pending' &&
        paysRefundId === null &&
        !(providerRefundId && known.has(providerRefundId)),
    )
    for (const row of unknown) await takeBackRefund(tx, shop, order, row)
    return unknown.length
  })
  // Where the money of the order stands follows from what is booked now.
  await followReturns(shop, key)
  return taken
}

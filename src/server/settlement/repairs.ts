import { entriesOfExceptionRefund, entriesOfRefund, reversed } from '#domain/ledger/ledger.ts'
import { assert } from '#kernel/assert.ts'
import { readPaymentKey, type PaymentKey } from '#kernel/ids.ts'
import { minus, sum, ZERO } from '#kernel/money.ts'
import { post } from '#server/ledger/ledger.ts'
import { findOrderOfPayment, lockOrder } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { followReturns } from './refunds.ts'
import { changeRefund, insertRefund, listRefunds, lockException } from './store.ts'

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
  const provider = readPaymentKey(key)?.provider
  assert(provider, `${key} is no payment of a provider of ours`)
  const known = new Set((await shop.payments.listReturns(key)).refunds.map(({ id }) => id))
  const taken = await shop.db.transaction(async (tx) => {
    const order = await findOrderOfPayment(tx, key)
    await (order ? lockOrder(tx, order.id) : lockException(tx, key))
    const unknown = (await listRefunds(tx, key)).filter(
      ({ providerRefundId, bookedAt, reversedAt, status }) =>
        bookedAt && !reversedAt && status !== 'pending' && !(providerRefundId && known.has(providerRefundId)),
    )
    const now = shop.clock.now()
    for (const { id, parts, amountCents } of unknown) {
      const entries = parts ? entriesOfRefund(provider, parts) : entriesOfExceptionRefund(provider, amountCents)
      const booked = { orderId: order?.id ?? null, paymentKey: key, bookedAt: now }
      await post(tx, { ...booked, kind: 'refund', key: `refund-failed:${id}`, entries: reversed(entries) })
      await changeRefund(tx, id, { status: 'failed', reversedAt: now })
    }
    return unknown.length
  })
  // Where the money of the order stands follows from what is booked now.
  await followReturns(shop, key)
  return taken
}

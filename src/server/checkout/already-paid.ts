import { paymentKey, type CheckoutId, type PaymentKey, type SessionId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { findCheckout, findNewestCheckout, type StoredCheckout } from './checkout.ts'
import { listWalletOrders } from './wallet-orders.ts'

/** The refusal to pay a checkout twice; it names the payment, so the page can show its status. */
export async function refusalIfPaid({ db }: Needs<'db'>, id: CheckoutId): Promise<Refusal | undefined> {
  const checkout = await findCheckout(db, id)
  return checkout && refusalFor(db, checkout)
}

/**
 * The same for an empty cart: the lines that a page still shows may have been paid in another tab.
 * @param since ignore older payments
 */
export async function refusalIfJustPaid(
  { db }: Needs<'db'>,
  sessionId: SessionId,
  since: Date,
): Promise<Refusal | undefined> {
  const newest = await findNewestCheckout(db, sessionId)
  return newest && newest.updatedAt >= since ? refusalFor(db, newest) : undefined
}

async function refusalFor(db: Reader, checkout: StoredCheckout): Promise<Refusal | undefined> {
  if (checkout.state === 'open' || checkout.state === 'released') return undefined
  return new Refusal(checkout.state === 'held' ? 'payment_held' : 'already_paid', {
    payment: await paymentOf(db, checkout),
  })
}

/** @returns undefined when several payments are possible */
async function paymentOf(
  db: Reader,
  { id, state, provider, providerPaymentId }: StoredCheckout,
): Promise<PaymentKey | undefined> {
  const isKnown = state === 'paid' || (state === 'held' && provider === 'paypal')
  if (isKnown && provider && providerPaymentId) return paymentKey(provider, providerPaymentId)
  if (state !== 'held') return undefined
  const [held, ...others] = await listWalletOrders(db, id)
  return held && others.length === 0 ? paymentKey('paypal', held.id) : undefined
}

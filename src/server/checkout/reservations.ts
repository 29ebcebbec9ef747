import { listLapsed, moveHolds, releaseReserved } from '#server/drops/drops.ts'
import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { after, MINUTE_MS } from '#shared/time.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { cancelIntent } from './card.ts'
import { findCheckout, lockCheckout, releaseCheckout, type StoredCheckout } from './checkout.ts'
import { listWalletOrders } from './wallet-orders.ts'

// Pieces of drops that are reserved for a checkout. They are given to others only once it can no longer be paid.

type ReserveNeeds = Needs<'jobs' | 'config' | 'clock'>

/** A payment under way, or the provider is away: asked again after this long. */
const ASK_AGAIN_MS = MINUTE_MS
const BATCH = 200

/**
 * Ends reservations that are over: their payments are canceled first, so that nobody pays for a piece that somebody else gets.
 * @returns payments that were captured in the meantime and must be settled
 */
export async function endLapsedReservations(
  shop: ReserveNeeds & Needs<'db' | 'stripe' | 'log'>,
): Promise<PaymentKey[]> {
  const paid: PaymentKey[] = []
  for (const id of new Set(await listLapsed(shop.db, shop.clock.now(), BATCH))) {
    const checkout = await findCheckout(shop.db, id)
    const status = checkout?.state === 'open' ? await endPayment(shop, checkout) : checkout?.state
    if (status === 'captured' && checkout?.providerPaymentId)
      paid.push(paymentKey('stripe', checkout.providerPaymentId))
    await shop.db.transaction(async (tx) => {
      const now = shop.clock.now()
      const locked = await lockCheckout(tx, id)
      if (locked?.state === 'open' && status === 'cancelled') await releaseCheckout(tx, id, now)
      else if (locked?.state === 'open' || locked?.state === 'held') {
        await moveHolds(tx, id, after(now, ASK_AGAIN_MS))
        return
      }
      await releaseReserved(tx, shop, id)
    })
  }
  return paid
}

/** @returns `cancelled` once nobody can pay the checkout any more */
async function endPayment(
  shop: ReserveNeeds & Needs<'db' | 'stripe' | 'log'>,
  { id, provider, providerPaymentId }: StoredCheckout,
): Promise<'cancelled' | 'captured' | 'open'> {
  // A wallet is captured by the shop alone, and only while its checkout is open.
  const isCapturing = (await listWalletOrders(shop.db, id)).some(({ captureUntil }) => captureUntil !== null)
  if (isCapturing) return 'open'
  if (provider !== 'stripe' || !providerPaymentId) return 'cancelled'
  try {
    const status = await cancelIntent(shop, providerPaymentId)
    return status === 'cancelled' || status === 'captured' ? status : 'open'
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    shop.log.warn({ err: error }, 'A lapsed payment could not be canceled; the shop tries again.')
    return 'open'
  }
}

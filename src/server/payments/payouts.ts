import { entriesOfPayout, reverseEntries } from '#domain/ledger/ledger.ts'
import { payoutActionFor, type ProviderPayout } from '#domain/payments/payouts.ts'
import { post } from '#server/ledger/ledger.ts'
import type { Needs } from '#server/shop.ts'
import { changePayout, lockPayout } from './store.ts'

export { findPayout, findPayoutBefore, listLatestPayouts, type StoredPayout } from './store.ts'

/**
 * Books a provider's payout to the bank, and reverses it if the payout failed. Safe to repeat, also with late events.
 * @returns the payout's status
 */
export async function bookPayout({ db, clock }: Needs<'db' | 'clock'>, theirs: ProviderPayout): Promise<string> {
  return db.transaction(async (tx) => {
    const now = clock.now()
    const known = await lockPayout(tx, theirs)
    const booking = payoutActionFor(theirs.status, {
      status: known.status,
      isBooked: known.bookedAt !== null,
      isReversed: known.reversedAt !== null,
    })
    const entries = entriesOfPayout(theirs.provider, known.amountCents)
    const booked = { kind: 'payout' as const, orderId: null, paymentKey: null, bookedAt: now }
    const name = `${theirs.provider}:${theirs.id}`
    if (booking === 'book') await post(tx, { ...booked, key: `payout:${name}`, entries })
    if (booking === 'take_back')
      await post(tx, { ...booked, key: `payout-failed:${name}`, entries: reverseEntries(entries) })
    // A failed payout stays failed, even if an older event arrives later.
    const status = known.status === 'failed' ? 'failed' : theirs.status
    await changePayout(tx, theirs, {
      status,
      ...(booking === 'book' && { bookedAt: now }),
      ...(booking === 'take_back' && { reversedAt: now }),
    })
    return status
  })
}

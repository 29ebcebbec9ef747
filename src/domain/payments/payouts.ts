import type { PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'

/** under_way: withdrawn from our balance. failed: returned by the bank, possibly days after it was `paid`. */
export const payoutStatuses = ['under_way', 'paid', 'failed'] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** A payout from a provider to our bank, as the provider reports it. */
export type ProviderPayout = {
  provider: PaymentProvider
  id: string
  /** Negative if the provider collects a shortfall from the bank. */
  amount: Cents
  status: PayoutStatus
  createdAt: Date
}

type KnownPayout = { status: PayoutStatus; isBooked: boolean; isReversed: boolean }

/**
 * Whether a payout has to be booked or reversed, given what is already booked. A failed one stays failed, whatever
 * arrives late.
 */
export function payoutActionFor(reported: PayoutStatus, { status, isBooked, isReversed }: KnownPayout) {
  if (reported === 'failed' || status === 'failed') return isBooked && !isReversed ? 'take_back' : 'nothing'
  return isBooked ? 'nothing' : 'book'
}

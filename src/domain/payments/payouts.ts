import type { PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'

/** under_way: the provider has taken it from our balance. failed: the bank sent it back, which may be days after it was `paid`. */
export const payoutStatuses = ['under_way', 'paid', 'failed'] as const
export type PayoutStatus = (typeof payoutStatuses)[number]

/** Money that a provider sends to the bank, as the provider tells it. */
export type ProviderPayout = {
  provider: PaymentProvider
  id: string
  /** Negative where the provider takes from the bank what it lacks. */
  amount: Cents
  status: PayoutStatus
  createdAt: Date
}

type KnownPayout = { status: PayoutStatus; isBooked: boolean; isReversed: boolean }

/** What has to be booked of a payout, or taken back, given what is known of it. What has failed stays so, whatever is told late. */
export function bookingOf(reported: PayoutStatus, { status, isBooked, isReversed }: KnownPayout) {
  if (reported === 'failed' || status === 'failed') return isBooked && !isReversed ? 'take_back' : 'nothing'
  return isBooked ? 'nothing' : 'book'
}

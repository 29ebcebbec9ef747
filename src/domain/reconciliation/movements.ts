import type { CheckoutId, PaymentKey, PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'

/**
 * The type of a line in a provider's account. A fee usually belongs to another movement (`Movement.fee`); a `fee`
 * movement stands alone, such as a monthly charge. `adjustment`: anything else.
 */
export const movementKinds = ['charge', 'refund', 'dispute', 'fee', 'adjustment', 'payout'] as const
export type MovementKind = (typeof movementKinds)[number]

/** One line of a provider's account, in our terms. */
export type Movement = {
  provider: PaymentProvider
  /** The provider's id of the line. */
  id: string
  kind: MovementKind
  /** Amount before the fee, in cents of `currency`; positive when it came to us. */
  amount: Cents
  /** The provider's fee; negative if it returned one. */
  fee: Cents
  currency: string
  /** Null if it is not about a payment, such as a payout. */
  paymentKey: PaymentKey | null
  /** The provider's id of the charge, refund, dispute or payout. */
  sourceId: string | null
  /** The checkout named by a charge; null if another program made it with the same account. */
  checkoutId: CheckoutId | null
  occurredAt: Date
}

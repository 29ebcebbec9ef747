import type { CheckoutId, PaymentKey, PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'

/**
 * What a line of a provider's own account is about. A fee is kept of another movement (`Movement.fee`); a movement of the kind
 * `fee` is one that stands alone, such as a monthly charge. `adjustment`: whatever has no better name.
 */
export const movementKinds = ['charge', 'refund', 'dispute', 'fee', 'adjustment', 'payout'] as const
export type MovementKind = (typeof movementKinds)[number]

/** One line of a provider's own account, in our words. */
export type Movement = {
  provider: PaymentProvider
  /** The provider's own id of the line. */
  id: string
  kind: MovementKind
  /** What moved, before the fee: positive when it came to us. In cents of `currency`. */
  amount: Cents
  /** What the provider kept of it; negative when it gave a fee back. */
  fee: Cents
  currency: string
  /** Null for what is about no payment, such as a payout. */
  paymentKey: PaymentKey | null
  /** The provider's id of the charge, refund, dispute or payout behind the line. */
  sourceId: string | null
  /** The checkout that a charge names; null when another program made it with the same account. */
  checkoutId: CheckoutId | null
  occurredAt: Date
}

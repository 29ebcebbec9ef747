import type { CheckoutId, PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { PaidCard } from './card.ts'
import type { CheckoutState } from '#domain/checkout/status.ts'

/** A provider's payment in our terms. */
export type ProviderPayment = {
  provider: PaymentProvider
  id: string
  /**
   * captured: the money is ours. processing and held: may still come. open: not paid yet, or declined. canceled: never
   * will be.
   */
  status: 'captured' | 'processing' | 'held' | 'open' | 'cancelled'
  /** Amount received, in cents of `currency`. */
  amount: Cents
  currency: string
  live: boolean
  /** Partly or fully refunded, or disputed. */
  isReturned: boolean
  /** The provider's fee; null until known. */
  fee: Cents | null
  /** The means of payment as the provider names it; null if unknown. */
  payer: { kind: 'card' | 'wallet'; id: string; email: string | null } | null
  /** What its customer knows the card by; null for other means, and if unknown. */
  card: PaidCard | null
  /** From the payment's metadata; null if this shop did not create it. */
  checkoutId: CheckoutId | null
  quoteHash: string | null
}

export type PaymentObjection =
  | 'unknown_checkout'
  | 'unknown_version'
  | 'amount_differs'
  | 'currency_differs'
  | 'mode_differs'
  | 'second_payment'
  | 'money_returned'
  /** What a gift card was to pay of the order is no longer on it. */
  | 'gift_card_spent'
  /** It paid for a change of an order that could no longer be changed. */
  | 'change_impossible'
  /** No piece of a drop was left for it. */
  | 'drop_taken'
  /** Its card had bought as many pieces of a drop as a person may. */
  | 'drop_limit'

type OfferedCheckout = { state: CheckoutState; currency: string; total: Cents | undefined }

/**
 * Why a captured payment cannot become an order.
 * @param offered the checkout the payment names, with the total of its version; undefined if it names no checkout
 * @param live whether this shop's own key moves real money
 */
export function objectionTo(
  payment: ProviderPayment,
  offered: OfferedCheckout | undefined,
  live: boolean,
): PaymentObjection | undefined {
  if (!offered) return 'unknown_checkout'
  if (payment.live !== live) return 'mode_differs'
  if (offered.state === 'paid' || offered.state === 'exception') return 'second_payment'
  if (payment.isReturned) return 'money_returned'
  if (offered.total === undefined) return 'unknown_version'
  if (payment.currency !== offered.currency) return 'currency_differs'
  if (payment.amount !== offered.total) return 'amount_differs'
  return undefined
}

import type { CheckoutId, PaymentProvider } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { CheckoutState } from '#domain/checkout/checkout.ts'

/** A provider's payment in our own words. */
export type ProviderPayment = {
  provider: PaymentProvider
  id: string
  /** captured: the money is ours. processing and held: it may still come. open: not paid yet, or declined. canceled: never will be. */
  status: 'captured' | 'processing' | 'held' | 'open' | 'cancelled'
  /** What was received, in cents of `currency`. */
  amount: Cents
  currency: string
  live: boolean
  /** Some or all of it went back already, or the payer's bank disputes it. */
  isReturned: boolean
  /** What the provider keeps of it; null until it says so. */
  fee: Cents | null
  /** With what it was paid, in the provider's own words; null until it was, and where the provider does not say. */
  payer: { kind: 'card' | 'wallet'; id: string; email: string | null } | null
  /** From the payment's own metadata; null when the payment is not of this shop's making. */
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

type OfferedCheckout = { state: CheckoutState; currency: string; total: Cents | undefined }

/**
 * Why a captured payment cannot become an order.
 * @param offered the checkout that the payment names, with the total of the version it names; undefined when there is none
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

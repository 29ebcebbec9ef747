import type { Stripe } from 'stripe'
import type { Address } from '#domain/checkout/address.ts'
import type { PaidCard } from '#domain/payments/card.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { type ReportUnknownValue, knownValueOrReport } from '#server/providers/unknown-values.ts'
import { type CheckoutId, type OrderNumber, formatOrderNumber } from '#shared/ids.ts'
import { type Cents, cents } from '#shared/money.ts'

/** Creates or updates an intent. Its metadata holds only ids, because values are limited to 500 characters. */
export type IntentRequest = {
  checkoutId: CheckoutId
  quoteHash: string
  /** Undefined for a gift card, which is no order and goes nowhere. */
  order: { orderNumber: OrderNumber; name: string; phone: string | null; address: Address } | undefined
  /** In the payment's description. */
  shopName: string
  amount: Cents
  /** Stripe returns the same result for the same key for a day. */
  idempotencyKey: string
}

/** The fields of an intent that depend on the checkout. */
export function intentFields({ checkoutId, quoteHash, order, amount, shopName }: IntentRequest) {
  const metadata = { checkout_id: checkoutId, quote_hash: quoteHash }
  if (!order) return { amount, description: `${shopName} gift card`, metadata }
  const { orderNumber, name, phone, address } = order
  return {
    amount,
    description: `${shopName} order ${formatOrderNumber(orderNumber)}`,
    metadata: { ...metadata, order_number: orderNumber },
    shipping: { name, ...(phone && { phone }), address: stripeAddress(address) },
  }
}

export const stripeAddress = ({ line1, line2, city, state, postalCode, country }: Address) => ({
  line1,
  ...(line2 && { line2 }),
  city,
  ...(state && { state }),
  ...(postalCode && { postal_code: postalCode }),
  country,
})

const statuses: Readonly<Record<string, ProviderPayment['status']>> = {
  succeeded: 'captured',
  processing: 'processing',
  requires_capture: 'held',
  canceled: 'cancelled',
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
}

/** Other programs with the same account may store anything in metadata. */
export const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** A refunded or disputed intent stays succeeded; only its charge shows it. */
const isReturned = (charge: Stripe.PaymentIntent['latest_charge']): boolean =>
  typeof charge === 'object' && charge !== null && (charge.amount_refunded > 0 || charge.disputed)

/** Null until Stripe has booked the payment, a moment after it succeeded. */
function feeOf(charge: Stripe.PaymentIntent['latest_charge']): Cents | null {
  const booked = typeof charge === 'object' ? charge?.balance_transaction : null
  return typeof booked === 'object' && booked !== null ? cents(booked.fee) : null
}

/** Stripe's fingerprint is the same for all payments with a card number. Other payment methods may have none. */
function payerOf(charge: Stripe.PaymentIntent['latest_charge']): ProviderPayment['payer'] {
  const details = typeof charge === 'object' ? charge?.payment_method_details : null
  const id = details?.card?.fingerprint ?? details?.us_bank_account?.fingerprint
  return id ? { kind: 'card', id, email: null } : null
}

const FOUR_DIGITS = /^\d{4}$/

function cardOf(charge: Stripe.PaymentIntent['latest_charge']): PaidCard | null {
  const card = typeof charge === 'object' ? charge?.payment_method_details?.card : null
  return card?.last4 && FOUR_DIGITS.test(card.last4) ? { brand: card.brand ?? '', lastFour: card.last4 } : null
}

export const asPayment = (intent: Stripe.PaymentIntent, report: ReportUnknownValue): ProviderPayment => ({
  provider: 'stripe',
  id: intent.id,
  status: knownValueOrReport(statuses, intent.status, 'processing', (value) => report('payment status', value)),
  amount: cents(intent.amount_received),
  currency: intent.currency,
  live: intent.livemode,
  checkoutId: uuid.test(intent.metadata['checkout_id'] ?? '') ? (intent.metadata['checkout_id'] as CheckoutId) : null,
  isReturned: isReturned(intent.latest_charge),
  fee: feeOf(intent.latest_charge),
  payer: payerOf(intent.latest_charge),
  card: cardOf(intent.latest_charge),
  quoteHash: intent.metadata['quote_hash'] ?? null,
})

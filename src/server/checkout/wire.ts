import type { OrderSummary, PaymentStart, StartPayment, WireAddress } from '#contract/checkout.ts'
import type { WireQuote } from '#contract/quote.ts'
import { datesOf } from '#domain/catalog/arrival.ts'
import { normalizeAddress, NOT_DELIVERED, validateAddress, type Address } from '#domain/checkout/address.ts'
import type { ClaimedAmounts } from '#domain/checkout/claimed-amounts.ts'
import type { FrozenCustomer } from '#domain/checkout/checkout.ts'
import { alternateCountries } from '#domain/checkout/countries.ts'
import type { Quote } from '#domain/checkout/quote.ts'
import { taxNameOf } from '#domain/checkout/tax-name.ts'
import { asksForTaxNumber, taxNumberFrom, taxNumberObjection } from '#domain/checkout/tax-number.ts'
import { customsNotices } from '#domain/checkout/to-door.ts'
import { savingNotices } from '#domain/codes/discount.ts'
import { orderTextsIn } from '#domain/orders/order-texts.ts'
import { toPayOf } from '#domain/gift-cards/gift-card.ts'
import { Refusal } from '#server/http/refusal.ts'
import { isOneOf } from '#shared/one-of.ts'
import { aboutOf } from './wire-quote.ts'

// Maps the specification's wire names of amounts and addresses.

/** The contract's schema drops `surcharge`, which is in the quote. */
export function summaryOf(quote: Quote): OrderSummary {
  const taxName = taxNameOf(quote.taxBreakdown)
  return {
    ...quote,
    ...(taxName !== undefined && { taxName }),
    total: toPayOf(quote),
    arrival: quote.arrival && datesOf(quote.arrival),
    ...aboutOf(quote),
    notices: [...savingNotices(quote.discounts ?? []), ...quote.notices, ...customsNotices(quote)],
  }
}

export const paymentStartOf = (
  quote: Quote,
  wireQuote: WireQuote,
  clientSecret: string,
  paymentIntent: string,
): PaymentStart => ({
  client_secret: clientSecret,
  payment_intent: paymentIntent,
  subtotal: quote.subtotal,
  shipping_cost: quote.shipping,
  tax_amount: quote.tax,
  vat_protection: quote.vatProtection,
  total_amount: toPayOf(quote),
  tax_breakdown: quote.taxBreakdown,
  shipping_surcharges: quote.shippingSurcharges,
  surcharge_disclosures: quote.surchargeDisclosures,
  summary: summaryOf(quote),
  quote: wireQuote,
})

/** What the browser believes of its lines; the request calls a piece's amount `price`. */
export const claimedItemsFrom = (items: StartPayment['cartItems']): ClaimedAmounts['cartItems'] =>
  items?.map(({ price, ...item }) => ({ ...item, unitPrice: price }))

/** @param field the address's path in the request, for field errors @throws Refusal `invalid` or `country_unsupported` */
export function addressFrom(wire: WireAddress, field: string): Address {
  const objections = validateAddress(wire)
  const [first] = objections
  if (!first) return normalizeAddress(wire)
  const fields = Object.fromEntries(objections.map((objection) => [`${field}.${objection.field}`, objection.sentence]))
  throw new Refusal(first.field === 'country' ? 'country_unsupported' : 'invalid', {}, fields)
}

/** The customer and addresses, from the main or the alternate checkout. */
export function customerFrom(info: StartPayment['customerInfo']): {
  customer: FrozenCustomer
  shippingAddress: Address
  billingAddress: Address | null
  /** The shipping address's path in the request. */
  addressField: string
} {
  const who = { email: info.email, name: info.name, texts: orderTextsIn(info.texts) }
  if ('address' in info) {
    refuseUnoffered(info.address.country)
    return {
      customer: { ...who, phone: info.phone || null, taxNumber: null },
      shippingAddress: addressFrom(info.address, 'customerInfo.address'),
      billingAddress: null,
      addressField: 'customerInfo.address',
    }
  }
  const shippingAddress = addressFrom(info.shippingAddress, 'customerInfo.shippingAddress')
  return {
    customer: { ...who, phone: null, taxNumber: taxNumberOf(info, shippingAddress) },
    shippingAddress,
    addressField: 'customerInfo.shippingAddress',
    billingAddress: info.sameBillingAddress || !info.billingAddress ? null : billingFrom(info.billingAddress),
  }
}

/** The alternate checkout ships to fewer countries; not to Brazil, because it has no field for a tax number. */
function refuseUnoffered(country: string): void {
  if (isOneOf(alternateCountries, country)) return
  throw new Refusal('country_unsupported', {}, { 'customerInfo.address.country': NOT_DELIVERED })
}

/** @throws Refusal `invalid` where the printer requires a valid tax number */
function taxNumberOf(info: { tax_number?: string | null | undefined }, { country }: Address): string | null {
  if (!asksForTaxNumber(country)) return null
  const typed = info.tax_number ?? ''
  const objection = taxNumberObjection(typed)
  if (objection) throw new Refusal('invalid', {}, { 'customerInfo.tax_number': objection })
  return taxNumberFrom(typed) ?? null
}

/** Any country is allowed, and no price depends on it, so the billing address is only trimmed. */
function billingFrom(wire: WireAddress): Address {
  const text = (value: string | null | undefined) => value?.trim() || null
  return {
    line1: wire.line1,
    line2: text(wire.line2),
    city: wire.city,
    state: text(wire.state),
    postalCode: text(wire.postal_code),
    country: wire.country,
  }
}

/** For an address that a provider cannot locate. @param field the address's path in the request */
export const addressRefusal = (field: string): Refusal =>
  new Refusal('address_refused', {}, { [`${field}.postal_code`]: 'Please check the postal code, city and state.' })

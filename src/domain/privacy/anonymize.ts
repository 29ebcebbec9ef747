import type { Address } from '#domain/checkout/address.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { outerPostalCode } from '#domain/checkout/postal-codes.ts'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import type { FulfillmentStatus, PaymentStatus } from '#domain/orders/status.ts'

/** Keeps what tax is based on and where it was owed: a state or outward postal code identifies nobody. */
export const addressWithoutPerson = ({ country, state, postalCode }: Address): Address => ({
  line1: '',
  line2: null,
  city: '',
  state,
  postalCode: outerPostalCode(country, postalCode),
  country,
})

/** Keeps products, amounts and tax; removes the person. */
export const frozenWithoutPerson = (frozen: FrozenCheckout): FrozenCheckout => ({
  ...frozen,
  customer: { email: '', name: '', phone: null, taxNumber: null },
  shippingAddress: addressWithoutPerson(frozen.shippingAddress),
  billingAddress: null,
})

export const evidenceWithoutPerson = (evidence: TaxEvidence): TaxEvidence => ({
  ...evidence,
  address: addressWithoutPerson(evidence.address),
})

/** These cannot be made or delivered without a name and address. */
const UNDELIVERED: ReadonlySet<FulfillmentStatus> = new Set([
  'waiting',
  'submitted',
  'in_production',
  'partially_shipped',
  'on_hold',
  'needs_attention',
])

/** Whether an order still needs its customer's data. */
export const needsCustomerData = (fulfillment: FulfillmentStatus, payment: PaymentStatus): boolean =>
  payment === 'disputed' || (UNDELIVERED.has(fulfillment) && payment !== 'refunded')

import type { Address } from '#domain/checkout/address.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { outerPostalCode } from '#domain/checkout/postal-codes.ts'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import type { FulfillmentStatus, PaymentStatus } from '#domain/orders/status.ts'

/** What the tax rests on, and what says where it was owed: nobody lives in a state, or in a postal code's outer part. */
export const addressWithoutPerson = ({ country, state, postalCode }: Address): Address => ({
  line1: '',
  line2: null,
  city: '',
  state,
  postalCode: outerPostalCode(country, postalCode),
  country,
})

/** Goods, amounts and tax stay; who wanted them does not. */
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

/** Without a name and an address these could not be made, or not arrive. */
const UNDELIVERED: ReadonlySet<FulfillmentStatus> = new Set([
  'waiting',
  'submitted',
  'in_production',
  'partially_shipped',
  'on_hold',
  'needs_attention',
])

/** Whether an order still needs its customer. */
export const needsCustomer = (fulfillment: FulfillmentStatus, payment: PaymentStatus): boolean =>
  payment === 'disputed' || (UNDELIVERED.has(fulfillment) && payment !== 'refunded')

import type { Address } from './address.ts'
import type { PricedLine, Quote } from './quote.ts'
import type { TaxBasis } from './tax-evidence.ts'

/**
 * open: may be paid. held: the provider has the money and reviews it. paid: became an order. exception: was paid, but
 * not as frozen. released: can no longer be paid (canceled at the provider).
 */
export type CheckoutState = 'open' | 'held' | 'paid' | 'exception' | 'released'

export type FrozenCustomer = {
  email: string
  name: string
  phone: string | null
  /** Where the partner asks for the receiver's number at the tax office. */
  taxNumber: string | null
}

/** The copy of lines, prices, customer, addresses and quote that a payment is for; nothing that a browser says later changes it. */
export type FrozenCheckout = {
  customer: FrozenCustomer
  shippingAddress: Address
  /** Null when it is the shipping address. */
  billingAddress: Address | null
  lines: PricedLine[]
  quote: Quote
  taxCalculationId: string | null
  /** Missing from copies that were frozen before it was kept. */
  taxBasis?: TaxBasis
}

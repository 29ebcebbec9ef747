import type { OrderTexts } from '../orders/order-texts.ts'
import type { Address } from './address.ts'
import type { PricedLine, Quote } from './quote.ts'
import type { TaxBasis } from './tax-evidence.ts'

export type FrozenCustomer = {
  email: string
  name: string
  phone: string | null
  /** Required by the printer in some countries. */
  taxNumber: string | null
  /** Missing in older copies. */
  texts?: OrderTexts
}

/** The frozen lines, prices, customer, addresses and quote of a payment; later browser input never changes it. */
export type FrozenCheckout = {
  customer: FrozenCustomer
  shippingAddress: Address
  /** Null if same as the shipping address. */
  billingAddress: Address | null
  lines: PricedLine[]
  quote: Quote
  taxCalculationId: string | null
  /** Missing in older copies. */
  taxBasis?: TaxBasis
}

import type { Address } from '#domain/checkout/address.ts'
import type { FulfillmentStatus, PaymentStatus } from './status.ts'

/** Who corrects an order: the customer behind a mailed link, or the owner. */
export type Corrector = 'shopper' | 'owner'

export type CorrectableOrder = {
  fulfillment: FulfillmentStatus
  payment: PaymentStatus
  /** The owner holds it back from the printer. */
  isHeldHere: boolean
  /** The printer waits for another address. */
  needsAddress: boolean
  isErased: boolean
}

/**
 * Whether the address can be corrected: until the printer has the order, and where it refused or holds it. A customer does so
 * only when the address is the cause; the owner decides.
 */
export function canCorrectAddress(order: CorrectableOrder, by: Corrector): boolean {
  const { fulfillment, payment, isHeldHere, needsAddress, isErased } = order
  if (isErased || (payment !== 'paid' && payment !== 'partially_refunded')) return false
  if (fulfillment === 'waiting') return true
  if (fulfillment === 'on_hold' && isHeldHere) return true
  return (fulfillment === 'on_hold' || fulfillment === 'needs_attention') && (needsAddress || by === 'owner')
}

const CLOSED_STATUSES: ReadonlySet<FulfillmentStatus> = new Set(['delivered', 'cancelled', 'returned'])

/** Whether the email can be corrected: as long as there is something left to write about; the owner may always. */
export const canCorrectEmail = ({ fulfillment, isErased }: CorrectableOrder, by: Corrector): boolean =>
  !isErased && (by === 'owner' || !CLOSED_STATUSES.has(fulfillment))

/** Countries whose taxes are those of a state or province. */
const COUNTRIES_TAXED_BY_STATE: ReadonlySet<string> = new Set(['US', 'CA'])

/**
 * What of the place has changed by which tax, surcharge and restrictions are worked out; undefined when the price stays what
 * was paid.
 */
export function changedTaxPlace(before: Address, after: Address): 'country' | 'state' | undefined {
  if (before.country !== after.country) return 'country'
  return COUNTRIES_TAXED_BY_STATE.has(after.country) && before.state !== after.state ? 'state' : undefined
}

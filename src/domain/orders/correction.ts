import type { Address } from '#domain/checkout/address.ts'
import { mayBeMade, type FulfillmentStatus, type PaymentStatus } from './status.ts'

/** Who corrects an order: the customer through an emailed link, or the owner. */
export type Corrector = 'shopper' | 'owner'

export type CorrectableOrder = {
  fulfillment: FulfillmentStatus
  payment: PaymentStatus
  /** Held back by the owner. */
  isHeldHere: boolean
  /** Printful needs a different address. */
  needsAddress: boolean
  isErased: boolean
}

/**
 * Whether the address can be corrected: until Printful has the order, or if it refused or holds it. A customer may
 * only if the address is the cause; the owner always.
 */
export function canCorrectAddress(order: CorrectableOrder, by: Corrector): boolean {
  const { fulfillment, payment, isHeldHere, needsAddress, isErased } = order
  if (isErased || !mayBeMade(payment)) return false
  if (fulfillment === 'waiting') return true
  if (fulfillment === 'on_hold' && isHeldHere) return true
  return (fulfillment === 'on_hold' || fulfillment === 'needs_attention') && (needsAddress || by === 'owner')
}

const CLOSED_STATUSES: ReadonlySet<FulfillmentStatus> = new Set(['delivered', 'cancelled', 'returned'])

/** Whether the email can be corrected: while there are emails left to send; the owner always. */
export const canCorrectEmail = ({ fulfillment, isErased }: CorrectableOrder, by: Corrector): boolean =>
  !isErased && (by === 'owner' || !CLOSED_STATUSES.has(fulfillment))

const COUNTRIES_TAXED_BY_STATE: ReadonlySet<string> = new Set(['US', 'CA'])

/**
 * Which part of the address affecting tax, surcharge or restrictions has changed; undefined if the price stays the
 * same.
 */
export function changedTaxRegion(before: Address, after: Address): 'country' | 'state' | undefined {
  if (before.country !== after.country) return 'country'
  return COUNTRIES_TAXED_BY_STATE.has(after.country) && before.state !== after.state ? 'state' : undefined
}

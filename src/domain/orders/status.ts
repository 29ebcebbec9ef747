import { isOneOf } from '#shared/one-of.ts'

export const paymentStatuses = ['paid', 'partially_refunded', 'refunded', 'disputed', 'no_charge'] as const
/** `no_charge`: an order without a payment, such as a replacement. */
export type PaymentStatus = (typeof paymentStatuses)[number]

/** An order's fulfillment status; `waiting` is paid and not yet submitted. */
export const fulfillmentStatuses = [
  'waiting',
  'submitted',
  'in_production',
  'partially_shipped',
  'shipped',
  'delivered',
  'on_hold',
  'needs_attention',
  'cancelled',
  'returned',
] as const
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number]

/** The specification's single `status`: a waiting order shows its payment status. */
type OrderStatus = Exclude<FulfillmentStatus, 'waiting'> | Exclude<PaymentStatus, 'disputed'>

/** In order of progress. An order without news for a while may be found in any of them. */
const SHIPPING_ORDER = ['partially_shipped', 'shipped', 'delivered', 'returned'] as const

/**
 * Shipped orders cannot go back to hold or attention: trouble with a parcel is recorded in the order's reason, not its
 * status.
 */
const nextFulfillment: Record<FulfillmentStatus, readonly FulfillmentStatus[]> = {
  waiting: ['submitted', 'in_production', ...SHIPPING_ORDER, 'on_hold', 'needs_attention', 'cancelled'],
  submitted: ['in_production', ...SHIPPING_ORDER, 'on_hold', 'needs_attention', 'cancelled'],
  in_production: [...SHIPPING_ORDER, 'on_hold', 'needs_attention', 'cancelled'],
  on_hold: ['submitted', 'in_production', ...SHIPPING_ORDER, 'needs_attention', 'cancelled'],
  needs_attention: ['submitted', 'in_production', ...SHIPPING_ORDER, 'on_hold', 'cancelled'],
  partially_shipped: ['shipped', 'delivered', 'returned'],
  shipped: ['delivered', 'returned'],
  delivered: ['returned'],
  cancelled: [],
  returned: [],
}

/** Only the owner reverses these: an order held, given up or stopped starts over. Printful's updates never do. */
const RESTARTABLE: readonly FulfillmentStatus[] = ['on_hold', 'needs_attention', 'cancelled']

export const canRestart = (from: FulfillmentStatus): boolean => RESTARTABLE.includes(from)

/**
 * Payment status can go back: a refund may fail weeks later, a dispute may be won. It is derived only from refunds and
 * disputes.
 */
const nextPayment: Record<PaymentStatus, readonly PaymentStatus[]> = {
  paid: ['partially_refunded', 'refunded', 'disputed'],
  partially_refunded: ['paid', 'refunded', 'disputed'],
  disputed: ['paid', 'partially_refunded', 'refunded'],
  refunded: ['paid', 'partially_refunded', 'disputed'],
  no_charge: [],
}

/** In these, an order is made: refunded and disputed orders are not. */
export const madeStatuses = ['paid', 'partially_refunded', 'no_charge'] as const satisfies readonly PaymentStatus[]
export const mayBeMade = (payment: PaymentStatus): boolean => isOneOf(madeStatuses, payment)

/** Late and reordered events never move an order back. */
export const fulfillmentCanBecome = (from: FulfillmentStatus, to: FulfillmentStatus): boolean =>
  nextFulfillment[from].includes(to)

export const paymentCanBecome = (from: PaymentStatus, to: PaymentStatus): boolean => nextPayment[from].includes(to)

/** A full refund outweighs the parcel's state; a partly refunded order still ships. */
export function statusOf(payment: PaymentStatus, fulfillment: FulfillmentStatus): OrderStatus {
  if (payment === 'refunded') return fulfillment === 'returned' ? 'returned' : 'refunded'
  if (fulfillment === 'waiting') return payment === 'partially_refunded' || payment === 'no_charge' ? payment : 'paid'
  if (payment === 'partially_refunded' && fulfillment === 'delivered') return 'partially_refunded'
  return fulfillment
}

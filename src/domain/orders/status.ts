/** Where the money of an order stands. */
export const paymentStatuses = ['paid', 'partially_refunded', 'refunded', 'disputed'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Where the making and sending of an order stands; `waiting` is paid and not yet with the partner. */
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

/** The specification's one `status`: an order that waits is called by its payment. */
type OrderStatus = Exclude<FulfillmentStatus, 'waiting'> | Exclude<PaymentStatus, 'disputed'>

/** In the order in which they come about. An order that nobody heard of for a while may be found in any of them. */
const SHIPPING_ORDER = ['partially_shipped', 'shipped', 'delivered', 'returned'] as const

/**
 * What has been sent can no longer be held or wait for somebody, for a way back would lead through there: trouble with a
 * parcel is told by the order's reason, not by its state.
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

/** What the owner alone brings about: an order that was held back, given up or stopped begins anew. No news of the partner's does that. */
const RESTARTABLE: readonly FulfillmentStatus[] = ['on_hold', 'needs_attention', 'cancelled']

export const canRestart = (from: FulfillmentStatus): boolean => RESTARTABLE.includes(from)

/** Money does come back: a refund may fail weeks later, and a dispute be won. Where it stands follows from refunds and disputes alone. */
const nextPayment: Record<PaymentStatus, readonly PaymentStatus[]> = {
  paid: ['partially_refunded', 'refunded', 'disputed'],
  partially_refunded: ['paid', 'refunded', 'disputed'],
  disputed: ['paid', 'partially_refunded', 'refunded'],
  refunded: ['paid', 'partially_refunded', 'disputed'],
}

/** Late and reordered events never move an order back. */
export const fulfillmentCanBecome = (from: FulfillmentStatus, to: FulfillmentStatus): boolean =>
  nextFulfillment[from].includes(to)

export const paymentCanBecome = (from: PaymentStatus, to: PaymentStatus): boolean => nextPayment[from].includes(to)

/** Money given back outweighs what became of the parcel only when all of it was given back; a partly refunded order still ships. */
export function statusOf(payment: PaymentStatus, fulfillment: FulfillmentStatus): OrderStatus {
  if (payment === 'refunded') return fulfillment === 'returned' ? 'returned' : 'refunded'
  if (fulfillment === 'waiting') return payment === 'partially_refunded' ? 'partially_refunded' : 'paid'
  if (payment === 'partially_refunded' && fulfillment === 'delivered') return 'partially_refunded'
  return fulfillment
}

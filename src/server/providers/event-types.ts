/**
 * What an event means to the shop. payment: may be paid now. decline: a card was declined. return: a refund or dispute moved. payout: a
 * transfer to the bank moved. Events without a meaning are only stored. Every event
 * of Printful's about an order is a hint to read it again; ordered and changed are mostly echoes of our own calls, sent_back is a parcel
 * that nothing else reports.
 */
type Meaning = 'payment' | 'decline' | 'return' | 'payout' | 'ordered' | 'changed' | 'sent_back' | 'product' | 'stock'

/** `label`: shown to the owner after the provider's name. `isNeeded`: the provider's webhook must send it, see docs/operations.md. */
type EventTypes = Readonly<Record<string, { label: string; means?: Meaning; isNeeded?: true }>>

/** An event that the webhook must send. */
const needed = <const M extends Meaning>(label: string, means?: M) => ({
  label,
  ...(means && { means }),
  isNeeded: true as const,
})

export const stripeEvents: EventTypes = {
  'payment_intent.created': { label: 'payment started' },
  'payment_intent.succeeded': needed('payment received', 'payment'),
  'payment_intent.processing': { label: 'payment processing' },
  'payment_intent.payment_failed': needed('payment attempt failed', 'decline'),
  'payment_intent.canceled': { label: 'payment canceled' },
  'charge.succeeded': { label: 'card charged', means: 'payment' },
  'charge.failed': { label: 'card declined', means: 'decline' },
  'charge.updated': { label: 'charge updated' },
  'charge.refunded': needed('money refunded', 'return'),
  'refund.created': needed('refund started', 'return'),
  'refund.updated': needed('refund updated', 'return'),
  'refund.failed': needed('refund failed', 'return'),
  'charge.refund.updated': { label: 'refund updated', means: 'return' },
  'charge.dispute.created': needed('payment disputed by the bank', 'return'),
  'charge.dispute.updated': needed('dispute updated', 'return'),
  'charge.dispute.closed': needed('dispute decided', 'return'),
  'charge.dispute.funds_withdrawn': needed('disputed money withdrawn', 'return'),
  'charge.dispute.funds_reinstated': needed('disputed money returned', 'return'),
  'payout.created': needed('payout created', 'payout'),
  'payout.updated': needed('payout updated', 'payout'),
  'payout.paid': needed('payout paid', 'payout'),
  'payout.failed': needed('payout failed', 'payout'),
  'payout.canceled': needed('payout canceled', 'payout'),
}

export const paypalEvents: EventTypes = {
  'CHECKOUT.ORDER.APPROVED': needed('payment approved by the payer', 'payment'),
  'CHECKOUT.ORDER.COMPLETED': { label: 'payment complete', means: 'payment' },
  'PAYMENT.CAPTURE.COMPLETED': needed('payment received', 'payment'),
  'PAYMENT.CAPTURE.PENDING': needed('payment under review', 'payment'),
  'PAYMENT.CAPTURE.DENIED': needed('payment denied', 'payment'),
  'PAYMENT.CAPTURE.DECLINED': { label: 'payment declined', means: 'payment' },
  'PAYMENT.CAPTURE.REFUNDED': needed('money refunded', 'return'),
  'PAYMENT.CAPTURE.REVERSED': needed('payment reversed', 'return'),
  'PAYMENT.REFUND.PENDING': { label: 'refund pending', means: 'return' },
  'PAYMENT.REFUND.FAILED': { label: 'refund failed', means: 'return' },
  'CUSTOMER.DISPUTE.CREATED': needed('payment disputed by the payer', 'return'),
  'CUSTOMER.DISPUTE.UPDATED': needed('dispute updated', 'return'),
  'CUSTOMER.DISPUTE.RESOLVED': needed('dispute decided', 'return'),
}

export const printfulEvents: EventTypes = {
  order_created: needed('order received', 'ordered'),
  order_updated: needed('order updated', 'changed'),
  order_failed: needed('order failed'),
  order_canceled: needed('order canceled'),
  order_put_hold: needed('order on hold'),
  order_put_hold_approval: { label: 'order waiting for approval' },
  order_remove_hold: needed('hold removed'),
  order_refunded: { label: 'order refunded to us' },
  package_shipped: needed('parcel shipped'),
  package_returned: needed('parcel returned', 'sent_back'),
  product_synced: needed('product synced', 'product'),
  product_updated: needed('product updated', 'product'),
  product_deleted: needed('product deleted', 'product'),
  stock_updated: needed('stock updated', 'stock'),
}

const all: EventTypes = { ...stripeEvents, ...paypalEvents, ...printfulEvents }

/** @param type as the provider sends it; undefined for an event that is only stored */
export const meaningOf = (type: string): Meaning | undefined => all[type]?.means

/** An event's label, shown after the provider's name. An unknown type is shown as the provider spells it. */
export const eventLabel = (type: string): string => all[type]?.label ?? type.toLowerCase().replaceAll(/[._]/g, ' ')

export const neededTypes = (events: EventTypes): string[] =>
  Object.keys(events).filter((type) => events[type]?.isNeeded)

export const typesThatMean = (events: EventTypes, ...meanings: readonly Meaning[]): string[] =>
  Object.keys(events).filter((type) => meanings.some((meaning) => events[type]?.means === meaning))

import { ruleOf, type ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import type { PrinterStatus } from '#domain/orders/printer-status.ts'
import type { PaymentStatus } from '#domain/orders/status.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import type { ProviderPayment } from './objection.ts'

const eventLabels: Readonly<Record<string, string>> = {
  'payment_intent.created': 'payment started',
  'payment_intent.succeeded': 'payment received',
  'payment_intent.processing': 'payment processing',
  'payment_intent.payment_failed': 'payment attempt failed',
  'payment_intent.canceled': 'payment canceled',
  'charge.succeeded': 'card charged',
  'charge.failed': 'card declined',
  'charge.updated': 'charge updated',
  'charge.refunded': 'money refunded',
  'refund.created': 'refund started',
  'refund.updated': 'refund updated',
  'refund.failed': 'refund failed',
  'charge.refund.updated': 'refund updated',
  'charge.dispute.created': 'payment disputed by the bank',
  'charge.dispute.updated': 'dispute updated',
  'charge.dispute.closed': 'dispute decided',
  'charge.dispute.funds_withdrawn': 'disputed money withdrawn',
  'charge.dispute.funds_reinstated': 'disputed money returned',
  'CHECKOUT.ORDER.APPROVED': 'payment approved by the payer',
  'CHECKOUT.ORDER.COMPLETED': 'payment complete',
  'PAYMENT.CAPTURE.COMPLETED': 'payment received',
  'PAYMENT.CAPTURE.PENDING': 'payment under review',
  'PAYMENT.CAPTURE.DENIED': 'payment denied',
  'PAYMENT.CAPTURE.DECLINED': 'payment declined',
  'PAYMENT.CAPTURE.REFUNDED': 'money refunded',
  'PAYMENT.CAPTURE.REVERSED': 'payment reversed',
  'PAYMENT.REFUND.PENDING': 'refund pending',
  'PAYMENT.REFUND.FAILED': 'refund failed',
  'CUSTOMER.DISPUTE.CREATED': 'payment disputed by the payer',
  'CUSTOMER.DISPUTE.UPDATED': 'dispute updated',
  'CUSTOMER.DISPUTE.RESOLVED': 'dispute decided',
  order_created: 'order received',
  order_updated: 'order updated',
  order_failed: 'order failed',
  order_canceled: 'order canceled',
  order_put_hold: 'order on hold',
  order_put_hold_approval: 'order waiting for approval',
  order_remove_hold: 'hold removed',
  order_refunded: 'order refunded to us',
  package_shipped: 'parcel shipped',
  package_returned: 'parcel returned',
}

/** An event's label, shown after the provider's name. An unknown type is shown as the provider spells it. */
export const eventLabel = (type: string): string => eventLabels[type] ?? type.toLowerCase().replaceAll(/[._]/g, ' ')

const payments: Record<ProviderPayment['status'], string> = {
  captured: 'Payment received.',
  processing: 'Payment processing.',
  held: 'The provider is reviewing the payment. Production waits for its decision.',
  open: 'Nothing paid yet.',
  cancelled: 'Canceled; nothing was paid.',
}

const paymentStatuses: Record<PaymentStatus, string> = {
  paid: 'We hold the full amount.',
  partially_refunded: 'Partly refunded.',
  refunded: 'Fully refunded.',
  disputed: 'Disputed.',
}

const printerStatuses: Record<PrinterStatus, string> = {
  draft: 'The printer has it as a draft.',
  pending: 'The printer has it.',
  failed: 'The printer cannot make it.',
  canceled: 'The printer canceled it.',
  inprocess: 'The printer is making it.',
  onhold: 'The printer has it on hold.',
  partial: 'Partly shipped.',
  fulfilled: 'Fully shipped.',
}

const outcomes: Readonly<Record<string, string>> = {
  ...payments,
  ...paymentStatuses,
  ...printerStatuses,
  'nothing to do': 'Nothing to do.',
  'nothing new': 'Nothing changed.',
  nothing: 'Nothing to do.',
  lapsed: 'Expired at the provider; nothing was paid.',
  'not captured: its checkout is closed': 'Not captured: the checkout was already closed.',
  'not settled': 'This payment did not become an order.',
  'not our order': 'Not one of our orders.',
  'unknown to the partner': 'The printer does not know the order.',
  'nobody follows this provider': 'The shop does not handle events from this provider.',
  unknown_payment: 'Not one of our payments.',
  payment_not_captured: 'Nothing paid yet.',
  payment_held: 'The provider is reviewing the payment. Production waits for its decision.',
  already_paid: 'Already paid.',
  wallet_not_approved: 'The payer has not approved it yet.',
  wallet_declined: 'The provider declined the payment; nothing was charged.',
  wallet_address: 'The provider rejected the address; nothing was charged.',
}

/**
 * What the shop did with an event, as the owner reads it. The stored outcome is short, for searching; a provider's code is shown as it is.
 * @param outcome null until the event is processed
 */
export function outcomeLabel(outcome: string | null): string {
  if (outcome === null) return 'Not processed yet.'
  const known = outcomes[outcome]
  if (known) return known
  const [, about, of] = /^(order|exception) (.+)$/.exec(outcome) ?? []
  if (about === 'order') return `Paid order ${formatOrderNumber(of ?? '')}.`
  if (about === 'exception') return `Listed under Exceptions: ${ruleOf(of as ExceptionKind).title}.`
  return `Result: ${outcome.toLowerCase().replaceAll('_', ' ')}.`
}

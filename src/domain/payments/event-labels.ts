import { ruleOf, type ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import type { PrinterStatus } from '#domain/orders/printer-status.ts'
import type { PaymentStatus } from '#domain/orders/status.ts'
import type { ProviderPayment } from './objection.ts'

const types: Readonly<Record<string, string>> = {
  'payment_intent.created': 'a payment was begun',
  'payment_intent.succeeded': 'the payment came',
  'payment_intent.processing': 'the payment is on its way',
  'payment_intent.payment_failed': 'a try to pay failed',
  'payment_intent.canceled': 'the payment was given up',
  'charge.succeeded': 'the card was charged',
  'charge.failed': 'the card was declined',
  'charge.updated': 'the charge was changed',
  'charge.refunded': 'money went back',
  'refund.created': 'a refund was begun',
  'refund.updated': 'a refund stands otherwise',
  'refund.failed': 'a refund failed',
  'charge.refund.updated': 'a refund stands otherwise',
  'charge.dispute.created': 'the bank disputes the payment',
  'charge.dispute.updated': 'the dispute stands otherwise',
  'charge.dispute.closed': 'the dispute is decided',
  'charge.dispute.funds_withdrawn': 'the disputed money was taken',
  'charge.dispute.funds_reinstated': 'the disputed money was given back',
  'CHECKOUT.ORDER.APPROVED': 'the payer agreed',
  'CHECKOUT.ORDER.COMPLETED': 'the payment is complete',
  'PAYMENT.CAPTURE.COMPLETED': 'the payment came',
  'PAYMENT.CAPTURE.PENDING': 'the payment is under review',
  'PAYMENT.CAPTURE.DENIED': 'the payment was denied',
  'PAYMENT.CAPTURE.DECLINED': 'the payment was declined',
  'PAYMENT.CAPTURE.REFUNDED': 'money went back',
  'PAYMENT.CAPTURE.REVERSED': 'the payment was taken back',
  'PAYMENT.REFUND.PENDING': 'a refund is on its way',
  'PAYMENT.REFUND.FAILED': 'a refund failed',
  'CUSTOMER.DISPUTE.CREATED': 'the payer disputes the payment',
  'CUSTOMER.DISPUTE.UPDATED': 'the dispute stands otherwise',
  'CUSTOMER.DISPUTE.RESOLVED': 'the dispute is decided',
  order_created: 'the order arrived',
  order_updated: 'the order stands otherwise',
  order_failed: 'the order failed',
  order_canceled: 'the order was cancelled',
  order_put_hold: 'the order is on hold',
  order_put_hold_approval: 'the order waits for an approval',
  order_remove_hold: 'the order goes on',
  order_refunded: 'the order was refunded to us',
  package_shipped: 'a parcel left',
  package_returned: 'a parcel came back',
}

/** What a provider's event says, after the provider's name; one that is not known here by its own words. */
export const eventLabel = (type: string): string => types[type] ?? type.toLowerCase().replaceAll(/[._]/g, ' ')

const payments: Record<ProviderPayment['status'], string> = {
  captured: 'The payment has come.',
  processing: 'The payment is on its way.',
  held: 'The provider reviews the payment; nothing is made until it has decided.',
  open: 'Nothing was paid by it yet.',
  cancelled: 'Nothing was paid by it, and nothing will be.',
}

const monies: Record<PaymentStatus, string> = {
  paid: 'All of the money is with us.',
  partially_refunded: 'Part of the money went back.',
  refunded: 'All of the money went back.',
  disputed: 'The money is disputed.',
}

const makings: Record<PrinterStatus, string> = {
  draft: 'The printer has it as a draft.',
  pending: 'The printer has it.',
  failed: 'The printer cannot make it.',
  canceled: 'The printer has canceled it.',
  inprocess: 'The printer makes it.',
  onhold: 'The printer holds it.',
  partial: 'Part of it has left.',
  fulfilled: 'All of it has left.',
}

const outcomes: Readonly<Record<string, string>> = {
  ...payments,
  ...monies,
  ...makings,
  'nothing to do': 'Nothing had to be done.',
  'nothing new': 'We knew that.',
  nothing: 'Nothing had to be done.',
  lapsed: 'The provider has forgotten it; nothing was paid by it.',
  'not captured: its checkout is closed': 'Not taken: what was to be bought is no longer on offer.',
  'not settled': 'No payment that became an order.',
  'not our order': 'No order of ours.',
  'unknown to the partner': 'The printer does not know the order.',
  'nobody follows this provider': 'Nobody follows this provider.',
  unknown_payment: 'No payment of ours.',
  payment_not_captured: 'Nothing was paid by it yet.',
  payment_held: 'The provider reviews the payment; nothing is made until it has decided.',
  already_paid: 'It had been paid already.',
  wallet_not_approved: 'The payer has not agreed yet.',
  wallet_declined: 'The provider declined the payment; nothing was charged.',
  wallet_address: 'The provider did not take the address; nothing was charged.',
}

/**
 * What an event came to, as the owner reads it. What is kept with the event is short, for searching; a provider's code among it is
 * told as it is.
 * @param outcome null while it has not been followed
 */
export function outcomeLabel(outcome: string | null): string {
  if (outcome === null) return 'It has not been looked at yet.'
  const known = outcomes[outcome]
  if (known) return known
  const [, about, of] = /^(order|exception) (.+)$/.exec(outcome) ?? []
  if (about === 'order') return `Order ${of} is paid by it.`
  if (about === 'exception') return `It waits among the exceptions: ${ruleOf(of as ExceptionKind).title}.`
  return `The answer was: ${outcome.toLowerCase().replaceAll('_', ' ')}.`
}

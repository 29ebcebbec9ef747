import { ruleOf, type ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import type { PrinterStatus } from '#domain/orders/printer-status.ts'
import type { PaymentStatus } from '#domain/orders/status.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import type { ProviderPayment } from './objection.ts'

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
  no_charge: 'Made without a payment.',
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

/** Every kind of email that the shop sends, as the outbox and `audit_mails` name it. docs/operations.md says to whom each goes. */
export const mailKinds = [
  // to a customer, about a payment under review or an order
  'payment_held',
  'payment_denied',
  'payment_declined',
  'confirmation',
  'on_hold',
  'corrected',
  'cancelled',
  'shipped',
  'delivered',
  'refunded',
  'refund_returned',
  'order_link',
  // to somebody who has an account, or asks for what we know
  'account_password',
  'account_email',
  'account_changed',
  'my_data',
  // to those who wrote to us
  'contact_answer',
  'chat_answer',
  'newsletter_confirm',
  'newsletter_welcome',
  'newsletter_issue',
  // to partners
  'call_asked',
  'call_answered',
  'partner_decision',
  'partner_share',
  'partner_payout',
  'payout_account_changed',
  // to us
  'contact',
  'chat',
  'subscribers',
  'issue_preview',
  'call_wanted',
  'partner_application',
  'payment_exception',
  'catalog_changes',
  'exceptions',
  'dispute',
  'refund_failed',
] as const
export type MailKind = (typeof mailKinds)[number]

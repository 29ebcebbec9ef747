/** Every kind of email the shop sends, as in the outbox and `audit_mails`. docs/operations.md lists the recipients. */
export const mailKinds = [
  // to customers, about a payment under review or an order
  'payment_held',
  'payment_denied',
  'payment_declined',
  'confirmation',
  'free_order',
  'on_hold',
  'corrected',
  'cancelled',
  'shipped',
  'delivered',
  'refunded',
  'refund_returned',
  'order_link',
  // to account holders and people requesting their data
  'account_password',
  'account_email',
  'account_changed',
  'my_data',
  // to people who contacted us
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
  // to the shop's owner
  'contact',
  'chat',
  'subscribers',
  'issue_preview',
  'mail_test',
  'call_wanted',
  'partner_application',
  'payment_exception',
  'catalog_changes',
  'exceptions',
  'dispute',
  'refund_failed',
] as const
export type MailKind = (typeof mailKinds)[number]

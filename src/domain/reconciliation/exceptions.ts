import type { PaymentObjection } from '#domain/payments/objection.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import type { Difference, DifferenceKind } from './differences.ts'

/** Problems visible in the shop's own state alone. */
export const localExceptionKinds = [
  'not_submitted',
  'queue_stuck',
  'on_hold',
  'needs_attention',
  'cancelled_not_refunded',
  'stopped_too_late',
  'late',
  'returned',
  'lost',
  'disputed',
  'dispute_unanswered',
  'negative_margin',
  'refund_failed',
  'webhook_silent',
  'provider_down',
  'provider_word',
  'mail_bounced',
  'job_dead',
  'claim_waiting',
  'message_waiting',
  'credit_missing',
  'gift_cards',
  'deposit_missing',
] as const
export type LocalExceptionKind = (typeof localExceptionKinds)[number]

/** `setup`: failed doctor checks of keys, URLs and the machine. */
export type ExceptionKind = DifferenceKind | LocalExceptionKind | PaymentObjection | 'setup'

/** One-click repairs. Each is an operation of the shop, and idempotent. */
export type Repair =
  | 'settle'
  | 'follow_returns'
  | 'take_refund_back'
  | 'book_correction'
  | 'book_fee'
  | 'book_payout'
  | 'book_partner_cost'
  | 'stop_or_book_stray'
  | 'submit_again'
  | 'refund_rest'
  | 'give_back'

type Rule = {
  title: string
  /** What to do: the button's label if there is a repair, otherwise advice. */
  step: string
  repair?: Repair
}

/** The only place with the title and remedy of each kind. */
const rules: Readonly<Record<ExceptionKind, Rule>> = {
  missing_order: { title: 'Paid, but no order', step: 'Create the order', repair: 'settle' },
  double_capture: { title: 'Paid twice', step: 'Book it and refund it', repair: 'settle' },
  missing_payment: {
    title: 'Payment missing at the provider',
    step: 'Remove it from our balance',
    repair: 'book_correction',
  },
  amount: { title: 'Amounts differ', step: 'Book the difference', repair: 'book_correction' },
  currency: { title: 'Different currency', step: 'Remove it from the dollar balance', repair: 'book_correction' },
  fee: { title: 'Fee differs', step: 'Book the fee', repair: 'book_fee' },
  missing_refund: {
    title: 'Refund missing from our books',
    step: 'Book the refund',
    repair: 'follow_returns',
  },
  refund_unknown: {
    title: 'Refund unknown to the provider',
    step: 'Reverse it in our books',
    repair: 'take_refund_back',
  },
  dispute_unknown: { title: 'Dispute missing from our books', step: 'Book the dispute', repair: 'follow_returns' },
  payout: { title: 'Payout missing from our books', step: 'Book the payout', repair: 'book_payout' },
  adjustment: { title: 'Provider line missing from our books', step: 'Book it', repair: 'book_correction' },
  partner_order_without_ours: {
    title: 'Printer order without a shop order',
    step: 'Cancel it, or book its cost',
    repair: 'stop_or_book_stray',
  },
  order_without_partner: {
    title: 'Order unknown to the printer',
    step: 'Submit it again',
    repair: 'submit_again',
  },
  partner_cost: {
    title: 'Printer charged a different amount',
    step: 'Book the difference',
    repair: 'book_partner_cost',
  },
  partner_credit_not_passed_on: {
    title: 'Canceled by the printer, not refunded',
    step: 'Refund what is left',
    repair: 'refund_rest',
  },

  not_submitted: { title: 'Paid, but not at the printer', step: 'Submit it again', repair: 'submit_again' },
  queue_stuck: {
    title: 'A line that hardly moves',
    step: 'Check whether the provider answers. Nothing is lost; the shop keeps trying',
  },
  on_hold: { title: 'On hold at the printer', step: 'See the reason, fix it at the printer, and release the order' },
  needs_attention: { title: 'Rejected by the printer', step: 'See the reason, then submit it again or refund it' },
  cancelled_not_refunded: {
    title: 'Canceled, not refunded',
    step: 'Refund what is left, or send it to the printer again',
  },
  stopped_too_late: {
    title: 'Stopped too late at the printer',
    step: 'Ask the printer to stop it. If it can’t, it ships at our expense, and the customer keeps goods and refund',
  },
  late: { title: 'Late', step: 'Ask the printer. The customer was told and can choose a refund or a new one' },
  returned: {
    title: 'Returned',
    step: 'The customer was asked for an address by email. Without an answer, refund or replace it on the order page',
  },
  lost: {
    title: 'Lost parcel',
    step: 'Decide the customer’s claim, or refund or replace it on the order page, and tell the printer before its deadline',
  },
  disputed: { title: 'Disputed', step: 'Submit evidence at the payment provider before the deadline' },
  negative_margin: { title: 'Sold below cost', step: 'Check the prices of its products' },
  refund_failed: {
    title: 'Failed refund',
    step: 'Refund it again, or pay it another way and record that next to the refund',
  },
  dispute_unanswered: {
    title: 'Dispute without an answer',
    step: 'Send the evidence from the order’s page, or accept the dispute there, before the deadline',
  },
  webhook_silent: { title: 'No webhooks received', step: 'Check the webhook settings at the provider' },
  provider_down: { title: 'Provider unreachable', step: 'Nothing is lost; the shop keeps trying' },
  provider_word: {
    title: 'Unknown provider value',
    step: 'Orders and payments are not affected; update to a release that knows it',
  },
  mail_bounced: {
    title: 'Bounced email',
    step: 'Correct the email on the order page; the shop then sends it again',
  },
  job_dead: { title: 'Failed job', step: 'Check the log, then start it again' },
  claim_waiting: {
    title: 'Claim that waits too long',
    step: 'Decide it on the Claims page, or ask the customer',
  },
  gift_cards: {
    title: 'Gift cards differ from the ledger',
    step: 'Ask the person who maintains the shop: balances and books must agree',
  },
  deposit_missing: {
    title: 'Payout that did not reach the bank',
    step: 'Ask the payment provider where it is. If the bank shows it, match it on the Bank page',
  },
  credit_missing: {
    title: 'Credit of the printer that did not come',
    step: 'Ask the printer, or note on the Claims page that it gives none',
  },
  message_waiting: {
    title: 'Message that waits too long',
    step: 'Answer it in the Inbox, or close it',
  },
  setup: { title: 'Setup problem', step: 'Fix it, then run npm run owner -- doctor' },

  unknown_checkout: { title: 'Payment for an unknown checkout', step: 'Refund it', repair: 'give_back' },
  unknown_version: { title: 'Payment for an unknown quote', step: 'Refund it', repair: 'give_back' },
  amount_differs: { title: 'Payment of the wrong amount', step: 'Refund it', repair: 'give_back' },
  currency_differs: { title: 'Payment in another currency', step: 'Refund it', repair: 'give_back' },
  mode_differs: { title: 'Test payment in a live shop, or the reverse', step: 'Refund it', repair: 'give_back' },
  second_payment: { title: 'Second payment', step: 'The shop refunds it automatically' },
  gift_card_spent: { title: 'Gift card was spent elsewhere', step: 'The shop refunds it automatically' },
  drop_taken: { title: 'Paid, but no piece was left', step: 'The shop refunds it automatically' },
  drop_limit: { title: 'More pieces than a person may buy', step: 'The shop refunds it automatically' },
  change_impossible: { title: 'Change paid too late', step: 'The shop refunds it automatically' },
  money_returned: {
    title: 'Payment refunded or disputed before the order',
    step: 'Refund the rest',
    repair: 'give_back',
  },
}

export const ruleOf = (kind: ExceptionKind): Rule => rules[kind]

export const providerNames: Readonly<Record<PaymentProvider | 'printful', string>> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  printful: 'Printful',
}

/** Describes a difference in one sentence. */
export function sentenceOf({ kind, about, theirs, ours }: Difference): string {
  const who = /:paypal:/.test(about) ? 'PayPal' : 'Stripe'
  const [a, b] = [formatUsd(theirs), formatUsd(ours)]
  const sentences: Record<DifferenceKind, string> = {
    missing_order: `${who} charged ${a}, but the shop has no order for it.`,
    double_capture: `${who} charged ${a} for a purchase that was already paid.`,
    missing_payment: `The shop booked ${b}, but ${who} has no such payment.`,
    amount: `${who} charged ${a}; the shop booked ${b}.`,
    currency: `${who} charged another currency; the shop booked ${b}.`,
    fee: `${who}’s fee is ${a}; the shop booked ${b}.`,
    missing_refund: `${who} refunded ${positive(theirs)}; the shop booked ${positive(ours)}.`,
    refund_unknown: `The shop booked a refund of ${positive(ours)} that ${who} does not have.`,
    dispute_unknown: `${who} moved ${a} for disputes; the shop booked ${b}.`,
    payout: `${who} sent ${positive(theirs)} to the bank; the shop booked ${positive(ours)}.`,
    adjustment: `${who} booked ${a} that belongs to no payment; the shop booked ${b}.`,
    partner_order_without_ours: `Printful charges ${a} for an order that the shop never placed; the shop booked ${b}.`,
    order_without_partner: 'The order should be in production, but Printful does not have it.',
    partner_cost: `Printful charges ${a} for it; the shop booked ${b}.`,
    partner_credit_not_passed_on: `Printful canceled it; ${b} has not been refunded to the customer.`,
  }
  return sentences[kind]
}

const positive = (amount: Cents): string => formatUsd(amount).replace(/^-/, '')

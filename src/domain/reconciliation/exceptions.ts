import type { PaymentObjection } from '#domain/payments/objection.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import type { Difference, DifferenceKind } from './differences.ts'

/** What the shop's own state shows to be wrong, without any other's book. */
export const checkedKinds = [
  'not_submitted',
  'on_hold',
  'needs_attention',
  'cancelled_not_refunded',
  'late',
  'returned',
  'disputed',
  'negative_margin',
  'refund_failed',
  'webhook_silent',
  'provider_down',
  'provider_word',
  'mail_bounced',
  'job_dead',
] as const
export type CheckedKind = (typeof checkedKinds)[number]

/** `setup`: what the doctor finds wrong with keys, addresses and the machine. */
export type ExceptionKind = DifferenceKind | CheckedKind | PaymentObjection | 'setup'

/** What heals it at one press. Each goes by an operation of the shop, and pressed twice does nothing the second time. */
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
  /** What to do about it: the words on the button where there is a repair, advice where there is none. */
  step: string
  repair?: Repair
}

/** The only place that knows what each kind is called and what helps. */
const rules: Readonly<Record<ExceptionKind, Rule>> = {
  missing_order: { title: 'Paid, and no order', step: 'Make the order', repair: 'settle' },
  double_capture: { title: 'Paid twice', step: 'Take it in and give it back', repair: 'settle' },
  missing_payment: {
    title: 'Order without a payment',
    step: 'Take the sale out of the balance',
    repair: 'book_correction',
  },
  amount: { title: 'Amounts differ', step: 'Book the difference', repair: 'book_correction' },
  currency: { title: 'Another currency', step: 'Take it out of the dollars', repair: 'book_correction' },
  fee: { title: 'Fee not as booked', step: 'Book the fee', repair: 'book_fee' },
  missing_refund: {
    title: 'Refund not in our book',
    step: 'Book what the provider gave back',
    repair: 'follow_returns',
  },
  refund_unknown: {
    title: 'Refund that the provider does not know',
    step: 'Take it out of the book',
    repair: 'take_refund_back',
  },
  dispute_unknown: { title: 'Dispute not in our book', step: 'Book the dispute', repair: 'follow_returns' },
  payout: { title: 'Payout not in our book', step: 'Book the payout', repair: 'book_payout' },
  adjustment: { title: 'Line that nobody booked', step: 'Book it', repair: 'book_correction' },
  partner_order_without_ours: {
    title: 'The printer makes what nobody ordered here',
    step: 'Stop it, or book what it costs',
    repair: 'stop_or_book_stray',
  },
  order_without_partner: {
    title: 'The printer does not know the order',
    step: 'Submit it again',
    repair: 'submit_again',
  },
  partner_cost: {
    title: 'The printer took another amount',
    step: 'Book the difference',
    repair: 'book_partner_cost',
  },
  partner_credit_not_passed_on: {
    title: 'Cancelled by the printer, not refunded',
    step: 'Refund what is left',
    repair: 'refund_rest',
  },

  not_submitted: { title: 'Paid, and not with the printer', step: 'Submit it again', repair: 'submit_again' },
  on_hold: { title: 'Held by the printer', step: 'See the reason, mend it there, and release the order' },
  needs_attention: { title: 'Refused by the printer', step: 'See the reason, then submit it again or refund it' },
  cancelled_not_refunded: {
    title: 'Cancelled, and not refunded',
    step: 'Refund what is left, or send it to the printer again',
  },
  late: { title: 'Late', step: 'Ask the printer, and write to the shopper' },
  returned: { title: 'Came back', step: 'Ask for an address and send it again, or refund it' },
  disputed: { title: 'Disputed', step: 'Send evidence at the provider before the deadline' },
  negative_margin: { title: 'Sold below its cost', step: 'Look at the prices of its products' },
  refund_failed: {
    title: 'Refund that did not arrive',
    step: 'Refund it again, or pay it another way and book that beside it',
  },
  webhook_silent: { title: 'No news by webhook', step: 'Look at the webhook’s settings at the provider' },
  provider_down: { title: 'Cannot be reached', step: 'Nothing is lost: it is tried again by itself' },
  provider_word: {
    title: 'A word that we do not know',
    step: 'What it is said of goes on as before; ask for a release that knows it',
  },
  mail_bounced: {
    title: 'Mail that was refused',
    step: 'Correct the email on the order’s page; the mail then goes out again',
  },
  job_dead: { title: 'Work that was given up', step: 'Look at the log, then ask for it again' },
  setup: { title: 'Not set up as it should be', step: 'Mend it, then run npm run owner -- doctor' },

  unknown_checkout: { title: 'Payment for no checkout', step: 'Give it back', repair: 'give_back' },
  unknown_version: { title: 'Payment for no known offer', step: 'Give it back', repair: 'give_back' },
  amount_differs: { title: 'Payment of another amount', step: 'Give it back', repair: 'give_back' },
  currency_differs: { title: 'Payment in another currency', step: 'Give it back', repair: 'give_back' },
  mode_differs: { title: 'Test payment in a live shop, or the reverse', step: 'Give it back', repair: 'give_back' },
  second_payment: { title: 'Second payment', step: 'It goes back by itself' },
  money_returned: { title: 'Payment that went back at once', step: 'Give the rest back', repair: 'give_back' },
}

export const ruleOf = (kind: ExceptionKind): Rule => rules[kind]

export const providerNames: Readonly<Record<PaymentProvider | 'printful', string>> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  printful: 'Printful',
}

/** A difference in one sentence. */
export function sentenceOf({ kind, about, theirs, ours }: Difference): string {
  const who = /:paypal:/.test(about) ? 'PayPal' : 'Stripe'
  const [a, b] = [formatUsd(theirs), formatUsd(ours)]
  const sentences: Record<DifferenceKind, string> = {
    missing_order: `${who} took ${a}, and the shop has made no order of it.`,
    double_capture: `${who} took ${a} for a purchase that another payment had paid.`,
    missing_payment: `The shop has booked ${b}, and ${who} knows nothing of it.`,
    amount: `${who} took ${a}, the shop has booked ${b}.`,
    currency: `${who} took another currency, the shop has booked ${b}.`,
    fee: `${who} keeps ${a}, the shop has booked ${b}.`,
    missing_refund: `${who} gave back ${positive(theirs)}, the shop has booked ${positive(ours)}.`,
    refund_unknown: `The shop has booked a refund of ${positive(ours)} that ${who} does not know.`,
    dispute_unknown: `By disputes ${who} moved ${a}, the shop has booked ${b}.`,
    payout: `${who} sent ${positive(theirs)} to the bank, the shop has booked ${positive(ours)}.`,
    adjustment: `${who} booked ${a} that is about no payment, the shop ${b}.`,
    partner_order_without_ours: `Printful takes ${a} for an order that the shop never asked for; booked is ${b}.`,
    order_without_partner: 'The order should be in production, and Printful has none of its number.',
    partner_cost: `Printful takes ${a} for it, the shop has booked ${b}.`,
    partner_credit_not_passed_on: `Printful has canceled it; ${b} of the shopper’s money is still here.`,
  }
  return sentences[kind]
}

const positive = (amount: Cents): string => formatUsd(amount).replace(/^-/, '')

import type { PaymentProvider } from '#shared/ids.ts'
import { totalOf, type RefundParts } from '#domain/payments/returns.ts'
import { minus, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'

/** What is counted. Debits are positive: a provider's balance grows by a sale; credits negative: so does what we earned or owe. */
export type Account =
  | 'provider:stripe'
  | 'provider:paypal'
  | 'revenue:merchandise'
  | 'revenue:shipping'
  | 'revenue:surcharge'
  | 'liability:tax'
  | 'liability:vat_protection'
  | 'liability:unassigned_payments'
  | 'receivable:disputes'
  | 'expense:disputes'
  | 'expense:dispute_fees'
  | 'expense:provider_fees'
  /** What the print partner takes, its consumption tax included: that is what `liability:vat_protection` was collected for. */
  | 'expense:fulfillment'
  /** Our money with the print partner; negative while it is owed. */
  | 'print_partner'
  | 'bank'
  | 'expense:commission'
  | 'liability:commission'

export type PostingKind =
  | 'sale'
  | 'exception'
  | 'refund'
  | 'dispute'
  | 'fee'
  | 'partner_cost'
  | 'partner_credit'
  | 'payout'
  | 'commission'
  | 'commission_payout'
  /** What a comparison with the provider's own book showed to be missing or too much. */
  | 'correction'

export type Entry = { account: Account; amount: Cents }

type Amounts = { subtotal: Cents; shipping: Cents; surcharge: Cents; tax: Cents; vatProtection: Cents; total: Cents }

/** The provider has the money; it is merchandise, shipping, surcharge, tax and what the partner will charge for consumption tax. */
export const entriesOfSale = (provider: PaymentProvider, amounts: Amounts): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: amounts.total },
    { account: 'revenue:merchandise', amount: negate(amounts.subtotal) },
    { account: 'revenue:shipping', amount: negate(minus(amounts.shipping, amounts.surcharge)) },
    { account: 'revenue:surcharge', amount: negate(amounts.surcharge) },
    { account: 'liability:tax', amount: negate(amounts.tax) },
    { account: 'liability:vat_protection', amount: negate(amounts.vatProtection) },
  ])

/** The provider has money that belongs to no order yet: we owe it until somebody decides. */
export const entriesOfException = (provider: PaymentProvider, amount: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount },
    { account: 'liability:unassigned_payments', amount: negate(amount) },
  ])

/** Money that belonged to no order went back to the payer. */
export const entriesOfExceptionRefund = (provider: PaymentProvider, amount: Cents): Entry[] =>
  reverseEntries(entriesOfException(provider, amount))

/** What was sold goes back: each part returns to where the sale had booked it. */
export const entriesOfRefund = (provider: PaymentProvider, parts: RefundParts): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: negate(totalOf(parts)) },
    { account: 'revenue:merchandise', amount: parts.merchandise },
    { account: 'revenue:shipping', amount: parts.shipping },
    { account: 'revenue:surcharge', amount: parts.surcharge },
    { account: 'liability:tax', amount: parts.tax },
    { account: 'liability:vat_protection', amount: parts.vatProtection },
  ])

/** The bank has taken a disputed amount, and may give it back; the provider's fee is gone. */
export const entriesOfDispute = (provider: PaymentProvider, amount: Cents, fee: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: negate(plus(amount, fee)) },
    { account: 'receivable:disputes', amount },
    { account: 'expense:dispute_fees', amount: fee },
  ])

/** The bank has decided: the amount is ours again, or it is lost. */
export const entriesOfDecision = (provider: PaymentProvider, amount: Cents, isWon: boolean): Entry[] =>
  withoutZeros([
    { account: 'receivable:disputes', amount: negate(amount) },
    { account: isWon ? `provider:${provider}` : 'expense:disputes', amount },
  ])

/** A dispute's fee comes back with the dispute that was won, where the provider gives it back. */
export const entriesOfDisputeFeeReturn = (provider: PaymentProvider, fee: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: fee },
    { account: 'expense:dispute_fees', amount: negate(fee) },
  ])

/**
 * What the provider has kept of a payment, once it says how much; it does so some time after the sale.
 * @param fee by which what is booked already falls short: negative where the provider gave some of it back
 */
export const entriesOfFee = (provider: PaymentProvider, fee: Cents): Entry[] =>
  withoutZeros([
    { account: 'expense:provider_fees', amount: fee },
    { account: `provider:${provider}`, amount: negate(fee) },
  ])

/** What the print partner takes for an order, booked when it has confirmed it. */
export const entriesOfPrinterCost = (cost: Cents): Entry[] =>
  withoutZeros([
    { account: 'expense:fulfillment', amount: cost },
    { account: 'print_partner', amount: negate(cost) },
  ])

/** What the print partner gives back of that: an order that it canceled, a piece that it could not make, a parcel that came back. */
export const entriesOfPrinterCredit = (amount: Cents): Entry[] => reverseEntries(entriesOfPrinterCost(amount))

/** The provider has sent money to the bank. One that fails is taken back by its mirror image. */
export const entriesOfPayout = (provider: PaymentProvider, amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'bank', amount },
    { account: `provider:${provider}`, amount: negate(amount) },
  ])

/** A partner's share of a paid order is owed from then on; what a refund takes of it is booked in its mirror image. */
export const entriesOfCommission = (amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'expense:commission', amount },
    { account: 'liability:commission', amount: negate(amount) },
  ])

/** What was owed to a partner has been paid. */
export const entriesOfCommissionPayout = (amount: Cents): Entry[] =>
  withoutZeros([
    { account: 'liability:commission', amount },
    { account: 'bank', amount: negate(amount) },
  ])

/** The same, with the money going from our bank account instead of the provider's. */
export const paidFromBank = (entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => (entry.account.startsWith('provider:') ? { ...entry, account: 'bank' } : entry))

/** What was booked too early is taken back by its mirror image: the book is only ever added to. */
export const reverseEntries = (entries: readonly Entry[]): Entry[] =>
  entries.map(({ account, amount }) => ({ account, amount: negate(amount) }))

export const isBalanced = (entries: readonly Entry[]): boolean => sum(entries.map(({ amount }) => amount)) === ZERO

const withoutZeros = (entries: Entry[]) => entries.filter(({ amount }) => amount !== ZERO)

import type { PaymentProvider } from '#kernel/ids.ts'
import { totalOf, type Parts } from '#domain/settlement/returns.ts'
import { minus, negated, plus, sum, ZERO, type Cents } from '#kernel/money.ts'

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

export type PostingKind = 'sale' | 'exception' | 'refund' | 'dispute'

export type Entry = { account: Account; amount: Cents }

type Amounts = { subtotal: Cents; shipping: Cents; surcharge: Cents; tax: Cents; vatProtection: Cents; total: Cents }

/** The provider has the money; it is merchandise, shipping, surcharge, tax and what the partner will charge for consumption tax. */
export const entriesOfSale = (provider: PaymentProvider, amounts: Amounts): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: amounts.total },
    { account: 'revenue:merchandise', amount: negated(amounts.subtotal) },
    { account: 'revenue:shipping', amount: negated(minus(amounts.shipping, amounts.surcharge)) },
    { account: 'revenue:surcharge', amount: negated(amounts.surcharge) },
    { account: 'liability:tax', amount: negated(amounts.tax) },
    { account: 'liability:vat_protection', amount: negated(amounts.vatProtection) },
  ])

/** The provider has money that belongs to no order yet: we owe it until somebody decides. */
export const entriesOfException = (provider: PaymentProvider, amount: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount },
    { account: 'liability:unassigned_payments', amount: negated(amount) },
  ])

/** Money that belonged to no order went back to the payer. */
export const entriesOfExceptionRefund = (provider: PaymentProvider, amount: Cents): Entry[] =>
  reversed(entriesOfException(provider, amount))

/** What was sold goes back: each part returns to where the sale had booked it. */
export const entriesOfRefund = (provider: PaymentProvider, parts: Parts): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: negated(totalOf(parts)) },
    { account: 'revenue:merchandise', amount: parts.merchandise },
    { account: 'revenue:shipping', amount: parts.shipping },
    { account: 'revenue:surcharge', amount: parts.surcharge },
    { account: 'liability:tax', amount: parts.tax },
    { account: 'liability:vat_protection', amount: parts.vatProtection },
  ])

/** The bank has taken a disputed amount, and may give it back; the provider's fee is gone. */
export const entriesOfDispute = (provider: PaymentProvider, amount: Cents, fee: Cents): Entry[] =>
  withoutZeros([
    { account: `provider:${provider}`, amount: negated(plus(amount, fee)) },
    { account: 'receivable:disputes', amount },
    { account: 'expense:dispute_fees', amount: fee },
  ])

/** The bank has decided: the amount is ours again, or it is lost. */
export const entriesOfDecision = (provider: PaymentProvider, amount: Cents, isWon: boolean): Entry[] =>
  withoutZeros([
    { account: 'receivable:disputes', amount: negated(amount) },
    { account: isWon ? `provider:${provider}` : 'expense:disputes', amount },
  ])

/** What was booked too early is taken back by its mirror image: the book is only ever added to. */
export const reversed = (entries: readonly Entry[]): Entry[] =>
  entries.map(({ account, amount }) => ({ account, amount: negated(amount) }))

export const balances = (entries: readonly Entry[]): boolean => sum(entries.map(({ amount }) => amount)) === ZERO

const withoutZeros = (entries: Entry[]) => entries.filter(({ amount }) => amount !== ZERO)

import type { PaymentProvider } from '#kernel/ids.ts'
import { minus, negated, sum, ZERO, type Cents } from '#kernel/money.ts'

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

export type PostingKind = 'sale' | 'exception' | 'refund'

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
  entriesOfException(provider, amount).map((entry) => ({ ...entry, amount: negated(entry.amount) }))

export const balances = (entries: readonly Entry[]): boolean => sum(entries.map(({ amount }) => amount)) === ZERO

const withoutZeros = (entries: Entry[]) => entries.filter(({ amount }) => amount !== ZERO)

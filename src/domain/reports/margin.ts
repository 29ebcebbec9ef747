import type { Account, PostingKind } from '#domain/ledger/ledger.ts'
import { cents, minus, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'

/** An order's ledger entries, summed by account and posting kind. */
export type BookedAmounts = { kind: PostingKind; account: Account; amount: Cents }

/** An order's income and costs to date. Costs are positive. */
export type OrderResult = {
  merchandise: Cents
  shipping: Cents
  surcharges: Cents
  vatProtection: Cents
  tax: Cents
  /** The sum of the above. */
  paid: Cents
  /** Refunded part, without tax. */
  refunded: Cents
  refundedTax: Cents
  /** Kept by the payer's bank. */
  disputed: Cents
  providerFees: Cents
  partnerCost: Cents
  commission: Cents
  /** Merchandise, shipping and surcharges that were kept: without tax, VAT protection and refunds. */
  net: Cents
  /** What remains: tax belongs to the state, and VAT protection pays the consumption tax in Printful's charge. */
  margin: Cents
}

const resultNames = [
  ...['merchandise', 'shipping', 'surcharges', 'vatProtection', 'tax', 'paid', 'refunded', 'refundedTax'],
  ...['disputed', 'providerFees', 'partnerCost', 'commission', 'net', 'margin'],
] as readonly (keyof OrderResult)[]

const revenues: readonly Account[] = ['revenue:merchandise', 'revenue:shipping', 'revenue:surcharge']
const ours: readonly Account[] = [...revenues, 'liability:vat_protection']
const costs: readonly Account[] = [
  ...(['expense:disputes', 'expense:provider_fees', 'expense:dispute_fees'] as const),
  ...(['expense:fulfillment', 'expense:free_orders', 'expense:commission'] as const),
]

/** Figures of a group of orders that are sums of ledger entries alone. */
export type BookedFigure = 'net' | 'refunded' | 'commission' | 'margin'

type FigureEntries = {
  /** Of these accounts, entries of sales and refunds; or of refunds alone. */
  sold: { accounts: readonly Account[]; kinds: readonly PostingKind[] }
  /** Of these accounts, all. */
  spent: readonly Account[]
  /** 1: debits count as positive. */
  sign: 1 | -1
}

const SOLD: readonly PostingKind[] = ['sale', 'refund']

/** The entries behind each figure, with refunded tax. The same amounts as `resultOf`, one entry at a time. */
export const entriesOfFigure: Readonly<Record<BookedFigure, FigureEntries>> = {
  net: { sold: { accounts: revenues, kinds: SOLD }, spent: [], sign: -1 },
  refunded: { sold: { accounts: [...ours, 'liability:tax'], kinds: ['refund'] }, spent: [], sign: 1 },
  commission: { sold: { accounts: [], kinds: [] }, spent: ['expense:commission'], sign: 1 },
  margin: { sold: { accounts: ours, kinds: SOLD }, spent: costs, sign: -1 },
}

/** A figure of an order, or of a part of it. */
export const figureOf = (result: OrderResult, figure: BookedFigure): Cents =>
  figure === 'refunded' ? plus(result.refunded, result.refundedTax) : result[figure]

/** An order's result from its ledger entries. */
export function resultOf(booked: readonly BookedAmounts[]): OrderResult {
  const of = (kinds: readonly PostingKind[] | undefined, ...accounts: Account[]) =>
    sum(
      booked.flatMap(({ kind, account, amount }) =>
        accounts.includes(account) && (kinds?.includes(kind) ?? true) ? [amount] : [],
      ),
    )
  const earned = (account: Account) => negate(of(['sale'], account))
  const parts = {
    merchandise: earned('revenue:merchandise'),
    shipping: earned('revenue:shipping'),
    surcharges: earned('revenue:surcharge'),
    vatProtection: earned('liability:vat_protection'),
    tax: earned('liability:tax'),
  }
  const paid = sum(Object.values(parts))
  const refunded = of(['refund'], ...ours)
  const disputed = of(undefined, 'expense:disputes')
  const providerFees = of(undefined, 'expense:provider_fees', 'expense:dispute_fees')
  const partnerCost = of(undefined, 'expense:fulfillment', 'expense:free_orders')
  const commission = of(undefined, 'expense:commission')
  return {
    ...parts,
    paid,
    refunded,
    refundedTax: of(['refund'], 'liability:tax'),
    disputed,
    providerFees,
    partnerCost,
    commission,
    net: negate(of(SOLD, ...revenues)),
    margin: minus(minus(paid, parts.tax), sum([refunded, disputed, providerFees, partnerCost, commission])),
  }
}

const mapResult = (of: (name: keyof OrderResult) => Cents): OrderResult =>
  Object.fromEntries(resultNames.map((name) => [name, of(name)])) as OrderResult

export const addResults = (a: OrderResult | undefined, b: OrderResult): OrderResult =>
  a ? mapResult((name) => plus(a[name], b[name])) : b

/**
 * Splits an amount of cents by weights, without remainder: whole shares first, then a cent each to the largest
 * remainders, ties in order. All to the first if every weight is zero.
 */
export function allocateToLines(amount: Cents, weights: readonly number[]): Cents[] {
  // Most columns of most orders: reports split hundreds of thousands of them.
  if (amount === 0) return weights.map(() => ZERO)
  const weight = weights.reduce((total, one) => total + one, 0)
  if (weight === 0) return weights.map((_, index) => (index === 0 ? amount : ZERO))
  const size = BigInt(Math.abs(amount))
  const shares = weights.map((one, index) => {
    const exact = size * BigInt(one)
    return { index, whole: Number(exact / BigInt(weight)), remainder: exact % BigInt(weight) }
  })
  let left = Math.abs(amount) - shares.reduce((given, { whole }) => given + whole, 0)
  const given = shares.map(({ whole }) => whole)
  for (const { index, whole } of shares.toSorted((a, b) => Number(b.remainder - a.remainder))) {
    if (left === 0) break
    given[index] = whole + 1
    left -= 1
  }
  return given.map((share) => (amount < 0 && share !== 0 ? cents(-share) : cents(share)))
}

/** Splits an order's result over its lines in proportion to their price; every column adds up to the order's. */
export function resultOfLines(result: OrderResult, lineAmounts: readonly Cents[]): OrderResult[] {
  const columns = new Map(resultNames.map((name) => [name, allocateToLines(result[name], lineAmounts)]))
  return lineAmounts.map((_, index) => {
    const line = mapResult((name) => columns.get(name)?.[index] ?? ZERO)
    // Columns are rounded separately and a line's margin is computed from its own, so rows add up too.
    const costs = sum([line.refunded, line.disputed, line.providerFees, line.partnerCost, line.commission])
    const parts = sum([line.merchandise, line.shipping, line.surcharges, line.vatProtection])
    return { ...line, paid: plus(parts, line.tax), margin: minus(parts, costs) }
  })
}

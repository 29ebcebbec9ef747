import type { PaymentProvider } from '#shared/ids.ts'
import { average, minus, plus, sum, ZERO, type Cents } from '#shared/money.ts'

/** Orders of a range, or of a part of it: `tax` is part of `revenue`. */
export type Sales = { orders: number; revenue: Cents; tax: Cents }

export const NO_SALES: Sales = { orders: 0, revenue: ZERO, tax: ZERO }

export const addSales = (parts: readonly Sales[]): Sales => ({
  orders: parts.reduce((count, { orders }) => count + orders, 0),
  revenue: sum(parts.map(({ revenue }) => revenue)),
  tax: sum(parts.map(({ tax }) => tax)),
})

/** What the lines of a collection came to; an order with lines of two collections counts in both. */
export type CollectionSales = { collection: string; orders: number; revenue: Cents }

/** Half a cent is rounded away from zero; nothing where there are no orders. */
export const averageOrderValue = ({ orders, revenue }: { orders: number; revenue: Cents }): Cents =>
  orders === 0 ? ZERO : average(revenue, orders)

/** Of all that was paid, what stands in no line: shipping, surcharges, tax, VAT protection. */
export const besidesLines = (revenue: Cents, collections: readonly CollectionSales[]): Cents =>
  minus(revenue, sum(collections.map((one) => one.revenue)))

/**
 * One provider's payments as the shop has them and as the provider lists them. A payment counts when the shop booked it; one
 * that the shop does not have, when the provider took it.
 */
export type ProviderFigures = {
  provider: PaymentProvider
  /** All captured payments that the shop knows. */
  database: Cents
  /** Of them, those that made no order and wait for somebody. */
  withoutOrder: Cents
  /** What the provider lists of this shop's payments. */
  listed: Cents
  /** Listed for a checkout of this shop, and unknown to it. */
  missing: Cents
  /** Known to the shop and younger than the provider's list. */
  notYetListed: Cents
  /** Known to the shop, older than the provider's list, and not in it. */
  unknownToProvider: Cents
  /** In the list with another amount than here: how many. */
  differing: number
  /** Charges of other programs with the same account; in no sum of this shop. */
  ofOthers: Cents
  /** Went back to payers, less what failed and came back. */
  refunded: Cents
}

/** What the list of a provider says of the shop's books. `not_read`: there is no list yet. */
export type ReconciliationStatus = 'reconciled' | 'action_required' | 'not_read'

export function statusOfReconciliation(figures: ProviderFigures, isRead: boolean): ReconciliationStatus {
  if (!isRead) return 'not_read'
  const { missing, unknownToProvider, differing } = figures
  const isFine = missing === ZERO && unknownToProvider === ZERO && differing === 0 && isExplained(figures)
  return isFine ? 'reconciled' : 'action_required'
}

/** Whether the two totals differ by what is named and by nothing else, such as a payment that the provider took twice. */
const isExplained = ({ database, listed, missing, notYetListed, unknownToProvider }: ProviderFigures): boolean =>
  plus(database, missing) === sum([listed, notYetListed, unknownToProvider])

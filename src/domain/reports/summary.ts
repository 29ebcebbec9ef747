import type { PaymentProvider } from '#shared/ids.ts'
import { average, minus, plus, sum, ZERO, type Cents } from '#shared/money.ts'

/** Orders of a range or part of it: `revenue` includes `tax`. */
export type Sales = { orders: number; revenue: Cents; tax: Cents }

export const NO_SALES: Sales = { orders: 0, revenue: ZERO, tax: ZERO }

export const addSales = (parts: readonly Sales[]): Sales => ({
  orders: parts.reduce((count, { orders }) => count + orders, 0),
  revenue: sum(parts.map(({ revenue }) => revenue)),
  tax: sum(parts.map(({ tax }) => tax)),
})

/** A collection's lines; an order with lines of two collections counts in both. */
export type CollectionSales = { collection: string; orders: number; revenue: Cents }

/** Rounds half a cent away from zero; zero without orders. */
export const averageOrderValue = ({ orders, revenue }: { orders: number; revenue: Cents }): Cents =>
  orders === 0 ? ZERO : average(revenue, orders)

/** Paid amounts outside of lines: shipping, surcharges, tax, VAT protection. */
export const amountOutsideLines = (revenue: Cents, collections: readonly CollectionSales[]): Cents =>
  minus(revenue, sum(collections.map((one) => one.revenue)))

/**
 * One provider's payments as booked here and as listed there. A payment counts when the shop booked it, or, if unknown
 * here, when the provider took it.
 */
export type ProviderFigures = {
  provider: PaymentProvider
  /** All captured payments known to the shop. */
  database: Cents
  /** Those without an order, waiting for the owner. */
  withoutOrder: Cents
  /** The provider's list of this shop's payments. */
  listed: Cents
  /** Listed for one of this shop's checkouts, but unknown here. */
  missing: Cents
  /** Known here, but newer than the provider's list. */
  notYetListed: Cents
  /** Known here, older than the provider's list, and missing from it. */
  unknownToProvider: Cents
  /** How many are listed with a different amount. */
  differing: number
  /** Charges by other programs with the same account; in none of these sums. */
  ofOthers: Cents
  /** Refunded to payers, minus failed refunds. */
  refunded: Cents
}

/** How the provider's list compares with our books. `not_read`: no list yet. */
export type ReconciliationStatus = 'reconciled' | 'action_required' | 'not_read'

export function statusOfReconciliation(figures: ProviderFigures, isRead: boolean): ReconciliationStatus {
  if (!isRead) return 'not_read'
  const { missing, unknownToProvider, differing } = figures
  const isFine = missing === ZERO && unknownToProvider === ZERO && differing === 0 && isExplained(figures)
  return isFine ? 'reconciled' : 'action_required'
}

/**
 * Whether the known causes explain the whole difference; otherwise there is another one, such as a payment taken
 * twice.
 */
const isExplained = ({ database, listed, missing, notYetListed, unknownToProvider }: ProviderFigures): boolean =>
  plus(database, missing) === sum([listed, notYetListed, unknownToProvider])

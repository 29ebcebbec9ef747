import { sql } from 'drizzle-orm'
import type { PastOrderMonths, Reconciliation, ReportQuery, ReportsSummary } from '#contract/reports.ts'
import { formerShopNames } from '#domain/imports/former-shop.ts'
import { periodBefore, stepsOf, type ReportDays } from '#domain/reports/range.ts'
import { timeRangeOf, type TimeRange } from '#domain/reports/time-range.ts'
import {
  addSales,
  averageOrderValue,
  amountOutsideLines,
  NO_SALES,
  statusOfReconciliation,
  type ProviderFigures,
} from '#domain/reports/summary.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { dayIn, startOfDay } from '#shared/time-zone.ts'
import { findCollection } from '#domain/catalog/collections.ts'
import { listCollections } from '#server/catalog/collections.ts'
import type { Reader } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import {
  findFirstOrderAt,
  findProviderReadings,
  sumPastOrders,
  sumCollections,
  sumProviders,
  sumSteps,
  type ProviderReading,
} from './store.ts'

export type ReportNeeds = Needs<'db' | 'clock' | 'config'>

/** A requested range as timestamps. */
export type ReportRange = { days: ReportDays; range: TimeRange; zone: string; today: number; asOf: Date }

export function readRange(
  { clock, config }: Pick<ReportNeeds, 'clock' | 'config'>,
  { start_date: from, end_date: to }: ReportQuery,
): ReportRange {
  const asOf = clock.now()
  const zone = config.reportTimeZone
  const days = { from: from ?? null, to: to ?? null }
  const { since, until } = timeRangeOf(zone, days)
  return {
    days,
    range: { since, until },
    zone,
    today: dayIn(zone, asOf.getTime()),
    asOf,
  }
}

/** Ends the range now, so rows booked between several queries change no sum. */
export function endRangeNow(requested: ReportRange): ReportRange {
  // One millisecond later, so rows booked right now are included.
  const now = requested.asOf.getTime() + 1
  return { ...requested, range: { ...requested.range, until: Math.min(requested.range.until ?? now, now) } }
}

/** Finds a collection's name by its id; the id itself for an unknown one. */
export async function collectionNames(db: Reader): Promise<(id: string) => string> {
  const collections = await listCollections(db)
  return (id) => findCollection(collections, id)?.name ?? id
}

/** Sales of a range of days and the payment providers' figures. Each figure is a sum of stored rows. */
export const summarize = (shop: ReportNeeds, query: ReportQuery): Promise<ReportsSummary> =>
  summarizeRange(shop, readRange(shop, query))

export async function summarizeRange(shop: Needs<'db'>, requested: ReportRange): Promise<ReportsSummary> {
  const { days, range, zone, today, asOf } = requested
  return snapshot(shop, async (db) => {
    const firstAt = days.from === null ? await findFirstOrderAt(db) : undefined
    const steps = stepsOf(days, firstAt ? dayIn(zone, firstAt.getTime()) : today, today)
    const starts = steps.map(({ from }) => startOfDay(zone, from))
    const sold = await sumSteps(db, range, starts)
    const sales = addSales([...sold.values()])
    const collections = await sumCollections(db, range)
    const collectionName = await collectionNames(db)
    const earlier = periodBefore(days, today)
    const daysBack = earlier ? earlier.to - earlier.from + 1 : 0
    const soldBefore =
      earlier &&
      (await sumSteps(
        db,
        timeRangeOf(zone, earlier),
        steps.map(({ from }) => startOfDay(zone, from - daysBack)),
      ))
    const before = soldBefore && addSales([...soldBefore.values()])
    const readings = await findProviderReadings(db)
    const figures = await sumProviders(db, range, readings)
    const reconciliationFor = (provider: PaymentProvider) => reconciliationOf(figures[provider], readings[provider])
    return {
      totalOrders: sales.orders,
      totalRevenue: sales.revenue,
      totalTax: sales.tax,
      averageOrderValue: averageOrderValue(sales),
      collections: collections.map(({ collection: id, ...sales }) => ({ id, name: collectionName(id), ...sales })),
      besidesCollections: amountOutsideLines(sales.revenue, collections),
      stripeReconciliation: { ...reconciliationFor('stripe'), stripeTotal: figures.stripe.listed },
      paypalReconciliation: { ...reconciliationFor('paypal'), paypalTotal: figures.paypal.listed },
      range: {
        from: days.from === null ? null : isoOfDay(days.from),
        to: days.to === null ? null : isoOfDay(days.to),
        timeZone: zone,
        today: isoOfDay(today),
      },
      asOf: asOf.toISOString(),
      before: earlier && before ? { ...before, from: isoOfDay(earlier.from), to: isoOfDay(earlier.to) } : null,
      steps: steps.map(({ from, to }, place) => ({
        ...(sold.get(place) ?? NO_SALES),
        from: isoOfDay(from),
        to: isoOfDay(to),
        revenueBefore: soldBefore ? (soldBefore.get(place) ?? NO_SALES).revenue : null,
      })),
    }
  })
}

/** Orders of a former shop by month. They are kept apart: the ledger has none of them. */
export async function summarizePastOrders(shop: ReportNeeds, query: ReportQuery): Promise<PastOrderMonths> {
  const { range, zone } = readRange(shop, query)
  const months = await sumPastOrders(shop.db, range, zone)
  return { months: months.map(({ shop: former, ...sums }) => ({ ...sums, shop: formerShopNames[former] })) }
}

/** Several queries on one snapshot, with more memory than usual for large sums. */
export const snapshot = <Answer>({ db }: Needs<'db'>, ask: (db: Reader) => Promise<Answer>): Promise<Answer> =>
  db.transaction(
    async (tx) => {
      await tx.execute(sql`set local work_mem = '32MB'`)
      return ask(tx)
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

const reconciliationOf = (figures: ProviderFigures, reading: ProviderReading | undefined): Reconciliation => ({
  databaseTotal: figures.database,
  missingFromDatabase: figures.missing,
  refundedTotal: figures.refunded,
  reconciliationStatus: statusOfReconciliation(figures, Boolean(reading?.until)),
  withoutOrder: figures.withoutOrder,
  notYetListed: figures.notYetListed,
  unknownToProvider: figures.unknownToProvider,
  differing: figures.differing,
  ofOthers: figures.ofOthers,
  listedUntil: reading?.until?.toISOString() ?? null,
  readAt: reading?.readAt?.toISOString() ?? null,
  failingSince: reading?.failingSince?.toISOString() ?? null,
})

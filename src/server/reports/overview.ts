import type { Overview } from '#contract/admin-overview.ts'
import { overviewDays, overviewPeriods, periodBefore } from '#domain/reports/range.ts'
import { addSales, NO_SALES, type Sales } from '#domain/reports/summary.ts'
import { isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'
import { sum, ZERO, type Cents } from '#shared/money.ts'
import { HOUR_MS } from '#shared/time.ts'
import { startOfDay } from '#shared/time-zone.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { createDbCache } from '#server/limits/db-cache.ts'
import { readRange, type ReportNeeds } from './reports.ts'
import { findProviderReadings, sumBooked, sumSteps, type Booked } from './store.ts'

/** Of the longest period and the one before it. */
const DAYS = 60

const NOTHING_BOOKED: Booked = { net: ZERO, profit: ZERO }

/** What is booked counts on the day of booking, so a day that is over does not change. */
const finishedDays = createDbCache<CalendarDay, Booked>(DAYS * 2)

type Day = Sales & Booked

/** Sales and results of the last days, compared with as many days before. */
export async function summarizePeriods(shop: ReportNeeds): Promise<Overview['periods']> {
  const { zone, today } = readRange(shop, {})
  const first = today - DAYS + 1
  const starts = Array.from({ length: DAYS }, (_, index) => startOfDay(zone, first + index))
  const range = { since: startOfDay(zone, first), until: null }
  const sold = await sumSteps(shop.db, range, starts)
  const booked = await bookedByDay(shop.db, zone, first, today)
  const days = Array.from({ length: DAYS }, (_, index): Day => ({
    ...(sold.get(index) ?? NO_SALES),
    ...(booked.get(first + index) ?? NOTHING_BOOKED),
  }))
  const figuresOf = ({ from, to }: { from: CalendarDay; to: CalendarDay }) => {
    const part = days.slice(from - first, to - first + 1)
    const { orders, revenue: gross } = addSales(part)
    return { orders, gross, net: sumOf(part, 'net'), profit: sumOf(part, 'profit') }
  }
  return overviewPeriods.map((name) => {
    const { from, to } = overviewDays(today)[name]
    const earlier = periodBefore({ from, to }, today) ?? { from, to }
    return { name, from: isoOfDay(from), to: isoOfDay(to), now: figuresOf({ from, to }), before: figuresOf(earlier) }
  })
}

const sumOf = (days: readonly Day[], name: 'net' | 'profit'): Cents => sum(days.map((day) => day[name]))

/** Today is summed each time; of the days before, those that are not known. */
async function bookedByDay(
  db: Db,
  zone: string,
  first: CalendarDay,
  today: CalendarDay,
): Promise<ReadonlyMap<CalendarDay, Booked>> {
  const known = finishedDays.of(db)
  let missing = first
  while (missing < today && known.has(missing)) missing += 1
  const starts = Array.from({ length: today - missing + 1 }, (_, index) => startOfDay(zone, missing + index))
  const found = await sumBooked(db, { since: startOfDay(zone, missing), until: null }, starts)
  for (let day = missing; day < today; day += 1)
    known.set(day, found.get(day - missing) ?? NOTHING_BOOKED, { ttl: HOUR_MS })
  const all = Array.from({ length: missing - first }, (_, index) => first + index)
  return new Map([
    ...all.map((day) => [day, known.get(day) ?? NOTHING_BOOKED] as const),
    ...[...found].map(([place, booked]) => [missing + place, booked] as const),
  ])
}

/** Whether the payment providers' lists can be read. */
export async function readProviderHealth(db: Reader): Promise<Overview['providers']> {
  const readings = await findProviderReadings(db)
  return (['stripe', 'paypal'] as const).map((provider) => {
    const reading = readings[provider]
    const failingSince = reading?.failingSince ?? null
    const at = failingSince ?? reading?.readAt ?? null
    return {
      name: provider === 'stripe' ? 'Stripe' : 'PayPal',
      state: failingSince ? 'failing' : at ? 'fine' : 'unread',
      at: at?.toISOString() ?? null,
    }
  })
}

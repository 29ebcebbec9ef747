import type { Overview } from '#contract/admin-overview.ts'
import { overviewDays, overviewPeriods, periodBefore } from '#domain/reports/range.ts'
import { addSales, NO_SALES, type Sales } from '#domain/reports/summary.ts'
import { isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'
import { cents, sum, ZERO, type Cents } from '#shared/money.ts'
import { startOfDay } from '#shared/time-zone.ts'
import type { Reader } from '#server/db/db.ts'
import { listResultsByDay } from '#server/ledger/day-sums.ts'
import { readRange, type ReportNeeds } from './reports.ts'
import { findProviderReadings, sumSteps } from './store.ts'

/** Of the longest period and the one before it. */
const DAYS = 60

/** What was booked on accounts of revenue, and on those of revenue and expenses. Positive: earned. */
type Booked = { net: Cents; profit: Cents }

const NOTHING_BOOKED: Booked = { net: ZERO, profit: ZERO }

type Day = Sales & Booked

/** Sales and results of the last days, compared with as many days before. */
export async function summarizePeriods(shop: ReportNeeds): Promise<Overview['periods']> {
  const { zone, today } = readRange(shop, {})
  const first = today - DAYS + 1
  const starts = Array.from({ length: DAYS }, (_, index) => startOfDay(zone, first + index))
  const range = { since: startOfDay(zone, first), until: null }
  const sold = await sumSteps(shop.db, range, starts)
  const results = await listResultsByDay(shop.db, zone, first)
  const booked = new Map(
    results.map(({ day, net, profit }) => [day, { net: cents(Number(net)), profit: cents(Number(profit)) }]),
  )
  const days = Array.from({ length: DAYS }, (_, index): Day => ({
    ...(sold.get(index) ?? NO_SALES),
    ...(booked.get(isoOfDay(first + index)) ?? NOTHING_BOOKED),
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

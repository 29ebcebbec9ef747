import { daysOfMonth, monthAfter, monthOfDay, type Month } from '#shared/month.ts'
import { after, dateOf, HOUR_MS } from '#shared/time.ts'
import { dayIn, startOfDay, type TimeZone } from '#shared/time-zone.ts'
import type { MonthSpan } from './closing.ts'

/** Transactions that began in the month are over by then, and clocks of several instances may differ. */
const CLOSES_AFTER_MS = HOUR_MS

/**
 * A month by the calendar of a zone; a closed one as it was closed. The month after a closed one begins where that ended, also in
 * another zone, so that each posting is in exactly one month.
 * @param closed the closed months, earliest first
 * @returns undefined if the text is not a month
 */
export function spanOf(zone: TimeZone, month: Month, closed: readonly MonthSpan[]): MonthSpan | undefined {
  const own = closed.find((one) => one.month === month)
  if (own) return { month, from: own.from, until: own.until }
  const days = daysOfMonth(month)
  if (!days) return undefined
  const last = closed.at(-1)
  const from = last && monthAfter(last.month) === month ? last.until : dateOf(startOfDay(zone, days.first))
  return { month, from, until: dateOf(startOfDay(zone, days.next)) }
}

/** The month that a posting is in that no closed month has. */
export function openMonthOf(zone: TimeZone, bookedAt: Date, closed: readonly MonthSpan[]): Month {
  const month = monthOfDay(dayIn(zone, bookedAt.getTime()))
  const last = closed.at(-1)
  return last && month <= last.month ? monthAfter(last.month) : month
}

export type ClosingObjection =
  | { code: 'unknown_month' }
  | { code: 'month_closed' | 'nothing_to_close' | 'earlier_month_open'; month: Month }
  | { code: 'month_not_over'; month: Month; from: Date }

/**
 * Why a month cannot be closed. Months are closed in order; those without postings may be left out.
 * @param firstOpenAt of the first posting that no closed month has
 */
export function objectionToClosing(
  { zone, month, now }: { zone: TimeZone; month: Month; now: Date },
  closed: readonly MonthSpan[],
  firstOpenAt: Date | undefined,
): ClosingObjection | undefined {
  const span = spanOf(zone, month, closed)
  if (!span) return { code: 'unknown_month' }
  const last = closed.at(-1)
  if (last && month <= last.month) return { code: 'month_closed', month }
  const first = firstOpenAt && openMonthOf(zone, firstOpenAt, closed)
  if (first !== undefined && first < month) return { code: 'earlier_month_open', month: first }
  const closesAt = after(span.until, CLOSES_AFTER_MS)
  if (now < closesAt) return { code: 'month_not_over', month, from: closesAt }
  if (!last && first !== month) return { code: 'nothing_to_close', month }
  return undefined
}

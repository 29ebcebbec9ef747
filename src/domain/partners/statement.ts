import { cents, minus, plus, sum, type Cents } from '#shared/money.ts'
import { dayFromIso, isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'

/** `2026-11`, as statements are named. */
export type Month = string

const firstDayOf = (month: Month): CalendarDay | undefined => dayFromIso(`${month}-01`)

/** The first days of a month and of the next. @returns undefined if the text is not a month */
export function daysOfMonth(month: Month): { first: CalendarDay; next: CalendarDay } | undefined {
  const first = firstDayOf(month)
  // A month has between 28 and 31 days.
  const next = first === undefined ? undefined : firstDayOf(monthOfDay(first + 31))
  return first === undefined || next === undefined ? undefined : { first, next }
}

const monthOfDay = (day: CalendarDay): Month => isoOfDay(day).slice(0, 7)

/** The months between two days, latest first. */
export function monthsBetween(from: CalendarDay, to: CalendarDay): Month[] {
  const months: Month[] = []
  for (let day = to; monthOfDay(day) >= monthOfDay(from);) {
    const month = monthOfDay(day)
    months.push(month)
    day = (firstDayOf(month) ?? from) - 1
  }
  return months
}

/** A month's totals. None is negative, except `takenBack` and the balances. */
export type StatementSums = {
  opening: Cents
  earned: Cents
  takenBack: Cents
  paidOut: Cents
  /** Payouts that the bank returned this month. */
  paidBack: Cents
  closing: Cents
}

/** The closing balance: opening balance plus changes minus payouts. */
export const closingBalanceOf = ({
  opening,
  earned,
  takenBack,
  paidOut,
  paidBack,
}: Omit<StatementSums, 'closing'>): Cents => plus(minus(sum([opening, earned, takenBack]), paidOut), paidBack)

/** Every day of a range with its figures; zeros for days without any. */
export function fillMissingDays<Figures extends Record<string, number>>(
  from: CalendarDay,
  to: CalendarDay,
  known: ReadonlyMap<CalendarDay, Figures>,
  nothing: Figures,
): (Figures & { day: CalendarDay })[] {
  return Array.from({ length: to - from + 1 }, (_, at) => ({ ...nothing, ...known.get(from + at), day: from + at }))
}

/** The payable amount of what is approved, never below zero. Deductions after a payout carry over. */
export const payableOf = (approved: Cents): Cents => cents(Math.max(0, approved))

import { cents, minus, plus, sum, type Cents } from '#shared/money.ts'
import { dayFromIso, isoOfDay, type CalendarDay } from '#shared/time-zone.ts'

/** `2026-11`, as statements are named. */
export type Month = string

const firstDayOf = (month: Month): CalendarDay | undefined => dayFromIso(`${month}-01`)

/** The first days of a month and of the next one. @returns undefined when the text names no month */
export function daysOfMonth(month: Month): { first: CalendarDay; next: CalendarDay } | undefined {
  const first = firstDayOf(month)
  // A month has 28 days at least and 31 at most.
  const next = first === undefined ? undefined : firstDayOf(monthOfDay(first + 31))
  return first === undefined || next === undefined ? undefined : { first, next }
}

const monthOfDay = (day: CalendarDay): Month => isoOfDay(day).slice(0, 7)

/** The months from one day to another, the latest first. */
export function monthsBetween(from: CalendarDay, to: CalendarDay): Month[] {
  const months: Month[] = []
  for (let day = to; monthOfDay(day) >= monthOfDay(from);) {
    const month = monthOfDay(day)
    months.push(month)
    day = (firstDayOf(month) ?? from) - 1
  }
  return months
}

/** What a month came to. All but `takenBack`, and the balances, are not negative. */
export type StatementSums = {
  opening: Cents
  earned: Cents
  takenBack: Cents
  paidOut: Cents
  /** Payouts that the bank sent back in this month. */
  paidBack: Cents
  closing: Cents
}

/** What is owed at the end: what was, what came and went, and what was paid. */
export const closingOf = ({ opening, earned, takenBack, paidOut, paidBack }: Omit<StatementSums, 'closing'>): Cents =>
  plus(minus(sum([opening, earned, takenBack]), paidOut), paidBack)

/** Every day of a range with its figures; those on which nothing happened have zeros. */
export function everyDay<Figures extends Record<string, number>>(
  from: CalendarDay,
  to: CalendarDay,
  known: ReadonlyMap<CalendarDay, Figures>,
  nothing: Figures,
): (Figures & { day: CalendarDay })[] {
  return Array.from({ length: to - from + 1 }, (_, at) => ({ ...nothing, ...known.get(from + at), day: from + at }))
}

/** What can be paid out of what is approved: never less than nothing. What was taken back after a payout is carried over. */
export const payableOf = (approved: Cents): Cents => cents(Math.max(0, approved))

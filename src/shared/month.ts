import { dayFromIso, isoOfDay, type CalendarDay } from './calendar-day.ts'

/** `2026-11`. */
export type Month = string

const firstDayOf = (month: Month): CalendarDay | undefined => dayFromIso(`${month}-01`)

/** The first days of a month and of the next. @returns undefined if the text is not a month */
export function daysOfMonth(month: Month): { first: CalendarDay; next: CalendarDay } | undefined {
  const first = firstDayOf(month)
  // A month has between 28 and 31 days.
  const next = first === undefined ? undefined : firstDayOf(monthOfDay(first + 31))
  return first === undefined || next === undefined ? undefined : { first, next }
}

export const monthOfDay = (day: CalendarDay): Month => isoOfDay(day).slice(0, 7)

/** @throws Error if the text is not a month */
export function monthAfter(month: Month): Month {
  const days = daysOfMonth(month)
  if (!days) throw new Error(`'${month}' is not a month`)
  return monthOfDay(days.next)
}

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

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `November 2026`. */
export const nameOfMonth = (month: Month): string => monthName.format(new Date(`${month}-15T12:00:00Z`))

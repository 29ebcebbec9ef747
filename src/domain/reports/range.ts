import { isoOfDay, startOfDay, type CalendarDay, type TimeZone } from '#shared/time-zone.ts'

/** The days that a report is about, both included; null: from the first order on, until now. */
export type ReportDays = { from: CalendarDay | null; to: CalendarDay | null }

/** Moments in ms: from `since` on, before `until`; null where the range is open. */
export type TimeRange = { since: number | null; until: number | null }

/** From the first moment of the first day to the first moment after the last one, by the clocks of a zone. */
export const timeRangeOf = (zone: TimeZone, { from, to }: ReportDays): TimeRange => ({
  since: from === null ? null : startOfDay(zone, from),
  until: to === null ? null : startOfDay(zone, to + 1),
})

/** As many days, right before. @returns undefined for a range that has no beginning */
export function periodBefore(
  { from, to }: ReportDays,
  today: CalendarDay,
): { from: CalendarDay; to: CalendarDay } | undefined {
  if (from === null) return undefined
  const last = to ?? Math.max(today, from)
  return { from: from - (last - from + 1), to: from - 1 }
}

/** A step of the chart: a day, or a month where there are too many days to see. */
export type ChartStep = { from: CalendarDay; to: CalendarDay }

/** More bars than this are not told apart. */
const MOST_DAYS = 62

/**
 * The days of a range, or its months where it is longer than two; the first and the last month may be cut.
 * @param first the day of the first order, where the range has no beginning of its own
 */
export function stepsOf({ from, to }: ReportDays, first: CalendarDay, today: CalendarDay): ChartStep[] {
  const begin = from ?? first
  const end = to ?? Math.max(today, begin)
  if (end - begin < MOST_DAYS)
    return Array.from({ length: end - begin + 1 }, (_, index) => ({ from: begin + index, to: begin + index }))
  const steps: ChartStep[] = []
  for (let day = begin; day <= end;) {
    const last = Math.min(end, lastOfMonth(day))
    steps.push({ from: day, to: last })
    day = last + 1
  }
  return steps
}

/** Gregorian, like every calendar day here. */
function partsOf(day: CalendarDay): { year: number; month: number; date: number } {
  const [year = 0, month = 1, date = 1] = isoOfDay(day).split('-').map(Number)
  return { year, month, date }
}

const firstOfMonth = (day: CalendarDay): CalendarDay => day - partsOf(day).date + 1

/** The 31st day from a month's first lies in the same month or early in the next one. */
function lastOfMonth(day: CalendarDay): CalendarDay {
  const afterwards = firstOfMonth(day) + 31
  return firstOfMonth(afterwards) - 1
}

export type Preset = { name: string; from: CalendarDay; to: CalendarDay }

/** What an owner asks for most. */
export function presetsOn(today: CalendarDay): Preset[] {
  const month = firstOfMonth(today)
  const { year } = partsOf(today)
  const newYear = today - dayOfYear(today) + 1
  return [
    { name: 'Today', from: today, to: today },
    { name: 'Last 7 days', from: today - 6, to: today },
    { name: 'This month', from: month, to: today },
    { name: 'Last month', from: firstOfMonth(month - 1), to: month - 1 },
    { name: String(year), from: newYear, to: today },
  ]
}

/** From 1 for the first of January. */
function dayOfYear(day: CalendarDay): number {
  let first = firstOfMonth(day)
  while (partsOf(first).month > 1) first = firstOfMonth(first - 1)
  return day - first + 1
}

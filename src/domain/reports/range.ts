import { isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'

/** A report's days, both inclusive; null: from the first order, until now. */
export type ReportDays = { from: CalendarDay | null; to: CalendarDay | null }

/** The same number of days right before. @returns undefined for a range without a start */
export function periodBefore(
  { from, to }: ReportDays,
  today: CalendarDay,
): { from: CalendarDay; to: CalendarDay } | undefined {
  if (from === null) return undefined
  const last = to ?? Math.max(today, from)
  return { from: from - (last - from + 1), to: from - 1 }
}

/** A step of the chart: a day, or a month if there are too many days. */
export type ChartStep = { from: CalendarDay; to: CalendarDay }

/** The most bars that can be told apart. */
const MOST_DAYS = 62

/**
 * A range's days, or its months if it is longer than two; the first and last month may be partial.
 * @param first the day of the first order, if the range has no start
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

/** 31 days after the first of a month is the same month's end or early in the next. */
function lastOfMonth(day: CalendarDay): CalendarDay {
  const afterwards = firstOfMonth(day) + 31
  return firstOfMonth(afterwards) - 1
}

export const overviewPeriods = ['today', 'yesterday', 'week', 'month'] as const

/** What the owner's start page compares, each with as many days right before; a week is 7 days, a month 30, both until today. */
export const overviewDays = (
  today: CalendarDay,
): Readonly<Record<(typeof overviewPeriods)[number], { from: CalendarDay; to: CalendarDay }>> => ({
  today: { from: today, to: today },
  yesterday: { from: today - 1, to: today - 1 },
  week: { from: today - 6, to: today },
  month: { from: today - 29, to: today },
})

/** How often a report is emailed. */
export type ReportRhythm = 'weekly' | 'monthly'

/** The last week, Monday to Sunday, or calendar month that was over before a day. */
export function lastPeriod(rhythm: ReportRhythm, today: CalendarDay): { from: CalendarDay; to: CalendarDay } {
  // Day 0 was a Thursday.
  const monday = today - ((today + 3) % 7)
  if (rhythm === 'weekly') return { from: monday - 7, to: monday - 1 }
  const to = firstOfMonth(today) - 1
  return { from: firstOfMonth(to), to }
}

export type Preset = { name: string; from: CalendarDay; to: CalendarDay }

/** The owner's most common ranges. */
export function presetsOn(today: CalendarDay): Preset[] {
  const month = firstOfMonth(today)
  const { year } = partsOf(today)
  const newYear = today - dayOfYear(today) + 1
  return [
    { name: 'Today', from: today, to: today },
    { name: 'Last 7 days', from: today - 6, to: today },
    { name: 'This month', from: month, to: today },
    { name: 'Last month', ...lastPeriod('monthly', today) },
    { name: String(year), from: newYear, to: today },
  ]
}

/** 1 for January 1. */
function dayOfYear(day: CalendarDay): number {
  let first = firstOfMonth(day)
  while (partsOf(first).month > 1) first = firstOfMonth(first - 1)
  return day - first + 1
}

import { monthAfter, nameOfMonth, daysOfMonth, type Month } from '#shared/month.ts'

/** A month, a quarter or a year: `2026-11`, `2026-Q4`, `2026`. */
export type TaxPeriod = string

const MONTHS_OF_QUARTER = 3
const MONTHS_OF_YEAR = 12

/** @returns undefined if the text is no period */
export function monthsOfPeriod(period: TaxPeriod): Month[] | undefined {
  if (daysOfMonth(period)) return [period]
  const [, year, quarter] = /^(20\d\d)(?:-Q([1-4]))?$/.exec(period) ?? []
  if (year === undefined) return undefined
  return quarter === undefined
    ? monthsFrom(`${year}-01`, MONTHS_OF_YEAR)
    : monthsFrom(monthOf(year, (Number(quarter) - 1) * MONTHS_OF_QUARTER + 1), MONTHS_OF_QUARTER)
}

const monthOf = (year: string, month: number): Month => `${year}-${String(month).padStart(2, '0')}`

function monthsFrom(first: Month, count: number): Month[] {
  const months = [first]
  for (let last = first; months.length < count; months.push(last)) last = monthAfter(last)
  return months
}

/** `2026-11` is in `2026-Q4`. */
export const quarterOf = (month: Month): TaxPeriod =>
  `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5)) / MONTHS_OF_QUARTER)}`

/** `November 2026`, `4th quarter of 2026`, `2026`. */
export function nameOfPeriod(period: TaxPeriod): string {
  const [, year = '', quarter] = /^(\d{4})(?:-Q([1-4]))?$/.exec(period) ?? []
  if (quarter === undefined) return year || nameOfMonth(period)
  return `${['1st', '2nd', '3rd', '4th'][Number(quarter) - 1]} quarter of ${year}`
}

/** The months, quarters and years that a shop has something to report in, latest first. */
export function periodsBetween(
  first: Month,
  last: Month,
): { months: Month[]; quarters: TaxPeriod[]; years: TaxPeriod[] } {
  const months: Month[] = [first]
  for (let month = first; month < last; months.push(month)) month = monthAfter(month)
  const latestFirst = (periods: readonly TaxPeriod[]) => [...new Set(periods)].toReversed()
  return {
    months: latestFirst(months),
    quarters: latestFirst(months.map(quarterOf)),
    years: latestFirst(months.map((month) => month.slice(0, 4))),
  }
}

import { DAY_MS } from './time.ts'
import { dateFormat, spokenLanguage } from './language.ts'

/** A calendar day without a place: days since 1 January 1970. */
export type CalendarDay = number

/** `2026-11-21`. */
export const isoOfDay = (day: CalendarDay): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** @returns undefined when the text is no day of the calendar, written as `2026-11-21` */
export function dayFromIso(text: string): CalendarDay | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const moment = Date.parse(`${text}T00:00:00Z`)
  // `Date` reads 30 February as 2 March.
  return Number.isNaN(moment) || isoOfDay(moment / DAY_MS) !== text ? undefined : moment / DAY_MS
}

/** As `2026-12-03` and `2026-12-09`, both included. */
export type Dates = { from: string; to: string }

/** `Dec 3–9`, `Dec 28–Jan 4`, or one day. */
export function formatDates({ from, to }: Dates): string {
  const format = dateFormat({ timeZone: 'UTC', month: 'short', day: 'numeric' })
  const [first = '', last = ''] = [from, to].map((day) => format.format(new Date(day)))
  if (first === last) return first
  // `Intl` has `12/03～12/09`.
  if (spokenLanguage() === 'ja') return `${first}～${last}`
  if (spokenLanguage() !== 'en') return format.formatRange(new Date(from), new Date(to))
  const [month, day] = last.split(' ')
  return `${first}–${first.startsWith(`${month} `) ? day : last}`
}

/** The same for screen readers, which may leave out a dash: `Dec 3 to 9`. @param between instead of the dash */
export const spokenDates = (dates: Dates, between = ' to '): string =>
  formatDates(dates).replace(/\s?[–～〜]\s?/u, between)

/** `America/New_York` as people say it. */
export const timeZoneLabel = (timeZone: string): string => timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone

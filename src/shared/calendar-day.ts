import { DAY_MS } from './time.ts'

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

const dayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })

/** `Dec 3 – Dec 9`, from `2026-12-03` and `2026-12-09`. */
export const formatDates = ({ from, to }: { from: string; to: string }): string =>
  [from, to].map((day) => dayFormat.format(new Date(day))).join(' – ')

/** `America/New_York` as people say it. */
export const timeZoneLabel = (timeZone: string): string => timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone

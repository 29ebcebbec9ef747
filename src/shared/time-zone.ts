import { DAY_MS, HOUR_MS, SECOND_MS } from './time.ts'

/** A name of the time zone database, such as `America/New_York`. */
export type TimeZone = string

/** A calendar day without a place: days since 1 January 1970. */
export type CalendarDay = number

export const isTimeZone = (name: string): boolean => {
  try {
    formatterOf(name)
    return true
  } catch {
    return false
  }
}

const formatters = new Map<TimeZone, Intl.DateTimeFormat>()

/** @throws RangeError for a name that is none */
function formatterOf(zone: TimeZone): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  })
  formatters.set(zone, made)
  return made
}

/** How far a zone's clocks are ahead of UTC at a moment. */
function offsetMs(moment: number, zone: TimeZone): number {
  const shown: Record<string, number> = {}
  for (const { type, value } of formatterOf(zone).formatToParts(moment)) shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  const whole = Math.floor(moment / SECOND_MS) * SECOND_MS
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole
}

type CachedOffset = { zone: TimeZone; day: number; offset: number }
let cachedOffset: CachedOffset | undefined

/** Rows come in the order of time, and asking the calendar for each is slow: a day on which no clock is set is asked for once. */
function offsetMsCached(moment: number, zone: TimeZone): number {
  const day = Math.floor(moment / DAY_MS)
  if (cachedOffset?.day === day && cachedOffset.zone === zone) return cachedOffset.offset
  const offset = offsetMs(day * DAY_MS, zone)
  if (offset !== offsetMs((day + 1) * DAY_MS, zone)) return offsetMs(moment, zone)
  cachedOffset = { zone, day, offset }
  return offset
}

/** What the clocks of a zone show, as the moment at which those of UTC would show it. @param moment in ms, as of `Date.getTime` */
export const wallClockMs = (moment: number, zone: TimeZone): number => moment + offsetMsCached(moment, zone)

/** The day that a zone's calendars show. */
export const dayIn = (zone: TimeZone, moment: number): CalendarDay => Math.floor(wallClockMs(moment, zone) / DAY_MS)

/**
 * The first moment of a day. Where clocks are set at midnight a day begins at one o'clock, or its first hour comes twice;
 * a day that a zone left out altogether begins when the next one does.
 */
export function startOfDay(zone: TimeZone, day: CalendarDay): number {
  const midnight = day * DAY_MS
  // Clocks are set at most once within these hours.
  const around = [midnight - 30 * HOUR_MS, midnight + 30 * HOUR_MS].map((near) => midnight - offsetMs(near, zone))
  const [earlier = 0, later = 0] = around.toSorted((a, b) => a - b)
  return dayIn(zone, earlier) >= day ? earlier : later
}

/** `2026-11-21`. */
export const isoOfDay = (day: CalendarDay): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** @returns undefined when the text is no day of the calendar, written as `2026-11-21` */
export function dayFromIso(text: string): CalendarDay | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const moment = Date.parse(`${text}T00:00:00Z`)
  // `Date` reads 30 February as 2 March.
  return Number.isNaN(moment) || isoOfDay(moment / DAY_MS) !== text ? undefined : moment / DAY_MS
}

/** `America/New_York` as people say it. */
export const timeZoneLabel = (timeZone: string): string => timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone

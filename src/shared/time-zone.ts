import { isoOfDay, type CalendarDay } from './calendar-day.ts'
import { DAY_MS } from './time.ts'

// Not for pages: `Temporal` is part of the server's Node, but not of every browser.

/** A name of the time zone database, such as `America/New_York`. */
export type TimeZone = string

export const isTimeZone = (name: string): boolean => {
  try {
    Temporal.Now.zonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/** What the clocks of a zone show, as the moment at which those of UTC would show it. @param moment in ms, as of `Date.getTime` */
export const wallClockMs = (moment: number, zone: TimeZone): number =>
  moment + Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6

/** The day that a zone's calendars show. */
export const dayIn = (zone: TimeZone, moment: number): CalendarDay => Math.floor(wallClockMs(moment, zone) / DAY_MS)

/**
 * The first moment of a day. Where clocks are set at midnight a day begins at one o'clock, or its first hour comes twice;
 * a day that a zone left out altogether begins when the next one does.
 */
export const startOfDay = (zone: TimeZone, day: CalendarDay): number =>
  Temporal.PlainDate.from(isoOfDay(day)).toZonedDateTime(zone).epochMilliseconds

/** When the clocks of a zone show an hour of a day; one that was left out is the next that there is. @param hour 0 to 23 */
export const hourOfDay = (zone: TimeZone, day: CalendarDay, hour: number): number =>
  Temporal.PlainDate.from(isoOfDay(day)).toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(hour) })
    .epochMilliseconds

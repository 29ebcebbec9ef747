import type { DayRange } from '#site/policies.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { formatDates, isoOfDay } from '#shared/calendar-day.ts'
import { DAY_MS } from '#shared/time.ts'

/** Days since 1 January 1970, which was a Thursday. */
export type EpochDay = number

/** Both days included. */
export type Window = { from: EpochDay; to: EpochDay }

const DAYS_IN_WEEK = 7
const THURSDAY = 4
const MONDAY = 1

/** @returns 0 for Sunday to 6 for Saturday */
const weekday = (day: EpochDay): number => (day + THURSDAY) % DAYS_IN_WEEK

/** Month and day of the holidays with a fixed date. */
const fixedHolidays = new Set(['1/1', '7/4', '12/25'])

/**
 * Whether nothing is printed or carried: the six days on which USPS, UPS and FedEx all rest (about.usps.com/newsroom/events,
 * ups.com, fedex.com, 2026): New Year's Day, Memorial Day, Independence Day, Labor Day, Thanksgiving, Christmas. Other countries'
 * holidays are part of their transit.
 */
function isHoliday(day: EpochDay): boolean {
  const [, month = 0, ofMonth = 0] = isoOfDay(day).split('-').map(Number)
  if (fixedHolidays.has(`${month}/${ofMonth}`)) return true
  if (weekday(day) === MONDAY) return (month === 5 && ofMonth > 24) || (month === 9 && ofMonth <= DAYS_IN_WEEK)
  return weekday(day) === THURSDAY && month === 11 && ofMonth > 21 && ofMonth <= 28
}

const isBusinessDay = (day: EpochDay): boolean => weekday(day) >= MONDAY && weekday(day) <= 5 && !isHoliday(day)

/** The day `count` business days later, not counting `day` itself. */
export function afterBusinessDays(day: EpochDay, count: number): EpochDay {
  let reached = day
  for (let left = count; left > 0;) {
    reached += 1
    if (isBusinessDay(reached)) left -= 1
  }
  return reached
}

export const dayOf = (moment: Date): EpochDay => Math.floor(moment.getTime() / DAY_MS)

export type DeliveryDays = Pick<SiteSettings, 'processingDays' | 'internationalDays' | 'transitDays'>

/** Business days from the printer to a door in a country. */
export const transitTo = (
  country: string,
  { transitDays, internationalDays }: Omit<DeliveryDays, 'processingDays'>,
): DayRange => transitDays.find(({ countries }) => countries.split(' ').includes(country)) ?? internationalDays

/**
 * The days on which an order to a country is expected to arrive: production, then transit. Everything that names such days, or judges
 * whether something is late, starts from here.
 */
export function arrivalWindow(ordered: EpochDay, country: string, days: DeliveryDays): Window {
  const [making, traveling] = [days.processingDays, transitTo(country, days)]
  return {
    from: afterBusinessDays(ordered, making.from + traveling.from),
    to: afterBusinessDays(ordered, making.to + traveling.to),
  }
}

/** As ISO dates. */
export const datesOf = ({ from, to }: Window): { from: string; to: string } => ({
  from: isoOfDay(from),
  to: isoOfDay(to),
})

/** `Dec 3–9`. */
export const formatArrival = (window: Window): string => formatDates(datesOf(window))

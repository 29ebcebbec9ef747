import { startOfDay, type TimeZone } from '#shared/time-zone.ts'
import type { ReportDays } from './range.ts'

/** In ms: from `since`, before `until`; null if open. */
export type TimeRange = { since: number | null; until: number | null }

/** From the start of the first day to the end of the last one, in a time zone. */
export const timeRangeOf = (zone: TimeZone, { from, to }: ReportDays): TimeRange => ({
  since: from === null ? null : startOfDay(zone, from),
  until: to === null ? null : startOfDay(zone, to + 1),
})

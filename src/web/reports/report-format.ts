/** Hours from 0 to 23, because browsers and servers disagree on the space before `PM`. */
const momentFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
  })

/** @param at ISO @returns `Nov 21, 2026, 14:05` in the report's time zone */
export const formatMomentIn = (timeZone: string, at: string): string => momentFormat(timeZone).format(new Date(at))

const dayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
const longDayFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
})
const monthFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', year: 'numeric', month: 'short' })

const utcMidnight = (day: string) => new Date(`${day}T00:00:00Z`)

/** `Nov 21, 2026`. */
export const formatDay = (day: string): string => longDayFormat.format(utcMidnight(day))

/** A chart step: `Nov 21`, or `Nov 2026` for a month. */
export const formatStep = ({ from, to }: { from: string; to: string }): string =>
  from === to ? dayFormat.format(utcMidnight(from)) : monthFormat.format(utcMidnight(from))

/** `Nov 1, 2026 to Nov 7, 2026`; a single day alone. */
export const formatDayRange = ({ from, to }: { from: string; to: string }): string =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`

const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 })

/** `up 5% on the previous 31 days`; undefined where there is nothing to compare with. @param period such as `the previous 31 days` */
export function formatChange(now: number, before: number, period: string): string | undefined {
  if (before === 0) return undefined
  if (now === before) return `same as ${period}`
  return `${now > before ? 'up' : 'down'} ${share.format(Math.abs(now / before - 1))} on ${period}`
}

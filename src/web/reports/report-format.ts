/** In hours from 0 to 23, because browsers and servers do not agree on the blank before `PM`. */
const momentFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
    ...({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const),
  })

/** A moment of the wire by the clocks of a report: `Nov 21, 2026, 14:05`. */
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

/** A step of a chart: `Nov 21`, or a month, `Nov 2026`. */
export const formatStep = ({ from, to }: { from: string; to: string }): string =>
  from === to ? dayFormat.format(utcMidnight(from)) : monthFormat.format(utcMidnight(from))

/** `Nov 1 to Nov 7`, a day alone when it is one. */
export const formatDayRange = ({ from, to }: { from: string; to: string }): string =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`

const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 })

/** How much more or less something is than it was, in words; nothing where there was nothing to compare with. */
export function formatChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined
  if (now === before) return 'as much as'
  return `${share.format(Math.abs(now / before - 1))} ${now > before ? 'more' : 'less'} than`
}

const cache = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`
  const format = cache.get(key) ?? new Intl.DateTimeFormat('en-US', { ...options, timeZone })
  cache.set(key, format)
  return format
}

/** `2026-11-21` as `Nov 21`. */
export const shortDay = (day: string): string =>
  formatter('UTC', { month: 'short', day: 'numeric' }).format(new Date(`${day}T12:00:00Z`))

/** `2026-11-21` as `November 21, 2026`. */
export const formatLongDay = (day: string): string =>
  formatter('UTC', { dateStyle: 'long' }).format(new Date(`${day}T12:00:00Z`))

/** `October 23 to November 21, 2026`; a single day alone. */
export function formatDayRange(from: string, to: string): string {
  if (from === to) return formatLongDay(to)
  const isOneYear = from.slice(0, 4) === to.slice(0, 4)
  const first = isOneYear
    ? formatter('UTC', { month: 'long', day: 'numeric' }).format(new Date(`${from}T12:00:00Z`))
    : formatLongDay(from)
  return `${first} to ${formatLongDay(to)}`
}

/** `2026-11` as `November 2026`. */
export const formatMonth = (month: string): string =>
  formatter('UTC', { month: 'long', year: 'numeric' }).format(new Date(`${month}-15T12:00:00Z`))

/** The day of an ISO moment in a time zone, the same on server and in browser. */
export const dayThere = (moment: string, timeZone: string): string =>
  formatter(timeZone, { year: 'numeric', month: 'short', day: 'numeric' }).format(new Date(moment))

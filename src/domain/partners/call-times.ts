import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'

const SOONEST_MS = 12 * HOUR_MS
const LATEST_MS = 60 * DAY_MS
const STEP_MS = 15 * MINUTE_MS

/** How long a call is scheduled for. */
export const CALL_MS = 30 * MINUTE_MS

/** @param times in ms @returns why these times cannot be requested; undefined if they can */
export function objectionToTimes(times: readonly number[], now: number): string | undefined {
  if (new Set(times).size < times.length) return 'Please choose different times'
  if (times.some((time) => time % STEP_MS !== 0)) return 'Please choose times on the quarter hour'
  if (times.some((time) => time < now + SOONEST_MS)) return 'Please choose times at least half a day from now'
  if (times.some((time) => time > now + LATEST_MS)) return 'Please choose times within the next two months'
  return undefined
}

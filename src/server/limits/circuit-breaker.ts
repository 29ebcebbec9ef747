import { SECOND_MS, type Clock } from '#shared/time.ts'

/** Failed calls in a row after which the provider counts as down. */
const FAILURES_MAX = 3
/** How long no call is made then, before a single one tests it. Short, because three failed calls may not be an outage. */
const FIRST_PAUSE_MS = 5 * SECOND_MS
/** Pauses double up to this. A six-hour outage then causes about 190 calls. */
const PAUSE_MAX_MS = 118 * SECOND_MS

/** While a provider is down, lets only an occasional call through; the first success lets all calls through again. */
export function createCircuitBreaker(clock: Clock) {
  let failures = 0
  let pausedUntil = 0
  let pauseMs = FIRST_PAUSE_MS
  return {
    /** Whether a call may be made. After a pause, only the first caller may test the provider. */
    mayCall(): boolean {
      if (failures < FAILURES_MAX) return true
      const now = clock.now().getTime()
      if (now < pausedUntil) return false
      pausedUntil = now + pauseMs
      return true
    },
    /** @param answered false when there was no usable response */
    record(answered: boolean): void {
      failures = answered ? 0 : failures + 1
      if (answered) pauseMs = FIRST_PAUSE_MS
      if (failures < FAILURES_MAX) return
      pausedUntil = clock.now().getTime() + pauseMs
      pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)
    },
    isDown: (): boolean => failures >= FAILURES_MAX,
  }
}

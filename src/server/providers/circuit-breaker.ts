import { SECOND_MS, type Clock } from '#shared/time.ts'

/** So many calls in a row without an answer, and the provider is taken to be away. */
const FAILURES_MAX = 3
/** How long nobody asks then; after it one call finds out. Three unlucky calls are not an outage: only one that lasts is left alone for long. */
const FIRST_PAUSE_MS = 5 * SECOND_MS
/** Each pause is twice the one before, up to this. In an outage of six hours that makes some 190 calls. */
const PAUSE_MAX_MS = 118 * SECOND_MS

/** Keeps everybody from asking a provider that is away: only now and then one call goes through, and the first answer lets all others follow. */
export function createCircuitBreaker(clock: Clock) {
  let failures = 0
  let pausedUntil = 0
  let pauseMs = FIRST_PAUSE_MS
  return {
    /** Whether a call may be made. Of those that ask when the pause is over, the first may; it stands for the others. */
    mayCall(): boolean {
      if (failures < FAILURES_MAX) return true
      const now = clock.now().getTime()
      if (now < pausedUntil) return false
      pausedUntil = now + pauseMs
      return true
    },
    /** @param answered false when nothing usable came */
    note(answered: boolean): void {
      failures = answered ? 0 : failures + 1
      if (answered) pauseMs = FIRST_PAUSE_MS
      if (failures < FAILURES_MAX) return
      pausedUntil = clock.now().getTime() + pauseMs
      pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)
    },
    isAway: (): boolean => failures >= FAILURES_MAX,
  }
}

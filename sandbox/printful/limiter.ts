import type { VirtualClock } from '../kit/types.ts'

import { PrintfulError } from './answers.ts'

const WINDOW_MS = 60_000
const LOCKOUT_MS = 60_000

/**
 * This many calls in 60 seconds; one more locks the caller out for another 60.
 * @param perWindow may change while it runs
 */
export function openLimiter(clock: VirtualClock, perWindow: number) {
  const standard = perWindow
  let limit = perWindow
  let windowEndsAt = 0
  let lockedUntil = 0
  let used = 0

  return {
    /** Counts a call. @returns the rate-limit headers. @throws PrintfulError 429 over the limit */
    count(): Record<string, string> {
      const now = clock.now().getTime()
      if (now >= windowEndsAt) {
        windowEndsAt = now + WINDOW_MS
        used = 0
      }
      used += 1
      if (now >= lockedUntil && used > limit) lockedUntil = now + LOCKOUT_MS
      const locked = now < lockedUntil
      const seconds = Math.ceil(((locked ? lockedUntil : windowEndsAt) - now) / 1000)
      const headers = {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(locked ? 0 : limit - used),
        'x-ratelimit-reset': String(seconds),
        'x-ratelimit-policy': `${limit};w=60;`,
      }
      if (!locked) return headers
      throw new PrintfulError(
        429,
        `You've recently sent too many requests. Please try again after ${seconds} seconds.`,
        headers,
      )
    },
    allow(perMinute: number): void {
      limit = perMinute
      lockedUntil = 0
    },
    reset(): void {
      limit = standard
      windowEndsAt = lockedUntil = used = 0
    },
  }
}

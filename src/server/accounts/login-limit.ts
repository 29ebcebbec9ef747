import type { Clock } from '#kernel/time.ts'
import { MINUTE_MS } from '#kernel/time.ts'

const WINDOW_MS = 10 * MINUTE_MS
/** More pairs of account and address than this are not remembered; the oldest goes first. */
const REMEMBERED_MAX = 10_000

export type LoginLimit = {
  /** Counts a try before its password is looked at, so that many at once are counted too. @returns false when it is one too many */
  allows(account: string, address: string): boolean
  /** The password was right: the tries before it were a person's own. */
  forget(account: string, address: string): void
}

/**
 * Slows down who guesses one account's password from one address, without locking out its owner elsewhere.
 * @param max tries within ten minutes
 */
export function createLoginLimit(clock: Clock, max: number): LoginLimit {
  const tries = new Map<string, { count: number; until: number }>()
  const keyOf = (account: string, address: string) => `${address} ${account}`

  function makeRoom(now: number): void {
    if (tries.size < REMEMBERED_MAX) return
    for (const [key, { until }] of tries) if (until <= now) tries.delete(key)
    for (const key of tries.keys()) {
      if (tries.size < REMEMBERED_MAX) return
      tries.delete(key)
    }
  }

  return {
    allows(account, address) {
      const now = clock.now().getTime()
      const key = keyOf(account, address)
      const known = tries.get(key)
      if (known && known.until > now) {
        known.count += 1
        return known.count <= max
      }
      tries.delete(key)
      makeRoom(now)
      tries.set(key, { count: 1, until: now + WINDOW_MS })
      return true
    },
    forget: (account, address) => void tries.delete(keyOf(account, address)),
  }
}

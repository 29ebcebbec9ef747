import type { Clock } from '#kernel/time.ts'
import { MINUTE_MS } from '#kernel/time.ts'
import type { SessionId } from '#kernel/ids.ts'

const WINDOW_MS = 10 * MINUTE_MS
/** More counts than this are not remembered; the oldest goes first. */
const REMEMBERED_MAX = 10_000
/** A code has six digits: whoever knows the password may not go through them. Not multiplied by anything. */
const CODES_MAX = 10
/** Strangers of many addresses may try so many times as often as one of them. */
const ADDRESSES = 5

type Try = {
  account: string
  address: string
  /** The session, if this account was signed in there before. */
  known: SessionId | undefined
}
type TryHere = { account: string; from: SessionId }

export type LoginLimit = {
  /** Counts a try before its password is looked at, so that many at once are counted too. @returns false when it is one too many */
  allows(tried: Try): boolean
  /** The password was right: the tries before it were a person's own. */
  forget(tried: Try): void
  /** The same for whoever is signed in and gives the password again. */
  allowsHere(tried: TryHere): boolean
  forgetHere(tried: TryHere): void
  /** The same for codes of an account's second factor, from wherever. */
  allowsCode(account: string): boolean
  forgetCode(account: string): void
}

/**
 * Slows down who guesses one account's password: from one address, and from all together. A browser in which the account was
 * signed in before is counted by itself, so strangers never keep a user out.
 * @param max tries within ten minutes
 */
export function createLoginLimit(clock: Clock, max: number): LoginLimit {
  // Each forgets only its own: endless addresses or names push out no count of an account, of a session, of a code.
  const ofAddresses = createCounts(clock)
  const ofAccounts = createCounts(clock)
  const ofSessions = createCounts(clock)
  const ofCodes = createCounts(clock)

  const hereKey = ({ account, from }: TryHere) => `${from} ${account}`
  const addressKey = ({ account, address }: Try) => `${address} ${account}`
  const limit: LoginLimit = {
    allows: (tried) =>
      tried.known
        ? limit.allowsHere({ account: tried.account, from: tried.known })
        : ofAddresses.isWithin(addressKey(tried), max) && ofAccounts.isWithin(tried.account, max * ADDRESSES),
    forget: (tried) => {
      if (tried.known) limit.forgetHere({ account: tried.account, from: tried.known })
      else ofAddresses.forget(addressKey(tried))
    },
    allowsHere: (tried) => ofSessions.isWithin(hereKey(tried), max),
    forgetHere: (tried) => ofSessions.forget(hereKey(tried)),
    allowsCode: (account) => ofCodes.isWithin(account, CODES_MAX),
    forgetCode: (account) => ofCodes.forget(account),
  }
  return limit
}

/** Counts by key, each for ten minutes. */
function createCounts(clock: Clock) {
  const counts = new Map<string, { count: number; until: number }>()

  function makeRoom(now: number): void {
    if (counts.size < REMEMBERED_MAX) return
    for (const [key, { until }] of counts) if (until <= now) counts.delete(key)
    for (const key of counts.keys()) {
      if (counts.size < REMEMBERED_MAX) return
      counts.delete(key)
    }
  }

  return {
    isWithin(key: string, most: number): boolean {
      const now = clock.now().getTime()
      const counted = counts.get(key)
      if (counted && counted.until > now) {
        counted.count += 1
        return counted.count <= most
      }
      counts.delete(key)
      makeRoom(now)
      counts.set(key, { count: 1, until: now + WINDOW_MS })
      return true
    },
    forget(key: string): void {
      counts.delete(key)
    },
  }
}

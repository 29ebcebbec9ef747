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
  const tries = new Map<string, { count: number; until: number }>()

  function makeRoom(now: number): void {
    if (tries.size < REMEMBERED_MAX) return
    for (const [key, { until }] of tries) if (until <= now) tries.delete(key)
    for (const key of tries.keys()) {
      if (tries.size < REMEMBERED_MAX) return
      tries.delete(key)
    }
  }

  function isWithin(key: string, most: number): boolean {
    const now = clock.now().getTime()
    const counted = tries.get(key)
    if (counted && counted.until > now) {
      counted.count += 1
      return counted.count <= most
    }
    tries.delete(key)
    makeRoom(now)
    tries.set(key, { count: 1, until: now + WINDOW_MS })
    return true
  }

  const hereKey = ({ account, from }: TryHere) => `here ${from} ${account}`
  const addressKey = ({ account, address }: Try) => `address ${address} ${account}`
  const limit: LoginLimit = {
    allows: (tried) =>
      tried.known
        ? limit.allowsHere({ account: tried.account, from: tried.known })
        : isWithin(addressKey(tried), max) && isWithin(`everywhere ${tried.account}`, max * ADDRESSES),
    forget: (tried) => {
      if (tried.known) limit.forgetHere({ account: tried.account, from: tried.known })
      else tries.delete(addressKey(tried))
    },
    allowsHere: (tried) => isWithin(hereKey(tried), max),
    forgetHere: (tried) => void tries.delete(hereKey(tried)),
    allowsCode: (account) => isWithin(`code ${account}`, CODES_MAX),
    forgetCode: (account) => void tries.delete(`code ${account}`),
  }
  return limit
}

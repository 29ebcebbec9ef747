import { MINUTE_MS } from '#shared/time.ts'
import type { SessionId } from '#shared/ids.ts'
import { createRateCounter, type RateCounter } from './rate-counter.ts'
import type { Needs } from '#server/shop.ts'

const WINDOW_MS = 10 * MINUTE_MS
/** Counters held in memory; the oldest is dropped first. */
const ENTRIES_MAX = 10_000
/** Stops somebody who knows the password from trying all six-digit codes. `RATE_LIMIT_SCALE` does not apply. */
const CODES_MAX = 10
/** Tries from all addresses together: this many times the limit of a single address. */
const ALL_ADDRESSES_FACTOR = 5

type Try = {
  account: string
  address: string
  /** The session, if this account was signed in to it before. */
  sessionId: SessionId | undefined
}
type TryHere = { account: string; from: SessionId }

export type LoginLimit = {
  /** Counts a try before its password is checked: concurrent tries count too. @returns false when over the limit */
  allows(tried: Try): Promise<boolean>
  /** The password was right, so the tries before it were the user's own. */
  reset(tried: Try): Promise<void>
  /** The same for a signed-in user who confirms their password. */
  allowsHere(tried: TryHere): Promise<boolean>
  forgetHere(tried: TryHere): Promise<void>
  /** The same for codes of an account's second factor, from all addresses. */
  allowsCode(account: string): Promise<boolean>
  forgetCode(account: string): Promise<void>
}

/**
 * Limits guesses at one account's password, per address and from all addresses together, across all instances. A browser in which the
 * account was signed in before has its own counter, so strangers cannot lock a user out.
 * @param max tries within ten minutes
 */
export function createLoginLimit({ database, clock }: Needs<'database' | 'clock'>, max: number): LoginLimit {
  // Every try is shared with the other instances: hashing a password costs far more.
  const counterOf = (kind: string) => createRateCounter(kind, database, { namesMax: ENTRIES_MAX, sharedFrom: 0 })
  // Separate counters: a flood of addresses cannot push out the counts of accounts, sessions or codes.
  const ofAddresses = counterOf('login address')
  const ofAccounts = counterOf('login account')
  const ofSessions = counterOf('login session')
  const ofCodes = counterOf('login code')

  const isWithin = async (counter: RateCounter, name: string, limit: number): Promise<boolean> => {
    const { count } = await counter.count(name, { max: limit, windowMs: WINDOW_MS, nowMs: clock.now().getTime() })
    return count <= limit
  }
  const hereName = ({ account, from }: TryHere) => `${from} ${account}`
  const addressName = ({ account, address }: Try) => `${address} ${account}`
  const loginLimit: LoginLimit = {
    allows: async (tried) =>
      tried.sessionId
        ? loginLimit.allowsHere({ account: tried.account, from: tried.sessionId })
        : (await isWithin(ofAddresses, addressName(tried), max)) &&
          (await isWithin(ofAccounts, tried.account, max * ALL_ADDRESSES_FACTOR)),
    reset: (tried) =>
      tried.sessionId
        ? loginLimit.forgetHere({ account: tried.account, from: tried.sessionId })
        : ofAddresses.reset(addressName(tried)),
    allowsHere: (tried) => isWithin(ofSessions, hereName(tried), max),
    forgetHere: (tried) => ofSessions.reset(hereName(tried)),
    allowsCode: (account) => isWithin(ofCodes, account, CODES_MAX),
    forgetCode: (account) => ofCodes.reset(account),
  }
  return loginLimit
}

import { MINUTE_MS } from '#shared/time.ts'
import type { SessionId } from '#shared/ids.ts'
import { createRateCounter, type RateCounter } from '#server/http/rate-counter.ts'
import type { Needs } from '#server/shop.ts'

const WINDOW_MS = 10 * MINUTE_MS
/** More counts than this are not remembered; the oldest goes first. */
const ENTRIES_MAX = 10_000
/** A code has six digits: whoever knows the password may not go through them. Not multiplied by anything. */
const CODES_MAX = 10
/** Strangers of many addresses may try so many times as often as one of them. */
const ADDRESSES = 5

type Try = {
  account: string
  address: string
  /** The session, if this account was signed in there before. */
  sessionId: SessionId | undefined
}
type TryHere = { account: string; from: SessionId }

export type LoginLimit = {
  /** Counts a try before its password is looked at, so that many at once are counted too. @returns false when it is one too many */
  allows(tried: Try): Promise<boolean>
  /** The password was right: the tries before it were a person's own. */
  reset(tried: Try): Promise<void>
  /** The same for whoever is signed in and gives the password again. */
  allowsHere(tried: TryHere): Promise<boolean>
  forgetHere(tried: TryHere): Promise<void>
  /** The same for codes of an account's second factor, from wherever. */
  allowsCode(account: string): Promise<boolean>
  forgetCode(account: string): Promise<void>
}

/**
 * Slows down who guesses one account's password: from one address, and from all together, whichever instances they ask. A browser
 * in which the account was signed in before is counted by itself, so strangers never keep a user out.
 * @param max tries within ten minutes
 */
export function createLoginLimit({ database, clock }: Needs<'database' | 'clock'>, max: number): LoginLimit {
  // Every try is told: looking at a password costs far more.
  const counterOf = (kind: string) => createRateCounter(kind, database, { namesMax: ENTRIES_MAX, sharedFrom: 0 })
  // Each forgets only its own: endless addresses or names push out no count of an account, of a session, of a code.
  const ofAddresses = counterOf('login address')
  const ofAccounts = counterOf('login account')
  const ofSessions = counterOf('login session')
  const ofCodes = counterOf('login code')

  const isWithin = async (counter: RateCounter, name: string, most: number): Promise<boolean> => {
    const { count } = await counter.count(name, { max: most, windowMs: WINDOW_MS, nowMs: clock.now().getTime() })
    return count <= most
  }
  const hereName = ({ account, from }: TryHere) => `${from} ${account}`
  const addressName = ({ account, address }: Try) => `${address} ${account}`
  const limit: LoginLimit = {
    allows: async (tried) =>
      tried.sessionId
        ? limit.allowsHere({ account: tried.account, from: tried.sessionId })
        : (await isWithin(ofAddresses, addressName(tried), max)) &&
          (await isWithin(ofAccounts, tried.account, max * ADDRESSES)),
    reset: (tried) =>
      tried.sessionId
        ? limit.forgetHere({ account: tried.account, from: tried.sessionId })
        : ofAddresses.reset(addressName(tried)),
    allowsHere: (tried) => isWithin(ofSessions, hereName(tried), max),
    forgetHere: (tried) => ofSessions.reset(hereName(tried)),
    allowsCode: (account) => isWithin(ofCodes, account, CODES_MAX),
    forgetCode: (account) => ofCodes.reset(account),
  }
  return limit
}

import { SECOND_MS } from '#kernel/time.ts'

type Limits = {
  /** Sessions of one address that may begin to pay within the window, and do not. */
  max: number
  windowMs: number
  /** For how long a session that paid makes room for one more. */
  trustMs: number
}

/** When which sessions of an address began to pay, and when which of them did. */
type Known = { begun: Map<string, number>; paid: Map<string, number> }

/** Addresses that are remembered; the one that was longest quiet is forgotten first. */
const ADDRESSES_MAX = 5000

/**
 * Tells a hall full of shoppers behind one address from one stranger with ever new sessions: shoppers pay. A session that
 * began and has not paid takes one of a few places for a minute; one that paid frees its own and makes room for another.
 */
export function createNewcomers({ max, windowMs, trustMs }: Limits, now: () => number = Date.now) {
  const addresses = new Map<string, Known>()

  function known(address: string): Known {
    const found = addresses.get(address) ?? { begun: new Map(), paid: new Map() }
    forget(found.begun, windowMs)
    forget(found.paid, trustMs)
    addresses.delete(address)
    addresses.set(address, found)
    const [quietest] = addresses.keys()
    if (addresses.size > ADDRESSES_MAX && quietest !== undefined) addresses.delete(quietest)
    return found
  }

  /** The oldest come first. */
  function forget(times: Map<string, number>, afterMs: number): void {
    for (const [session, at] of times) {
      if (at > now() - afterMs) return
      times.delete(session)
    }
  }

  return {
    /** @returns for how many seconds a session has to wait before it may begin to pay; 0: not at all */
    waitFor(address: string, session: string): number {
      const { begun, paid } = known(address)
      if (begun.has(session) || paid.has(session)) return 0
      const [oldest] = begun.values()
      if (oldest !== undefined && begun.size >= max + paid.size)
        return Math.max(1, Math.ceil((oldest + windowMs - now()) / SECOND_MS))
      begun.set(session, now())
      return 0
    },
    hasPaid(address: string, session: string): void {
      const { begun, paid } = known(address)
      begun.delete(session)
      paid.delete(session)
      paid.set(session, now())
    },
  }
}

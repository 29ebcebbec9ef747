import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '#shared/time.ts'

/** The partner's limit until it announces another: one call more within the window locks us out for another window. */
const CALLS_MAX = 120
const WINDOW_MS = 60 * SECOND_MS
/** Left free for orders: a synchronization never uses the last calls of a window. */
const RESERVED_FOR_ORDERS = 20
const LOCKOUT_MS = 60 * SECOND_MS

/**
 * `order`: somebody waits for it, so rather not at all than late. `quote`: somebody waits, but something can stand in.
 * `submission`: a job sends an order, before all others and as late as it must be. `background`: after them.
 */
export type Urgency = 'order' | 'quote' | 'submission' | 'background'

const MAX_WAIT_MS: Readonly<Record<Urgency, number>> = {
  order: 5 * SECOND_MS,
  quote: SECOND_MS / 2,
  submission: 3 * WINDOW_MS,
  background: 3 * WINDOW_MS,
}

const isOrder = (urgency: Urgency): boolean => urgency === 'order' || urgency === 'submission'

/** Keeps the calls of this process within the partner's limit, and away from it while it has locked us out. */
export function createLimiter(now: () => number = () => performance.now()) {
  /** When the calls of the last window were made, oldest first. */
  const made: number[] = []
  let closedUntil = 0
  /** Until then the last calls of the partner's window are left to orders. */
  let keptUntil = 0
  let callsMax = CALLS_MAX
  const stopping = new AbortController()

  /** @returns for how long a call has to wait, in milliseconds */
  function waitFor(urgency: Urgency): number {
    const time = now()
    while (made[0] !== undefined && made[0] <= time - WINDOW_MS) made.shift()
    const max = isOrder(urgency) ? callsMax : Math.max(1, callsMax - RESERVED_FOR_ORDERS)
    const blocking = made[made.length - max]
    const untilFree = blocking === undefined ? 0 : blocking + WINDOW_MS - time
    return Math.max(untilFree, closedUntil - time, isOrder(urgency) ? 0 : keptUntil - time, 0)
  }

  return {
    /** Waits for a call's turn and counts it. @returns false when that would take longer than is worth waiting */
    async turn(urgency: Urgency): Promise<boolean> {
      const giveUpAt = now() + MAX_WAIT_MS[urgency]
      const signal = MAX_WAIT_MS[urgency] >= WINDOW_MS ? stopping.signal : undefined
      for (let wait = waitFor(urgency); wait > 0; wait = waitFor(urgency)) {
        if (now() + wait > giveUpAt || signal?.aborted) return false
        await sleep(Math.ceil(wait), undefined, { signal }).catch(() => {})
      }
      if (signal?.aborted) return false
      made.push(now())
      return true
    },
    /** Reads what an answer says about the limit: other programs of the same store use it up too. */
    readHeaders(status: number, headers: Headers): void {
      const announced = Number(headers.get('x-ratelimit-limit'))
      if (Number.isSafeInteger(announced) && announced > 0) callsMax = announced
      const reset = secondsOf(headers.get('x-ratelimit-reset'))
      const remaining = headers.get('x-ratelimit-remaining')
      if (status === 429) close(secondsOf(headers.get('retry-after')) ?? reset ?? LOCKOUT_MS)
      else if (remaining === '0' && reset !== undefined) close(reset)
      else if (remaining !== null && Number(remaining) <= RESERVED_FOR_ORDERS && reset !== undefined)
        keptUntil = Math.max(keptUntil, now() + Math.min(reset, LOCKOUT_MS))
    },
    /** No job waits any longer, nor begins. */
    stopWaiting: () => stopping.abort(),
  }

  function close(forMs: number): void {
    closedUntil = Math.max(closedUntil, now() + Math.min(forMs, LOCKOUT_MS))
  }
}

const secondsOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,6}$/.test(text.trim()) ? Number(text) * SECOND_MS : undefined

import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '#shared/time.ts'

/** Printful's limit unless its headers say otherwise. One call more within the window locks us out for another window. */
const CALLS_MAX = 120
const WINDOW_MS = 60 * SECOND_MS
/** Reserved for orders, so a catalog sync never uses the last calls of a window. */
const RESERVED_FOR_ORDERS = 20
const LOCKOUT_MS = 60 * SECOND_MS

/**
 * `order`: a person waits, so failing beats being late. `quote`: a person waits, but there is a fallback. `submission`: a job sends an
 * order; it has priority and waits as long as necessary. `background`: everything else.
 */
export type Urgency = 'order' | 'quote' | 'submission' | 'background'

const MAX_WAIT_MS: Readonly<Record<Urgency, number>> = {
  order: 5 * SECOND_MS,
  quote: SECOND_MS / 2,
  submission: 3 * WINDOW_MS,
  background: 3 * WINDOW_MS,
}

const isOrder = (urgency: Urgency): boolean => urgency === 'order' || urgency === 'submission'

/**
 * Keeps this process within a rate limit of Printful, and makes no calls during a lockout.
 * @param reserved calls of each window that only orders may make
 */
export function createLimiter(
  now: () => number = () => performance.now(),
  { callsMax: callsAtFirst = CALLS_MAX, reserved = RESERVED_FOR_ORDERS } = {},
) {
  /** Times of the last window's calls, oldest first. */
  const callTimes: number[] = []
  let closedUntil = 0
  /** Until then, Printful's last calls of the window are reserved for orders. */
  let reservedUntil = 0
  let callsMax = callsAtFirst
  const stopping = new AbortController()

  /** @returns the wait in milliseconds */
  function waitFor(urgency: Urgency): number {
    const time = now()
    while (callTimes[0] !== undefined && callTimes[0] <= time - WINDOW_MS) callTimes.shift()
    const max = isOrder(urgency) ? callsMax : Math.max(1, callsMax - reserved)
    const blocking = callTimes[callTimes.length - max]
    const untilFree = blocking === undefined ? 0 : blocking + WINDOW_MS - time
    return Math.max(untilFree, closedUntil - time, isOrder(urgency) ? 0 : reservedUntil - time, 0)
  }

  return {
    /** Waits until a call is allowed, and counts it. @returns false when the wait would be too long */
    async acquire(urgency: Urgency): Promise<boolean> {
      const giveUpAt = now() + MAX_WAIT_MS[urgency]
      const signal = MAX_WAIT_MS[urgency] >= WINDOW_MS ? stopping.signal : undefined
      for (let wait = waitFor(urgency); wait > 0; wait = waitFor(urgency)) {
        if (now() + wait > giveUpAt || signal?.aborted) return false
        await sleep(Math.ceil(wait), undefined, { signal }).catch(() => {})
      }
      if (signal?.aborted) return false
      callTimes.push(now())
      return true
    },
    /** Reads a response's rate limit headers: other programs of the same store use the limit too. */
    readHeaders(status: number, headers: Headers): void {
      const announced = Number(headers.get('x-ratelimit-limit'))
      if (Number.isSafeInteger(announced) && announced > 0) callsMax = announced
      const reset = secondsOf(headers.get('x-ratelimit-reset'))
      const remaining = headers.get('x-ratelimit-remaining')
      if (status === 429) close(secondsOf(headers.get('retry-after')) ?? reset ?? LOCKOUT_MS)
      else if (remaining === '0' && reset !== undefined) close(reset)
      else if (remaining !== null && Number(remaining) <= reserved && reset !== undefined)
        reservedUntil = Math.max(reservedUntil, now() + Math.min(reset, LOCKOUT_MS))
    },
    /** Ends all waiting jobs, and rejects later ones. */
    stopWaiting: () => stopping.abort(),
  }

  function close(forMs: number): void {
    closedUntil = Math.max(closedUntil, now() + Math.min(forMs, LOCKOUT_MS))
  }
}

const secondsOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,6}$/.test(text.trim()) ? Number(text) * SECOND_MS : undefined

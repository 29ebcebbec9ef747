import { Refusal } from '#server/http/refusal.ts'

type Limits = {
  atOnce: number
  waitingMax: number
  /** Whoever would wait longer is asked to come again: on a busy machine a connection would be closed before an answer. */
  waitMaxMs: number
}

/** How much the latest work says about how long the next will take. */
const LATEST_SHARE = 0.2

/**
 * Lets so much work be done at once, and so many wait for their turn. How long one would wait is known from how long the work of others
 * took: who would wait in vain is told so at once.
 * @returns a function that does its work in turn @throws Refusal `unavailable` when too many wait already, or it took too long
 */
export function createSemaphore({ atOnce, waitingMax, waitMaxMs }: Limits) {
  let busy = 0
  let usualMs = 0
  const waiting: (() => void)[] = []

  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const begun = performance.now()
    try {
      return await work()
    } finally {
      const ms = performance.now() - begun
      usualMs = usualMs === 0 ? ms : usualMs + (ms - usualMs) * LATEST_SHARE
    }
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const came = performance.now()
    if (busy >= atOnce) {
      const wouldWaitMs = ((waiting.length + 1) * usualMs) / atOnce
      if (waiting.length >= waitingMax || wouldWaitMs > waitMaxMs) throw new Refusal('unavailable')
      // Whoever finishes hands its place on, so `busy` stays as it is.
      await new Promise<void>((resume) => waiting.push(resume))
    } else busy += 1
    try {
      if (performance.now() - came > waitMaxMs) throw new Refusal('unavailable')
      return await timed(work)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

import { Refusal } from '#server/http/refusal.ts'

type Limits = {
  atOnce: number
  waitingMax: number
  /** Work that would wait longer is refused: its connection would probably be closed before the answer. */
  waitMaxMs: number
}

/** Weight of the latest duration in the moving average. */
const LATEST_WEIGHT = 0.2

/**
 * Limits concurrent work and its queue. The moving average of past durations predicts the wait; work that would time out is refused
 * immediately.
 * @returns a function that runs work in turn @throws Refusal `unavailable` when the queue is full or the wait too long
 */
export function createSemaphore({ atOnce, waitingMax, waitMaxMs }: Limits) {
  let busy = 0
  let usualMs = 0
  const waiting: (() => void)[] = []

  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      const ms = performance.now() - startedAt
      usualMs = usualMs === 0 ? ms : usualMs + (ms - usualMs) * LATEST_WEIGHT
    }
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const arrivedAt = performance.now()
    if (busy >= atOnce) {
      const wouldWaitMs = ((waiting.length + 1) * usualMs) / atOnce
      if (waiting.length >= waitingMax || wouldWaitMs > waitMaxMs) throw new Refusal('unavailable')
      // Finished work hands its slot to the next in line, so `busy` does not change.
      await new Promise<void>((resume) => waiting.push(resume))
    } else busy += 1
    try {
      if (performance.now() - arrivedAt > waitMaxMs) throw new Refusal('unavailable')
      return await timed(work)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

import { Refused } from '#server/http/refused.ts'

type Limits = {
  atOnce: number
  waitingMax: number
  /** Whoever has waited longer is asked to come again: on a busy machine a connection would be closed before an answer. */
  waitMaxMs: number
}

/**
 * Lets so much work be done at once, and so many wait for their turn.
 * @returns a function that does its work in turn @throws Refused `unavailable` when too many wait already, or it took too long
 */
export function createTurns({ atOnce, waitingMax, waitMaxMs }: Limits) {
  let busy = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const came = performance.now()
    if (busy >= atOnce) {
      if (waiting.length >= waitingMax) throw new Refused('unavailable')
      // Whoever finishes hands its place on, so `busy` stays as it is.
      await new Promise<void>((resume) => waiting.push(resume))
    } else busy += 1
    try {
      if (performance.now() - came > waitMaxMs) throw new Refused('unavailable')
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

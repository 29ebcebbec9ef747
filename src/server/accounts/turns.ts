import { Refused } from '#server/http/refused.ts'

/**
 * Lets so much work be done at once, and so many wait for their turn.
 * @returns a function that does its work in turn @throws Refused `unavailable` when too many wait already
 */
export function createTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }) {
  let busy = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= atOnce) {
      if (waiting.length >= waitingMax) throw new Refused('unavailable')
      // Whoever finishes hands its place on, so `busy` stays as it is.
      await new Promise<void>((resume) => waiting.push(resume))
    } else busy += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

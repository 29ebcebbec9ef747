export type Limits = {
  /** Requests that are worked on at once. */
  atOnce: number
  /** Others may wait: a burst is no crowd. */
  waitingMax: number
  waitMs: number
  /** A queue that has not been empty for this long is a crowd: whoever stands in it waits only a moment. */
  crowdAfterMs: number
  crowdWaitMs: number
  /** Whoever is inside for longer waits for somebody else, and is no work. */
  workMs: number
}

type Guest = { since: number }
type Waiting = { came: number; enter: (guest: Guest) => void; turnAway: () => void }

/**
 * Lets so many in at once and keeps the queue short. While a queue stands, waiting longer would only make everybody late: then most
 * are turned away quickly, and those who are let in are served as fast as ever.
 */
export function createDoor(limits: Limits, now: () => number = () => performance.now()) {
  /** The longest inside come first. */
  const inside = new Set<Guest>()
  const queue: Waiting[] = []
  let queueSince = 0

  const patience = () => (now() - queueSince > limits.crowdAfterMs ? limits.crowdWaitMs : limits.waitMs)

  function letIn(enter: (guest: Guest) => void): void {
    const guest = { since: now() }
    inside.add(guest)
    enter(guest)
  }

  function turnAwayTheLate(): void {
    const latest = now() - patience()
    while (queue[0] && queue[0].came < latest) queue.shift()?.turnAway()
  }

  function callNext(): void {
    turnAwayTheLate()
    while (inside.size < limits.atOnce) {
      const next = queue.shift()
      if (!next) return
      letIn(next.enter)
    }
  }

  return {
    /** @param enter gets what it has to `leave` with */
    ask(enter: (guest: Guest) => void, turnAway: () => void): void {
      if (inside.size < limits.atOnce && queue.length === 0) return letIn(enter)
      if (queue.length >= limits.waitingMax) return turnAway()
      if (queue.length === 0) queueSince = now()
      queue.push({ came: now(), enter, turnAway })
    },
    /** Once is enough; more does nothing. */
    leave(guest: Guest): void {
      if (inside.delete(guest)) callNext()
    },
    /** To be called often: sends away who has waited too long, and forgets who only waits for somebody else. */
    look(): void {
      const earliest = now() - limits.workMs
      for (const guest of inside) {
        if (guest.since > earliest) break
        inside.delete(guest)
      }
      callNext()
    },
    inside: () => inside.size,
    waiting: () => queue.length,
  }
}

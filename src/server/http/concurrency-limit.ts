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

type ActiveRequest = { since: number }
type QueuedRequest = { queuedAt: number; enter: (guest: ActiveRequest) => void; reject: () => void }

/**
 * Lets so many in at once and keeps the queue short. While a queue stands, waiting longer would only make everybody late: then most
 * are turned away quickly, and those who are let in are served as fast as ever.
 */
export function createConcurrencyLimit(limits: Limits, now: () => number = () => performance.now()) {
  /** The longest inside come first. */
  const inside = new Set<ActiveRequest>()
  const queue: QueuedRequest[] = []
  let queueSince = 0

  const maxWaitMs = () => (now() - queueSince > limits.crowdAfterMs ? limits.crowdWaitMs : limits.waitMs)

  function admit(enter: (request: ActiveRequest) => void): void {
    const guest = { since: now() }
    inside.add(guest)
    enter(guest)
  }

  function rejectOverdue(): void {
    const latest = now() - maxWaitMs()
    while (queue[0] && queue[0].queuedAt < latest) queue.shift()?.reject()
  }

  function admitNext(): void {
    rejectOverdue()
    while (inside.size < limits.atOnce) {
      const next = queue.shift()
      if (!next) return
      admit(next.enter)
    }
  }

  return {
    /** @param enter gets what it has to `leave` with */
    acquire(enter: (guest: ActiveRequest) => void, reject: () => void): void {
      if (inside.size < limits.atOnce && queue.length === 0) return admit(enter)
      if (queue.length >= limits.waitingMax) return reject()
      if (queue.length === 0) queueSince = now()
      queue.push({ queuedAt: now(), enter, reject })
    },
    /** Once is enough; more does nothing. */
    release(request: ActiveRequest): void {
      if (inside.delete(request)) admitNext()
    },
    /** To be called often: sends away who has waited too long, and forgets who only waits for somebody else. */
    sweep(): void {
      const earliest = now() - limits.workMs
      for (const request of inside) {
        if (request.since > earliest) break
        inside.delete(request)
      }
      admitNext()
    },
    inside: () => inside.size,
    waiting: () => queue.length,
  }
}

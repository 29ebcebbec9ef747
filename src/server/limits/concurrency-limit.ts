export type Limits = {
  /** Concurrent requests. */
  atOnce: number
  /** Queue for short bursts. */
  waitingMax: number
  waitMs: number
  /** After the queue has not been empty for this long, requests wait only `crowdWaitMs`. */
  crowdAfterMs: number
  crowdWaitMs: number
  /** A request active for longer is waiting for a provider, and no longer counts. */
  workMs: number
}

type ActiveRequest = { since: number }
type QueuedRequest = { queuedAt: number; enter: (guest: ActiveRequest) => void; reject: () => void }

/**
 * Limits concurrent requests and keeps the queue short. Under lasting overload longer waits would slow down everybody, so most requests
 * are rejected quickly and the admitted ones stay fast.
 */
export function createConcurrencyLimit(limits: Limits, now: () => number = () => performance.now()) {
  /** Oldest first. */
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
    /** @param enter gets the handle to `release` */
    acquire(enter: (guest: ActiveRequest) => void, reject: () => void): void {
      if (inside.size < limits.atOnce && queue.length === 0) return admit(enter)
      if (queue.length >= limits.waitingMax) return reject()
      if (queue.length === 0) queueSince = now()
      queue.push({ queuedAt: now(), enter, reject })
    },
    /** Repeated calls do nothing. */
    release(request: ActiveRequest): void {
      if (inside.delete(request)) admitNext()
    },
    /** Call often: rejects requests that waited too long, and stops counting those active for longer than `workMs`. */
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

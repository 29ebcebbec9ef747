import type { VirtualClock } from './types.ts'

type Timer = { label: string; due: number; kind: 'sandbox' | 'life'; order: number; work: () => void | Promise<void> }

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1 // setTimeout fires immediately beyond this

/** A virtual clock that can be stopped at the end of a test or of the program. */
type StoppableClock = VirtualClock & { close(): void }

/**
 * A clock that follows the real one and can be moved forward.
 *
 * It keeps two times. *Sandbox time* is the real time plus everything that was added. *Production time* is for
 * production and parcels: real time counts `speed` times, added time once. So a demo at
 * speed 1440 passes a day of production in a minute, while `advance` by a day is a day in both.
 * @param onFailure called when a timer's work throws: one bad timer must not stop the others
 * @param startAheadMs how far ahead of the machine's time it begins; below zero: behind
 * @param onTurn called with how far sandbox time is ahead of the machine's, in milliseconds, before anything runs at the new time
 */
export function openClock(
  speed: number,
  onFailure: (label: string, error: unknown) => void,
  onTurn: (aheadMs: number) => void = () => undefined,
  startAheadMs = 0,
): StoppableClock {
  const timers = new Set<Timer>()
  const startedAt = Date.now()
  let aheadMs = startAheadMs
  let made = 0
  let closed = false
  let alarm: NodeJS.Timeout | undefined
  let queue: Promise<unknown> = Promise.resolve()

  const sandboxNow = () => Date.now() + aheadMs
  const lifeNow = () => (Date.now() - startedAt) * speed + aheadMs
  const leftOf = (timer: Timer) => timer.due - (timer.kind === 'life' ? lifeNow() : sandboxNow())

  function next(): Timer | undefined {
    return [...timers].toSorted((a, b) => leftOf(a) - leftOf(b) || a.order - b.order)[0]
  }

  async function run(timer: Timer): Promise<void> {
    timers.delete(timer)
    try {
      await timer.work()
    } catch (error) {
      onFailure(timer.label, error)
    }
  }

  function add(ms: number): void {
    if (ms === 0) return
    aheadMs += ms
    onTurn(aheadMs)
  }

  async function move(ms: number): Promise<void> {
    let left = ms
    for (;;) {
      if (closed) break
      const timer = next()
      const until = timer ? Math.max(0, leftOf(timer)) : Infinity
      if (!timer || until > left) break
      add(until)
      left -= until
      await run(timer)
    }
    add(left)
    setAlarm()
  }

  /** Moves never overlap: a timer that fires while the control page advances waits. */
  function moveInTurn(ms: number): Promise<void> {
    const turn = queue.then(() => move(ms))
    queue = turn
    return turn
  }

  function setAlarm(): void {
    clearTimeout(alarm)
    if (closed) return
    const waits = [...timers].map((timer) => (timer.kind === 'life' ? leftOf(timer) / speed : leftOf(timer)))
    const soonest = Math.min(...waits)
    if (!Number.isFinite(soonest)) return
    alarm = setTimeout(() => void moveInTurn(0), Math.min(Math.max(0, Math.ceil(soonest)), LONGEST_TIMEOUT_MS)).unref()
  }

  function addTimer(timer: Omit<Timer, 'order'>): () => void {
    const numbered = { ...timer, order: (made += 1) }
    timers.add(numbered)
    setAlarm()
    return () => {
      timers.delete(numbered)
      setAlarm()
    }
  }

  return {
    now: () => new Date(sandboxNow()),
    advance(ms) {
      if (!Number.isFinite(ms) || ms < 0) throw new Error('The clock moves forward only.')
      return moveInTurn(ms)
    },
    later: (ms, label, work) => addTimer({ label, work, kind: 'sandbox', due: sandboxNow() + ms }),
    laterInLife: (ms, label, work) => addTimer({ label, work, kind: 'life', due: lifeNow() + ms }),
    close() {
      closed = true
      clearTimeout(alarm)
      timers.clear()
    },
  }
}

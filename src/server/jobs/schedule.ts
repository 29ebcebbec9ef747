import type { Log } from '#server/log/log.ts'
import { SECOND_MS, type Clock } from '#shared/time.ts'

export type Task = {
  /** In the log, when it fails. */
  name: string
  /** By the shop's clock. */
  everyMs: number
  run: () => Promise<unknown>
}

const TICK_MS = SECOND_MS

/**
 * Runs tasks again and again, in every instance of the shop: a task looks for what is due, and locks it. One that still runs is not
 * started again; one that failed is logged, and tried again at its next time. After the clock was turned far ahead, each runs once, at once.
 * @returns `stop` waits for those that run
 */
export function startSchedule(
  { log, clock }: { log: Log; clock: Clock },
  tasks: readonly Task[],
): { stop(): Promise<void> } {
  const startedAt = clock.now().getTime()
  const lastStarts = new Map(tasks.map((task) => [task, startedAt]))
  const running = new Map<Task, Promise<unknown>>()
  const start = (task: Task) => {
    if (running.has(task)) return
    const run = task
      .run()
      .catch((error: unknown) => log.error({ err: error, task: task.name }, 'A scheduled task failed.'))
      .finally(() => running.delete(task))
    running.set(task, run)
  }
  const timer = setInterval(() => {
    const now = clock.now().getTime()
    for (const [task, lastStart] of lastStarts) {
      // The machine's clock was set back: a task waits its time again, not longer.
      if (now < lastStart) lastStarts.set(task, now)
      if (now - lastStart < task.everyMs) continue
      lastStarts.set(task, now)
      start(task)
    }
  }, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}

import type { Log } from '#server/log/log.ts'

export type Task = {
  /** In the log, when it fails. */
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

/**
 * Runs tasks again and again, in every instance of the shop: a task looks for what is due, and locks it. One that still runs is not
 * started again; one that failed is logged, and tried again at its next time.
 * @returns `stop` waits for those that run
 */
export function startSchedule(log: Log, tasks: readonly Task[]): { stop(): Promise<void> } {
  const running = new Map<Task, Promise<unknown>>()
  const start = (task: Task) => {
    if (running.has(task)) return
    const run = task
      .run()
      .catch((error: unknown) => log.error({ err: error, task: task.name }, 'A scheduled task failed.'))
      .finally(() => running.delete(task))
    running.set(task, run)
  }
  const timers = tasks.map((task) => setInterval(start, task.everyMs, task))
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}

import { fork, type ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { RefusalCode } from '#contract/refusals.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { tasks } from './tasks.ts'

type Tasks = typeof tasks
export type TaskName = keyof Tasks

export type TaskReply =
  | { output: unknown }
  | { refusal: { code: RefusalCode; facts: Readonly<Record<string, unknown>> } }
  | { error: string }

type QueuedTask = {
  name: TaskName
  input: unknown
  resolve: (output: never) => void
  reject: (error: Error) => void
}

const script = fileURLToPath(new URL('process-entry.ts', import.meta.url))
/** Beyond it a picture is hostile, or the machine far too busy: the process is killed. */
const TASK_MS = 60_000
/** An idle process holds some 150 MB. */
const IDLE_MS = 60_000
const QUEUE_MAX = 200

/**
 * Decodes, composes and encodes pictures, one task at a time, in a process of its own (decision 0087): it can be killed in the middle of
 * native code, a crash of a decoder does not reach the shop, and it runs at the lowest priority, so pages come first. It starts with the
 * first task and ends when idle.
 */
export type PictureProcess = {
  /**
   * @param urgent before all that is not: somebody is waiting
   * @throws Refusal what the task refuses; `picture_too_complex` after a minute; `unavailable` if too many tasks wait
   */
  run<Name extends TaskName>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    options?: { urgent: boolean },
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>
  /** Ends it for good; whatever waits is rejected. */
  stop(): void
}

/** @param isQuick makes larger files in an eighth of the time, for tests */
export function createPictureProcess({
  taskMs = TASK_MS,
  priority = constants.priority.PRIORITY_LOW,
  isQuick = false,
} = {}): PictureProcess {
  const urgentTasks: QueuedTask[] = []
  const otherTasks: QueuedTask[] = []
  let child: ChildProcess | undefined
  let running: QueuedTask | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function end(error: Error): void {
    const task = running
    running = undefined
    clearTimeout(timer)
    child?.removeAllListeners()
    child?.kill('SIGKILL')
    child = undefined
    task?.reject(error)
    if (running ?? urgentTasks[0] ?? otherTasks[0]) next()
  }

  function start(): ChildProcess {
    const started = fork(script, isQuick ? ['--quick'] : [], { serialization: 'advanced', execArgv: [] })
    // It must not keep a shop alive that has nothing else to do.
    started.unref()
    started.channel?.unref()
    if (started.pid !== undefined) lowerPriority(started.pid, priority)
    // Killed, or out of memory; jobs try again.
    started.once('exit', () => end(new Refusal('unavailable')))
    started.once('error', end)
    started.on('message', (reply: TaskReply) => {
      const task = running
      running = undefined
      clearTimeout(timer)
      if ('output' in reply) task?.resolve(reply.output as never)
      else
        task?.reject('refusal' in reply ? new Refusal(reply.refusal.code, reply.refusal.facts) : new Error(reply.error))
      next()
    })
    return started
  }

  function next(): void {
    if (running) return
    running = urgentTasks.shift() ?? otherTasks.shift()
    clearTimeout(timer)
    if (!running) {
      timer = setTimeout(() => end(new Error('idle')), IDLE_MS).unref()
      return
    }
    child ??= start()
    timer = setTimeout(() => end(new Refusal('picture_too_complex')), taskMs)
    child.send({ name: running.name, input: running.input }, (error) => error && end(error))
  }

  return {
    run: (name, input, { urgent } = { urgent: true }) =>
      new Promise((resolve, reject) => {
        const queue = urgent ? urgentTasks : otherTasks
        if (isStopped || queue.length >= QUEUE_MAX) throw new Refusal('unavailable')
        queue.push({ name, input, resolve, reject })
        next()
      }),
    stop() {
      isStopped = true
      for (const task of [...urgentTasks.splice(0), ...otherTasks.splice(0)]) task.reject(new Refusal('unavailable'))
      end(new Refusal('unavailable'))
      clearTimeout(timer)
    },
  }
}

function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch {
    // Some containers forbid it; pictures are made all the same.
  }
}

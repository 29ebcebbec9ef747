import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** What a supervisor waits before it starts again what ended by itself; after a kill it does not wait. */
const FAILED_START_DELAY_MS = 300

export type Instance = {
  /** Where it listens, while it does. */
  address(): string | undefined
  /** SIGKILL, and a new process at once. @returns false when there was none to kill */
  kill(): boolean
  /** From each kill to the moment when the next process was ready, in milliseconds. */
  readonly readyAfterKillMs: readonly number[]
  whenReady(): Promise<void>
  /** SIGTERM, and a new process once it has ended. @returns when that one is ready */
  restart(): Promise<void>
  /** SIGTERM, and no new process. @returns the exit code */
  stop(): Promise<number | null>
}

/** An instance of the shop as operations run one: a process that is started again whenever it ends. */
export function superviseInstance({
  env,
  port,
  logFile,
}: {
  env: Record<string, string>
  port: number
  logFile: string
}): Instance {
  const log: WriteStream = createWriteStream(logFile, { flags: 'a' })
  const readyAfterKillMs: number[] = []
  let child: ChildProcess | undefined
  let address: string | undefined
  let killedAt: number | undefined
  let isStopping = false
  let waiting: (() => void)[] = []

  function start(): void {
    const process_ = spawn(process.execPath, ['src/main.ts'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    child = process_
    const startedAt = performance.now()
    process_.stdout?.pipe(log, { end: false })
    process_.stderr?.pipe(log, { end: false })
    process_.once('message', (message) => {
      address = (message as { ready: string }).ready
      if (killedAt !== undefined) readyAfterKillMs.push(performance.now() - killedAt)
      killedAt = undefined
      for (const tell of waiting) tell()
      waiting = []
    })
    process_.once('exit', (code, signal) => {
      log.write(`--- ended after ${Math.round(performance.now() - startedAt)} ms: ${signal ?? code}\n`)
      address = undefined
      if (isStopping) return
      if (signal === 'SIGKILL') start()
      else setTimeout(() => isStopping || start(), FAILED_START_DELAY_MS)
    })
  }
  start()
  // Nothing outlives the laboratory, however it ends.
  process.once('exit', () => child?.kill('SIGKILL'))

  return {
    address: () => address,
    readyAfterKillMs,
    kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return false
      address = undefined
      // A process that is killed before it was ready starts the waiting anew, not the clock.
      killedAt = performance.now()
      return child.kill('SIGKILL')
    },
    whenReady: () => (address === undefined ? new Promise((tell) => waiting.push(tell)) : Promise.resolve()),
    async restart() {
      const ended = new Promise<void>((tell) => child?.once('exit', () => tell()))
      child?.kill('SIGTERM')
      address = undefined
      await ended
      await new Promise<void>((tell) => waiting.push(tell))
    },
    async stop() {
      isStopping = true
      const code = await new Promise<number | null>((tell) => {
        if (!child || child.exitCode !== null || child.signalCode !== null) return tell(child?.exitCode ?? null)
        child.once('exit', (ended) => tell(ended))
        child.kill('SIGTERM')
      })
      log.end()
      return code
    },
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** Delay before restarting an instance that ended by itself; a killed one restarts immediately. */
const FAILED_START_DELAY_MS = 300

export type Instance = {
  /** Its URL while it listens. */
  address(): string | undefined
  /** SIGKILL, then a new process immediately. @returns false when no process was running */
  kill(): boolean
  /** Milliseconds from each kill until the next process was ready. */
  readonly readyAfterKillMs: readonly number[]
  whenReady(): Promise<void>
  /** SIGTERM, then a new process. Resolves when that is ready. */
  restart(): Promise<void>
  /** SIGTERM without a restart. @returns the exit code */
  stop(): Promise<number | null>
}

/** Runs a supervised instance of the shop, restarted whenever it ends. */
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
      for (const resolve of waiting) resolve()
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
  // The child ends with this process, however that ends.
  process.once('exit', () => child?.kill('SIGKILL'))

  return {
    address: () => address,
    readyAfterKillMs,
    kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return false
      address = undefined
      // Counts from the last kill, also when the process was not ready yet.
      killedAt = performance.now()
      return child.kill('SIGKILL')
    },
    whenReady: () => (address === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
    async restart() {
      const ended = new Promise<void>((resolve) => child?.once('exit', () => resolve()))
      child?.kill('SIGTERM')
      address = undefined
      await ended
      await new Promise<void>((resolve) => waiting.push(resolve))
    },
    async stop() {
      isStopping = true
      const code = await new Promise<number | null>((resolve) => {
        if (!child || child.exitCode !== null || child.signalCode !== null) return resolve(child?.exitCode ?? null)
        child.once('exit', (ended) => resolve(ended))
        child.kill('SIGTERM')
      })
      log.end()
      return code
    },
  }
}

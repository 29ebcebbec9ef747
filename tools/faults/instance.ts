import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../..')
/** Delay before restarting an instance that ended by itself; a killed one restarts immediately. */
const FAILED_START_DELAY_MS = 300
/** An instance that takes longer will never be ready: waiting on would hold up the whole run without a word. */
const READY_WITHIN_MS = 90_000
const ENDED_WITHIN_MS = 30_000
const LOG_TAIL_CHARS = 2000

export type Instance = {
  /** Its URL while it listens. */
  address(): string | undefined
  /** SIGKILL, then a new process immediately. @returns false when no process was running */
  kill(): boolean
  /** Milliseconds from each kill until the next process was ready. */
  readonly readyAfterKillMs: readonly number[]
  /** Rejects with the end of the log when it does not become ready. */
  whenReady(): Promise<void>
  /** SIGTERM, then a new process. Resolves when that is ready. */
  restart(): Promise<void>
  /** SIGTERM without a restart, SIGKILL if that does not end it. @returns the exit code; null when it was killed */
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

  async function untilReady(): Promise<void> {
    const ready = new Promise<true>((resolve) => waiting.push(() => resolve(true)))
    if (await Promise.race([ready, wait(READY_WITHIN_MS, undefined, { ref: false })])) return
    const told = readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARS)
    throw new Error(`The instance on port ${port} was not ready after ${READY_WITHIN_MS / 1000} s:\n${told}`)
  }
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
    whenReady: () => (address === undefined ? untilReady() : Promise.resolve()),
    async restart() {
      const ended = new Promise<void>((resolve) => child?.once('exit', () => resolve()))
      child?.kill('SIGTERM')
      address = undefined
      await ended
      await untilReady()
    },
    async stop() {
      isStopping = true
      const code = await new Promise<number | null>((resolve) => {
        if (!child || child.exitCode !== null || child.signalCode !== null) return resolve(child?.exitCode ?? null)
        child.once('exit', (ended) => resolve(ended))
        child.kill('SIGTERM')
        setTimeout(() => child?.kill('SIGKILL'), ENDED_WITHIN_MS).unref()
      })
      log.end()
      return code
    },
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../build.ts'
import { freePort } from '../free-port.ts'
import { startPostgres } from '../postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const READY_WITHIN_MS = 120_000
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10
const PAGE_KB_PER_MB = 1024

export type RunningProcess = { pid: number; address: string; bootS: number; stop(): Promise<void> }

/** @throws Error when the process ends, or `path` does not answer 2xx in time */
async function untilReady(child: ChildProcess, address: string, path: string): Promise<void> {
  const giveUpAt = Date.now() + READY_WITHIN_MS
  for (;;) {
    const answer = await fetch(address + path).catch(() => undefined)
    if (answer?.ok) return
    if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error(`${address}${path} did not become ready.`)
    await new Promise((later) => setTimeout(later, 20))
  }
}

async function startProcess(
  args: readonly string[],
  port: number,
  path: string,
  env: Record<string, string>,
): Promise<RunningProcess> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), ...env },
    // Nobody reads the log of thousands of orders.
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  const address = `http://127.0.0.1:${port}`
  await untilReady(child, address, path)
  return {
    pid: child.pid ?? 0,
    address,
    bootS: (performance.now() - startedAt) / 1000,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Starts the simulators in their own process. @param shopPort where they send webhooks */
export async function startProviders(
  shopPort: number,
  { port, env = {} }: { port?: number; env?: Record<string, string> } = {},
): Promise<RunningProcess> {
  const sandboxPort = port ?? (await freePort())
  return startProcess(['sandbox/main.ts', '--only-sandbox'], sandboxPort, '/mail', {
    PORT: String(shopPort),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_SPEED: '0',
    DATA_DIR: 'memory://',
    ...env,
  })
}

/** Measures what `deploy/` starts, with its memory settings for V8 and glibc. */
const deployed = readDeployedCommand()

function readDeployedCommand(): { env: Record<string, string>; args: string[] } {
  const unit = readFileSync(join(ROOT, 'deploy/pawtelier@.service'), 'utf8')
  const settings = unit.matchAll(/(MALLOC_\w+)=(\d+)/g).map(([, name = '', value = '']) => [name, value] as const)
  const [, args] = /^ExecStart=\S+\/node (.+)$/m.exec(unit) ?? []
  if (!args) throw new Error('The unit file has no ExecStart that runs Node.')
  return { env: Object.fromEntries(settings), args: args.split(' ') }
}

/**
 * Starts a shop as in production on an existing database, without rate limits and scheduled work unless `env` sets them.
 * @param entry what Node runs instead of the shop's own entry file
 */
export const startShop = (
  port: number,
  sandboxPort: number,
  databaseUrl: string,
  env: Record<string, string> = {},
  entry?: string,
): Promise<RunningProcess> =>
  startProcess(entry === undefined ? deployed.args : [...deployed.args.slice(0, -1), entry], port, '/readyz', {
    ...deployed.env,
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: String(sandboxPort),
    RATE_LIMIT_SCALE: '1000000',
    SWEEP_INTERVAL_S: '86400',
    SYNC_INTERVAL_S: '86400',
    CHANGE_WINDOW_S: '0',
    ...env,
  })

/** Runs `work` on a built shop with its own PostgreSQL server and providers, then stops them all. @throws Error without PostgreSQL */
export async function withOwnShop<Found>(work: (shop: RunningProcess) => Promise<Found>): Promise<Found> {
  await build()
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is missing and could not be installed.')
  const port = await freePort()
  const providers = await startProviders(port)
  try {
    const shop = await startShop(port, Number(new URL(providers.address).port), postgres.url)
    try {
      return await work(shop)
    } finally {
      await shop.stop()
    }
  } finally {
    await providers.stop()
    await postgres.stop()
  }
}

/** Starts the servers that the shop is compared with (`floors.ts`). */
export const startFloors = async (databaseUrl: string): Promise<RunningProcess> =>
  startProcess(['tools/bench/floors.ts'], await freePort(), '/ready', { DATABASE_URL: databaseUrl })

/** @returns milliseconds of CPU time of the processes so far, including children that have ended */
export const processorMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_MS

function ticksOf(pid: number): number {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/)
    const fields = after.split(' ').map(Number)
    return [11, 12, 13, 14].reduce((sum, field) => sum + (fields[field] ?? 0), 0)
  } catch {
    return 0
  }
}

/** @returns a process and its children */
export const familyOf = (pid: number): number[] => [
  pid,
  ...readdirSync('/proc')
    .map(Number)
    .filter((other) => other > 0 && parentOf(other) === pid),
]

function parentOf(pid: number): number | undefined {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .split(/\) (?=[A-Z] )/)[1]
        ?.split(' ')[1],
    )
  } catch {
    return undefined
  }
}

/** @returns megabytes in memory. @param kind `Rss` counts shared pages in full, `Pss` divides them among their users */
export const memoryMb = (pids: readonly number[], kind: 'Rss' | 'Pss'): number =>
  pids.reduce((sum, pid) => {
    const found = new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
    return sum + Number(found?.[1] ?? 0) / PAGE_KB_PER_MB
  }, 0)

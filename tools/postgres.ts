import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installFromDebian } from './chromium.ts'
import { freePort } from './free-port.ts'

/** A private PostgreSQL server on loopback. */
export type PostgresServer = {
  url: string
  /** Kills it with SIGKILL and restarts it over the same data. @returns once it accepts connections */
  crash(): Promise<void>
  isUp(): boolean
  /** Ends it cleanly; its data stays. */
  halt(): Promise<void>
  /** Starts it over what its data folder holds then. @throws Error when it does not accept connections in time */
  start(): Promise<void>
  /** Ends it, and deletes its data. */
  stop(): Promise<void>
}

const READY_WITHIN_MS = 30_000

/** @returns the folder of the newest installed server, installed from Debian's packages if missing and permitted */
function findPrograms(): string | undefined {
  const findNewest = () =>
    globSync('/usr/lib/postgresql/*/bin/postgres')
      .toSorted()
      .at(-1)
      ?.replace(/\/postgres$/, '')
  const installed = findNewest()
  if (installed) return installed
  installFromDebian(['postgresql'])
  return findNewest()
}

/**
 * Starts a fresh server.
 * @param folder an existing empty folder; a temporary one by default
 * @returns undefined when there is no PostgreSQL on this machine
 */
export async function startPostgres(
  folder: string = mkdtempSync(join(tmpdir(), 'pawtelier-postgres-')),
): Promise<PostgresServer | undefined> {
  const programs = findPrograms()
  if (!programs) return undefined
  const data = join(folder, 'data')
  // The server refuses to run as root, so root runs it as Debian's postgres user.
  const asRoot = process.getuid?.() === 0
  if (asRoot) {
    spawnSync('chown', ['postgres', folder])
    chmodSync(folder, 0o755)
  }
  const as = (program: string, args: readonly string[]): [string, string[]] =>
    asRoot
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--init-groups', join(programs, program), ...args]]
      : [join(programs, program), [...args]]

  const [init, initArgs] = as('initdb', [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ])
  const initialized = spawnSync(init, initArgs, { cwd: folder, encoding: 'utf8' })
  if (initialized.status !== 0) throw new Error(`initdb failed: ${initialized.stderr}`)

  const port = await freePort()
  const [run, runArgs] = as('postgres', [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${folder}`,
    '-c',
    'max_connections=200',
    '-c',
    'fsync=off',
  ])
  const answers = () =>
    spawnSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]).status === 0
  const startProcess = async () => {
    const giveUpAt = Date.now() + READY_WITHIN_MS
    let server = spawn(run, runArgs, { cwd: folder, stdio: 'ignore' })
    while (!answers()) {
      if (Date.now() > giveUpAt) throw new Error('PostgreSQL did not start')
      // Children of a killed server may hold its shared memory a moment longer.
      if (server.exitCode !== null) server = spawn(run, runArgs, { cwd: folder, stdio: 'ignore' })
      await new Promise((later) => setTimeout(later, 100))
    }
    return server
  }
  let server = await startProcess()
  // The server ends with this process, however that ends.
  process.once('exit', () => server.kill('SIGKILL'))
  const end = (signal: 'SIGINT' | 'SIGKILL') =>
    new Promise<void>((ended) => {
      if (server.exitCode !== null || server.signalCode !== null) return ended()
      server.once('exit', () => ended())
      server.kill(signal)
    })
  // Fast shutdown: does not wait for connected clients.
  const halt = () => end('SIGINT')
  const begin = async () => {
    server = await startProcess()
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async crash() {
      await end('SIGKILL')
      await begin()
    },
    isUp: () => server.exitCode === null && server.signalCode === null,
    halt,
    start: begin,
    async stop() {
      await halt()
      if (existsSync(data)) rmSync(data, { recursive: true, force: true })
      if (folder.startsWith(join(tmpdir(), 'pawtelier-postgres-'))) rmSync(folder, { recursive: true, force: true })
    },
  }
}

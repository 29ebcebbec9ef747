import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installFromDebian } from './chromium.ts'
import { freePort } from './free-port.ts'

/** A PostgreSQL server of our own on loopback. */
export type PostgresServer = { url: string; stop(): Promise<void> }

const READY_WITHIN_MS = 30_000

/** The newest server's programs on this machine, installed from Debian's packages when they are missing and this user may. */
function findPrograms(): string | undefined {
  const look = () =>
    globSync('/usr/lib/postgresql/*/bin/postgres')
      .toSorted()
      .at(-1)
      ?.replace(/\/postgres$/, '')
  const found = look()
  if (found) return found
  installFromDebian(['postgresql'])
  return look()
}

/**
 * Starts a fresh server in a temporary folder.
 * @returns undefined when there is no PostgreSQL on this machine
 */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const programs = findPrograms()
  if (!programs) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-postgres-'))
  const data = join(folder, 'data')
  // The server refuses to run as root, so root lends it to Debian's own user.
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
  const made = spawnSync(init, initArgs, { cwd: folder, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)

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
  const server = spawn(run, runArgs, { cwd: folder, stdio: 'ignore' })
  const [ready] = [join(programs, 'pg_isready')]
  const giveUpAt = Date.now() + READY_WITHIN_MS
  while (spawnSync(ready, ['-q', '-h', '127.0.0.1', '-p', String(port)]).status !== 0) {
    if (Date.now() > giveUpAt || server.exitCode !== null) throw new Error('PostgreSQL did not start')
    await new Promise((later) => setTimeout(later, 100))
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await new Promise<void>((ended) => {
        server.once('exit', () => ended())
        // Fast shutdown: no waiting for clients that are left.
        server.kill('SIGINT')
      })
      if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
    },
  }
}

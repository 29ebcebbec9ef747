import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { embeddedFolder } from './embedded-folder.ts'

export type Embedded = {
  /** What a pool of one connection talks through; every pool needs its own. */
  connect(): object
  /** The whole database as one file, to start another from. */
  dump(): Promise<Blob>
  close(): Promise<void>
}

/**
 * PostgreSQL inside this process. PGlite does not guard its folder: two processes would silently overwrite each
 * other's rows, so a lock file of our own names the owner.
 */
export async function openEmbedded(dataDir: string, snapshot?: Blob): Promise<Embedded> {
  const inMemory = dataDir.startsWith('memory://')
  const unlock = inMemory ? () => {} : lockFolder(dataDir)
  const folder = inMemory ? dataDir : embeddedFolder(dataDir)
  if (!inMemory) removeEmptyPidFile(folder)
  try {
    const lite = await PGlite.create(folder, {
      extensions: { pg_trgm },
      ...(snapshot && { loadDataDir: snapshot }),
    })
    return {
      connect() {
        const { connection } = createPgConfig(lite)
        // pg hands its type-parser table along as `types`; PGlite 0.5.16's adapter takes it for a list and throws.
        const parse = connection.parse.bind(connection)
        connection.parse = (query: object) => parse({ ...query, types: undefined })
        return connection
      },
      dump: () => lite.dumpDataDir('none'),
      close: async () => {
        await lite.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** @throws Error with one sentence when another living process owns the folder */
function lockFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'owner.pid')
  const mine = `${process.pid} ${startOf(process.pid) ?? ''}`
  try {
    writeFileSync(file, mine, { flag: 'wx' })
  } catch {
    const [pid = '', begun = ''] = readFileSync(file, 'utf8').split(' ')
    const owner = Number(pid)
    if (owner > 0 && owner !== process.pid && isAlive(owner, begun))
      throw new Error(
        `The embedded database in ${dataDir} is in use by process ${owner}. Stop that process, or set DATABASE_URL.`,
      )
    writeFileSync(file, mine)
  }
  return () => rmSync(file, { force: true })
}

/** A number is given to another process after a restart of the machine: only with the same start it is the owner. */
function isAlive(pid: number, begun: string): boolean {
  const now = startOf(pid)
  if (begun && now !== undefined) return now === begun
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process began, as Linux tells it together with the boot it belongs to; undefined elsewhere, or when there is none. */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The name in brackets may hold blanks; the start time is the 20th field behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return `${boot}/${fields?.[19] ?? ''}`
  } catch {
    return undefined
  }
}

/** A kill while the database starts can leave an empty `postmaster.pid`, with which it would never start again. */
function removeEmptyPidFile(folder: string): void {
  const file = join(folder, 'postmaster.pid')
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file)
}

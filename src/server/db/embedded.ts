import { execFile } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { embeddedFolder } from './embedded-folder.ts'

/** A quarter of the usual: the embedded database is for demos and small shops, and this much memory is never given back. */
const BUFFERS = '32MB'

/**
 * Creates a database in a process of its own: what that takes, some 300 MB, would stay with this one. It gets its name when it is
 * whole, so a kill leaves nothing that a later start would open.
 */
async function createFolder(folder: string): Promise<void> {
  for (const left of globSync(`${folder}.new-*`)) rmSync(left, { recursive: true, force: true })
  const fresh = mkdtempSync(`${folder}.new-`)
  const script = fileURLToPath(new URL('create-embedded.ts', import.meta.url))
  await promisify(execFile)(process.execPath, [script, fresh])
  renameSync(fresh, folder)
}

export type Embedded = {
  /** Connection options for a pool of one connection; every pool needs its own. */
  connect(): object
  /** A file with all data, to start another database from. */
  dump(): Promise<Blob>
  close(): Promise<void>
}

/**
 * PostgreSQL inside this process. PGlite does not lock its folder, and two processes would silently overwrite each other's rows, so
 * our own lock file names the owner.
 */
export async function openEmbedded(dataDir: string, snapshot?: Blob): Promise<Embedded> {
  const inMemory = dataDir.startsWith('memory://')
  const unlock = inMemory ? () => {} : lockFolder(dataDir)
  const folder = inMemory ? dataDir : embeddedFolder(dataDir)
  if (!inMemory) removeEmptyPidFile(folder)
  try {
    if (!inMemory && !snapshot && !existsSync(folder)) await createFolder(folder)
    const lite = await PGlite.create(folder, {
      extensions: { pg_trgm },
      startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${BUFFERS}`],
      ...(snapshot && { loadDataDir: snapshot }),
    })
    return {
      connect() {
        const { connection } = createPgConfig(lite)
        // pg passes its type parsers as `types`; PGlite 0.5.16's adapter expects a list there and throws.
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

/** @throws Error when another running process owns the folder */
function lockFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'owner.pid')
  const ownId = `${process.pid} ${startOf(process.pid) ?? ''}`
  try {
    writeFileSync(file, ownId, { flag: 'wx' })
  } catch {
    const [pid = '', startedAt = ''] = readFileSync(file, 'utf8').split(' ')
    const owner = Number(pid)
    if (owner > 0 && owner !== process.pid && isAlive(owner, startedAt))
      throw new Error(
        `The embedded database in ${dataDir} is in use by process ${owner}. Stop that process, or set DATABASE_URL.`,
      )
    writeFileSync(file, ownId)
  }
  return () => rmSync(file, { force: true })
}

/** Process ids are reused, so the start time must match too. */
function isAlive(pid: number, startedAt: string): boolean {
  const now = startOf(pid)
  if (startedAt && now !== undefined) return now === startedAt
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A process's boot id and start time on Linux; undefined elsewhere, or without such a process. */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // The process name in parentheses may contain spaces; the start time is the 20th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return `${boot}/${fields?.[19] ?? ''}`
  } catch {
    return undefined
  }
}

/** A kill during the start can leave an empty `postmaster.pid`, which would block every later start. */
function removeEmptyPidFile(folder: string): void {
  const file = join(folder, 'postmaster.pid')
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file)
}

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'

/**
 * PostgreSQL inside this process. PGlite does not guard its folder: two processes would silently overwrite each
 * other's rows, so a lock file of our own names the owner.
 */
export async function openEmbedded(dataDir: string, snapshot?: Blob) {
  const inMemory = dataDir.startsWith('memory://')
  const unlock = inMemory ? () => {} : lock(dataDir)
  const folder = inMemory ? dataDir : join(dataDir, 'pg')
  if (!inMemory) repair(folder)
  try {
    const lite = await PGlite.create(folder, {
      extensions: { pg_trgm },
      ...(snapshot && { loadDataDir: snapshot }),
    })
    const { connection } = createPgConfig(lite)
    // pg hands its type-parser table along as `types`; PGlite 0.5.16's adapter takes it for a list and throws.
    const parse = connection.parse.bind(connection)
    connection.parse = (query: object) => parse({ ...query, types: undefined })
    return {
      connection,
      /** The whole database as one file, to start another from. */
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
function lock(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'owner.pid')
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch {
    const owner = Number(readFileSync(file, 'utf8'))
    if (owner > 0 && owner !== process.pid && isAlive(owner))
      throw new Error(
        `The embedded database in ${dataDir} is in use by process ${owner}. Stop that process, or set DATABASE_URL.`,
      )
    writeFileSync(file, String(process.pid))
  }
  return () => rmSync(file, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A kill while the database starts can leave an empty `postmaster.pid`, with which it would never start again. */
function repair(folder: string): void {
  const file = join(folder, 'postmaster.pid')
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file)
}

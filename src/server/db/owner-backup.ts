import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { migrateJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log/log.ts'
import { readBackup, schemaOfBackup, writeBackup } from './backup.ts'
import { openDatabase, migrateSchema, migrateSchemaUntil, type Database } from './db.ts'

const USAGE = {
  backup: 'Usage:  npm run owner -- backup shop.backup.gz',
  restore: 'Usage:  npm run owner -- restore shop.backup.gz',
  move: 'Usage:  npm run owner -- move-to-postgres postgres://…',
}
/** Any value; the shop's own start sets it again. */
const LEASE_S = 20

/** Commands that need the embedded database for themselves, so no running shop can carry them out. */
export const COMMANDS_FOR_STOPPED_SHOP: readonly string[] = ['restore', 'move-to-postgres']

/** The owner command `backup`. @throws Error with one sentence */
export async function backupByOwner(database: Pick<Database, 'pool'>, args: readonly string[]): Promise<unknown> {
  const file = onlyArgument(args, USAGE.backup)
  return summarizeBackup(file, await writeBackup(database, file))
}

/** The owner command `restore`, into an empty database. @throws Error with one sentence */
export async function restoreByOwner(database: Database, args: readonly string[]): Promise<unknown> {
  const file = resolve(onlyArgument(args, USAGE.restore))
  await makeTables(database)
  return summarizeBackup(file, await readBackup(database, file))
}

/**
 * Fills a new database from a backup of this release or an earlier one: with the tables of that release, which the start then migrates like
 * any other database’s. @throws Error with one sentence; nothing was restored then
 */
export async function beginWithBackup(database: Database, file: string): Promise<void> {
  await migrateSchemaUntil(database, await schemaOfBackup(file))
  await migrateJobs({ database, leaseS: LEASE_S, log: createLog('live', 'silent') })
  await readBackup(database, file)
}

/**
 * The owner command `move-to-postgres` copies the embedded database to a server and leaves the folder unchanged.
 * @throws Error with one sentence; the server's database then has tables but no rows
 */
export async function moveToPostgres(database: Database, args: readonly string[]): Promise<unknown> {
  const url = onlyArgument(args, USAGE.move)
  if (!database.embedded)
    throw new Error('DATABASE_URL is set, so there is no embedded database to move. Unset it for this command.')
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw new Error(USAGE.move)
  const folder = await mkdtemp(join(tmpdir(), 'moving-'))
  const backup = join(folder, 'backup.gz')
  const server = await openDatabase(url, folder)
  try {
    await makeTables(server)
    await writeBackup(database, backup)
    const rows = await readBackup(server, backup)
    return { ...summarizeBackup(new URL(url).pathname.slice(1), rows), next: 'Start the shop with this DATABASE_URL.' }
  } finally {
    await rm(folder, { recursive: true, force: true })
    await server.close()
  }
}

async function makeTables(database: Database): Promise<void> {
  await migrateSchema(database)
  await migrateJobs({ database, leaseS: LEASE_S, log: createLog('live', 'silent') })
}

function onlyArgument(args: readonly string[], usage: string): string {
  const [argument] = args
  if (argument === undefined || args.length !== 1) throw new Error(usage)
  return argument
}

const summarizeBackup = (where: string, rows: Record<string, number>) => ({
  where,
  rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
  tables: Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0)),
})

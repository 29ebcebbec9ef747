import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { migrateJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log/log.ts'
import { readBackup, writeBackup } from './backup.ts'
import { openDatabase, migrateSchema, type Database } from './db.ts'

const USAGE = {
  backup: 'Say it so: npm run owner -- backup shop.backup.gz.',
  restore: 'Say it so: npm run owner -- restore shop.backup.gz.',
  move: 'Say it so: npm run owner -- move-to-postgres postgres://….',
}
/** Any; the start of the shop sets its own. */
const LEASE_S = 20

/** Commands that must have the embedded database for themselves: they go by no running shop. */
export const COMMANDS_FOR_STOPPED_SHOP: readonly string[] = ['restore', 'move-to-postgres']

/** The owner's command `backup`. @returns where it is and what is in it. @throws Error with one sentence */
export async function backupByOwner(database: Pick<Database, 'pool'>, args: readonly string[]): Promise<unknown> {
  const file = oneOf(args, USAGE.backup)
  return summarizeBackup(file, await writeBackup(database, file))
}

/** The owner's command `restore`, into a database that has nothing yet. @throws Error with one sentence */
export async function restoreByOwner(database: Database, args: readonly string[]): Promise<unknown> {
  const file = resolve(oneOf(args, USAGE.restore))
  await makeTables(database)
  return summarizeBackup(file, await readBackup(database, file))
}

/**
 * The owner's command `move-to-postgres`: the embedded database goes over to a server's; the folder stays as it is.
 * @throws Error with one sentence when either is not what it should be; the server's then has its tables, and no rows
 */
export async function moveToPostgres(database: Database, args: readonly string[]): Promise<unknown> {
  const url = oneOf(args, USAGE.move)
  if (!database.embedded)
    throw new Error('DATABASE_URL is set: there is no embedded database to move. Unset it for this command.')
  if (!/^postgres(?:ql)?:\/\//.test(url)) throw new Error(USAGE.move)
  const folder = await mkdtemp(join(tmpdir(), 'moving-'))
  const between = join(folder, 'backup.gz')
  const server = await openDatabase(url, folder)
  try {
    await makeTables(server)
    await writeBackup(database, between)
    const rows = await readBackup(server, between)
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

function oneOf(args: readonly string[], usage: string): string {
  const [only] = args
  if (only === undefined || args.length !== 1) throw new Error(usage)
  return only
}

const summarizeBackup = (where: string, rows: Record<string, number>) => ({
  where,
  rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
  tables: Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0)),
})

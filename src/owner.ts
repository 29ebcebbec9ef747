import { resolve } from 'node:path'
import type { Syncing } from '#server/catalogue/sync.ts'
import { readConfig } from '#server/config/config.ts'
import { discoverSandbox } from '#server/config/discover.ts'
import { openDatabase, type Database } from '#server/db/db.ts'
import { askShop } from '#server/db/owner-socket.ts'
import { createLog } from '#server/log/log.ts'
import { createPrintful } from '#server/providers/printful/client.ts'
import { ownerVerbs } from './owner-verbs.ts'

// The owner's commands: each prints what it did and exits 0 only when it did it. On the embedded
// database of a running shop they go through that shop.

const args = process.argv.slice(2)

/** What a verb needs of a shop that does not run; the environment is asked for only then. */
async function partsOf({ db }: Database): Promise<Syncing> {
  const config = readConfig(await discoverSandbox(process.env))
  // What it logs must not mix with what the verb prints.
  const log = createLog('sandbox', 'error')
  return { db, config, log, clock: { now: () => new Date() }, printful: createPrintful({ config, log }) }
}

async function carryOut(): Promise<unknown> {
  const url = process.env['DATABASE_URL']
  const dataDir = resolve(process.env['DATA_DIR'] ?? './data')
  if (!url) {
    const told = await askShop(dataDir, args)
    if (told) return told.answer
  }
  const database: Database = await openDatabase(url, dataDir)
  try {
    return await ownerVerbs(database, () => partsOf(database))(args)
  } finally {
    await database.close()
  }
}

try {
  const answer = await carryOut()
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

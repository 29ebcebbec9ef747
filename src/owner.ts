import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { tableOf } from '#domain/doctor/table.ts'
import { ConfigError } from '#server/config/config.ts'
import { loadConfig } from '#server/config/load-config.ts'
import { openDatabase, type Database } from '#server/db/db.ts'
import { embeddedFolder } from '#server/db/embedded-folder.ts'
import { COMMANDS_FOR_STOPPED_SHOP } from '#server/db/owner-backup.ts'
import { sendToShop } from '#server/db/owner-socket.ts'
import type { Diagnosis } from '#server/admin/doctor.ts'
import { createLog } from '#server/log/log.ts'
import type { Shop } from '#server/shop.ts'
import { ownerVerbs } from './owner-verbs.ts'

// The owner's commands: each prints what it did and exits 0 only when it did it. On the embedded
// database of a running shop they go through that shop.

const [verb, ...rest] = process.argv.slice(2)
// A shop that is asked has another folder for its own: it is told the whole path.
const args = verb === 'backup' ? [verb, ...rest.map((file) => resolve(file))] : [verb ?? '', ...rest]

/** What a verb needs of a shop that does not run; the environment is asked for, and the rest loaded, only then. */
async function shopOver(database: Database): Promise<Shop> {
  const [{ partsOver }, { startJobs }] = await Promise.all([import('./shop.ts'), import('#server/jobs/jobs.ts')])
  const config = await loadConfig(process.env)
  // What it would log must not mix with what the verb prints, which says all of it.
  const log = createLog(config.mode, 'silent')
  const jobs = await startJobs({ database, leaseS: config.jobLeaseS, log })
  return { ...partsOver({ database, config, log }), jobs }
}

/** The doctor comes before everything else: also where nothing was ever started, or the settings are wrong. */
async function askDoctor(url: string | undefined, dataDir: string): Promise<Diagnosis> {
  const [{ outsideParts }, { diagnosisOfSettings, examineAlone }] = await Promise.all([
    import('./shop.ts'),
    import('#server/admin/doctor.ts'),
  ])
  try {
    const config = await loadConfig(process.env)
    const isMade = Boolean(url) || existsSync(embeddedFolder(dataDir))
    return await examineAlone(outsideParts({ config, log: createLog(config.mode, 'silent') }), async () =>
      isMade ? openDatabase(url, dataDir) : undefined,
    )
  } catch (error) {
    if (error instanceof ConfigError) return diagnosisOfSettings(error.mistakes)
    throw error
  }
}

async function carryOut(): Promise<unknown> {
  const url = process.env['DATABASE_URL']
  const dataDir = resolve(process.env['DATA_DIR'] ?? './data')
  if (!url && !COMMANDS_FOR_STOPPED_SHOP.includes(verb ?? '')) {
    const reply = await sendToShop(dataDir, args)
    if (reply) return reply.answer
  }
  if (verb === 'doctor') return askDoctor(url, dataDir)
  const database: Database = await openDatabase(url, dataDir)
  let shop: Shop | undefined
  try {
    return await ownerVerbs(database, async () => (shop ??= await shopOver(database)))(args)
  } finally {
    await shop?.jobs.stop()
    await database.close()
  }
}

const WIDTH_MAX = 120

const isDiagnosis = (answer: unknown): answer is Diagnosis =>
  typeof answer === 'object' && answer !== null && 'healthy' in answer && 'findings' in answer

try {
  const answer = await carryOut()
  const isForPeople = isDiagnosis(answer) && !rest.includes('--json')
  const width = Math.min(process.stdout.columns ?? WIDTH_MAX, WIDTH_MAX)
  process.stdout.write(`${isForPeople ? tableOf(answer.findings, width) : JSON.stringify(answer, null, 2)}\n`)
  // The doctor has done its work when it has found something wrong; whoever waits for it must be told all the same.
  if (isDiagnosis(answer) && !answer.healthy) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

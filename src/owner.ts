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

// The owner commands: each prints what it did and exits 0 only on success. With an embedded database they go through the running shop.

const [verb, ...rest] = process.argv.slice(2)
// The running shop may have a different working directory, so it gets the absolute path.
const isFile = (index: number): boolean =>
  verb === 'backup' || ((verb === 'import-from' || verb === 'catalog' || verb === 'checkouts') && index === 1)
const args = [verb ?? '', ...rest.map((word, index) => (isFile(index) ? resolve(word) : word))]

/** The parts of a shop for verbs that need more than the database, when no shop runs; loaded only then. */
async function shopOver(database: Database): Promise<Shop> {
  const [{ createShopParts }, { startJobs }] = await Promise.all([import('./shop.ts'), import('#server/jobs/jobs.ts')])
  const config = await loadConfig(process.env)
  // Logs must not mix with the verb's output.
  const log = createLog(config.mode, 'silent')
  const parts = createShopParts({ database, config, log })
  return { ...parts, jobs: await startJobs({ ...parts, leaseS: config.jobLeaseS }) }
}

/** The doctor also works with wrong settings and before the first start. */
async function askDoctor(url: string | undefined, dataDir: string): Promise<Diagnosis> {
  const [{ createProviderParts }, { diagnosisOfSettings, runDoctorOffline }] = await Promise.all([
    import('./shop.ts'),
    import('#server/admin/doctor.ts'),
  ])
  try {
    const config = await loadConfig(process.env)
    const exists = Boolean(url) || existsSync(embeddedFolder(dataDir))
    return await runDoctorOffline(createProviderParts({ config, log: createLog(config.mode, 'silent') }), async () =>
      exists ? openDatabase(url, dataDir) : undefined,
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
  // A doctor that finds a problem has worked, but scripts need to see it in the exit code.
  if (isDiagnosis(answer) && !answer.healthy) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

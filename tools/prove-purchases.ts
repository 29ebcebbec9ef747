import { parseArgs } from 'node:util'
import pg from 'pg'
import { openWorld } from '#sandbox/world.ts'
import type { Verdict } from '../test/properties/judge.ts'
import { runPurchases } from '../test/properties/purchases.ts'
import { startPostgres } from './postgres.ts'

// Many purchases at once while providers fail and webhooks are lost, doubled, shuffled and late; then a checker with
// rules of its own reads the audit views, the simulators' books and the mails. Exits 1 when an invariant is broken.

const USAGE = `npm run prove:purchases -- [--count 1000] [--seed N] [--at-once 20] [--faults 0.2] [--database-url embedded|postgres://…]
Without --database-url it starts a PostgreSQL server of its own; a given server gets a database of its own, and loses it again.`

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'at-once': { type: 'string', default: '20' },
    faults: { type: 'string', default: '0.2' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const options = {
  count: Number(values.count),
  seed: Number(values.seed),
  atOnce: Number(values['at-once']),
  faults: Number(values.faults),
}
if (Object.values(options).some(Number.isNaN)) {
  console.error(USAGE)
  process.exit(2)
}

/** A database that nobody else uses, on a server. */
async function openDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `purchases_${process.pid}`
  const url = new URL(server)
  url.pathname = `/${name}`
  const say = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await say(`create database ${name}`)
  return { url: url.href, drop: () => say(`drop database ${name} with (force)`) }
}

/** @returns how many violations there were */
async function prove(databaseUrl: string | undefined): Promise<number> {
  const where = databaseUrl ? 'PostgreSQL' : 'the embedded database'
  console.log(
    `${options.count} purchases on ${where}, ${options.atOnce} at once, faults ${options.faults}, seed ${options.seed}`,
  )
  const { verdicts, figures } = await runPurchases(
    () => openWorld({ database: 'embedded', fromScratch: true, env: databaseUrl ? { DATABASE_URL: databaseUrl } : {} }),
    options,
  )
  console.log(
    `${figures.orders} orders; shopping took ${figures.secondsShopping.toFixed(1)} s, settling after the faults ended ${figures.secondsSettling.toFixed(1)} s\n`,
  )
  for (const verdict of verdicts) printVerdict(verdict)
  const violations = verdicts.reduce((sum, verdict) => sum + verdict.violations.length, 0)
  console.log(`\n${violations} violations, seed ${options.seed}`)
  return violations
}

function printVerdict({ id, says, checked, violations }: Verdict): void {
  const mark = violations.length > 0 ? '✗' : '✓'
  console.log(
    `${mark} ${id.padEnd(9)}${String(checked).padStart(6)} checked  ${String(violations.length).padStart(4)} broken  ${says}`,
  )
  for (const violation of violations.slice(0, 10)) console.log(`      ${violation}`)
}

async function onServer(): Promise<number> {
  const started = values['database-url'] ? undefined : await startPostgres()
  const server = values['database-url'] ?? started?.url
  if (!server) throw new Error('There is no PostgreSQL on this machine; --database-url embedded needs none.')
  try {
    const database = await openDatabase(server)
    try {
      return await prove(database.url)
    } finally {
      await database.drop()
    }
  } finally {
    await started?.stop()
  }
}

const violations = values['database-url'] === 'embedded' ? await prove(undefined) : await onServer()
process.exit(violations > 0 ? 1 : 0)

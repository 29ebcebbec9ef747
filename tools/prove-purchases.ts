import { parseArgs } from 'node:util'
import pg from 'pg'
import { openWorld } from '#sandbox/world.ts'
import type { Verdict } from '../test/properties/checker.ts'
import { runPurchases } from '../test/properties/purchases.ts'
import { startPostgres } from './postgres.ts'

// Many concurrent purchases while providers fail and webhooks are lost, doubled, shuffled and late; then a separate checker reads
// the audit views, the simulators' books and the emails. Exits 1 when an invariant is broken.

const USAGE = `npm run prove:purchases -- [--count 1000] [--seed N] [--at-once 20] [--faults 0.2] [--database-url embedded|postgres://…]
Without --database-url it starts its own PostgreSQL server. On a given server it creates a new database and drops it afterward.`

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

/** Creates a new database on a server. */
async function openDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `purchases_${process.pid}`
  const url = new URL(server)
  url.pathname = `/${name}`
  const execute = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await execute(`create database ${name}`)
  return { url: url.href, drop: () => execute(`drop database ${name} with (force)`) }
}

/** @returns the number of violations */
async function prove(databaseUrl: string | undefined): Promise<number> {
  const where = databaseUrl ? 'PostgreSQL' : 'the embedded database'
  console.log(
    `${options.count} purchases on ${where}, ${options.atOnce} concurrent, fault rate ${options.faults}, seed ${options.seed}`,
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

function printVerdict({ id, title, checked, violations }: Verdict): void {
  const mark = violations.length > 0 ? '✗' : '✓'
  console.log(
    `${mark} ${id.padEnd(9)}${String(checked).padStart(6)} checked  ${String(violations.length).padStart(4)} broken  ${title}`,
  )
  for (const violation of violations.slice(0, 10)) console.log(`      ${violation}`)
}

async function proveOnPostgres(): Promise<number> {
  const started = values['database-url'] ? undefined : await startPostgres()
  const server = values['database-url'] ?? started?.url
  if (!server)
    throw new Error('PostgreSQL is missing and could not be installed. --database-url embedded works without it.')
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

const violations = values['database-url'] === 'embedded' ? await prove(undefined) : await proveOnPostgres()
process.exit(violations > 0 ? 1 : 0)

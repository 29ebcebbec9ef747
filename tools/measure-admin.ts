import pg from 'pg'
import { sumSealedDays } from '#server/ledger/day-sums.ts'
import { openWorld } from '#sandbox/world.ts'
import { familyOf, processorMs } from './bench/processes.ts'
import { seedOffice, seedOrders } from './bench/seed.ts'
import { startPostgres } from './postgres.ts'

// What the owner's first pages cost in a large shop: npm run measure:admin -- [orders] [rounds]. Starts its own PostgreSQL server, unless
// DATABASE_URL names an empty database on this machine, or one that this command has filled before.

const [orderCount = '1000000', roundCount = '30'] = process.argv.slice(2)
const ORDERS = Number(orderCount)
const ROUNDS = Number(roundCount)

/** Most a page may take, in milliseconds. */
const PAGE_MS = 150
const BOOKS_MS = 500

const given = process.env['DATABASE_URL']
const server = given ? undefined : await startPostgres()
const url = given ?? server?.url
if (!url) throw new Error('PostgreSQL is not installed.')
const world = await openWorld({ database: 'embedded', fromScratch: true, env: { DATABASE_URL: url } })
const { pool } = world.shop.database
const { rows: filled } = await pool.query<{ count: number }>('select count(*)::int as count from shop_order')
if (filled[0]?.count === 0) {
  // The shop's own connections give up on statements that take this long.
  const patient = new pg.Pool({ connectionString: url, max: 1 })
  await timeAndPrint(`writing ${ORDERS.toLocaleString('en-US')} orders`, async () => {
    await seedOrders(patient, ORDERS)
    await seedOffice(patient)
  })
  await patient.end()
}
// As the job of every hour does, which then finds little to add.
await timeAndPrint('storing the sums of the ledger', () => sumSealedDays(world.shop))
const owner = world.shopper()
await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
const { rows } = await pool.query<{ pid: string }>(
  `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
)
const postgres = Number(rows[0]?.pid)

const pages: readonly (readonly [name: string, path: string, goal: number])[] = [
  ['counts of the side bar', '/api/admin', PAGE_MS],
  ['home', '/api/admin/overview', PAGE_MS],
  ['orders', '/api/admin/orders', PAGE_MS],
  ['orders, a later page', `/api/admin/orders?older=${Math.round(ORDERS / 2)}`, PAGE_MS],
  ['orders, to do', '/api/admin/orders?status=needs_attention', PAGE_MS],
  ['orders, by part of an address', '/api/admin/orders?q=fan-4711', PAGE_MS],
  ['orders, by a common name', '/api/admin/orders?q=Ada', PAGE_MS],
  ['reconciliation', '/api/admin/reconciliation', BOOKS_MS],
]
console.log('milliseconds: first, median, 95th percentile, least; processor time of shop and database; goal')
let isMissed = false
for (const [name, path, goal] of pages) {
  const first = await timeOf(path)
  const used = () => processorMs([process.pid, ...familyOf(postgres)])
  const before = used()
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timeOf(path))
  const processor = (used() - before) / ROUNDS
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0
  isMissed ||= at(0.5) > goal
  console.log(`${name}: ${[first, at(0.5), at(0.95), at(0), processor].map(Math.round).join(', ')}; ${goal}`)
}
await world[Symbol.asyncDispose]()
await server?.stop()
process.exitCode = isMissed ? 1 : 0

async function timeOf(path: string): Promise<number> {
  const startedAt = performance.now()
  const { status } = await owner.send('GET', path)
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return performance.now() - startedAt
}

async function timeAndPrint(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await work()
  console.log(`${name}: ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

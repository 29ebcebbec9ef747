import { clearInterval, setInterval } from 'node:timers'
import { monthOfDay } from '#shared/month.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { dayIn } from '#shared/time-zone.ts'
import { closeMonth, reopenMonth } from '#server/admin/months.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { findMonthSpan } from '#server/ledger/month-closings.ts'
import { sealPostings } from '#server/ledger/seals.ts'
import { listCommissionLines } from '#server/partners/sealed-lines.ts'
import { verifyByOwner } from '#server/partners/owner-verify.ts'
import { openWorld } from '#sandbox/world.ts'
import { salesOf, writeSales } from '../test/properties/sales.ts'
import { startPostgres } from './postgres.ts'

// What closing a month of many orders takes, and how much it slows down a buyer: npm run measure:close -- [orders] [verify]. The last word
// leaves out everything but `verify`. Starts its own PostgreSQL server. The hourly seals are made before, as in a running shop.

const ORDERS = Number(process.argv[2] ?? '100000')
const isVerifyOnly = process.argv[3] === 'verify'
const MB = 1024 * 1024
const server = await startPostgres()
if (!server) throw new Error('PostgreSQL is not installed.')
process.env['TEST_DATABASE_URL'] = server.url
const world = await openWorld({ database: 'embedded', fromScratch: true, env: { DATABASE_URL: server.url } })
const { shop } = world
const { pool } = shop.database

const zone = shop.config.reportTimeZone
const month = monthOfDay(dayIn(zone, Date.now() - 31 * DAY_MS))
const span = await findMonthSpan(shop.db, zone, month)
if (!span) throw new Error('no month')
const length = span.until.getTime() - span.from.getTime() - HOUR_MS
const sales = salesOf(ORDERS).map((sale, index) => ({
  ...sale,
  at: new Date(span.from.getTime() + Math.floor((index / ORDERS) * length)),
  refund: sale.refund && { ...sale.refund, at: new Date(span.until.getTime() - HOUR_MS) },
}))
await timeAndPrint(`writing ${ORDERS} orders`, () => writeSales(pool, sales, [], new Date()))
await pool.query('vacuum analyze')
await timeAndPrint('sealing them', () => sealPostings(shop, listCommissionLines))

if (!isVerifyOnly) await measureClosing()
const postings = await pool.query<{ count: string }>('select count(*) from ledger_posting')
await timeAndPrint(`verify of ${postings.rows[0]?.count} postings`, () => verifyByOwner(shop.db, []))
await world[Symbol.asyncDispose]()
await server.stop()

async function measureClosing(): Promise<void> {
  const alone = await purchasesDuring(new Promise((resolve) => setTimeout(resolve, 12_000)))
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50)
  await timeAndPrint('closing the month, nothing else running', () => closeMonth(shop, month, true, COMMAND))
  clearInterval(watch)
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    'select name, sum(length(bytes))::int as bytes from closed_file group by name',
  )
  console.log(
    `${rows.map(({ name, bytes }) => `${name} ${(bytes / MB).toFixed(1)} MB`).join(', ')}; ${Math.round((most - before) / MB)} MB more memory`,
  )
  await reopenMonth(shop, { month, reason: 'measured again' }, COMMAND)
  const during = await purchasesDuring(closeMonth(shop, month, true, COMMAND))
  console.log(
    `cart and payment start, median: ${median(alone)} ms alone (${alone.length}), ${median(during)} ms while it closes (${during.length})`,
  )
}

/** Carts and payment starts one after another, until the work is done. @returns milliseconds of each */
async function purchasesDuring(work: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const state = { isDone: false }
  const done = work.finally(() => (state.isDone = true))
  while (!state.isDone) {
    const buyer = world.shopper()
    const startedAt = performance.now()
    await buyer.adds('mug')
    await buyer.startsPayment()
    times.push(performance.now() - startedAt)
  }
  await done
  return times
}

async function timeAndPrint(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await work()
  console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

function median(times: readonly number[]): number {
  return Math.round(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0)
}

import { clearInterval, setInterval } from 'node:timers'
import { DAY_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { originKinds, workbookTypes } from '#contract/report-figures.ts'
import { salesOf, writeSales } from '../test/properties/sales.ts'
import { startPostgres } from './postgres.ts'

// What reports over many orders cost: npm run measure:reports -- [orders] [embedded]. Times the summary and the four workbooks with
// their memory, and how much a workbook in progress slows down a buyer. Starts its own PostgreSQL server unless embedded.

const [orderCount = '100000', kind = 'postgresql'] = process.argv.slice(2)
const ORDERS = Number(orderCount)
const SUMMARIES = 15
const VISITS = 200
const MB = 1024 * 1024

const server = kind === 'embedded' ? undefined : await startPostgres()
if (server) process.env['TEST_DATABASE_URL'] = server.url
const world = await openWorld({
  database: 'embedded',
  fromScratch: true,
  ...(server && { env: { DATABASE_URL: server.url } }),
})
const { pool } = world.shop.database

await timeAndPrint(`writing ${ORDERS} orders`, () => writeSales(pool, salesOf(ORDERS), [], new Date()))
await pool.query('vacuum analyze')
const owner = world.shopper()
await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })

for (const query of ['', lastDays(30), lastDays(365)]) {
  const times: number[] = []
  for (let round = 0; round < SUMMARIES; round += 1)
    times.push(await timeOf(() => owner.send('GET', `/api/reports/summary${query}`)))
  const [min = 0, median = 0, max = 0] = [0, 0.5, 1].map(
    (share) => sortTimes(times)[Math.round(share * (times.length - 1))],
  )
  console.log(`summary of ${query || 'everything'}: ${ms(median)} (${ms(min)} to ${ms(max)})`)
}
for (const query of ['', lastDays(30)])
  for (const by of originKinds) {
    const path = `/api/reports/origins?by=${by}${query.replace('?', '&')}`
    console.log(`who brought it, ${by} of ${query || 'everything'}: ${ms(await timeOf(() => owner.send('GET', path)))}`)
  }
console.log(`where people leave: ${ms(await timeOf(() => owner.send('GET', '/api/reports/funnel')))}`)
await timeVisits()
console.log(`lines behind revenue: ${ms(await timeOf(() => owner.send('GET', '/api/reports/lines?figure=revenue')))}`)

const timesAlone = await measurePurchases(world, 12_000)
for (const type of workbookTypes) {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50)
  let bytes = 0
  const cpu = process.cpuUsage()
  const whole = await timeOf(async () => (bytes = await download(type)))
  clearInterval(watch)
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `${type}: ${ms(whole)} (${ms((user + system) / 1000)} of CPU), ${Math.round(bytes / MB)} MB, ${Math.round((most - before) / MB)} MB more memory`,
  )
}
const writer = { isWanted: true }
const writing = (async () => {
  while (writer.isWanted) await download('orders')
})()
const timesDuringDownload = await measurePurchases(world, 12_000)
writer.isWanted = false
await writing
for (const [name, share] of [
  ['median', 0.5],
  ['99th percentile', 0.99],
] as const) {
  const at = (times: readonly number[]) => sortTimes(times)[Math.floor(share * (times.length - 1))] ?? 0
  console.log(
    `cart and payment start, ${name}: ${ms(at(timesAlone))} alone, ${ms(at(timesDuringDownload))} while a workbook is written`,
  )
}
console.log(`in the same time: ${timesAlone.length} alone, ${timesDuringDownload.length} while a workbook is written`)
await world[Symbol.asyncDispose]()
await server?.stop()

/** What a report of a page costs, beside a page from the cache: CPU of shop and client. */
async function timeVisits(): Promise<void> {
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const steps = [{ step: 'view', about: 1 }]
  for (const [name, send] of [
    ['a report of a page', () => owner.send('POST', '/visits', { steps, from: '' }, headers)],
    ['an answer from the cache', () => owner.send('GET', '/api/products/1', undefined, headers)],
  ] as const) {
    for (let round = 0; round < VISITS; round += 1) await send()
    const cpu = process.cpuUsage()
    for (let round = 0; round < VISITS; round += 1) await send()
    const { user, system } = process.cpuUsage(cpu)
    console.log(`${name}: ${((user + system) / 1000 / VISITS).toFixed(3)} ms of CPU`)
  }
  console.log(`storing them: ${ms(await timeOf(() => world.shop.visits.flush()))}`)
}

/** Reads the workbook chunk by chunk and discards it. @returns its size in bytes */
async function download(type: string): Promise<number> {
  const answer = await fetch(`${world.address}/api/reports/${type}`, { headers: { cookie: owner.cookie() } })
  if (!answer.ok || !answer.body) throw new Error(`${type} answered ${answer.status}`)
  let bytes = 0
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length
  return bytes
}

/** Fills carts and starts payments one after another. @returns milliseconds of each */
async function measurePurchases({ shopper }: World, forMs: number): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + forMs
  while (performance.now() < until) {
    const buyer = shopper()
    times.push(
      await timeOf(async () => {
        await buyer.adds('mug')
        const { status } = await buyer.startsPayment()
        if (status !== 200) throw new Error(`a payment start answered ${status}`)
      }),
    )
  }
  return times
}

function lastDays(days: number): string {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
  return `?start_date=${day(days)}&end_date=${day(0)}`
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function timeAndPrint(name: string, work: () => Promise<unknown>): Promise<void> {
  console.log(`${name}: ${ms(await timeOf(work))}`)
}

function sortTimes(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b)
}
function ms(time: number): string {
  return time < 2000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(1)} s`
}

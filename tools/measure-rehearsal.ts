import { clearInterval, setInterval } from 'node:timers'
import { DAY_MS } from '#shared/time.ts'
import { openWorld } from '#sandbox/world.ts'
import { salesOf, writeSales } from '../test/properties/sales.ts'
import { startPostgres } from './postgres.ts'

// What a rehearsal over many orders costs: npm run measure:rehearsal -- [orders] [embedded]. All orders are of the last 90 days. Times a page and
// the workbook, with their memory. Starts its own PostgreSQL server unless embedded.

const [orderCount = '100000', kind = 'postgresql'] = process.argv.slice(2)
const ORDERS = Number(orderCount)
const DAYS = 89
const MB = 1024 * 1024

const server = kind === 'embedded' ? undefined : await startPostgres()
if (server) process.env['TEST_DATABASE_URL'] = server.url
const world = await openWorld({
  database: 'embedded',
  fromScratch: true,
  ...(server && { env: { DATABASE_URL: server.url } }),
})
const { pool } = world.shop.database
const now = Date.now()
const sales = salesOf(ORDERS).map((sale, at) => ({ ...sale, at: new Date(now - (DAYS * DAY_MS * (at + 1)) / ORDERS) }))
await writeSales(pool, sales, [], new Date())
await pool.query('vacuum analyze')
const owner = world.shopper()
await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
const change = { kind: 'shipping', paidBy: 'partner' }

for (const [name, path, body] of [
  ['page', '/api/admin/rehearsals', { change }],
  ['last page', '/api/admin/rehearsals', { change, page: 1000 }],
  ['workbook', '/api/admin/rehearsals/workbook', { change }],
] as const) {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 50)
  const startedAt = performance.now()
  const answer = await fetch(world.address + path, {
    method: 'POST',
    headers: { cookie: owner.cookie(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok || !answer.body) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  let text = ''
  let bytes = 0
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (name === 'page') text += Buffer.from(chunk).toString()
  }
  clearInterval(watch)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const counted = /"orders":\{[^}]*?"(?:count|orders)":(\d+)/.exec(text)?.[1]
  console.log(
    `${name}: ${seconds} s, ${(bytes / MB).toFixed(1)} MB, ${Math.round((most - before) / MB)} MB more memory${counted ? `, ${counted} orders` : ''}`,
  )
}
await world[Symbol.asyncDispose]()
await server?.stop()

import autocannon from 'autocannon'
import pg from 'pg'
import type { Product, SearchAnswer } from '#contract/catalog.ts'
import { freePort } from '../free-port.ts'
import { familyOf, memoryMb, processorMs, startProviders, startShop, type RunningProcess } from './processes.ts'
import { meetShop, runPurchases, untilSettled } from './purchases.ts'
import { FIRST_SEEDED, seedOrders, seedProducts } from './seed.ts'

// What a request costs in a large shop, compared with a small one. Each shop has its own database on the same server; measurements
// alternate.

const PRODUCTS = { small: 24, large: 100_000 }
const ORDERS = { large: 1_000_000, workbook: 100_000 }

type Notes = {
  note: (name: string, unit: string, value: number) => number
  noteRatio: (name: string, value: number) => void
}
type Server = { url: string; postgres: number }

const CONNECTIONS = 4
const SECONDS = 2
const CHECKOUTS = 100
const AT_ONCE = 8
const QUERIES = 12

/** A shop with its own database and providers. */
type GrownShop = { shop: RunningProcess; pool: pg.Pool; close(): Promise<void> }

const poolAt = (url: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  // The server may stop before the pool is closed.
  pool.on('error', () => {})
  return pool
}

const databaseAt = ({ url }: Server, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** Fills a database with the demo catalog and closes it, as a template to copy. */
async function makeTemplate(server: Server): Promise<void> {
  const admin = poolAt(server.url)
  await admin.query('create database stocked')
  await admin.end()
  const [port, url] = [await freePort(), databaseAt(server, 'stocked')]
  const providers = await startProviders(port)
  await (await startShop(port, Number(new URL(providers.address).port), url)).stop()
  await providers.stop()
  const pool = poolAt(url)
  await seedProducts(pool, PRODUCTS.small)
  await pool.end()
}

async function grow(server: Server, name: string, fill: (pool: pg.Pool) => Promise<void>): Promise<GrownShop> {
  const admin = poolAt(server.url)
  await admin.query(`create database ${name} template stocked`)
  await admin.end()
  const [port, url] = [await freePort(), databaseAt(server, name)]
  const pool = poolAt(url)
  await fill(pool)
  const providers = await startProviders(port)
  await fetch(`${providers.address}/control/world`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'printful', change: 'rate_limit', perMinute: 1_000_000 }),
  })
  const shop = await startShop(port, Number(new URL(providers.address).port), url)
  return {
    shop,
    pool,
    close: async () => {
      await shop.stop()
      await providers.stop()
      await pool.end()
    },
  }
}

/** @returns milliseconds of CPU time per request, database included. @throws Error when any answer was not 2xx */
async function costOf({ postgres }: Server, { shop }: GrownShop, paths: readonly string[]): Promise<number> {
  const used = () => processorMs([shop.pid, ...familyOf(postgres)])
  const before = used()
  const { requests, non2xx, errors } = await autocannon({
    url: shop.address,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'accept-encoding': 'identity' },
    requests: paths.map((path) => ({ path })),
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were not 2xx, ${errors} requests failed.`)
  return (used() - before) / requests.total
}

async function getJson<Body>({ shop }: GrownShop, path: string): Promise<Body> {
  return (await (await fetch(shop.address + path)).json()) as Body
}

/** @returns search paths that find the same number of products in both shops */
async function commonQueries(small: GrownShop, large: GrownShop): Promise<string[]> {
  const products = await getJson<Product[]>(small, '/api/products')
  const words = new Set(
    products.flatMap(({ name, description }) => `${name} ${description}`.match(/\b[a-z]{6,}\b/g) ?? []),
  )
  const common: string[] = []
  for (const word of words) {
    const path = `/api/search?q=${word}`
    const [inSmall, inLarge] = [await getJson<SearchAnswer>(small, path), await getJson<SearchAnswer>(large, path)]
    if (inSmall.count > 0 && inSmall.count === inLarge.count && !inSmall.isNear) common.push(path)
    if (common.length === QUERIES) return common
  }
  throw new Error(`Only ${common.length} words find the same number in both shops.`)
}

/** @returns the product after which the listing's last page begins: it shows as many products as the small shop's only page */
async function beforeLast(count: number, { pool }: GrownShop): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'select product_id as id from listed_product order by listing_key desc, product_id desc offset $1 limit 1',
    [count],
  )
  return rows[0]?.id ?? 0
}

/** `growth_list`, `growth_detail`, `growth_search`: pages and searches with 100,000 products against 24. */
async function compareCatalogs(server: Server, rounds: number, { note, noteRatio }: Notes): Promise<void> {
  const small = await grow(server, 'few_products', async () => {})
  const large = await grow(server, 'many_products', (pool) => seedProducts(pool, PRODUCTS.large))
  try {
    // The same number of demo products and added products.
    const known = (await getJson<Product[]>(small, '/api/products')).map(({ id }) => Number(id))
    const apart = Math.floor((PRODUCTS.large - PRODUCTS.small) / known.length)
    const added = known.map((_, index) => FIRST_SEEDED + 1 + index * apart)
    // The variant does not exist, so the page is not cached but rendered for each request.
    const details = (ids: readonly number[]) => ids.map((id) => `/product/${id}?variant=1`)
    const queries = await commonQueries(small, large)
    const kinds = {
      list: {
        small: ['/products?variant=1'],
        large: [`/products?variant=1&after=${await beforeLast(PRODUCTS.small, large)}`],
      },
      detail: { small: details(known), large: details(added) },
      search: { small: queries, large: queries },
    }
    for (const { small: few, large: many } of Object.values(kinds)) {
      await costOf(server, small, few)
      await costOf(server, large, many)
    }
    for (let round = 0; round < rounds; round += 1)
      for (const [name, { small: few, large: many }] of Object.entries(kinds)) {
        const before = note(`${name}_of_24`, 'ms CPU', await costOf(server, small, few))
        noteRatio(`growth_${name}`, note(`${name}_of_100k`, 'ms CPU', await costOf(server, large, many)) / before)
      }
  } finally {
    await small.close()
    await large.close()
  }
}

async function costOfCheckout({ postgres }: Server, { shop, pool }: GrownShop): Promise<number> {
  const met = await meetShop(shop.address)
  const used = () => processorMs([shop.pid, ...familyOf(postgres)])
  const before = used()
  await runPurchases([met], CHECKOUTS, AT_ONCE)
  await untilSettled(pool)
  return (used() - before) / CHECKOUTS
}

/** `growth_orders`: a checkout with 1,000,000 orders stored against one with none. */
async function compareOrders(server: Server, rounds: number, { note, noteRatio }: Notes): Promise<void> {
  const none = await grow(server, 'no_orders', async () => {})
  const many = await grow(server, 'many_orders', (pool) => seedOrders(pool, ORDERS.large))
  try {
    await costOfCheckout(server, none)
    await costOfCheckout(server, many)
    for (let round = 0; round < rounds; round += 1) {
      const before = note('checkout_of_none', 'ms CPU', await costOfCheckout(server, none))
      noteRatio('growth_orders', note('checkout_of_1m', 'ms CPU', await costOfCheckout(server, many)) / before)
    }
  } finally {
    await none.close()
    await many.close()
  }
}

/** `workbook_100k_s`, `workbook_100k_extra_mb`: Order Details of 100,000 orders, read as fast as possible. */
async function measureWorkbook(server: Server, rounds: number, { note }: Notes): Promise<void> {
  const grown = await grow(server, 'reported', (pool) => seedOrders(pool, ORDERS.workbook))
  const { shop } = grown
  try {
    const signIn = await fetch(`${shop.address}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'owner', password: 'owner-demo' }),
    })
    const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    for (let round = 0; round < rounds; round += 1) {
      const before = memoryMb([shop.pid], 'Rss')
      let max = before
      const watch = setInterval(() => (max = Math.max(max, memoryMb([shop.pid], 'Rss'))), 100)
      const startedAt = performance.now()
      const answer = await fetch(`${shop.address}/api/reports/orders`, { headers: { cookie } })
      if (!answer.ok || !answer.body) throw new Error(`The workbook download answered ${answer.status}.`)
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) void chunk
      clearInterval(watch)
      note('workbook_100k_s', 's', (performance.now() - startedAt) / 1000)
      note('workbook_100k_extra_mb', 'MB', max - before)
    }
  } finally {
    await grown.close()
  }
}

/** Runs all comparisons of large and small shops. */
export async function measureGrowth(server: Server, rounds: number, notes: Notes): Promise<void> {
  await makeTemplate(server)
  await compareCatalogs(server, rounds, notes)
  await measureWorkbook(server, Math.min(rounds, 3), notes)
  await compareOrders(server, rounds, notes)
}

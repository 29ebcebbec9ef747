import autocannon from 'autocannon'
import pg from 'pg'
import type { Product, SearchAnswer } from '#contract/catalog.ts'
import { freePort } from '../free-port.ts'
import { rateOf } from './load.ts'
import {
  familyOf,
  memoryMb,
  processorMs,
  startFloors,
  startProviders,
  startShop,
  type RunningProcess,
} from './processes.ts'
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
const QUERIES_MIN = 3

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

/** Signs around a word are ignored: the same question, which has not been answered before. */
const SIGNS = ['.', ',', ';', ':', '!', '?']
let asked = 0

function withSigns(path: string): string {
  let signs = ''
  for (let rest = (asked += 1); rest > 0; rest = Math.floor(rest / SIGNS.length)) signs += SIGNS[rest % SIGNS.length]
  return path + encodeURIComponent(signs)
}

/**
 * @param isNew each request asks what no request has asked before
 * @returns milliseconds of CPU time per request, database included
 * @throws Error when any answer was not 2xx
 */
async function costOf(
  { postgres }: Server,
  { shop }: Pick<GrownShop, 'shop'>,
  paths: readonly string[],
  isNew = false,
): Promise<number> {
  const used = () => processorMs([shop.pid, ...familyOf(postgres)])
  const before = used()
  const { requests, non2xx, errors } = await autocannon({
    url: shop.address,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'accept-encoding': 'identity' },
    requests: paths.map((path) => ({
      path,
      ...(isNew && { setupRequest: (request: object) => ({ ...request, path: withSigns(path) }) }),
    })),
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} answers were not 2xx, ${errors} requests failed.`)
  return (used() - before) / requests.total
}

async function getJson<Body>({ shop }: GrownShop, path: string): Promise<Body> {
  return (await (await fetch(shop.address + path)).json()) as Body
}

/** @returns words that find one product in either shop, and words of types, collections and colors that find about a third */
async function wordsToSearch(small: GrownShop, large: GrownShop): Promise<{ one: string[]; third: string[] }> {
  const products = await getJson<Product[]>(small, '/api/products')
  const answerOf = (shop: GrownShop, word: string) => getJson<SearchAnswer>(shop, `/api/search?q=${word}`)
  const choose = async (words: string[], isFit: (inSmall: SearchAnswer, inLarge: SearchAnswer) => boolean) => {
    const chosen: string[] = []
    for (const word of new Set(words.map((each) => each.toLowerCase()))) {
      if (isFit(await answerOf(small, word), await answerOf(large, word))) chosen.push(word)
      if (chosen.length === QUERIES) break
    }
    if (chosen.length < QUERIES_MIN) throw new Error(`Only these words fit: ${chosen.join(', ')}.`)
    return chosen
  }
  const one = await choose(
    products.flatMap(({ name, description }) => `${name} ${description}`.match(/\b[a-z]{6,}\b/g) ?? []),
    (inSmall, inLarge) => inSmall.count === 1 && inLarge.count === 1 && !inSmall.isNear,
  )
  const third = await choose(
    products.flatMap(({ type, collection, colors }) =>
      [type, collection, ...colors.map(({ name }) => name)].filter((word) => /^\w+$/.test(word)),
    ),
    ({ count }, { isMore }) => isMore && count >= products.length / 5 && count <= products.length / 2,
  )
  return { one, third }
}

/** @returns the product after which the listing's last page begins: it shows as many products as the small shop's only page */
async function beforeLast(count: number, { pool }: GrownShop): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'select product_id as id from listed_product order by listing_key desc, product_id desc offset $1 limit 1',
    [count],
  )
  return rows[0]?.id ?? 0
}

/**
 * `growth_list`, `growth_detail`, `growth_search`: pages and searches with 100,000 products against 24. `growth_search` is the worse of
 * `growth_search_one` and `growth_search_third`, for words that find one product and those that find about a third of the catalog, each asked
 * for the first time. Their floor is a statement that reads the first 60 from the index, behind `node:http`.
 */
async function compareCatalogs(server: Server, rounds: number, { note, noteRatio }: Notes): Promise<void> {
  const small = await grow(server, 'few_products', async () => {})
  const large = await grow(server, 'many_products', (pool) => seedProducts(pool, PRODUCTS.large))
  const floor = { shop: await startFloors(databaseAt(server, 'many_products')) }
  try {
    // The same number of demo products and added products.
    const known = (await getJson<Product[]>(small, '/api/products')).map(({ id }) => Number(id))
    const apart = Math.floor((PRODUCTS.large - PRODUCTS.small) / known.length)
    const added = known.map((_, index) => FIRST_SEEDED + 1 + index * apart)
    // The variant does not exist, so the page is not cached but rendered for each request.
    const details = (ids: readonly number[]) => ids.map((id) => `/product/${id}?variant=1`)
    const words = await wordsToSearch(small, large)
    const searches = (all: readonly string[]) => all.map((word) => `/api/search?q=${word}`)
    const floors = (all: readonly string[]) => all.map((word) => `/search?q=${word}`)
    const [one, third] = [searches(words.one), searches(words.third)]
    const kinds = {
      list: {
        small: ['/products?variant=1'],
        large: [`/products?variant=1&after=${await beforeLast(PRODUCTS.small, large)}`],
      },
      detail: { small: details(known), large: details(added) },
      search_one: { small: one, large: one, floor: floors(words.one) },
      search_third: { small: third, large: third, floor: floors(words.third) },
    }
    const compare = async (name: keyof typeof kinds) => {
      const { small: few, large: many, ...rest } = kinds[name]
      const isSearch = 'floor' in rest
      return {
        floor: isSearch ? await costOf(server, floor, rest.floor) : undefined,
        before: await costOf(server, small, few, isSearch),
        after: await costOf(server, large, many, isSearch),
      }
    }
    const names = Object.keys(kinds) as (keyof typeof kinds)[]
    for (const name of names) await compare(name)
    for (let round = 0; round < rounds; round += 1) {
      const growths = new Map<string, number>()
      for (const name of names) {
        const costs = await compare(name)
        if (costs.floor !== undefined) note(`floor_of_${name}`, 'ms CPU', costs.floor)
        note(`${name}_of_24`, 'ms CPU', costs.before)
        growths.set(name, note(`${name}_of_100k`, 'ms CPU', costs.after) / costs.before)
      }
      growths.set('search', Math.max(growths.get('search_one') ?? 0, growths.get('search_third') ?? 0))
      for (const [name, growth] of growths) noteRatio(`growth_${name}`, growth)
      note('search_repeated_of_100k', 'ms CPU', await costOf(server, large, third))
      note('search_repeated', 'req/s', await rateOf({ url: large.shop.address + (third[0] ?? '') }, SECONDS))
    }
  } finally {
    await floor.shop.stop()
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

/** Runs all comparisons of large and small shops. @param isCatalogOnly without those that need orders */
export async function measureGrowth(
  server: Server,
  rounds: number,
  isCatalogOnly: boolean,
  notes: Notes,
): Promise<void> {
  await makeTemplate(server)
  await compareCatalogs(server, rounds, notes)
  if (isCatalogOnly) return
  await measureWorkbook(server, Math.min(rounds, 3), notes)
  await compareOrders(server, rounds, notes)
}

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { build } from './build.ts'
import { freePort } from './free-port.ts'
import { startPostgres } from './postgres.ts'
import { weighFirstPage } from './bench/first-page.ts'
import { measureGrowth } from './bench/growth.ts'
import { rateOf, renderRateOf } from './bench/load.ts'
import { rowsOfPurchase } from './bench/order-rows.ts'
import {
  familyOf,
  memoryMb,
  processorMs,
  startFloors,
  startProviders,
  startShop,
  type RunningProcess,
} from './bench/processes.ts'
import { lineToAdd, meetShop, runPurchases, untilSettled } from './bench/purchases.ts'
import { seedProducts } from './bench/seed.ts'

// Each figure of the shop is measured next to the floor it is compared with, in the same run and interleaved: a slow minute of
// the machine slows both. No test depends on a timing.

const USAGE = 'npm run bench -- [--quick | --catalogs] [--json FILE]'
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Only `growth_list`, `growth_detail` and `growth_search`. */
    catalogs: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const ROUNDS = values.quick ? 3 : 5
const SECONDS = 2
const CHECKOUTS = values.quick ? 60 : 200
const AT_ONCE = 8
/** Rendered for every request: the listing ignores the variant, but the page cache does not store this URL. */
const UNCACHED_PAGE = '/products?variant=1'
/** Products of the quick run; the full run uses the demo catalog and compares larger shops with it. */
const QUICK_PRODUCTS = 10_000
const PRINTER_CALLS_PER_MINUTE = 1_000_000
const MICROSECONDS_PER_MS = 1000

type Spread = { min: number; median: number; max: number }
const measurements = new Map<string, { unit: string; values: number[] }>()
const ratios = new Map<string, number[]>()

function recordMeasurement(name: string, unit: string, value: number): number {
  const measurement = measurements.get(name) ?? { unit, values: [] }
  measurement.values.push(value)
  measurements.set(name, measurement)
  return value
}

const recordRatio = (name: string, value: number): unknown => ratios.set(name, [...(ratios.get(name) ?? []), value])

function spread(all: readonly number[]): Spread {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? 0
  return { min: at(0), median: at(Math.floor(sorted.length / 2)), max: at(sorted.length - 1) }
}

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Makes the floor return the shop's answer. */
async function copyAnswer(shop: string, floor: string, path: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(shop + path, { headers })
  const body = Buffer.from(await answer.arrayBuffer())
  const copiedHeaders = Object.fromEntries(
    [...answer.headers].filter(
      ([name]) =>
        !['connection', 'content-length', 'transfer-encoding', 'content-encoding', 'date', 'keep-alive'].includes(name),
    ),
  )
  await post(`${floor}/to-answer`, {
    url: path,
    status: answer.status,
    headers: copiedHeaders,
    body: body.toString('base64'),
  })
}

async function compareRates(shop: RunningProcess, floors: RunningProcess): Promise<void> {
  // The same bytes on both sides: the floor does not compress, so neither does the shop.
  const plain = { 'accept-encoding': 'identity' }
  await copyAnswer(shop.address, floors.address, '/products', plain)
  await copyAnswer(shop.address, floors.address, '/api/products', plain)
  const met = await meetShop(shop.address)
  const line = { method: 'POST' as const, headers: { 'content-type': 'application/json' }, body: lineToAdd(met) }
  const against = async (ratio: string, name: string, ours: () => Promise<number>, theirs: () => Promise<number>) => {
    const floor = recordMeasurement(`floor_of_${name}`, 'req/s', await theirs())
    recordRatio(ratio, recordMeasurement(name, 'req/s', await ours()) / floor)
  }
  const pageOf = (server: RunningProcess, path: string) => () =>
    rateOf({ url: server.address + path, headers: plain }, SECONDS)
  await rateOf({ url: shop.address + UNCACHED_PAGE }, 1)
  for (let round = 0; round < ROUNDS; round += 1) {
    await against('page_cached_vs_bare_http', 'page_cached', pageOf(shop, '/products'), pageOf(floors, '/products'))
    await against(
      'products_api_vs_bare_http',
      'products_api',
      pageOf(shop, '/api/products'),
      pageOf(floors, '/api/products'),
    )
    await against('page_rendered_vs_react', 'page_rendered', pageOf(shop, UNCACHED_PAGE), () =>
      renderRateOf(shop.address, UNCACHED_PAGE, SECONDS),
    )
    await against(
      'add_to_cart_vs_row',
      'add_to_cart',
      () => rateOf({ url: `${shop.address}/api/cart`, ...line }, SECONDS),
      () => rateOf({ url: `${floors.address}/row`, ...line }, SECONDS),
    )
  }
}

/** @returns milliseconds of CPU time per checkout: shop, database and jobs, until everything is settled */
async function costOfCheckouts(
  shops: readonly RunningProcess[],
  { postgres, providers, pool }: World,
): Promise<number> {
  const met = await Promise.all(shops.map(({ address }) => meetShop(address)))
  const used = () => {
    const own = process.cpuUsage()
    return {
      shop: processorMs(shops.map(({ pid }) => pid)),
      database: processorMs(familyOf(postgres)),
      providers: processorMs([providers.pid]),
      shoppers: (own.user + own.system) / MICROSECONDS_PER_MS,
    }
  }
  const before = used()
  const seconds = await runPurchases(met, CHECKOUTS, AT_ONCE)
  await untilSettled(pool)
  const after = used()
  const cost = (side: keyof typeof after) => (after[side] - before[side]) / CHECKOUTS
  if (shops.length === 1) {
    recordMeasurement('checkouts_per_s', '1/s', CHECKOUTS / seconds)
    // The last two are not part of the shop; they only share the machine.
    for (const side of ['shop', 'database', 'providers', 'shoppers'] as const)
      recordMeasurement(`checkout_${side}`, 'ms CPU', cost(side))
  }
  return cost('shop') + cost('database')
}

async function costOfFloor(floors: RunningProcess, postgres: number): Promise<number> {
  const used = () => processorMs([floors.pid, ...familyOf(postgres)])
  const before = used()
  let next = 0
  const write = async () => {
    for (; next < CHECKOUTS;) {
      next += 1
      const { ok } = await post(`${floors.address}/order`, {})
      if (!ok) throw new Error('The floor could not write an order.')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, write))
  return (used() - before) / CHECKOUTS
}

async function compareCheckouts(world: World): Promise<void> {
  const { shop, floors, postgres, pool } = world
  const inserts = await rowsOfPurchase(pool, shop.address)
  await post(`${floors.address}/to-write`, inserts)
  await costOfFloor(floors, postgres)
  await costOfCheckouts([shop], world)
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = recordMeasurement('floor_of_checkout', 'ms CPU', await costOfFloor(floors, postgres))
    recordRatio(
      'checkout_vs_order_tx',
      floor / recordMeasurement('checkout', 'ms CPU', await costOfCheckouts([shop], world)),
    )
  }
}

/** The cost of a checkout with two instances on one database, compared with a single instance. */
async function compareInstances(world: World): Promise<void> {
  const { shop, sandboxPort, databaseUrl } = world
  for (let round = 0; round < ROUNDS; round += 1) {
    const single = await costOfCheckouts([shop], world)
    const second = await startShop(await freePort(), sandboxPort, databaseUrl)
    try {
      await costOfCheckouts([shop, second], world)
      recordRatio('scale_out', single / (await costOfCheckouts([shop, second], world)))
    } finally {
      await second.stop()
    }
  }
}

type World = Awaited<ReturnType<typeof openBenchWorld>>

async function openBenchWorld() {
  const server = await startPostgres()
  if (!server) throw new Error('PostgreSQL is missing and could not be installed.')
  const pool = new pg.Pool({ connectionString: server.url, max: 2 })
  // The server may stop before the pool is closed.
  pool.on('error', () => {})
  const [port, { rows }] = [await freePort(), await pool.query<{ pid: number }>('select pg_backend_pid() as pid')]
  const postgres = parentPid(rows[0]?.pid ?? 0)
  const providers = await startProviders(port)
  const sandboxPort = Number(new URL(providers.address).port)
  await post(`${providers.address}/control/world`, {
    provider: 'printful',
    change: 'rate_limit',
    perMinute: PRINTER_CALLS_PER_MINUTE,
  })
  // The first start fills the database; the second is measured.
  await (await startShop(port, sandboxPort, server.url)).stop()
  if (values.quick) await seedProducts(pool, QUICK_PRODUCTS)
  const shop = await startShop(port, sandboxPort, server.url)
  const floors = await startFloors(server.url)
  return {
    shop,
    floors,
    providers,
    postgres,
    pool,
    sandboxPort,
    databaseUrl: server.url,
    async close() {
      await floors.stop()
      await shop.stop()
      await providers.stop()
      await pool.end()
      await server.stop()
    },
  }
}

const parentPid = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))

/** Megabytes that a start installs. */
const installMb = (): number =>
  Number(
    execFileSync('du', ['-sm', '--dereference-args', 'node_modules'], {
      cwd: join(import.meta.dirname, '..'),
      encoding: 'utf8',
    }).split('\t')[0],
  )

async function compareAll(all: World): Promise<void> {
  const { shop, floors, postgres } = all
  await compareRates(shop, floors)
  await compareCheckouts(all)
  recordMeasurement('rss_loaded_mb', 'MB', memoryMb([shop.pid], 'Rss'))
  recordMeasurement('pss_loaded_mb', 'MB', memoryMb([shop.pid, ...familyOf(postgres)], 'Pss'))
}

await build()
const world = await openBenchWorld()
try {
  const { shop, postgres } = world
  recordMeasurement('boot_s', 's', shop.bootS)
  recordMeasurement('rss_idle_mb', 'MB', memoryMb([shop.pid], 'Rss'))
  const measureGrown = () =>
    measureGrowth({ url: world.databaseUrl, postgres }, ROUNDS, values.catalogs, {
      note: recordMeasurement,
      noteRatio: recordRatio,
    })
  if (values.catalogs) await measureGrown()
  else await compareAll(world)
  if (!values.quick && !values.catalogs) {
    await compareInstances(world)
    await measureGrown()
  }
  const weight = await weighFirstPage(shop.address)
  if (weight) {
    recordMeasurement('first_page_js_kb_br', 'KB', weight.scriptKb)
    recordMeasurement('first_page_total_kb', 'KB', weight.totalKb)
  }
  recordMeasurement('install_mb', 'MB', installMb())
} finally {
  await world.close()
}

const row = (name: string, { min, median, max }: Spread, unit = '') =>
  `${name.padEnd(30)}${[min, median, max].map((figure) => figure.toFixed(2).padStart(12)).join('')}  ${unit}`
console.log(`${'ratio'.padEnd(30)}${['minimum', 'median', 'maximum'].map((label) => label.padStart(12)).join('')}`)
for (const [name, all] of ratios) console.log(row(name, spread(all)))
console.log('')
for (const [name, { unit, values: all }] of measurements) console.log(row(name, spread(all), unit))
if (values.json) {
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    node: process.version,
  }
  const results = {
    machine,
    ratios: Object.fromEntries([...ratios].map(([name, all]) => [name, spread(all).median])),
    figures: Object.fromEntries(
      [...measurements].map(([name, { unit, values: all }]) => [name, { ...spread(all), unit }]),
    ),
  }
  writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)
}

import { fork } from 'node:child_process'
import { setInterval, clearInterval } from 'node:timers'
import { pino } from 'pino'
import type { CatalogFile } from '#server/catalog/catalog-file.ts'
import { importCatalog } from '#server/catalog/import.ts'
import { createPictureProcess } from '#server/pictures/picture-process.ts'
import { syncCatalog } from '#server/catalog/sync.ts'
import { configWith } from '#sandbox/config.ts'
import { migrateSchema, openDatabase } from '#server/db/db.ts'
import { createPrintful } from '#server/providers/printful/client.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import { startPrintful } from '#sandbox/printful/printful.ts'
import { rows } from '#sandbox/printful/catalog-rows.ts'
import type { StoreProduct } from '#sandbox/printful/products.ts'

// What synchronizing a large Printful store costs: node tools/measure-sync.ts [products] [variants per product]. The simulated
// printer runs in its own process without a rate limit, so the figures are the shop's time and memory, and loopback calls.
// Uses DATABASE_URL if set, otherwise the embedded database.

const [products = 1000, variantsEach = 20] = process.argv.slice(2).map(Number)
const TOKEN = 'measured'

const store = (): StoreProduct[] =>
  Array.from({ length: products }, (_, index) => ({
    id: 900_000 + index,
    external_id: `product-${index}`,
    name: `Product ${index}`,
    type: 't-shirt',
    hexes: {},
    design: 'rudy',
    blank: { productId: rows[index % rows.length]?.id ?? 71, title: 'Unisex Staple T-Shirt', technique: 'front' },
    variants: Array.from({ length: variantsEach }, (__, number) => ({
      id: 4_900_000_000 + index * 1000 + number,
      external_id: `product-${index}-${number}`,
      name: `Product ${index} - Color ${number} / M`,
      variant_id: 11_000 + (index % rows.length) * variantsEach + number,
      retail_price: '29.95',
      cost: '12.50',
      sku: `${index}-${number}`,
      size: 'M',
      color: `Color ${number}`,
      availability: 'active',
    })),
  }))

const file = (): CatalogFile => ({
  products: Array.from({ length: products }, (_, index) => ({
    id: index + 1,
    slug: `product-${index}`,
    name: `Product ${index}`,
    description: 'A shirt.',
    collection: 'rudy',
    type: 't-shirt',
    badge: null,
    metadata: {},
    requiresOptions: true,
    providerProductId: null,
    colors: [],
    pictures: [{ view: 'front', color: null, file: 'shirt', widths: [640], width: 640, height: 640 }],
  })),
})

/** Runs the simulated printer, in the child process. */
async function runPrintful(): Promise<void> {
  const kit = openKit({ speed: 0, log: () => {} })
  const partner = await startPrintful(kit, { port: 0, token: TOKEN, storeId: 1, products: store() })
  await partner.change({ change: 'rate_limit', perMinute: 10_000_000 })
  process.on('message', (change: Record<string, unknown>) => {
    void (async () => {
      for (let index = 0; index < products; index += 1)
        await partner.change({ ...change, sync_product_id: 900_000 + index })
      process.send?.('done')
    })()
  })
  process.send?.(partner.url)
}

const MB = 1024 * 1024

async function measure(): Promise<void> {
  const partner = fork(new URL(import.meta.url), process.argv.slice(2), { env: { ...process.env, BE_PARTNER: '1' } })
  const nextMessage = () => new Promise<unknown>((resolve) => partner.once('message', resolve))
  const url = String(await nextMessage())
  const log = pino({ level: 'silent' })
  const config = configWith({ PRINTFUL_TOKEN: TOKEN, PRINTFUL_API_BASE: url })
  const database = await openDatabase(process.env['DATABASE_URL'], 'memory://')
  await migrateSchema(database)
  const clock = { now: () => new Date() }
  const shop = {
    db: database.db,
    clock,
    log,
    config,
    printful: createPrintful({ config, log, clock }),
    pictureProcess: createPictureProcess(),
  }
  await importCatalog(shop, file())

  async function timed(name: string): Promise<void> {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let max = before
    const watch = setInterval(() => (max = Math.max(max, process.memoryUsage().rss)), 50)
    const startedAt = performance.now()
    const cpu = process.cpuUsage()
    const { applied, waiting, variants } = await syncCatalog(shop, 'owner')
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system } = process.cpuUsage(cpu)
    clearInterval(watch)
    console.log(
      `${name}: ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU, ${Math.round((max - before) / MB)} MB more (${Math.round(max / MB)} in total); ${variants} variants, ${applied} applied, ${waiting} waiting`,
    )
  }

  async function partnerChanges(change: Record<string, unknown>): Promise<void> {
    partner.send(change)
    await nextMessage()
  }

  await timed('first synchronization')
  await timed('nothing changed')
  await partnerChanges({ change: 'price', retail_price: '31.95' })
  await timed('every price changed')
  await partnerChanges({ change: 'stock_out' })
  await timed('everything sold out')
  await database.close()
  partner.kill()
}

await (process.env['BE_PARTNER'] ? runPrintful() : measure())

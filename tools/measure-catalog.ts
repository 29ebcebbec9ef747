import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setInterval, clearInterval } from 'node:timers'
import { loadConfig } from '#server/config/load-config.ts'
import { catalogByOwner } from '#server/catalog/owner-catalog.ts'
import { migrateSchema, openDatabase } from '#server/db/db.ts'
import { createPictureProcess } from '#server/pictures/picture-process.ts'

// What a large catalog costs to import and export: npm run measure:catalog -- [products] [variants per product]. Uses DATABASE_URL if
// set, which must be empty, otherwise the embedded database. The longest turn is how long everything else in the process stood still.

const [products = 10_000, variantsEach = 10] = process.argv.slice(2).map(Number)
const IMPORT_MS = 60_000
const MB = 1024 * 1024
const sizes = ['S', 'M', 'L', 'XL', '2XL']

const productNumber = (index: number, change: string) => ({
  id: index + 1,
  slug: `product-${index}`,
  name: `Product ${index}${change}`,
  description: `Shirt number ${index}, printed when it is ordered. Soft, for people who walk a dog in any weather.`,
  collection: ['rudy', 'sherlock', 'example'][index % 3],
  type: ['t-shirt', 'polo', 'hat', 'mug'][index % 4],
  requiresOptions: true,
  colors: [
    { name: 'Black', hex: '#1c1b1a' },
    { name: 'Navy', hex: '#1f2a44' },
  ],
  pictures: ['front', 'detail', 'lifestyle'].map((view) => ({
    ...{ view, color: null, file: `shirt-${index}-${view}`, widths: [640], width: 640, height: 640, alt: 'A shirt' },
  })),
  variants: Array.from({ length: variantsEach }, (__, number) => ({
    id: 4_900_000_000 + index * 1000 + number,
    catalogVariantId: 11_000 + number,
    blankId: 71,
    name: `Product ${index} / ${number % 2 ? 'Navy' : 'Black'} / ${sizes[number >> 1] ?? 'S'}`,
    color: number % 2 ? 'Navy' : 'Black',
    size: sizes[number >> 1] ?? 'S',
    sku: `${index}-${number}`,
    price: `${20 + (index % 30)}.95`,
    cost: '12.50',
  })),
})

function* jsonOf(change: string): Generator<string> {
  yield '{"version":2,"products":['
  for (let index = 0; index < products; index += 1)
    yield `${index ? ',' : ''}${JSON.stringify(productNumber(index, change))}`
  yield ']}'
}

const folder = await mkdtemp(join(tmpdir(), 'measure-catalog-'))
const fileIn = (name: string) => join(folder, name)
await pipeline(Readable.from(jsonOf('')), createWriteStream(fileIn('first.json')))
await pipeline(Readable.from(jsonOf('!')), createWriteStream(fileIn('changed.json')))
const database = await openDatabase(process.env['DATABASE_URL'], fileIn('data'))
await migrateSchema(database)
const shop = {
  ...{ db: database.db, clock: { now: () => new Date() }, config: await loadConfig(process.env) },
  pictureProcess: createPictureProcess(),
}

async function timed(name: string, ...words: string[]): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let longestTurn = 0
  let turned = performance.now()
  const turns = setInterval(() => {
    longestTurn = Math.max(longestTurn, performance.now() - turned)
    turned = performance.now()
  }, 5)
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await catalogByOwner(shop, words)
  const ms = performance.now() - startedAt
  longestTurn = Math.max(longestTurn, performance.now() - turned)
  clearInterval(turns)
  const { user, system } = process.cpuUsage(cpu)
  const most = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(
    `${name}: ${(ms / 1000).toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of CPU), longest turn ${(longestTurn / 1000).toFixed(1)} s, ${Math.round(before / MB)} MB before, ${most} MB at most so far`,
  )
  return ms
}

const megabytes = Math.round((await stat(fileIn('first.json'))).size / MB)
const kind = database.embedded ? 'embedded' : 'PostgreSQL'
console.log(`${products} products with ${variantsEach} variants each, ${megabytes} MB of JSON, ${kind}`)
const first = await timed('import', 'import', fileIn('first.json'))
await timed('the same again', 'import', fileIn('first.json'))
await timed('dry run with every name changed', 'import', fileIn('changed.json'), '--dry-run')
await timed('import with every name changed', 'import', fileIn('changed.json'))
await timed('export as JSON', 'export', fileIn('out.json'))
await timed('export as CSV', 'export', fileIn('out.csv'))
await timed('import of the CSV', 'import', fileIn('out.csv'))
shop.pictureProcess.stop()
await database.close()
await rm(folder, { recursive: true })
if (first > IMPORT_MS) process.exitCode = 1

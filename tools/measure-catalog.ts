import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval, clearInterval } from 'node:timers'
import type { CatalogFile } from '#server/catalog/catalog-file.ts'
import { catalogByOwner } from '#server/catalog/owner-catalog.ts'
import { migrateSchema, openDatabase } from '#server/db/db.ts'
import { createPictureProcess } from '#server/pictures/picture-process.ts'

// What a large catalog costs to import and export: node tools/measure-catalog.ts [products] [variants per product].
// Uses DATABASE_URL if set, which must be empty, otherwise the embedded database.

const [products = 10_000, variantsEach = 10] = process.argv.slice(2).map(Number)
const IMPORT_MS = 60_000
const MB = 1024 * 1024
const sizes = ['S', 'M', 'L', 'XL', '2XL']

const catalog = (change: string): CatalogFile => ({
  products: Array.from({ length: products }, (_, index) => ({
    id: index + 1,
    slug: `product-${index}`,
    name: `Product ${index}${change}`,
    description: `Shirt number ${index}, printed when it is ordered. Soft, for people who walk a dog in any weather.`,
    collection: ['rudy', 'sherlock', 'example'][index % 3] ?? 'rudy',
    type: ['t-shirt', 'mug', 'hat', 'mug'][index % 4] ?? 'mug',
    requiresOptions: true,
    colors: [
      { name: 'Black', hex: '#1c1b1a' },
      { name: 'Navy', hex: '#1f2a44' },
    ],
    pictures: ['front', 'detail', 'lifestyle'].map((view) => ({
      ...{ view, color: null, file: `shirt-${index}-${view}`, widths: [640], width: 640, height: 640, alt: `A shirt` },
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
      availability: 'active',
      previewUrl: null,
    })),
  })),
})

const folder = await mkdtemp(join(tmpdir(), 'measure-catalog-'))
const database = await openDatabase(process.env['DATABASE_URL'], join(folder, 'data'))
await migrateSchema(database)
const shop = { db: database.db, clock: { now: () => new Date() }, pictureProcess: createPictureProcess() }

async function timed(name: string, work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  let most = process.memoryUsage().rss
  const before = most
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
  let longestTurn = 0
  let turned = performance.now()
  const turns = setInterval(() => {
    longestTurn = Math.max(longestTurn, performance.now() - turned)
    turned = performance.now()
  }, 5)
  const startedAt = performance.now()
  await work()
  const ms = performance.now() - startedAt
  clearInterval(watch)
  clearInterval(turns)
  console.log(
    `${name}: ${(ms / 1000).toFixed(1)} s, ${Math.round(most / MB)} MB at most (${Math.round(before / MB)} before), longest turn ${Math.round(longestTurn)} ms`,
  )
  return ms
}

const fileIn = (name: string) => join(folder, name)
await writeFile(fileIn('first.json'), JSON.stringify(catalog('')))
await writeFile(fileIn('changed.json'), JSON.stringify(catalog('!')))
console.log(
  `${products} products with ${variantsEach} variants each, ${Math.round((await stat(fileIn('first.json'))).size / MB)} MB of JSON, ${database.embedded ? 'embedded' : 'PostgreSQL'}`,
)
const first = await timed('import', () => catalogByOwner(shop, ['import', fileIn('first.json')]))
await timed('the same again', () => catalogByOwner(shop, ['import', fileIn('first.json')]))
await timed('dry run with every name changed', () =>
  catalogByOwner(shop, ['import', fileIn('changed.json'), '--dry-run']),
)
await timed('import with every name changed', () => catalogByOwner(shop, ['import', fileIn('changed.json')]))
await timed('export as JSON', () => catalogByOwner(shop, ['export', fileIn('out.json')]))
await timed('export as CSV', () => catalogByOwner(shop, ['export', fileIn('out.csv')]))
await database.close()
await rm(folder, { recursive: true })
if (first > IMPORT_MS) process.exitCode = 1

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { configWith } from '#sandbox/config.ts'
import { migrateSchema, openDatabase, type Database } from '#server/db/db.ts'
import { copiedPicture, product, productPicture } from '#server/db/schema.ts'
import { createApp } from '#server/http/app.ts'
import type { SyncProduct } from '#server/providers/printful/client.ts'
import { createPrintful } from '#server/providers/printful/client.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { demoCatalogFile } from '#sandbox/catalog/catalog-file.ts'
import { aFile, aFileProduct, aVariant, HAT, printfulWith, printerProduct } from '#sandbox/catalog/printful-fixtures.ts'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import { startPrintful } from '#sandbox/printful/printful.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { findBuyable, linesAtTodaysPrices, listProducts, providerDetail } from './catalog.ts'
import { readCatalogFile, type CatalogFile } from './catalog-file.ts'
import { importCatalog } from './import.ts'
import { catalogRoutes } from './routes.ts'
import { importChangedCatalog } from './catalog-setup.ts'
import { applySync } from './sync-decisions.ts'
import { findLastWhole } from './sync-store.ts'
import { syncCatalog } from './sync.ts'

const log = pino({ level: 'silent' })
const clock = { now: () => new Date('2026-11-20T10:00:00Z') }
const configOf = (apiBase: string) => configWith({ PRINTFUL_API_BASE: apiBase })

let database: Database
beforeAll(async () => {
  database = await openDatabase(undefined, 'memory://')
  await migrateSchema(database)
}, 60_000)
afterAll(() => database.close())
beforeEach(() => database.db.execute(sql`truncate product, copied_picture, setting, catalog_sync cascade`))

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const aPicture = { view: 'front', color: null, file: 'hat', widths: [640], width: 640, height: 640 }

function shopWith(products: SyncProduct[], pictures: Record<string, Buffer> = {}) {
  const config = configOf('http://127.0.0.1:1')
  return { db: database.db, clock, log, config, printful: printfulWith({ products, pictures }) }
}

/** A shop with one hat. */
async function aHat(variants: SyncProduct['variants'], more: Partial<CatalogFile['products'][number]> = {}) {
  const shop = shopWith([printerProduct(variants)])
  await importCatalog(shop, aFile(aFileProduct(more)))
  await syncCatalog(shop, 'owner')
  return shop
}

/** Synchronizes, and the owner says yes. */
async function follow(shop: ReturnType<typeof shopWith>) {
  const { sync } = await syncCatalog(shop, 'owner')
  await applySync(shop, sync, COMMAND)
}

describe('the demo catalog, from file and partner to the wire', () => {
  async function theDemoShop() {
    const kit = openKit({ speed: 0, log: () => {} })
    const partner = await startPrintful(kit, {
      port: 0,
      token: 'secret',
      storeId: 7,
      products: seedProducts(demoProducts),
    })
    closing.push(
      () => partner.close(),
      () => kit.close(),
    )
    const config = configOf(partner.url)
    const shop = { db: database.db, clock, log, config, printful: createPrintful({ config, log }) }
    const folder = mkdtempSync(join(tmpdir(), 'catalog-'))
    closing.push(async () => rmSync(folder, { recursive: true }))
    const path = join(folder, 'catalog.json')
    writeFileSync(path, JSON.stringify(demoCatalogFile()))
    await importChangedCatalog(shop, path)
    const app = await createApp({ ...shop, database, config }, { find: async () => undefined } as never)
    catalogRoutes(app, { ...shop, config })
    const get = (url: string) => app.http.inject({ method: 'GET', url, headers: { host: '127.0.0.1' } })
    return { shop, partner, get, path }
  }

  test('36 products in the order of the listing, each with price and variants', async () => {
    const { get } = await theDemoShop()
    const answer = await get('/api/products')
    expect(answer.statusCode).toBe(200)
    const products = answer.json<{ type: string; price: number; variantCount: number; requiresOptions: boolean }[]>()
    expect(products).toHaveLength(36)
    expect(products[0]).toMatchObject({ type: 'vented-hat', price: 3295 })
    expect(products.filter(({ requiresOptions }) => requiresOptions)).toHaveLength(7)
    expect(products.every(({ price, variantCount }) => price > 0 && variantCount > 0)).toBe(true)
  })

  test('the partner’s shape is served from our copy, and only for mapped products', async () => {
    const { get } = await theDemoShop()
    const answer = await get('/api/printful/products/371204815')
    expect(answer.json()).toMatchObject({
      result: {
        sync_product: { id: 371204815 },
        sync_variants: [{ retail_price: '32.95', color: 'Charcoal with Black' }, {}, {}, {}, {}],
      },
    })
    const unmapped = demoProducts.find(({ mapped }) => !mapped)
    for (const id of [unmapped?.syncProductId, 1, 'abc', '0x1'])
      expect(await get(`/api/printful/products/${id}`)).toMatchObject({ statusCode: 404 })
  })

  test('an unchanged file is not taken over again; the partner’s new price comes with the owner’s yes', async () => {
    const { shop, partner, path } = await theDemoShop()
    await partner.change({ change: 'price', sync_product_id: 371204815, retail_price: '40.00' })
    await importChangedCatalog(shop, path)
    const priceOfHat = async () => (await listProducts(shop.db)).find(({ id }) => Number(id) === 1)?.price
    const { sync, waiting } = await syncCatalog(shop, 'owner')
    expect(waiting).toBe(5)
    expect(await priceOfHat()).toBe(3295)
    await applySync(shop, sync, COMMAND)
    expect(await priceOfHat()).toBe(4000)
  })

  test('a printer that is away keeps nothing from being sold, nor a new shop from opening; one without our products does', async () => {
    const { shop, path } = await theDemoShop()
    const printful = { ...shop.printful, getProduct: () => Promise.reject(new ProviderUnavailable('printful', 'away')) }
    const [first, ...others] = demoCatalogFile().products
    writeFileSync(path, JSON.stringify({ products: others }))
    await importChangedCatalog({ ...shop, printful }, path)
    expect((await listProducts(shop.db)).some(({ id }) => Number(id) === first?.id)).toBe(false)
    await database.db.execute(sql`truncate product, setting, catalog_sync cascade`)
    await importChangedCatalog({ ...shop, printful }, path)
    expect(await findLastWhole(shop.db)).toBeUndefined()
    await importChangedCatalog(shop, path)
    expect(await findLastWhole(shop.db)).toBeDefined()
    expect(await listProducts(shop.db)).toHaveLength(35)

    await database.db.execute(sql`truncate product, setting cascade`)
    await expect(importChangedCatalog(shopWith([]), path)).rejects.toThrow('nothing to sell')
  })

  test('a file that cannot be read is named', async () => {
    await expect(importChangedCatalog(shopWith([]), '/nowhere.json')).rejects.toThrow(
      '/nowhere.json (CATALOGUE_FILE) cannot be read',
    )
  })

  test('a missing default picture and an unknown copy are nothing', async () => {
    const { get } = await theDemoShop()
    expect((await get('/pictures/copied/x.webp')).statusCode).toBe(404)
    expect([302, 404]).toContain((await get('/pictures/default.webp')).statusCode)
  })
})

describe('the catalog file', () => {
  test('dollars become cents, and what the specification leaves out has its default', () => {
    const surcharge = { amount: 34.99, regions: ['BR', 'JP'], description: 'Oversize.' }
    const [read] = readCatalogFile(
      aFile(
        aFileProduct({
          metadata: { shipping_surcharge: surcharge, restrictions: { blocked_countries: ['CN'], age_restriction: 18 } },
        }),
      ),
    )
    expect(read?.metadata).toEqual({
      shippingSurcharge: { amount: 3499, regions: ['BR', 'JP'], description: 'Oversize.', enabled: true },
      restrictions: { blockedCountries: ['CN'], minimumAge: 18, delayRegions: [] },
    })
  })

  test.each([
    ['no products', aFile()],
    ['one id twice', aFile(aFileProduct(), aFileProduct({ slug: 'other', providerProductId: null }))],
    ['one slug twice', aFile(aFileProduct(), aFileProduct({ id: 2, providerProductId: null }))],
    ['one mapping twice', aFile(aFileProduct(), aFileProduct({ id: 2, slug: 'other' }))],
    ['a picture elsewhere', aFile(aFileProduct({ pictures: [{ ...aPicture, file: '../secret' }] }))],
    ['nonsense', 'products' as never],
  ])('%s is refused whole', async (_, file) => {
    const shop = shopWith([])
    await expect(importCatalog(shop, file)).rejects.toThrow('The catalog file is not right.')
    expect(await database.db.select().from(product)).toEqual([])
  })

  test('a product that leaves the file is hidden, and comes back as it was', async () => {
    const shop = await aHat([aVariant(1)])
    const mug = aFileProduct({ id: 2, slug: 'mug', type: 'mug', providerProductId: null })
    expect(await importCatalog(shop, aFile(mug))).toEqual({ products: 1, hidden: 1 })
    expect(await listProducts(shop.db)).toEqual([])
    await expect(providerDetail(shop.db, 900 as SyncProductId)).rejects.toMatchObject({ code: 'unknown_product' })
    await importCatalog(shop, aFile(mug, aFileProduct()))
    expect((await listProducts(shop.db)).map(({ id }) => Number(id))).toEqual([1])
  })

  test('importing again changes texts, mappings and pictures', async () => {
    const shop = await aHat([aVariant(1)])
    const other = aFileProduct({ id: 2, slug: 'other', providerProductId: 900 })
    await importCatalog(shop, aFile(aFileProduct({ name: 'Cap', providerProductId: null, pictures: [] }), other))
    const rows = await database.db.select().from(product).orderBy(product.id)
    expect(rows).toMatchObject([
      { name: 'Cap', providerProductId: null, syncProductId: 900 },
      { name: 'Hat', providerProductId: 900, syncProductId: null },
    ])
    expect(await database.db.select().from(productPicture).where(eq(productPicture.productId, HAT))).toEqual([])
  })
})

describe('synchronizing', () => {
  test('previews are copied only for products without pictures of ours, and once', async () => {
    const url = 'https://files.example/navy.webp'
    const withPreviews = [
      aVariant(1, { previewUrl: url }),
      aVariant(2, { previewUrl: 'https://files.example/away.webp' }),
    ]
    const shop = shopWith([printerProduct(withPreviews)], { [url]: Buffer.from('RIFF') })
    await importCatalog(shop, aFile(aFileProduct()))
    expect(await syncCatalog(shop, 'owner')).toMatchObject({ pictures: 0 })
    await importCatalog(shop, aFile(aFileProduct({ pictures: [] })))
    expect(await syncCatalog(shop, 'owner')).toMatchObject({ pictures: 1 })
    expect(await syncCatalog(shop, 'owner')).toMatchObject({ pictures: 0 })

    const [copy] = await database.db.select().from(copiedPicture)
    const [shown] = await listProducts(shop.db)
    expect(shown).toMatchObject({ imageUrl: `/pictures/copied/${copy?.file}`, images: [{ color: 'Navy' }] })
    const config = configOf('http://127.0.0.1:1')
    const app = await createApp({ ...shop, database, config }, { find: async () => undefined } as never)
    catalogRoutes(app, { ...shop, config })
    const served = await app.http.inject({ method: 'GET', url: shown?.imageUrl ?? '', headers: { host: '127.0.0.1' } })
    expect(served).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/webp' }, body: 'RIFF' })
  })
})

describe('what a page is told', () => {
  test('prices from and to, the dyes that there are, and pictures in our sizes', async () => {
    await aHat([
      aVariant(1, { unitPrice: cents(2995) }),
      aVariant(2, { unitPrice: cents(3495), color: 'Plum' }),
      aVariant(3, { unitPrice: cents(1000), availability: 'out_of_stock' }),
    ])
    const [hat] = await listProducts(database.db)
    expect(hat).toMatchObject({
      price: 2995,
      priceRange: { from: 2995, to: 3495 },
      variantCount: 3,
      available: true,
      colors: [
        { name: 'Navy', hex: '#1f2a44' },
        { name: 'Plum', hex: null },
      ],
      imageUrl: '/pictures/hat.ivory.abc.640.webp',
    })
    expect(hat?.images[0]?.srcSet).toBe('/pictures/hat.ivory.abc.320.webp 320w, /pictures/hat.ivory.abc.640.webp 640w')
  })

  test('the picture that links are shared with is told, and is none of those that pages show', async () => {
    const size = { widths: [1200], width: 1200, height: 630 }
    const pictures = [...aFileProduct().pictures, { view: 'share', color: null, file: 'share.hat.abc', ...size }]
    await aHat([aVariant(1)], { pictures })
    const [hat] = await listProducts(database.db)
    expect(hat?.shareImage).toBe('/pictures/share.hat.abc.1200.webp')
    expect(hat?.images.map(({ view }) => view)).not.toContain('share')
  })

  test('a product that is sold out has its price still', async () => {
    await aHat([aVariant(1, { availability: 'temporary_out_of_stock' })])
    expect((await listProducts(database.db))[0]).toMatchObject({ price: 2995, available: false })
  })

  test('a product without variants is not listed', async () => {
    await importCatalog(shopWith([]), aFile(aFileProduct()))
    expect(await listProducts(database.db)).toEqual([])
  })

  test('the surcharge is announced only while it is asked', async () => {
    const surcharge = { amount: 34.99, regions: ['BR'], description: 'Oversize.' }
    const shop = await aHat([aVariant(1)], { metadata: { shipping_surcharge: surcharge } })
    const [sentence] = (await listProducts(shop.db))[0]?.disclosures ?? []
    expect(sentence).toBe('Oversize. Each one adds $34.99 to an order going to Brazil.')
    await importCatalog(
      shop,
      aFile(aFileProduct({ metadata: { shipping_surcharge: { ...surcharge, enabled: false } } })),
    )
    expect((await listProducts(shop.db))[0]?.disclosures).toEqual([])
  })

  test('each variant of the partner’s shape has the picture of its color', async () => {
    await aHat([aVariant(1), aVariant(2, { color: 'Ivory' })])
    const { result } = await providerDetail(database.db, 900 as SyncProductId)
    expect(result.sync_variants.map(({ files }) => files[0]?.preview_url)).toEqual([
      '/pictures/hat.navy.abc.640.webp',
      '/pictures/hat.ivory.abc.640.webp',
    ])
  })
})

describe('what a cart may take', () => {
  const id = (number: number) => (5_000_000_000 + number) as VariantId
  const buy = (productId: number, variantId: VariantId | null) =>
    findBuyable(database.db, productId as ProductId, variantId)

  test('the only variant needs no name; of several one must be chosen', async () => {
    await aHat([aVariant(1)])
    expect((await buy(1, null)).variant.id).toBe(id(1))
    await follow(shopWith([printerProduct([aVariant(1), aVariant(2)])]))
    await expect(buy(1, null)).rejects.toMatchObject({ code: 'variant_required' })
    expect((await buy(1, id(2))).product.name).toBe('Hat')
  })

  test('unknown, foreign, gone and sold out are told apart', async () => {
    await aHat([aVariant(1), aVariant(2), aVariant(3, { availability: 'out_of_stock' })])
    await follow(shopWith([printerProduct([aVariant(1), aVariant(3, { availability: 'out_of_stock' })])]))
    await expect(buy(77, null)).rejects.toMatchObject({ code: 'unknown_product' })
    await expect(buy(1, id(99))).rejects.toMatchObject({ code: 'unknown_variant' })
    await expect(buy(1, id(2))).rejects.toMatchObject({ code: 'unknown_variant' })
    await expect(buy(1, id(3))).rejects.toMatchObject({ code: 'sold_out', facts: { product: 'Hat' } })
  })

  test('a quote has its lines in the order asked, at today’s prices', async () => {
    await aHat([aVariant(1), aVariant(2, { color: 'Ivory', size: 'XL', unitPrice: cents(3495) }), aVariant(3)])
    const lines = await linesAtTodaysPrices(database.db, [
      { variantId: id(2), quantity: 3 },
      { variantId: id(1), quantity: 1 },
    ])
    expect(lines).toMatchObject([
      { variantName: 'Ivory / XL', unitPrice: 3495, quantity: 3, imageUrl: '/pictures/hat.ivory.abc.640.webp' },
      { variantName: 'Navy', unitPrice: 2995, quantity: 1, imageUrl: '/pictures/hat.navy.abc.640.webp' },
    ])
    await syncCatalog(shopWith([printerProduct([aVariant(1)])]), 'owner')
    await expect(linesAtTodaysPrices(database.db, [{ variantId: id(2), quantity: 1 }])).rejects.toMatchObject({
      code: 'sold_out',
    })
    await expect(linesAtTodaysPrices(database.db, [{ variantId: id(9), quantity: 1 }])).rejects.toMatchObject({
      code: 'unknown_variant',
    })
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { configWith } from '#sandbox/config.ts'
import { migrateSchema, openDatabase, type Database } from '#server/db/db.ts'
import { product, productPicture } from '#server/catalog/schema.ts'
import { createApp } from '#server/http/app.ts'
import type { SyncProduct } from '#server/providers/printful/client.ts'
import { createPictureProcess } from '#server/pictures/picture-process.ts'
import { readStoredFile } from '#server/pictures/pictures.ts'
import { createPrintful } from '#server/providers/printful/client.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { demoCatalogFile } from '#sandbox/catalog/catalog-file.ts'
import { aFile, aFileProduct, aVariant, HAT, printfulWith, printerProduct } from '#sandbox/catalog/printful-fixtures.ts'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import { startPrintful } from '#sandbox/printful/printful.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { findBuyable, linesAtTodaysPrices, providerDetail } from './catalog.ts'
import { listProducts } from './listing.ts'
import { readCatalogFile, type CatalogFile } from './catalog-file.ts'
import { importCatalog } from './import.ts'
import { catalogRoutes } from './routes.ts'
import { importChangedCatalog } from './catalog-setup.ts'
import { applySync } from './sync-decisions.ts'
import { findLastFullSyncStart } from './sync-store.ts'
import { syncCatalog } from './sync.ts'

const pictureProcess = createPictureProcess({ isQuick: true })
afterAll(() => pictureProcess.stop())
const log = pino({ level: 'silent' })
const clock = { now: () => new Date('2026-11-20T10:00:00Z') }
const configOf = (apiBase: string) => configWith({ PRINTFUL_API_BASE: apiBase })

let database: Database
beforeAll(async () => {
  database = await openDatabase(undefined, 'memory://')
  await migrateSchema(database)
}, 60_000)
afterAll(() => database.close())
beforeEach(() => database.db.execute(sql`truncate product, catalog_revision, picture, setting, catalog_sync cascade`))

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const aPicture = { view: 'front', color: null, file: 'hat', widths: [640], width: 640, height: 640 }

function shopWith(products: SyncProduct[], pictures: Record<string, Buffer> = {}) {
  const config = configOf('http://127.0.0.1:1')
  return { db: database.db, clock, log, config, printful: printfulWith({ products, pictures }), pictureProcess }
}

/** A shop with one hat. */
async function aHat(variants: SyncProduct['variants'], more: Partial<CatalogFile['products'][number]> = {}) {
  const shop = shopWith([printerProduct(variants)])
  await importCatalog(shop, aFile(aFileProduct(more)))
  await syncCatalog(shop, 'owner')
  return shop
}

/** Syncs and applies all changes. */
async function follow(shop: ReturnType<typeof shopWith>) {
  const { sync } = await syncCatalog(shop, 'owner')
  await applySync(shop, sync, COMMAND, { accepted: true })
}

describe('the demo catalog', () => {
  async function theDemoShop() {
    const kit = openKit({ speed: 0, log: () => {} })
    const printer = await startPrintful(kit, {
      port: 0,
      token: 'secret',
      storeId: 7,
      products: seedProducts(demoProducts),
    })
    closing.push(
      () => printer.close(),
      () => kit.close(),
    )
    const config = configOf(printer.url)
    const shop = {
      db: database.db,
      clock,
      log,
      config,
      printful: createPrintful({ config, log, clock }),
      pictureProcess,
    }
    const folder = mkdtempSync(join(tmpdir(), 'catalog-'))
    closing.push(async () => rmSync(folder, { recursive: true }))
    const path = join(folder, 'catalog.json')
    writeFileSync(path, JSON.stringify(demoCatalogFile()))
    await importChangedCatalog(shop, path)
    const app = await createApp({ ...shop, database, config }, { find: async () => undefined } as never)
    catalogRoutes(app, { ...shop, config }, () => Promise.resolve())
    const get = (url: string) => app.http.inject({ method: 'GET', url, headers: { host: '127.0.0.1' } })
    return { shop, printer, get, path }
  }

  test('the shop lists 36 products in order, each with a price and variants', async () => {
    const { get } = await theDemoShop()
    const answer = await get('/api/products')
    expect(answer.statusCode).toBe(200)
    const products = answer.json<{ type: string; price: number; variantCount: number; requiresOptions: boolean }[]>()
    expect(products).toHaveLength(36)
    expect(products[0]).toMatchObject({ type: 'vented-hat', price: 3695 })
    expect(products.filter(({ requiresOptions }) => requiresOptions)).toHaveLength(7)
    expect(products.every(({ price, variantCount }) => price > 0 && variantCount > 0)).toBe(true)
  })

  test('provider details come from our own copy, and only for mapped products', async () => {
    const { get } = await theDemoShop()
    const answer = await get('/api/printful/products/371204815')
    expect(answer.json()).toMatchObject({
      result: {
        sync_product: { id: 371204815 },
        sync_variants: [{ retail_price: '36.95', color: 'Charcoal with Black' }, {}, {}, {}, {}],
      },
    })
    const unmapped = demoProducts.find(({ mapped }) => !mapped)
    for (const id of [unmapped?.syncProductId, 1, 'abc', '0x1'])
      expect(await get(`/api/printful/products/${id}`)).toMatchObject({ statusCode: 404 })
  })

  test('an unchanged catalog file is not imported again, and the printer’s new price waits for the owner', async () => {
    const { shop, printer, path } = await theDemoShop()
    await printer.change({ change: 'price', sync_product_id: 371204815, retail_price: '40.00' })
    await importChangedCatalog(shop, path)
    const priceOfHat = async () => (await listProducts(shop.db)).products.find(({ id }) => Number(id) === 1)?.price
    const { sync, waiting } = await syncCatalog(shop, 'owner')
    expect(waiting).toBe(5)
    expect(await priceOfHat()).toBe(3695)
    await applySync(shop, sync, COMMAND, { accepted: true })
    expect(await priceOfHat()).toBe(4000)
  })

  test('an outage of the printer stops neither sales nor a first start; a printer without our products stops the start', async () => {
    const { shop, path } = await theDemoShop()
    const printful = { ...shop.printful, getProduct: () => Promise.reject(new ProviderUnavailable('printful', 'away')) }
    const [first, ...others] = demoCatalogFile().products
    writeFileSync(path, JSON.stringify({ products: others }))
    await importChangedCatalog({ ...shop, printful }, path)
    expect((await listProducts(shop.db)).products.some(({ id }) => Number(id) === first?.id)).toBe(false)
    await database.db.execute(sql`truncate product, catalog_revision, setting, catalog_sync cascade`)
    await importChangedCatalog({ ...shop, printful }, path)
    expect(await findLastFullSyncStart(shop.db)).toBeUndefined()
    await importChangedCatalog(shop, path)
    expect(await findLastFullSyncStart(shop.db)).toBeDefined()
    expect((await listProducts(shop.db)).products).toHaveLength(35)

    await database.db.execute(sql`truncate product, catalog_revision, setting cascade`)
    await expect(importChangedCatalog(shopWith([]), path)).rejects.toThrow('nothing to sell')
  })

  test('the error names a catalog file that cannot be read', async () => {
    await expect(importChangedCatalog(shopWith([]), '/nowhere.json')).rejects.toThrow(
      '/nowhere.json (CATALOGUE_FILE) cannot be read',
    )
  })

  test('an unknown picture answers 404', async () => {
    const { get } = await theDemoShop()
    expect((await get('/pictures/x.640.webp')).statusCode).toBe(404)
    expect([302, 404]).toContain((await get('/pictures/default.webp')).statusCode)
  })
})

describe('the catalog file', () => {
  test('amounts in dollars become cents, and missing fields get their defaults', async () => {
    const surcharge = { amount: 34.99, regions: ['BR', 'JP'], description: 'Oversize.' }
    const {
      products: [read],
    } = await readCatalogFile(
      aFile(
        aFileProduct({
          metadata: { shipping_surcharge: surcharge, restrictions: { blocked_countries: ['CN'], age_restriction: 18 } },
        }),
      ),
    )
    expect(read?.content.metadata).toEqual({
      shippingSurcharge: { amount: 3499, regions: ['BR', 'JP'], description: 'Oversize.', enabled: true },
      restrictions: { blockedCountries: ['CN'], minimumAge: 18, delayRegions: [] },
    })
  })

  test.each([
    ['no products', aFile()],
    ['a duplicate id', aFile(aFileProduct(), aFileProduct({ slug: 'other', providerProductId: null }))],
    ['a duplicate slug', aFile(aFileProduct(), aFileProduct({ id: 2, providerProductId: null }))],
    ['a duplicate mapping', aFile(aFileProduct(), aFileProduct({ id: 2, slug: 'other' }))],
    ['a picture outside its folder', aFile(aFileProduct({ pictures: [{ ...aPicture, file: '../secret' }] }))],
    ['nonsense', 'products' as never],
  ])('a catalog file with %s is refused as a whole', async (_, file) => {
    const shop = shopWith([])
    await expect(importCatalog(shop, file)).rejects.toThrow('The catalog file has mistakes.')
    expect(await database.db.select().from(product)).toEqual([])
  })

  test('a product removed from the catalog file retires, and comes back unchanged', async () => {
    const shop = await aHat([aVariant(1)])
    const mug = aFileProduct({ id: 2, slug: 'mug', type: 'mug', providerProductId: null })
    expect(await importCatalog(shop, aFile(mug))).toEqual({ products: 1, retired: 1 })
    expect((await listProducts(shop.db)).products).toEqual([])
    await expect(providerDetail(shop.db, 900 as SyncProductId)).rejects.toMatchObject({ code: 'unknown_product' })
    await importCatalog(shop, aFile(mug, aFileProduct()))
    expect((await listProducts(shop.db)).products.map(({ id }) => Number(id))).toEqual([1])
  })

  test('importing again updates texts, mappings and pictures', async () => {
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

describe('syncing', () => {
  test('preview pictures are copied once, and only for products without our own pictures', async () => {
    const url = 'https://files.example/navy.webp'
    const withPreviews = [
      aVariant(1, { previewUrl: url }),
      aVariant(2, { previewUrl: 'https://files.example/away.webp' }),
    ]
    const mockup = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#1f2a44' } })
      .jpeg()
      .toBuffer()
    const shop = shopWith([printerProduct(withPreviews)], { [url]: mockup })
    await importCatalog(shop, aFile(aFileProduct()))
    expect(await syncCatalog(shop, 'owner')).toMatchObject({ pictures: 0 })
    await importCatalog(shop, aFile(aFileProduct({ pictures: [] })))
    expect(await syncCatalog(shop, 'owner')).toMatchObject({ pictures: 1 })
    expect(await syncCatalog(shop, 'owner')).toMatchObject({ pictures: 0 })

    const [listed] = (await listProducts(shop.db)).products
    const [picture] = listed?.images ?? []
    expect(picture).toMatchObject({ color: 'Navy', width: 960, height: 960, avif: true })
    for (const width of [960, 640, 320])
      for (const format of ['webp', 'avif']) {
        const name = picture?.src.replace('/pictures/', '').replace('.960.webp', `.${width}.${format}`)
        const file = await readStoredFile(shop.db, name ?? '')
        expect(await sharp(file?.body).metadata()).toMatchObject({ width, height: width })
      }
  })
})

describe('a product on a page', () => {
  test('a product shows its price range, available colors and pictures in all sizes', async () => {
    await aHat([
      aVariant(1, { unitPrice: cents(2995) }),
      aVariant(2, { unitPrice: cents(3495), color: 'Plum' }),
      aVariant(3, { unitPrice: cents(1000), availability: 'out_of_stock' }),
    ])
    const [hat] = (await listProducts(database.db)).products
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

  test('a product has a picture for shared links that its page does not show', async () => {
    const size = { widths: [1200], width: 1200, height: 630 }
    const pictures = [
      ...(aFileProduct().pictures ?? []),
      { view: 'share', color: null, file: 'share.hat.abc', ...size },
    ]
    await aHat([aVariant(1)], { pictures })
    const [hat] = (await listProducts(database.db)).products
    expect(hat?.shareImage).toBe('/pictures/share.hat.abc.1200.webp')
    expect(hat?.images.map(({ view }) => view)).not.toContain('share')
  })

  test('a sold-out product still shows its price', async () => {
    await aHat([aVariant(1, { availability: 'temporary_out_of_stock' })])
    expect((await listProducts(database.db)).products[0]).toMatchObject({ price: 2995, available: false })
  })

  test('a product without variants is not listed', async () => {
    await importCatalog(shopWith([]), aFile(aFileProduct()))
    expect((await listProducts(database.db)).products).toEqual([])
  })

  test('a surcharge is disclosed only while it is charged', async () => {
    const surcharge = { amount: 34.99, regions: ['BR'], description: 'Oversize.' }
    const shop = await aHat([aVariant(1)], { metadata: { shipping_surcharge: surcharge } })
    const [sentence] = (await listProducts(shop.db)).products[0]?.disclosures ?? []
    expect(sentence).toBe('Oversize. Each one adds $34.99 to an order going to Brazil.')
    await importCatalog(
      shop,
      aFile(aFileProduct({ metadata: { shipping_surcharge: { ...surcharge, enabled: false } } })),
    )
    expect((await listProducts(shop.db)).products[0]?.disclosures).toEqual([])
  })

  test('each variant in the provider details has the picture of its color', async () => {
    await aHat([aVariant(1), aVariant(2, { color: 'Ivory' })])
    const { result } = await providerDetail(database.db, 900 as SyncProductId)
    expect(result.sync_variants.map(({ files }) => files[0]?.preview_url)).toEqual([
      '/pictures/hat.navy.abc.640.webp',
      '/pictures/hat.ivory.abc.640.webp',
    ])
  })
})

describe('buying a variant', () => {
  const id = (number: number) => (5_000_000_000 + number) as VariantId
  const buy = (productId: number, variantId: VariantId | null) =>
    findBuyable(database.db, productId as ProductId, variantId)

  test('a product’s only variant needs no choice; with several, the shopper must choose', async () => {
    await aHat([aVariant(1)])
    expect((await buy(1, null)).variant.id).toBe(id(1))
    await follow(shopWith([printerProduct([aVariant(1), aVariant(2)])]))
    await expect(buy(1, null)).rejects.toMatchObject({ code: 'variant_required' })
    expect((await buy(1, id(2))).product.name).toBe('Hat')
  })

  test('unknown products, unknown or discontinued variants and sold-out ones get different refusals', async () => {
    await aHat([aVariant(1), aVariant(2), aVariant(3, { availability: 'out_of_stock' })])
    await follow(shopWith([printerProduct([aVariant(1), aVariant(3, { availability: 'out_of_stock' })])]))
    await expect(buy(77, null)).rejects.toMatchObject({ code: 'unknown_product' })
    await expect(buy(1, id(99))).rejects.toMatchObject({ code: 'unknown_variant' })
    await expect(buy(1, id(2))).rejects.toMatchObject({ code: 'unknown_variant' })
    await expect(buy(1, id(3))).rejects.toMatchObject({ code: 'sold_out', facts: { product: 'Hat' } })
  })

  test('a quote keeps the order of its lines and uses today’s prices', async () => {
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

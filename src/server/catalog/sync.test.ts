import { asc, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProductId, SyncProductId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { configWith } from '#sandbox/config.ts'
import { migrateSchema, openDatabase, type Database } from '#server/db/db.ts'
import { catalogChange, catalogSync, product, variant } from '#server/catalog/schema.ts'
import type { JobQueue } from '#server/jobs/jobs.ts'
import type { Printful, SyncProduct } from '#server/providers/printful/client.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import {
  aFile,
  aFileProduct,
  aVariant,
  HAT,
  printfulWith,
  printerProduct,
  variantId,
} from '#sandbox/catalog/printful-fixtures.ts'
import { findBuyable } from './catalog.ts'
import { listProducts } from './listing.ts'
import { applySync, listSyncSummaries, listUndecidedSyncs, revertSync, showSync } from './sync-decisions.ts'
import { createPictureProcess } from '#server/pictures/picture-process.ts'
import { importCatalog } from './import.ts'
import { syncByOwner } from './owner-sync.ts'
import { syncBySchedule } from './jobs.ts'
import { syncCatalog, syncProducts } from './sync.ts'
import { catalogHintOf, followCatalogEvent } from './webhooks.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(undefined, 'memory://')
  await migrateSchema(database)
}, 60_000)
afterAll(() => database.close())
beforeEach(() => database.db.execute(sql`truncate product, catalog_revision, picture, catalog_sync cascade`))

const log = pino({ level: 'silent' })
const pictureProcess = createPictureProcess({ isQuick: true })
afterAll(() => pictureProcess.stop())
let now = new Date('2026-11-20T10:00:00Z').getTime()
const clock = { now: () => new Date(now) }
const shopAt = (printful: Printful, settings?: Record<string, string>) => ({
  db: database.db,
  clock,
  log,
  config: configWith(settings),
  printful,
  pictureProcess,
})

const costs = new Map([[101, cents(1200)]])

/** These tests must not send any email. */
const noJobs = { enqueue: () => Promise.reject(new Error('unexpected job')) } as unknown as JobQueue

/** A shop whose printer has these variants. */
const withVariants = (...variants: SyncProduct['variants']) =>
  shopAt(printfulWith({ products: [printerProduct(variants)], costs }))

/** A shop with a hat in two variants. */
async function aHat(...variants: SyncProduct['variants']) {
  const shop = withVariants(...(variants.length ? variants : [aVariant(1), aVariant(2)]))
  await importCatalog(shop, aFile(aFileProduct()))
  await syncCatalog(shop, 'import')
  return shop
}

/** Four products, `a` to `d`, with a variant each. */
const four = ['a', 'b', 'c', 'd'].map((slug, index) =>
  printerProduct([aVariant(index)], { externalId: slug, id: (900 + index) as SyncProductId }),
)
async function fourProducts() {
  const shop = shopAt(printfulWith({ products: four }))
  await importCatalog(
    shop,
    aFile(
      ...four.map(({ externalId }, index) =>
        aFileProduct({ id: index + 1, slug: externalId ?? '', providerProductId: null }),
      ),
    ),
  )
  await syncCatalog(shop, 'import')
  return shop
}

const rows = () => database.db.select().from(variant).orderBy(asc(variant.id))
const gone = async () => (await rows()).flatMap(({ id, goneAt }) => (goneAt ? [id - 5_000_000_000] : []))
/** Availability of each variant, by its number. */
const stock = async () =>
  Object.fromEntries((await rows()).map(({ id, availability }) => [id - 5_000_000_000, availability]))
const priceOfHat = async () => (await listProducts(database.db)).products[0]?.price
const changes = async () =>
  (await database.db.select().from(catalogChange).orderBy(asc(catalogChange.id))).map(
    ({ kind, state, variantId: id }) => `${id - 5_000_000_000} ${kind} ${state}`,
  )
const buy = (number: number) => findBuyable(database.db, HAT, variantId(number))

describe('changes that are applied without asking', () => {
  test('the first sync copies everything and records no changes', async () => {
    const shop = await aHat()
    expect(await rows()).toMatchObject([{ costCents: 1200, blankId: 71 }, { costCents: null }])
    expect(await changes()).toEqual([])
    expect(await syncCatalog(shop, 'owner')).toMatchObject({ applied: 0, waiting: 0, products: 1, variants: 2 })
    expect(await changes()).toEqual([])
  })

  test('the variants of a product new in the catalog file are applied', async () => {
    const shop = await aHat()
    await importCatalog(shop, aFile(aFileProduct(), aFileProduct({ id: 2, slug: 'cap', providerProductId: null })))
    const cap = printerProduct([aVariant(7)], { externalId: 'cap', id: 901 as SyncProductId })
    const products = [printerProduct([aVariant(1), aVariant(2)]), cap]
    expect(await syncCatalog(shopAt(printfulWith({ products, costs })), 'import')).toMatchObject({
      applied: 1,
      waiting: 0,
    })
    expect((await listProducts(database.db)).products).toHaveLength(2)
  })

  test.each(['out_of_stock', 'temporary_out_of_stock', 'discontinued', 'whatever comes next'])(
    'a variant that is %s cannot be bought until the printer has it again',
    async (availability) => {
      const shop = await aHat()
      await syncCatalog(withVariants(aVariant(1, { availability }), aVariant(2)), 'owner')
      await expect(buy(1)).rejects.toMatchObject({ code: 'sold_out' })
      await syncCatalog(shop, 'owner')
      expect((await buy(1)).variant.availability).toBe('active')
    },
  )

  test('costs, positions and the printer’s ids, which shoppers do not see, are applied', async () => {
    await aHat()
    const moved = printfulWith({
      products: [printerProduct([aVariant(2, { sku: 'X' }), aVariant(1, { blankId: 72 })])],
      costs: new Map([[101, cents(1300)]]),
    })
    expect(await syncCatalog(shopAt(moved), 'owner')).toMatchObject({ applied: 3, waiting: 0 })
    expect(await rows()).toMatchObject([
      { position: 1, blankId: 72, costCents: 1300 },
      { position: 0, sku: 'X' },
    ])
  })
})

describe('changes that wait for the owner', () => {
  test.each<[string, SyncProduct['variants'], object]>([
    ['a price', [aVariant(1, { unitPrice: cents(3100) }), aVariant(2)], { unitPrice: 2995 }],
    ['a picture', [aVariant(1, { previewUrl: 'https://files.example/x.webp' }), aVariant(2)], { previewUrl: null }],
    ['a name', [aVariant(1, { name: 'Cap', color: 'Plum' }), aVariant(2)], { name: 'Hat 1', color: 'Navy' }],
    ['a different blank', [aVariant(1, { catalogVariantId: 999 }), aVariant(2)], { catalogVariantId: 101 }],
  ])('%s changes only after the owner applies it, and can be reverted', async (_, variants, before) => {
    await aHat()
    const shop = withVariants(...variants)
    const { sync, waiting } = await syncCatalog(shop, 'schedule')
    expect(waiting).toBe(1)
    const [first] = await rows()
    expect(first).toMatchObject(before)

    await applySync(shop, sync, COMMAND, { accepted: true })
    const [after] = await rows()
    expect(after).not.toMatchObject(before)
    await revertSync(shop, sync, COMMAND)
    const [reverted] = await rows()
    expect({ ...reverted, updatedAt: 0 }).toEqual({ ...first, updatedAt: 0 })
  })

  test('a new variant is on sale only after the owner applies it', async () => {
    await aHat()
    const shop = withVariants(aVariant(1), aVariant(2), aVariant(3))
    const { sync } = await syncCatalog(shop, 'schedule')
    await expect(buy(3)).rejects.toMatchObject({ code: 'unknown_variant' })
    await applySync(shop, sync, COMMAND, { accepted: true })
    expect((await buy(3)).variant.name).toBe('Hat 3')
    await revertSync(shop, sync, COMMAND)
    await expect(buy(3)).rejects.toMatchObject({ code: 'unknown_variant' })
    expect((await syncCatalog(shop, 'schedule')).waiting).toBe(0)
  })

  test('a variant that the printer dropped is sold out, and listed until the owner applies its removal', async () => {
    await aHat()
    const shop = withVariants(aVariant(1))
    const { sync } = await syncCatalog(shop, 'schedule')
    expect(await changes()).toEqual(['2 discontinued applied', '2 gone waiting'])
    await expect(buy(2)).rejects.toMatchObject({ code: 'sold_out' })
    expect((await listProducts(database.db)).products[0]).toMatchObject({ variantCount: 2 })
    await applySync(shop, sync, COMMAND, { accepted: true })
    expect(await gone()).toEqual([2])
    expect((await listProducts(database.db)).products[0]).toMatchObject({ variantCount: 1 })
    await revertSync(shop, sync, COMMAND)
    expect(await gone()).toEqual([])
    expect((await buy(2)).variant.id).toBe(variantId(2))
  })

  test('a dropped variant that returns to the printer is on sale again without the owner', async () => {
    const whole = await aHat()
    await syncCatalog(withVariants(aVariant(1)), 'schedule')
    await syncCatalog(whole, 'schedule')
    expect(await stock()).toEqual({ 1: 'active', 2: 'active' })
    expect(await changes()).toEqual(['2 discontinued applied', '2 gone superseded', '2 back_in_stock applied'])
  })

  test('a change waits only once, however often the shop syncs; a newer value replaces it', async () => {
    await aHat()
    const dearer = withVariants(aVariant(1, { unitPrice: cents(3100) }), aVariant(2))
    const first = await syncCatalog(dearer, 'schedule')
    expect(await syncCatalog(dearer, 'schedule')).toMatchObject({ waiting: 0, applied: 0 })
    expect(await listUndecidedSyncs(database.db)).toEqual([{ sync: first.sync, waiting: 1 }])

    const again = withVariants(aVariant(1, { unitPrice: cents(3200) }), aVariant(2))
    const second = await syncCatalog(again, 'schedule')
    expect(await listUndecidedSyncs(database.db)).toEqual([{ sync: second.sync, waiting: 1 }])
    await expect(applySync(again, first.sync, COMMAND, { accepted: true })).rejects.toThrow(
      'has nothing left to apply or revert',
    )
    await applySync(again, second.sync, COMMAND, { accepted: true })
    expect((await rows())[0]?.unitPrice).toBe(3200)
  })

  test('with SYNC_APPLIES=everything no change waits for the owner', async () => {
    await aHat()
    const products = [printerProduct([aVariant(1, { unitPrice: cents(3100) })])]
    const shop = shopAt(printfulWith({ products, costs }), { SYNC_APPLIES: 'everything' })
    expect(await syncCatalog(shop, 'schedule')).toMatchObject({ applied: 3, waiting: 0 })
    expect(await priceOfHat()).toBe(3100)
    expect(await gone()).toEqual([2])
  })

  test('a price change shows its effect on the margin if the cost is known', async () => {
    await aHat()
    const shop = withVariants(aVariant(1, { unitPrice: cents(2495) }), aVariant(2, { unitPrice: cents(2495) }))
    const { sync } = await syncCatalog(shop, 'schedule')
    const { changes: waiting } = await showSync(database.db, sync)
    expect(waiting).toEqual([
      {
        id: expect.any(Number),
        state: 'waiting',
        change: 'price',
        product: 'hat',
        variant: 'Hat 1',
        variantId: 5_000_000_001,
        from: '$29.95',
        to: '$24.95',
        margin: '$8.35 -> $4.11',
        isLoss: false,
      },
      expect.not.objectContaining({ margin: expect.anything() }),
    ])
  })
})

test('a price below cost is marked', async () => {
  await aHat()
  const { sync } = await syncCatalog(withVariants(aVariant(1, { unitPrice: cents(900) }), aVariant(2)), 'schedule')
  expect((await showSync(database.db, sync)).changes).toMatchObject([{ change: 'price', to: '$9.00', isLoss: true }])
})

describe('reverting', () => {
  test('a reverted availability stays until the printer sends a different one', async () => {
    const whole = await aHat()
    const soldOut = withVariants(aVariant(1, { availability: 'out_of_stock' }), aVariant(2))
    const { sync } = await syncCatalog(soldOut, 'schedule')
    await revertSync(soldOut, sync, COMMAND)
    expect(await stock()).toEqual({ 1: 'active', 2: 'active' })
    expect(await syncCatalog(soldOut, 'schedule')).toMatchObject({ applied: 0 })
    expect(await stock()).toEqual({ 1: 'active', 2: 'active' })

    await syncCatalog(whole, 'schedule')
    const discontinued = withVariants(aVariant(1, { availability: 'discontinued' }), aVariant(2))
    await syncCatalog(discontinued, 'schedule')
    expect(await stock()).toEqual({ 1: 'discontinued', 2: 'active' })
  })

  test('a declined change can still be applied', async () => {
    await aHat()
    const shop = withVariants(aVariant(1, { unitPrice: cents(3100) }), aVariant(2))
    const { sync } = await syncCatalog(shop, 'schedule')
    await revertSync(shop, sync, COMMAND)
    expect(await changes()).toEqual(['1 price declined'])
    expect(await syncCatalog(shop, 'schedule')).toMatchObject({ waiting: 0 })
    await applySync(shop, sync, COMMAND, { accepted: true })
    expect((await rows())[0]?.unitPrice).toBe(3100)
  })

  test('reverting skips and reports variants that have changed in the meantime', async () => {
    await aHat()
    const first = withVariants(aVariant(1, { unitPrice: cents(3100), availability: 'out_of_stock' }), aVariant(2))
    const { sync } = await syncCatalog(first, 'schedule')
    await applySync(first, sync, COMMAND, { accepted: true })
    await syncCatalog(withVariants(aVariant(1, { unitPrice: cents(3100) }), aVariant(2)), 'schedule')
    const { done, left } = await revertSync(first, sync, COMMAND)
    expect(done).toMatchObject([{ change: 'price' }])
    expect(left).toMatchObject([{ change: 'sold out' }])
    expect((await rows())[0]).toMatchObject({ unitPrice: 2995, availability: 'active' })
    await expect(revertSync(first, sync, COMMAND)).rejects.toThrow('have changed in the meantime')
  })

  test('the sync command explains wrong arguments and failures', async () => {
    const shop = await aHat()
    const refused = (...args: string[]) => expect(syncByOwner(shop, args)).rejects
    await refused('--apply').toThrow('Usage: ')
    await refused('--apply', 'one').toThrow('Usage: ')
    await refused('--apply', '1', '2').toThrow('Usage: ')
    await refused('--forget', '1').toThrow('Usage: ')
    await refused('--show', '999999').toThrow('There is no sync 999999.')
    const done = (await syncByOwner(shop, [])) as { sync: number; changes: unknown[]; waitingInAll: unknown[] }
    expect(done).toMatchObject({ state: 'done', changes: [], waitingInAll: [] })
    await refused('--apply', String(done.sync)).toThrow('Nothing was done')
    expect(await syncByOwner(shop, ['--show', String(done.sync)])).toMatchObject({ trigger: 'owner', state: 'done' })
    expect(await syncByOwner(shop, ['--list'])).toMatchObject([{ id: done.sync }, { trigger: 'import' }])
    const away = { ...shop.printful, listProducts: () => failing() }
    await expect(syncByOwner({ ...shop, printful: away }, [])).rejects.toThrow('the printer gave no usable answer')
    await expect(syncByOwner(shopAt(printfulWith({ products: [] })), [])).rejects.toThrow('nothing was compared')
  })
})

async function* failing(): AsyncGenerator<never> {
  yield* []
  throw new ProviderUnavailable('printful', new Error('away'))
}

describe('bad answers of the printer', () => {
  /** The whole catalog, as shoppers and the database see it. */
  const everything = async () => ({
    shown: await listProducts(database.db),
    rows: (await rows()).map(({ updatedAt: _at, ...row }) => row),
  })

  const half = { ...four[0], variants: [], variantCount: 2 } as SyncProduct
  const recorded: [string, () => Printful][] = [
    ['an empty list', () => printfulWith({ products: four, listed: [] })],
    ['a different store', () => printfulWith({ products: [printerProduct([aVariant(1)], { externalId: 'sofa' })] })],
    ['less than half of the list', () => printfulWith({ products: four, listed: four.slice(0, 1) })],
    [
      'a page missing in the middle',
      () => printfulWith({ products: four, listed: [four[0], four[3]] as SyncProduct[] }),
    ],
    ['a list that ends early', () => ({ ...printfulWith({ products: four }), listProducts: () => failing() })],
    [
      'products without variants',
      () => printfulWith({ products: four.map((one) => ({ ...one, variants: [], variantCount: 0 })) }),
    ],
    ['a product with fewer variants than it counts', () => printfulWith({ products: [half, ...four.slice(1)] })],
    [
      'variants without prices',
      () =>
        printfulWith({
          products: four.map((one) => ({ ...one, variants: one.variants.map((two) => ({ ...two, unitPrice: null })) })),
        }),
    ],
    [
      'variants without blanks',
      () =>
        printfulWith({
          products: four.map((one) => ({
            ...one,
            variants: one.variants.map((two) => ({ ...two, catalogVariantId: null })),
          })),
        }),
    ],
    ['a list whose products are not found', () => printfulWith({ products: [], listed: four })],
    [
      'products with other external ids',
      () => ({ ...printfulWith({ products: four }), getProduct: () => Promise.resolve(printerProduct([aVariant(9)])) }),
    ],
    [
      'a refusal of every request',
      () => ({
        ...printfulWith({ products: four }),
        getProduct: () => Promise.reject(new ProviderRefusal('printful', 'No', 'Forbidden')),
      }),
    ],
    [
      'no answer to any request',
      () => ({
        ...printfulWith({ products: four }),
        getProduct: () => Promise.reject(new ProviderUnavailable('printful', 'away')),
      }),
    ],
  ]

  test.each(recorded)('%s changes nothing in the catalog', async (_, answering) => {
    await fourProducts()
    const before = await everything()
    await syncCatalog(shopAt(answering()), 'schedule').catch((error: unknown) =>
      expect(error).toBeInstanceOf(ProviderUnavailable),
    )
    expect(await everything()).toEqual(before)
    expect(await changes()).toEqual([])
  })

  test('a series of bad answers changes nothing, and every sync reports why', async () => {
    const shop = await fourProducts()
    const before = await everything()
    for (const [, answering] of recorded)
      await syncCatalog(shopAt(answering(), { SYNC_APPLIES: 'everything' }), 'schedule').catch(() => {})
    expect(await everything()).toEqual(before)
    const isExplained = (await listSyncSummaries(database.db, recorded.length)).map(
      ({ state, remarks }) => state === 'failed' || remarks.length > 0,
    )
    expect(isExplained).toEqual(recorded.map(() => true))
    expect(await syncCatalog(shop, 'schedule')).toMatchObject({ applied: 0, waiting: 0, products: 4, remarks: [] })
  })

  test('a product that disappeared from the printer is sold out, and listed until the owner applies its removal', async () => {
    await fourProducts()
    const shop = shopAt(printfulWith({ products: four.slice(0, 3) }))
    const { sync } = await syncCatalog(shop, 'schedule')
    expect(await changes()).toEqual(['3 discontinued applied', '3 gone waiting'])
    expect((await listProducts(database.db)).products).toHaveLength(4)
    await applySync(shop, sync, COMMAND, { accepted: true })
    expect(await gone()).toEqual([3])
    expect((await listProducts(database.db)).products).toHaveLength(3)
    await revertSync(shop, sync, COMMAND)
    expect((await listProducts(database.db)).products).toHaveLength(4)
  })

  test('a product without an answer is tried twice and does not hold up the others', async () => {
    await fourProducts()
    const products = four.map((one) => ({
      ...one,
      variants: one.variants.map((two) => ({ ...two, availability: 'out_of_stock' })),
    }))
    const whole = printfulWith({ products })
    let tries = 0
    const printful: Printful = {
      ...whole,
      getProduct: (id) => {
        if (id !== 901) return whole.getProduct(id)
        tries += 1
        return Promise.reject(new ProviderUnavailable('printful', new Error('away')))
      },
    }
    const report = await syncCatalog(shopAt(printful), 'schedule')
    expect(report).toMatchObject({
      products: 3,
      applied: 3,
      remarks: [expect.stringContaining('b: the printer gave no answer')],
    })
    expect(tries).toBe(2)
    expect(await stock()).toMatchObject({ 0: 'out_of_stock', 1: 'active' })
  })

  test('a sync reports the printer’s products that the catalog file does not have', async () => {
    await aHat()
    const products = [
      printerProduct([aVariant(1), aVariant(2)]),
      printerProduct([aVariant(9)], { externalId: 'sofa', id: 7 as SyncProductId }),
    ]
    const { remarks } = await syncCatalog(shopAt(printfulWith({ products, costs })), 'schedule')
    expect(remarks).toEqual(['Not in the shop (1): sofa'])
  })

  test('a late answer does not overwrite the result of a newer sync', async () => {
    const shop = await aHat()
    const soldOut = withVariants(aVariant(1, { availability: 'out_of_stock' }), aVariant(2))
    const late: Printful = {
      ...shop.printful,
      async getProduct(id) {
        const answer = await shop.printful.getProduct(id)
        now += 1000
        await syncCatalog(soldOut, 'owner')
        return answer
      },
    }
    await syncCatalog({ ...shop, printful: late }, 'schedule')
    expect(await stock()).toEqual({ 1: 'out_of_stock', 2: 'active' })
  })
})

describe('events from the printer', () => {
  const known = { id: HAT, slug: 'hat', syncProductId: 900 as SyncProductId }

  test.each([
    [{ type: 'product_updated', data: { sync_product: { id: 900, name: 'x' } } }, { syncProductId: 900 }],
    [{ type: 'product_synced', data: { sync_product: { id: 900 } } }, { syncProductId: 900 }],
    [{ type: 'product_deleted', data: { sync_product: { id: 900 } } }, { syncProductId: 900 }],
    [
      { type: 'stock_updated', data: { product_id: 71, variant_stock: { out: [101], discontinued: [102] } } },
      { blankId: 71, out: [101], discontinued: [102] },
    ],
    [
      { type: 'stock_updated', data: { product_id: 71 } },
      { blankId: 71, out: [], discontinued: [] },
    ],
    [{ type: 'product_updated', data: {} }, undefined],
    [{ type: 'product_updated', data: { sync_product: { id: '900; drop' } } }, undefined],
    [{ type: 'stock_updated', data: { product_id: -1 } }, undefined],
    [{ type: 'order_updated', data: { sync_product: { id: 900 } } }, undefined],
    [null, undefined],
  ])('the event %j leads to %j', (body, hint) => expect(catalogHintOf(body)).toEqual(hint))

  test('an event about a product syncs only that product', async () => {
    await aHat()
    const shop = withVariants(aVariant(1, { availability: 'discontinued' }), aVariant(2))
    const printful = { ...shop.printful, listProducts: () => failing() }
    expect(await followCatalogEvent({ ...shop, printful }, { syncProductId: 900 })).toMatch(/^synchronization \d+$/)
    expect(await stock()).toEqual({ 1: 'discontinued', 2: 'active' })
    const [last] = await listSyncSummaries(database.db, 1)
    expect(last).toMatchObject({ trigger: 'event', whole: false })
  })

  test('a stock event syncs only variants that differ, and only the printer’s own answer counts', async () => {
    const shop = await aHat()
    const hint = (out: number[]) => ({ blankId: 71, out, discontinued: [] })
    expect(await followCatalogEvent(shop, hint([]))).toBe('none of our products')
    expect(await followCatalogEvent(shop, hint([999]))).toBe('none of our products')
    expect(await followCatalogEvent(shop, { ...hint([101]), blankId: 72 })).toBe('none of our products')
    // The event is wrong: the printer still has the variant.
    await followCatalogEvent(shop, hint([101]))
    expect(await stock()).toEqual({ 1: 'active', 2: 'active' })

    await followCatalogEvent(withVariants(aVariant(1, { availability: 'out_of_stock' }), aVariant(2)), hint([101]))
    expect(await stock()).toEqual({ 1: 'out_of_stock', 2: 'active' })
    expect(await followCatalogEvent(shop, hint([101]))).toBe('none of our products')
    await followCatalogEvent(shop, hint([]))
    expect(await stock()).toEqual({ 1: 'active', 2: 'active' })
  })

  test('a new product is matched by its external id, and unknown products are ignored', async () => {
    const shop = shopAt(printfulWith({ products: [printerProduct([aVariant(1)])], costs }))
    await importCatalog(shop, aFile(aFileProduct()))
    expect(await followCatalogEvent(shop, { syncProductId: 900 })).toMatch(/^synchronization/)
    expect(await database.db.select().from(product)).toMatchObject([{ syncProductId: 900 }])
    expect(await followCatalogEvent(shop, { syncProductId: 7 })).toBe('none of our products')
  })

  test('a product deleted at the printer is no longer sold', async () => {
    await aHat()
    const shop = shopAt(printfulWith({ products: [] }))
    await syncProducts(shop, [{ product: known, id: known.syncProductId }])
    expect(await stock()).toEqual({ 1: 'discontinued', 2: 'discontinued' })
    expect(await gone()).toEqual([])
    expect((await listProducts(database.db)).products[0]).toMatchObject({ available: false, variantCount: 2 })
  })

  test('while the printer is down, an event’s job fails and is retried', async () => {
    const shop = await aHat()
    const printful = { ...shop.printful, getProduct: () => Promise.reject(new ProviderUnavailable('printful', 'away')) }
    await expect(followCatalogEvent({ ...shop, printful }, { syncProductId: 900 })).rejects.toBeInstanceOf(
      ProviderUnavailable,
    )
    const [last] = await database.db
      .select()
      .from(catalogSync)
      .orderBy(sql`id desc`)
      .limit(1)
    expect(last).toMatchObject({ state: 'failed' })
  })
})

test('syncs without changes are deleted after a month; those with changes stay', async () => {
  const shop = await aHat()
  const { sync } = await syncCatalog(withVariants(aVariant(1), aVariant(2, { sku: 'X' })), 'owner')
  await syncCatalog(withVariants(aVariant(1), aVariant(2, { sku: 'X' })), 'owner')
  now += 31 * 86_400_000
  await syncBySchedule({
    ...shop,
    printful: withVariants(aVariant(1), aVariant(2, { sku: 'X' })).printful,
    jobs: noJobs,
  })
  expect((await listSyncSummaries(database.db, 10)).map(({ id, trigger }) => [id, trigger])).toEqual([
    [expect.any(Number), 'schedule'],
    [sync, 'owner'],
  ])
})

test('when the printer’s product moves to another product of the shop, its mapping moves along', async () => {
  const shop = await aHat()
  await importCatalog(
    shop,
    aFile(aFileProduct({ providerProductId: null }), aFileProduct({ id: 2, slug: 'cap', providerProductId: null })),
  )
  await syncCatalog(shopAt(printfulWith({ products: [printerProduct([aVariant(5)], { externalId: 'cap' })] })), 'owner')
  const mapped = await database.db
    .select({ id: product.id, syncProductId: product.syncProductId })
    .from(product)
    .orderBy(product.id)
  expect(mapped).toEqual([
    { id: 1 as ProductId, syncProductId: null },
    { id: 2 as ProductId, syncProductId: 900 },
  ])
})

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminProductType, ProductTypeContent, ProductTypeVersion } from '#contract/admin-product-types.ts'
import type { ListingPage, Product, ProductWithRelated, SearchAnswer } from '#contract/catalog.ts'
import { plainProductType } from '#domain/catalog/product-types.ts'
import type { SyncProductId } from '#shared/ids.ts'
import { importCatalog } from '#server/catalog/import.ts'
import type { CatalogFile } from '#server/catalog/catalog-file.ts'
import { syncCatalog } from '#server/catalog/sync.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const get = async <Body>(path: string) => (await world.shopper().send<Body>('GET', path)).body
const found = async (q: string) =>
  (await get<SearchAnswer>(`/api/search?q=${encodeURIComponent(q)}`)).products.map(({ name }) => name)
const types = async () =>
  (await owner.send<{ types: AdminProductType[] }>('GET', '/api/admin/product-types')).body.types
const saves = (content: ProductTypeContent, version: number, key = content.key) =>
  owner.send<{ code?: string; message?: string; fields?: object }>('PUT', `/api/admin/product-types/${key}`, {
    version,
    content,
  })
const adminType = async (key: string) => {
  const type = (await types()).find(({ content }) => content.key === key)
  if (!type) throw new Error(`no type ${key}`)
  return type
}
const file = () =>
  JSON.parse(readFileSync(world.simulators.settings['CATALOGUE_FILE'] ?? '', 'utf8')) as CatalogFile & {
    products: { id: number; slug: string; name: string; type: string }[]
  }

const NAME = 'Rudy Phone Case "Do Not Disturb"'
const phoneCase: ProductTypeContent = {
  ...plainProductType('phone-case'),
  name: 'Phone case',
  plural: 'Phone cases',
  synonyms: ['phone case', 'iphone cover'],
  merchantCategory: 'Electronics > Communications > Telephony > Mobile Phone Accessories > Mobile Phone Cases',
  sizeLabel: 'Phone model',
  facts: [{ label: 'Material', value: 'Tough polycarbonate' }],
}

describe('a type that the demo never had', () => {
  let id: number

  beforeAll(async () => {
    expect((await saves(phoneCase, 0)).status).toBe(200)
    // A product of the printer's store becomes a phone case for two models.
    id = (await world.shopper().find('mouse pad')).id
    const { rows } = await world.shop.database.pool.query<{ at: string }>(
      'select sync_product_id as at from product where id = $1',
      [id],
    )
    const old = await world.shop.printful.getProduct(Number(rows[0]?.at) as SyncProductId)
    for (const size of ['iPhone 15 Pro', 'iPhone 15'])
      await world.simulators.printful.change({ change: 'new_variant', sync_variant_id: old.variants[0]?.id, size })
    for (const variant of old.variants)
      await world.simulators.printful.change({ change: 'delete_variant', sync_variant_id: variant.id })
    const products = file().products.map((product) =>
      product.id === id
        ? {
            ...product,
            name: NAME,
            description: 'Keeps the phone quiet.',
            type: 'phone-case',
            providerProductId: old.id,
            requiresOptions: true,
            metadata: { shipping_surcharge: { amount: 3, regions: ['JP'], description: 'Far away.' } },
          }
        : product,
    )
    await importCatalog(world.shop, { ...file(), products })
    await syncCatalog(world.shop, 'import')
    await world.settled()
    const { body } = await owner.send<{ syncs: { id: number; waiting: number }[] }>('GET', '/api/admin/catalog')
    for (const sync of body.syncs.filter(({ waiting }) => waiting > 0))
      await owner.send('POST', `/api/admin/catalog/${sync.id}/apply`)
  })

  test('is a filter of lists under its own title', async () => {
    const { facets, products } = await get<ListingPage>('/api/listing?type=phone-case')
    expect(products.map(({ name }) => name)).toEqual([NAME])
    expect(facets.type).toContainEqual({ value: 'phone-case', count: 1, title: 'Phone cases' })
    expect(facets.size).toEqual(expect.arrayContaining([{ value: 'iPhone 15 Pro', count: 1 }]))
  })

  test('calls its sizes by their name, and has its own details', async () => {
    const { specs } = await get<ProductWithRelated>(`/api/products/${id}`)
    expect(specs).toEqual({
      facts: [{ label: 'Material', value: 'Tough polycarbonate' }],
      sizeTable: null,
      colorLabel: 'Color',
      sizeLabel: 'Phone model',
    })
  })

  test.each(['phone cases', 'iphone cover', 'iPhone 15 Pro', 'phone case iphone 15'])(
    'is found by its words and its phone models: %s',
    async (q) => {
      expect(await found(q)).toEqual([NAME])
    },
  )

  test('is in the merchant feed with its category', async () => {
    const feed = await get<string>('/feed.xml')
    const items = feed.split('<item>').filter((item) => item.includes('Phone Case'))
    expect(items).toHaveLength(2)
    for (const item of items) {
      expect(item).toContain(
        '<g:google_product_category>Electronics &gt; Communications &gt; Telephony &gt; Mobile Phone Accessories &gt; Mobile Phone Cases<',
      )
      expect(item).not.toContain('g:age_group')
    }
  })

  test('is named in the sentences about surcharges', async () => {
    const { shipping } = await get<{ shipping: { surcharges: { products: string; piece: string }[] } }>('/api/config')
    expect(shipping.surcharges).toContainEqual(
      expect.objectContaining({ products: 'phone cases', piece: 'phone case' }),
    )
  })

  test('is bought like anything else', async () => {
    const detail = await get<{ result: { sync_variants: { size: string }[] } }>(
      `/api/printful/products/${(await world.shopper().find('Phone Case')).providerProductId}`,
    )
    expect(detail.result.sync_variants.map(({ size }) => size).toSorted()).toEqual(['iPhone 15', 'iPhone 15 Pro'])
    await world.shopper().paysByCard({ buying: 'Phone Case' })
    await world.settled()
    expect(await world.audit('orders')).toHaveLength(1)
  })
})

describe('sizes', () => {
  test.each(['t-shirt 2xl', 'xxl', '2XL', 'extra large tee'])('are searched as people write them: %s', async (q) => {
    const { products, isNear } = await get<SearchAnswer>(`/api/search?q=${encodeURIComponent(q)}`)
    expect(products.length).toBeGreaterThan(0)
    expect(products.every(({ type }) => ['t-shirt', 'polo'].includes(type))).toBe(true)
    expect(isNear).toBe(false)
  })

  test('that the printer no longer makes are not found', async () => {
    const listed = await get<Product[]>('/api/products')
    const [shirt] = listed.filter(({ type }) => type === 't-shirt')
    await world.shop.database.pool.query(`update variant set gone_at = now() where product_id = $1 and size = '2XL'`, [
      shirt?.id,
    ])
    expect(await found('2xl')).not.toContain(shirt?.name)
    expect(await found('xl')).toContain(shirt?.name)
  })
})

describe('the owner', () => {
  test('changes a type’s words, which search uses at once; the history has every version', async () => {
    expect(await found('noggin warmer')).toEqual([])
    const { content, version } = await adminType('visor')
    const { status } = await saves({ ...content, synonyms: [...content.synonyms, 'Noggin-Warmer'] }, version)
    expect(status).toBe(200)
    expect((await adminType('visor')).content.synonyms).toContain('noggin warmer')
    const all = await get<Product[]>('/api/products')
    expect(await found('noggin warmer')).toEqual(all.filter(({ type }) => type === 'visor').map(({ name }) => name))
    const { body } = await owner.send<{ versions: ProductTypeVersion[] }>(
      'GET',
      '/api/admin/product-types/visor/history',
    )
    expect(body.versions.map((one) => one.version)).toEqual([2, 1])
    expect(body.versions[1]?.content.synonyms).toEqual(content.synonyms)
  })

  test('reads what a second owner changed meanwhile, and nothing is overwritten', async () => {
    const { content, version } = await adminType('tote')
    expect((await saves({ ...content, sizeLabel: 'Volume' }, version)).status).toBe(200)
    const { status, body } = await saves({ ...content, plural: 'Carriers' }, version)
    expect([status, body.code]).toEqual([409, 'product_changed'])
    expect(body.message).toMatch(/^owner changed size label while you were editing/)
    expect((await adminType('tote')).content).toMatchObject({ sizeLabel: 'Volume', plural: 'Totes' })
  })

  test('moves a type to another place in lists', async () => {
    const { content, version } = await adminType('mouse-pad')
    const first = async () => (await get<Product[]>('/api/products')).map(({ type }) => type)
    expect((await first()).at(0)).toBe('vented-hat')
    await saves({ ...content, listGroup: 0, plural: 'Mats' }, version)
    expect((await first()).slice(0, 9)).toContain('mouse-pad')
  })

  test.each([
    [{ key: 'Phone Case' }, 'content.key'],
    [{ name: ' ' }, 'content.name'],
    [{ listGroup: 71 }, 'content.listGroup'],
    [{ sizeTable: { caption: '', measures: ['Chest'], rows: [{ size: 'S', values: [1, 2] }] } }, 'content.sizeTable'],
    [{ sizeTable: { caption: '', measures: ['Chest'], rows: [{ size: 'S', values: [-1] }] } }, 'content.sizeTable'],
  ])('cannot save %j, and reads which field is wrong', async (wrong, field) => {
    const { content, version } = await adminType('hat')
    const { status, body } = await saves({ ...content, ...wrong }, version, 'hat')
    expect(status).toBe(422)
    expect(Object.keys(body.fields ?? {})).toEqual([field])
  })

  test('cannot make a type twice, or change one that does not exist', async () => {
    const { content } = await adminType('hat')
    expect((await saves(content, 0)).body.fields).toHaveProperty('key')
    expect((await saves(plainProductType('sock'), 3)).status).toBe(404)
  })

  test('cannot import a product of an unknown type', async () => {
    const products = file().products.map((product, row) => (row === 2 ? { ...product, type: 'sock' } : product))
    await expect(importCatalog(world.shop, { ...file(), products })).rejects.toThrow(/row 3, type: .*sock/)
  })
})

describe('searches that found nothing', () => {
  const misses = async () =>
    (await owner.send<{ misses: { words: string; count: number }[] }>('GET', '/api/admin/search')).body.misses

  test('are counted for the owner until a type has the word', async () => {
    for (const q of ['Kazoo', ' kazoo ', 'kazoo', 'ukulele']) await found(q)
    expect(await misses()).toMatchObject([
      { words: 'kazoo', count: 3 },
      { words: 'ukulele', count: 1 },
    ])
    const { content, version } = await adminType('mug')
    await saves({ ...content, synonyms: [...content.synonyms, 'kazoo'] }, version)
    expect((await misses()).map(({ words }) => words)).toEqual(['ukulele'])
  })

  test.each(['jane.roe@example.com', '4242 4242 4242 4242', '+1 212 555 0100', 'K7QM-4T2X', 'https://example.com/x'])(
    'are forgotten where they may be somebody’s: %s',
    async (q) => {
      const before = await misses()
      expect(await found(q)).toEqual([])
      expect(await misses()).toEqual(before)
    },
  )

  test('fill no more than their share of the table, however many a robot sends', async () => {
    await world.shop.database.pool.query(
      `insert into search_miss select (now() at time zone 'UTC')::date, 'robot ' || n, 1 from generate_series(1, 600) n`,
    )
    await found('zither')
    await found('ukulele')
    const { rows } = await world.shop.database.pool.query(
      `select words, count from search_miss where words in ('zither', 'ukulele')`,
    )
    expect(rows).toEqual([{ words: 'ukulele', count: 2 }])
  })
})

test('the owner edits spellings of the same word', async () => {
  expect(await found('chapeau')).toEqual([])
  const { body } = await owner.send<{ spellings: string[][] }>('GET', '/api/admin/search')
  const spellings = [...body.spellings, ['Portrait', 'chapeau']]
  expect((await owner.send('PUT', '/api/admin/search/spellings', { spellings })).status).toBe(200)
  expect(await found('chapeau')).toEqual(await found('portrait'))
  expect((await owner.send('PUT', '/api/admin/search/spellings', { spellings: [['alone']] })).status).toBe(422)
})

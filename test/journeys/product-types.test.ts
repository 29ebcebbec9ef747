import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminProductType, ProductTypeContent } from '#contract/admin-product-types.ts'
import type { CatalogVersion } from '#contract/catalog-version.ts'
import type { ListingPage, Product, ProductWithRelated, SearchAnswer } from '#contract/catalog.ts'
import { plainProductType } from '#domain/catalog/product-types.ts'
import type { SyncProductId } from '#shared/ids.ts'
import { importCatalog } from '#server/catalog/import.ts'
import type { CatalogFile } from '#server/catalog/catalog-file.ts'
import { syncCatalog } from '#server/catalog/sync.ts'
import { demoProducts } from '#sandbox/catalog/products.ts'
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

const numbersIn = (text: string) => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)

test('every product but visors ends with a picture of its measures, whose words say what its details and size guide say', async () => {
  for (const { id, type, name } of demoProducts) {
    const { product, specs } = await get<ProductWithRelated>(`/api/products/${id}`)
    const measured = product.images.filter(({ view }) => view === 'measures')
    expect(
      measured.map(({ color }) => color),
      name,
    ).toEqual(type === 'visor' ? [] : [null])
    if (type === 'visor') continue
    const [picture] = measured
    expect(product.images.at(-1), name).toBe(picture)
    expect((await fetch(world.address + picture?.src)).status).toBe(200)
    const alt = picture?.alt ?? ''
    const [, piece = '', sizes = ''] = /^(Measures of the .+): (.+)$/.exec(alt) ?? []
    const pairs = [...sizes.matchAll(/([\d.]+)(?: to ([\d.]+))? inches \((\d+)(?: to (\d+))? cm\)/g)].flatMap(
      ([, from, to, fromCm, toCm]) => [[from, fromCm], ...(to ? [[to, toCm]] : [])].map((pair) => pair.map(Number)),
    )
    expect(pairs.length, alt).toBeGreaterThan(1)
    for (const [inches = 0, cm] of pairs) expect(Math.round(inches * 2.54), alt).toBe(cm)

    // A bottle's details have no size.
    if (type === 'water-bottle') continue
    const row = specs.sizeTable?.rows.find(({ size }) => piece.endsWith(`, size ${size}`))
    const fact = specs.facts.find(({ label }) => label === 'Size' || label === 'Fits')?.value ?? ''
    const wanted = specs.sizeTable ? (row?.values.map(Number) ?? []) : numbersIn(fact.replace(/\(.*/, ''))
    const said = new Set(pairs.map(([inches]) => inches))
    expect(said, `${alt} | ${fact}`).toEqual(new Set(wanted))
  }
})

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
    expect(facets.size).toEqual(expect.arrayContaining([{ value: 'iPhone 15 Pro', count: 1, label: 'Phone model' }]))
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
    const { body } = await owner.send<{ versions: CatalogVersion[] }>('GET', '/api/admin/product-types/visor/history')
    expect(body.versions.map((one) => one.version)).toEqual([2, 1])
    expect(body.versions[0]).toMatchObject({ by: 'owner', changes: ['synonyms'] })
  })

  test('reads what a second owner changed meanwhile, and nothing is overwritten', async () => {
    const { content, version } = await adminType('tote')
    expect((await saves({ ...content, sizeLabel: 'Volume' }, version)).status).toBe(200)
    const { status, body } = await saves({ ...content, plural: 'Carriers' }, version)
    expect([status, body.code]).toEqual([409, 'product_changed'])
    expect(body.message).toMatch(/^While you were editing, owner changed size label\./)
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

describe('a type made from a blank of the printer', () => {
  type FromBlank = { content: ProductTypeContent; similar: string | null }
  const fromBlank = async (id: number) =>
    (await owner.send<FromBlank>('GET', `/api/admin/blanks/${id}/product-type`)).body

  test.each([
    [
      146,
      { key: 'hoodie', name: 'Hoodie', pieces: 'hoodies', sizeLabel: 'Size', ageGroup: 'adult', blankId: 146 },
      null,
    ],
    [358, { key: 'sticker', plural: 'Stickers', sizeTable: null }, null],
    [1, { key: 'poster', merchantCategory: expect.stringContaining('Posters') }, null],
    [2, { key: 'framed-poster', colorLabel: 'Frame' }, null],
    [181, { key: 'phone-case', sizeLabel: 'Phone model', decoration: 'print' }, null],
    [186, { key: 'socks', plural: 'Socks', piece: 'socks' }, null],
    [307, { key: 'youth-t-shirt', ageGroup: 'kids' }, null],
    [140, { key: 'baseball-cap', decoration: 'embroidery' }, 'vented-hat'],
    [12, { key: 't-shirt-2', name: 'T-shirt' }, 't-shirt'],
  ])('is filled as the printer has it: %i', async (blankId, expected, similar) => {
    const taken = new Set((await types()).map(({ content }) => content.key))
    const made = await fromBlank(blankId)
    if (taken.has(expected.key)) expect(made.content.key).toBe(`${expected.key}-2`)
    else expect(made.content).toMatchObject(expected)
    if (!taken.has(expected.key)) expect(made.similar).toBe(similar)
  })

  test('has material, care, origin and a size table with the printer’s measures in inches', async () => {
    const { facts, sizeTable } = (await fromBlank(146)).content
    expect(facts).toEqual(
      expect.arrayContaining([
        { label: 'Material', value: '50% cotton, 50% polyester' },
        { label: 'Sizes', value: 'S to 5XL' },
        { label: 'Fabric weight', value: '8.0 oz/yd² (271.25 g/m²)' },
        { label: 'Care', value: 'Machine wash cold; tumble dry low; do not bleach' },
        { label: 'Origin', value: 'Blank product from Honduras' },
      ]),
    )
    expect(sizeTable?.measures).toEqual(['Length', 'Width'])
    expect(sizeTable?.rows[0]).toEqual({ size: 'S', values: [27, 20] })
    const ranges = (await fromBlank(12)).content.sizeTable
    expect(ranges?.rows[0]).toEqual({ size: 'S', values: [27, [31, 34]] })
  })

  test('is saved, changed, restored and deleted; only a type without products can be deleted', async () => {
    const { content } = await fromBlank(146)
    expect((await saves(content, 0)).status).toBe(200)
    expect(await adminType('hoodie')).toMatchObject({ products: 0, published: 0, blank: { isDiscontinued: false } })
    expect((await saves({ ...content, plural: 'Hooded sweaters' }, 1)).status).toBe(200)
    const path = '/api/admin/product-types/hoodie'
    const stale = await owner.send<{ message: string }>('POST', `${path}/restore`, { version: 1, restored: 1 })
    expect([stale.status, stale.body.message]).toEqual([
      409,
      expect.stringMatching(/^While you were editing, owner changed plural\./),
    ])
    expect((await owner.send('POST', `${path}/restore`, { version: 2, restored: 1 })).status).toBe(200)
    expect(await adminType('hoodie')).toMatchObject({ version: 3, content })
    expect((await owner.send('POST', `${path}/restore`, { version: 3, restored: 9 })).status).toBe(404)

    const used = await owner.send<{ message: string }>('DELETE', '/api/admin/product-types/mug')
    expect([used.status, used.body.message]).toEqual([
      409,
      expect.stringMatching(
        /^With hidden and retired ones, \d products are of this type\. Please give them another type first\.$/,
      ),
    ])
    expect((await owner.send('DELETE', path)).status).toBe(200)
    expect((await owner.send('DELETE', path)).status).toBe(404)
    expect((await types()).map((type) => type.content.key)).not.toContain('hoodie')
    // Made again, it goes on with its history.
    expect((await saves(content, 0)).status).toBe(200)
    expect((await adminType('hoodie')).version).toBe(4)
  })

  test('cannot be made of a blank that the printer does not have', async () => {
    expect((await owner.send('GET', '/api/admin/blanks/999999/product-type')).status).toBe(404)
    expect((await saves({ ...plainProductType('new'), name: 'New' }, 0)).body.fields).toHaveProperty(['content.key'])
  })
})

test('the first types are made of blanks that the printer has, the same as their products', async () => {
  const { rows } = await world.shop.database.pool.query<{ type: string; blank: number }>(
    `select p.type, v.blank_id::int as blank from variant v join product p on p.id = v.product_id
     where v.blank_id is not null and p.type <> 'phone-case' group by 1, 2 order by 1`,
  )
  const all = await types()
  expect(rows.map(({ type }) => type)).toHaveLength(12)
  for (const { type, blank } of rows) {
    expect([type, all.find(({ content }) => content.key === type)?.content.blankId]).toEqual([type, blank])
    const { body } = await owner.send<{ blanks: { id: number }[] }>('GET', `/api/admin/blanks?search=${blank}`)
    expect(body.blanks.map(({ id }) => id)).toContain(blank)
  }
})

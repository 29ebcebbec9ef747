import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Blank, BlankSummary } from '#contract/admin-blanks.ts'
import { readBlanks } from '#server/blanks/jobs.ts'
import type { NewStoreProduct } from '#server/providers/printful/store-products.ts'
import type { VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { DAY_MS, SECOND_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>
let files: Server
let drawing: string

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await signIn()
  const png = await sharp({ create: { width: 1800, height: 1200, channels: 4, background: '#cc3333' } })
    .withMetadata({ density: 300 })
    .png()
    .toBuffer()
  files = createServer((request, answer) => {
    if (request.url?.endsWith('.png')) answer.setHeader('content-type', 'image/png').end(png)
    else answer.writeHead(404).end()
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  drawing = `http://127.0.0.1:${(files.address() as AddressInfo).port}/biscuit.png`
})
afterAll(async () => {
  files.close()
  await world[Symbol.asyncDispose]()
})

const signIn = () => owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
/** The owner's session ends meanwhile. */
async function passDays(days: number): Promise<void> {
  await world.advance(days * DAY_MS)
  await signIn()
}

type List = { blanks: BlankSummary[]; total: number; categories: { id: number; title: string; blanks: number }[] }
const list = async (query = '') => (await owner.send<List>('GET', `/api/admin/blanks${query}`)).body
const show = async (id: number) => (await owner.send<Blank>('GET', `/api/admin/blanks/${id}`)).body

const biscuit = (externalId: string, more: Partial<NewStoreProduct> = {}): NewStoreProduct => ({
  externalId,
  name: 'Biscuit Hoodie',
  thumbnailUrl: null,
  variants: [
    {
      externalId: `${externalId}-white-s`,
      catalogVariantId: 5522,
      retailPrice: cents(5900),
      sku: `${externalId}-S`,
      files: [{ placement: 'front', url: drawing }],
      options: [],
    },
  ],
  ...more,
})
const calls = (method: string, path: string) =>
  world.simulators.kit.log.since(0).filter((call) => call.method === method && call.path === path)

describe('the printer’s catalog', () => {
  test('has blanks of all kinds, found by words and by category', async () => {
    const { total, categories } = await list()
    expect(total).toBeGreaterThanOrEqual(40)
    expect((await list('?search=gildan%2018500')).blanks.map(({ id }) => id)).toContain(146)
    const stickers = categories.find(({ title }) => title === 'Wall art')
    expect((await list(`?category=${stickers?.id}`)).blanks.map(({ id }) => id)).toEqual([3, 2, 1])
    expect((await list('?search=nobody%20makes%20this')).total).toBe(0)
  })

  test('shows a blank with its costs, colors, sizes, print areas and options', async () => {
    const hoodie = await show(146)
    expect(hoodie).toMatchObject({
      brand: 'Gildan',
      kind: 'Hoodie',
      category: ['Men’s clothing', 'Hoodies'],
      costFrom: 2425,
    })
    expect(hoodie.variants.find(({ id }) => id === 5522)).toMatchObject({
      size: 'S',
      color: 'White',
      hex: '#ffffff',
      cost: 2425,
      regions: ['US', 'EU', 'EU_LV', 'UK', 'CA'],
      materials: [
        { name: 'cotton', percentage: 50 },
        { name: 'polyester', percentage: 50 },
      ],
    })
    expect(hoodie.printAreas.find(({ placement }) => placement === 'front')).toMatchObject({
      technique: 'DTG',
      width: 1800,
      height: 2400,
      dpi: 150,
      fillMode: 'fit',
      extraCost: 0,
    })
    expect(hoodie.printAreas.find(({ placement }) => placement === 'embroidery_chest_left')).toMatchObject({
      technique: 'EMBROIDERY',
      extraCost: 295,
      unlimitedColorsCost: 395,
    })
    expect(hoodie.options.map(({ id }) => id)).toContain('thread_colors_chest_left')
    expect(hoodie.sizeTables.map(({ unit, rows }) => [unit, rows[0]?.values[0]?.value])).toEqual([
      ['inches', '27'],
      ['cm', '68.6'],
    ])
  })

  test('shows the last copy while the printer is down, and says so without a copy', async () => {
    const hoodie = await show(146)
    await passDays(2)
    world.simulators.kit.rules.add({
      provider: 'printful',
      match: { method: 'GET' },
      when: 'before',
      do: { status: 500 },
      times: 50,
    })
    expect((await show(146)).fetchedAt).toBe(hoodie.fetchedAt)
    expect(await owner.send('GET', '/api/admin/blanks/294')).toMatchObject({
      status: 503,
      body: { code: 'blank_not_read' },
    })
    world.simulators.kit.rules.clear()
    await world.advance(5 * 60 * SECOND_MS)
    await world.shop.printful.ping()
    expect(await owner.send('GET', '/api/admin/blanks/5')).toMatchObject({
      status: 404,
      body: { code: 'unknown_blank' },
    })
  })

  test('the daily job sees changed costs, and what the printer no longer makes', async () => {
    await show(146)
    await show(307)
    await world.simulators.printful.change({ change: 'cost', variant_id: 5522, cost: '26.00' })
    await world.simulators.printful.change({ change: 'discontinue_blank', blank_id: 307 })
    await passDays(1)
    await readBlanks(world.shop)
    const hoodie = await show(146)
    expect(hoodie.variants.find(({ id }) => id === 5522)).toMatchObject({ cost: 2600, costBefore: 2425 })
    expect(hoodie.costChangedAt).not.toBeNull()
    const [youth] = (await list('?search=3001y')).blanks
    expect(youth).toMatchObject({ id: 307, discontinuedAt: expect.any(String) as string })
  })
})

test('the list shows what blanks cost and the printer’s pictures, some at a time, from our own address', async () => {
  const calls = () => world.simulators.kit.log.since(0).filter(({ path }) => /^\/products\/\d+$/.test(path)).length
  const before = calls()
  await readBlanks(world.shop)
  // Some have been opened before; the others wait for the next run.
  expect(calls() - before).toBeLessThanOrEqual(33)
  await readBlanks(world.shop)
  const [shirt] = (await list('?search=3001%20unisex')).blanks
  expect(shirt).toMatchObject({
    id: 71,
    costFrom: expect.any(Number) as number,
    picture: '/api/admin/blanks/71/picture',
  })
  expect(shirt?.costTo).toBeGreaterThan(shirt?.costFrom ?? Infinity)
  const taken = await owner.send('GET', '/api/admin/blanks/71/picture')
  expect([taken.status, taken.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect((await list('?search=3001%20unisex')).blanks[0]?.picture).toMatch(
    /^\/pictures\/blank\.[0-9a-f]{16}\.320\.webp$/,
  )
  expect((await owner.send('GET', '/api/admin/blanks/999999/picture')).status).toBe(404)
})

describe('a product created at the printer', () => {
  test('has its variants at once, and a preview of the drawing on the blank after a moment', async () => {
    const { printful } = world.shop
    const created = await printful.createProduct(biscuit('biscuit-hoodie'))
    expect(created.variants).toMatchObject([
      { catalogVariantId: 5522, blankId: 146, unitPrice: 5900, previewUrl: null },
    ])
    expect(created.variants[0]?.id).toBeGreaterThan(2 ** 31)
    await world.advance(10 * SECOND_MS)
    const [variant] = (await printful.getProduct(created.id)).variants
    const { body, contentType } = await printful.downloadPicture(variant?.previewUrl ?? '')
    expect(contentType).toBe('image/webp')
    const { width, height } = await sharp(body).metadata()
    expect([width, height]).toEqual([750, 1000])
    const { data } = await sharp(body)
      .extract({ left: 375, top: 500, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)].map((part, index) => Math.abs(part - ([204, 51, 51][index] ?? 0)) < 12)).toEqual([
      true,
      true,
      true,
    ])
  })

  test('is created once, though the answer was lost and though it is asked for twice', async () => {
    const { printful } = world.shop
    const rule = {
      provider: 'printful',
      match: { method: 'POST', path: '/store/products' },
      when: 'after',
      do: 'reset',
      times: 1,
    } as const
    const before = calls('POST', '/store/products').length
    world.simulators.kit.rules.add(rule)
    const first = await printful.createProduct(biscuit('biscuit-lost'))
    const second = await printful.createProduct(biscuit('biscuit-lost'))
    expect(second.id).toBe(first.id)
    expect(calls('POST', '/store/products').length - before).toBe(1)
    const all = await Array.fromAsync(printful.listProducts())
    expect(all.filter(({ externalId }) => externalId === 'biscuit-lost')).toHaveLength(1)
  })

  test.each<[string, Partial<NewStoreProduct['variants'][number]>, string]>([
    ['an unknown blank', { catalogVariantId: 5 }, 'Variant 0: Variant not found'],
    ['no drawing', { files: [] }, 'Variant 0: Non-label files must be provided for this product'],
    [
      'an address that is none',
      { files: [{ placement: 'front', url: 'biscuit.png' }] },
      'The file URL provided is invalid',
    ],
    [
      'a place that the blank lacks',
      { files: [{ placement: 'hood', url: 'http://127.0.0.1:1/a.png' }] },
      'Variant 0: The file type hood is not supported for this product',
    ],
    [
      'embroidery without threads',
      { files: [{ placement: 'embroidery_chest_left', url: 'http://127.0.0.1:1/a.png' }] },
      'Variant 0: The option thread_colors_chest_left is required for embroidery_chest_left',
    ],
  ])('with %s is refused in the printer’s words, and not created', async (_, wrong, sentence) => {
    const { printful } = world.shop
    const product = biscuit('biscuit-refused')
    const variants = product.variants.map((variant) => ({ ...variant, ...wrong }))
    await expect(printful.createProduct({ ...product, variants })).rejects.toMatchObject({
      name: 'ProviderRefusal',
      message: sentence,
    })
    expect(await printful.findProduct('biscuit-refused')).toBeUndefined()
  })

  test('is printed with its drawing in the right place', async () => {
    const { printful } = world.shop
    const { variants } = await printful.createProduct(biscuit('biscuit-printed'))
    await world.advance(10 * SECOND_MS)
    const { id } = await printful.createDraft({
      externalId: 'BISCUIT-1',
      recipient: {
        name: 'Ada Byron',
        email: 'ada@example.com',
        phone: null,
        taxNumber: null,
        address: {
          line1: '1 Elm Street',
          line2: null,
          city: 'Austin',
          state: 'TX',
          postalCode: '78701',
          country: 'US',
        },
      },
      lines: [
        {
          externalLineId: '1',
          variantId: variants[0]?.id as VariantId,
          quantity: 1,
          unitPrice: cents(5900),
          name: 'Biscuit Hoodie',
        },
      ],
      amounts: { subtotal: cents(5900), shipping: cents(0), tax: cents(0) },
    })
    await printful.confirmOrder(id)
    const order = world.simulators.printful
      .ledger()
      .partner_orders?.find(({ external_id }) => external_id === 'BISCUIT-1')
    expect(order).toMatchObject({
      status: 'pending',
      items: [
        {
          files: [
            {
              placement: 'front',
              url: drawing,
              position: { area_width: 1800, area_height: 2400, width: 1800, height: 1200, top: 600, left: 0 },
            },
          ],
        },
      ],
    })
  })

  test('changes its price, gets another size, and is deleted', async () => {
    const { printful } = world.shop
    const product = biscuit('biscuit-changed')
    const { id, variants } = await printful.createProduct(product)
    const [first] = variants
    const changed = await printful.changeProduct(id, {
      name: 'Biscuit’s Hoodie',
      variants: [
        { id: first?.id as VariantId, retailPrice: cents(6100) },
        ...product.variants.map((one) => ({ ...one, externalId: 'biscuit-changed-white-m', catalogVariantId: 5523 })),
      ],
    })
    expect(changed).toMatchObject({
      name: 'Biscuit’s Hoodie',
      variants: [{ id: first?.id, unitPrice: 6100 }, { size: 'M' }],
    })
    await printful.deleteProduct(id)
    await printful.deleteProduct(id)
    expect(await printful.findProduct('biscuit-changed')).toBeUndefined()
  })

  test('a file that cannot be read fails, and one that can has its size and resolution', async () => {
    const { printful } = world.shop
    const good = await printful.addFile(drawing.replace('biscuit', 'other'))
    const gone = await printful.addFile(drawing.replace('.png', '.txt'))
    expect(good.state).toBe('waiting')
    await world.advance(10 * SECOND_MS)
    expect(await printful.getFile(good.id)).toMatchObject({ state: 'ok', width: 1800, height: 1200, dpi: 300 })
    expect(await printful.getFile(gone.id)).toMatchObject({ state: 'failed', width: null })
    expect(await printful.suggestThreadColors(drawing)).toEqual(['#cc3333'])
  })

  test('mockups are pictures that are ready after a while', async () => {
    const { printful } = world.shop
    const position = { areaWidth: 1800, areaHeight: 2400, width: 900, height: 600, top: 300, left: 450 }
    const key = await printful.startMockups(146, {
      variantIds: [5522, 5523],
      files: [{ placement: 'front', url: drawing, position }],
      width: 600,
    })
    expect(await printful.getMockups(key)).toEqual({ state: 'pending' })
    await world.advance(15 * SECOND_MS)
    const done = await printful.getMockups(key)
    expect(done).toMatchObject({ state: 'completed', mockups: [{ placement: 'front', variantIds: [5522, 5523] }] })
    const url = done.state === 'completed' ? (done.mockups[0]?.url ?? '') : ''
    const { body } = await printful.downloadPicture(url)
    expect(await sharp(body).metadata()).toMatchObject({ format: 'jpeg', width: 450, height: 600 })
    await world.advance(2 * DAY_MS)
    await expect(printful.downloadPicture(url)).rejects.toMatchObject({ name: 'ProviderRefusal' })
  })
})

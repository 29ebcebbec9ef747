import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PrinterProduct } from '#contract/admin-printer-products.ts'
import type { Draft } from '#contract/admin-studio.ts'
import type { Product, ProviderDetail } from '#contract/catalog.ts'
import type { DraftContent } from '#domain/studio/draft.ts'
import { cents } from '#shared/money.ts'
import { makeProduct } from '#server/studio/make-product.ts'
import { openWorld, type World } from '#sandbox/world.ts'

const SHIRT = 71

let world: World
let owner: ReturnType<World['shopper']>
let file: string
let shirts: { id: number; color: string | null; size: string | null }[]

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  file = await drawingUrl()
  const blank = await world.shop.printful.getBlank(SHIRT)
  shirts = blank.variants
})
afterAll(() => world[Symbol.asyncDispose]())

/** A picture that the simulated printer can read. */
async function drawingUrl(): Promise<string> {
  const { drawing } = await uploadDrawing()
  const { printFileUrl } = await import('#server/studio/print-files.ts')
  const placement = { area: 'front', drawing, x: 0.5, y: 0.5, width: 0.5, height: 0.5, threadColors: [] }
  return printFileUrl(world.shop, placement, { width: 1800, height: 2400 }, world.shop.clock.now())
}

async function uploadDrawing(): Promise<{ drawing: string }> {
  const signedIn = await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const cookie =
    signedIn.headers
      .getSetCookie()
      .find((one) => one.includes('session='))
      ?.split(';')[0] ?? ''
  const ground = { r: 30, g: 90, b: 160, alpha: 1 }
  const body = await sharp({ create: { width: 1200, height: 1200, channels: 4, background: ground } })
    .png()
    .toBuffer()
  const answer = await fetch(`${world.address}/api/admin/pictures?kind=drawing&alt=Biscuit`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', cookie },
    body: new Uint8Array(body),
  })
  return { drawing: ((await answer.json()) as { file: string }).file }
}

/** A product that somebody makes in the printer's dashboard: two sizes of a shirt. */
const madeOverThere = (name: string) =>
  world.shop.printful.createProduct({
    externalId: `pf-${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    thumbnailUrl: null,
    variants: shirts
      .filter(({ color, size }) => color === shirts[0]?.color && ['S', 'M'].includes(size ?? ''))
      .map(({ id, size }) => ({
        externalId: `${name.toLowerCase().replaceAll(' ', '-')}-${id}`,
        catalogVariantId: id,
        retailPrice: cents(size === 'S' ? 2900 : 3100),
        sku: String(id),
        files: [{ placement: 'front', url: file }],
        options: [],
      })),
  })

type Listed = { products: PrinterProduct[]; total: number; ignored: number; isOld: boolean }
const list = async (query = '') => (await owner.send<Listed>('GET', `/api/admin/printer-products${query}`)).body
const listed = async (id: number, query = '') => (await list(query)).products.find((one) => one.id === id)
const takeOver = (id: number) =>
  owner.send<Draft & { code: string; message: string }>('POST', `/api/admin/printer-products/${id}/take-over`)
const now = async ({ id }: Draft) => (await owner.send<Draft>('GET', `/api/admin/drafts/${id}`)).body
const save = (draft: Draft, more: Partial<DraftContent>) =>
  owner.send<Draft & { fields?: object }>('PUT', `/api/admin/drafts/${draft.id}`, {
    version: draft.version,
    step: 'words',
    content: { ...draft.content, description: 'Biscuit, asleep.', type: 't-shirt', collection: 'rudy', ...more },
  })
const publish = ({ id, version }: Draft) => owner.send<Draft>('POST', `/api/admin/drafts/${id}/publish`, { version })
const storeSize = async () => (await Array.fromAsync(world.shop.printful.listProducts())).length

test('a product made in the printer’s dashboard is listed with what the printer knows of it', async () => {
  const { id } = await madeOverThere('Dashboard Shirt')
  const found = await listed(id)
  expect(found).toMatchObject({ name: 'Dashboard Shirt', variantCount: 2, isSynced: true, draftId: null })
  expect(found?.details).toMatchObject({ blankId: SHIRT, sizes: ['S', 'M'], placements: ['front'], objection: null })
  expect(found?.details?.colors).toEqual([shirts[0]?.color])
  expect(found?.details?.variants.map(({ price }) => price)).toEqual([2900, 3100])
  const one = await owner.send<PrinterProduct>('GET', `/api/admin/printer-products/${id}`)
  expect(one.body).toEqual(found)
})

test('the demo’s own products are not listed', async () => {
  const { products } = await list()
  const names = products.map(({ name }) => name)
  expect(names.filter((name) => name.includes('Rudy'))).toEqual([])
})

test('taking it over ties the printer’s product, changes its prices there, and makes no second one', async () => {
  const { id } = await madeOverThere('Taken Shirt')
  await world.advance(10_000)
  await world.settled()
  await list()
  const before = await storeSize()
  const begun = await takeOver(id)
  expect(begun).toMatchObject({ status: 200, body: { state: 'open', content: { takenOver: id, blankId: SHIRT } } })
  expect(begun.body.content.prices).toEqual([
    { size: 'S', price: 2900 },
    { size: 'M', price: 3100 },
  ])
  expect((await owner.send('GET', `/api/admin/drafts/${begun.body.id}/preview`)).body).toMatchObject({
    page: { product: { name: 'Taken Shirt', variantCount: 2, price: 2900 } },
  })
  const prices = [
    { size: 'S', price: cents(2900) },
    { size: 'M', price: cents(3395) },
  ]
  const saved = await save(begun.body, { prices })
  expect((await publish(saved.body)).body).toMatchObject({ state: 'creating' })
  await world.settled()
  expect(await now(begun.body)).toMatchObject({ state: 'published', refusal: null, remark: null })
  const { product } = (await owner.send<{ product: Product }>('GET', '/api/products/taken-shirt')).body
  expect(product).toMatchObject({ providerProductId: id, variantCount: 2, priceRange: { from: 2900, to: 3395 } })
  const detail = await owner.send<ProviderDetail>('GET', `/api/printful/products/${id}`)
  expect(detail.body.result.sync_variants.map(({ retail_price }) => retail_price)).toEqual(['29.00', '33.95'])
  expect(await storeSize()).toBe(before)
  expect(await listed(id)).toBeUndefined()
  // The next comparison finds it by the name that it has over there.
  await owner.send('POST', '/api/cart', {
    productId: product.id,
    variantId: detail.body.result.sync_variants[0]?.id,
    quantity: 1,
  })
  expect(await takeOver(id)).toMatchObject({ status: 409, body: { code: 'printer_product_taken' } })
})

test('taken over twice at once, it is one draft, and the job run twice makes one product', async () => {
  const { id } = await madeOverThere('Twice Shirt')
  await world.advance(10_000)
  await world.settled()
  await list()
  const [one, other] = await Promise.all([takeOver(id), takeOver(id)])
  expect([one.status, other.status]).toEqual([200, 200])
  expect(one.body.id).toBe(other.body.id)
  expect(await listed(id)).toMatchObject({ draftId: one.body.id })
  await publish((await save(one.body, {})).body)
  await Promise.allSettled([makeProduct(world.shop, one.body.id), makeProduct(world.shop, one.body.id)])
  await world.settled()
  expect(await now(one.body)).toMatchObject({ state: 'published' })
  const { rows } = await world.shop.database.pool.query('select id from product where sync_product_id = $1', [id])
  expect(rows).toHaveLength(1)
})

test('an ignored product leaves the list, and can be brought back', async () => {
  const { id } = await madeOverThere('Ignored Shirt')
  await list()
  expect((await owner.send('POST', `/api/admin/printer-products/${id}/ignore`)).status).toBe(200)
  expect(await listed(id)).toBeUndefined()
  expect(await listed(id, '?ignored=1')).toMatchObject({ isIgnored: true })
  expect((await owner.send('DELETE', `/api/admin/printer-products/${id}/ignore`)).status).toBe(200)
  expect(await listed(id)).toMatchObject({ isIgnored: false })
})

test('a product that was deleted over there meanwhile is refused, and nothing is on sale', async () => {
  const { id } = await madeOverThere('Gone Shirt')
  await list()
  const { body: draft } = await takeOver(id)
  const saved = await save(draft, {})
  await world.shop.printful.deleteProduct(id)
  await publish(saved.body)
  await world.settled()
  const sentence = 'The printer no longer has this product. It was deleted there meanwhile.'
  expect(await now(draft)).toMatchObject({ state: 'refused', refusal: { step: 'blank', sentence } })
  expect((await owner.send('GET', '/api/products/gone-shirt')).status).toBe(404)
  expect(await takeOver(id)).toMatchObject({ status: 409, body: { code: 'printer_product_gone' } })
})

test('variants without a file to print are refused with their names', async () => {
  const { id } = await madeOverThere('Bare Shirt')
  await world.settled()
  const path = `/store/products/${id}`
  const variant = { id: 7, name: 'Bare Shirt / S', variant_id: 4012, synced: true, retail_price: '20.00', files: [] }
  const result = {
    sync_product: { id, external_id: 'bare', name: 'Bare Shirt', variants: 1 },
    sync_variants: [variant],
  }
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { method: 'GET', path },
    when: 'before',
    do: { status: 200, body: { code: 200, result } },
    times: 2,
  })
  const sentence =
    '1 of its 1 variants (Bare Shirt / S) have no file to print. Please add the files at the printer first.'
  expect((await listed(id))?.details?.objection).toBe(sentence)
  expect(await takeOver(id)).toMatchObject({ status: 422, body: { message: sentence } })
})

test('only the list takes products over, and blank and colors stay the printer’s', async () => {
  const { id } = await madeOverThere('Fixed Shirt')
  await list()
  const { body: draft } = await takeOver(id)
  const other = await save(draft, { takenOver: 12 })
  expect(other).toMatchObject({ status: 422, body: { fields: { 'content.takenOver': expect.any(String) } } })
  const saved = await save(draft, { blankId: 5, colors: ['Gold'] })
  expect(saved.body.content).toMatchObject({ blankId: SHIRT, colors: draft.content.colors })
})

test('a product that the shop is just making is not listed as new', async () => {
  const { id: idOfOwn } = await madeOverThere('Own Shirt')
  const own = `pf-own-shirt`
  await world.shop.database.pool.query(
    `insert into product_draft (version, step, state, content, asked_at, updated_by, created_at, updated_at)
     values (1, 'preview', 'creating', jsonb_build_object('slug', $1::text, 'takenOver', null, 'name', 'Own'), now(), 'owner', now(), now())`,
    [own],
  )
  expect(await listed(idOfOwn)).toBeUndefined()
  await world.shop.database.pool.query(`delete from product_draft where content->>'slug' = $1`, [own])
  expect(await listed(idOfOwn)).toMatchObject({ name: 'Own Shirt' })
})

test('its thumbnail is passed on to the owner only', async () => {
  const { id } = await madeOverThere('Shown Shirt')
  await world.advance(10_000)
  await list()
  const picture = await owner.send('GET', `/api/admin/printer-products/${id}/picture`)
  expect(picture.status).toBe(200)
  expect(picture.headers.get('content-type')).toBe('image/webp')
  expect((await world.shopper().send('GET', `/api/admin/printer-products/${id}/picture`)).status).toBe(401)
})

test('while the printer is down, the list shows what it had', async () => {
  await list()
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { path: '/store/products' },
    when: 'before',
    do: { status: 500 },
    times: 50,
  })
  const old = await list()
  world.simulators.kit.rules.clear()
  expect(old.isOld).toBe(true)
  expect(old.products.map(({ name }) => name)).toContain('Dashboard Shirt')
  await world.advance(120_000)
  expect((await list()).isOld).toBe(false)
})

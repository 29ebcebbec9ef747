import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  adminProductCalls,
  type AdminSyncChange,
  type AdminProduct,
  type AdminSync,
  type MarginEffect,
  type ProductValues,
} from '#contract/admin-products.ts'
import type { CatalogVersion } from '#contract/catalog-version.ts'
import type { Product } from '#contract/catalog.ts'
import { cents } from '#shared/money.ts'
import type { CatalogFile } from '#server/catalog/catalog-file.ts'
import { importCatalog } from '#server/catalog/import.ts'
import { publishDueProducts } from '#server/catalog/products.ts'
import { syncCatalog } from '#server/catalog/sync.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const shop = async () => (await owner.send<Product[]>('GET', '/api/products')).body
const adminProduct = async (id: number) => {
  const { body } = await owner.send<{ products: AdminProduct[] }>('GET', '/api/admin/products')
  const found = body.products.find((product) => product.id === id)
  if (!found) throw new Error(`no product ${id}`)
  return found
}
const saves = async (id: number, edit: Partial<Record<keyof ProductValues | 'version', unknown>>) =>
  owner.send<{ fields?: object; message?: string }>('PUT', `/api/admin/products/${id}`, {
    ...(await adminProduct(id)),
    ...edit,
  })
const lastAction = async () =>
  (await owner.send<{ actions: Record<string, unknown>[] }>('GET', '/api/admin/log')).body.actions[0]

test('what the owner changes about a product is live immediately, survives an import, and can be restored', async () => {
  const [first, second] = (await shop()).toReversed()
  const id = second?.id ?? 0
  const before = await adminProduct(id)
  expect(before).toMatchObject({ from: second?.price })
  expect((await saves(id, { badge: 'LAST ONES', description: 'Quite another text.', place: 1 })).status).toBe(200)
  const now = (await shop())[0]
  expect(now).toMatchObject({ id, badge: 'LAST ONES', description: 'Quite another text.', price: second?.price })
  expect((await owner.send('GET', '/api/search?q=quite+another')).body['products']).toMatchObject([{ id }])
  expect(await lastAction()).toMatchObject({
    what: 'changed',
    about: { kind: 'product', id: String(id) },
    after: { badge: 'LAST ONES', place: 1 },
  })

  await saves(first?.id ?? 0, { state: 'retired' })
  expect((await shop()).map((product) => product.id)).not.toContain(first?.id)
  expect((await owner.send('POST', '/api/cart', { productId: first?.id, quantity: 1 })).status).toBe(404)

  const file = JSON.parse(readFileSync(world.simulators.settings['CATALOGUE_FILE'] ?? '', 'utf8')) as CatalogFile
  const renamed = file.products.map((product) => (product.id === id ? { ...product, name: 'A new name' } : product))
  await importCatalog(world.shop, { products: renamed })
  expect((await shop())[0]).toMatchObject({ id, badge: 'LAST ONES', name: 'A new name' })
  expect((await shop()).map((product) => product.id)).not.toContain(first?.id)

  const history = async () =>
    (await owner.send<{ versions: CatalogVersion[] }>('GET', `/api/admin/products/${id}/history`)).body.versions
  const versions = await history()
  expect(versions.map(({ source }) => source)).toEqual(['merge', 'import', 'admin', 'import'])
  expect(versions[2]).toMatchObject({ by: 'owner', changes: ['badge', 'position in lists', 'description'] })
  const restore = { version: versions[0]?.version, restored: versions.at(-1)?.version }
  expect((await owner.send('POST', `/api/admin/products/${id}/restore`, restore)).status).toBe(200)
  expect(await adminProduct(id)).toEqual({ ...before, version: before.version + 4 })
  expect((await history())[0]).toMatchObject({ source: 'undo', by: 'owner' })
  await saves(first?.id ?? 0, { state: 'published' })
  expect((await shop()).at(-2)?.id).toBe(id)
})

test('of two owners, the second sees what the first changed, and saves again', async () => {
  const { id } = await owner.find('mug')
  const opened = await adminProduct(id)
  expect((await saves(id, { badge: 'MINE', place: 7 })).status).toBe(200)
  const late = { ...opened, description: 'Hers.' }
  const refused = await owner.send<{ code: string; message: string }>('PUT', `/api/admin/products/${id}`, late)
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'product_changed', message: expect.stringContaining('owner changed badge and position in lists') },
  })
  expect((await adminProduct(id)).description).toBe(opened.description)
  expect((await saves(id, { ...late, version: (await adminProduct(id)).version })).status).toBe(200)
})

test('a draft is shown to nobody, and a scheduled product goes on sale once, at its time', async () => {
  const { id } = await owner.find('tote')
  await saves(id, { state: 'retired' })
  expect((await saves(id, { state: 'draft' })).body.fields).toHaveProperty('state')
  expect((await saves(id, { state: 'scheduled', publishAt: null })).body.fields).toHaveProperty('publishAt')
  const publishAt = new Date(world.shop.clock.now().getTime() + 3_600_000).toISOString()
  expect((await saves(id, { state: 'scheduled', publishAt })).status).toBe(200)
  for (const path of [`/api/products/${id}`, '/api/search?q=tote', '/sitemap.xml', '/feed.xml', '/api/products'])
    expect(JSON.stringify((await owner.send('GET', path)).body)).not.toContain(`/product/${id}"`)
  expect((await owner.send('GET', `/api/products/${id}`)).status).toBe(404)
  expect(await publishDueProducts(world.shop)).toBe(0)
  await world.advance(3_600_001)
  const done = await Promise.all([publishDueProducts(world.shop), publishDueProducts(world.shop)])
  expect(done.toSorted()).toEqual([0, 1])
  expect((await owner.send('GET', `/api/products/${id}`)).status).toBe(200)
})

test('a new address leads to the product, and the old one still does', async () => {
  const { id } = await owner.find('visor')
  const { slug } = await adminProduct(id)
  expect((await saves(id, { slug: 'a-better-visor' })).status).toBe(200)
  for (const address of [slug, 'a-better-visor'])
    expect((await owner.send('GET', `/api/products/${address}`)).body).toMatchObject({
      product: { id, slug: 'a-better-visor' },
    })
  const other = await owner.find('polo')
  expect((await saves(other.id, { slug })).body.fields).toHaveProperty('slug')
  // The printer goes on calling it by its first name.
  expect(await syncCatalog(world.shop, 'owner')).toMatchObject({ state: 'done', waiting: 0, remarks: [] })
})

test('new surcharges and restrictions apply to the next quote', async () => {
  const { id } = await owner.find('mug')
  const surcharge = { amount: cents(500), regions: ['DE'], description: 'Far away.', enabled: true }
  await saves(id, { shippingSurcharge: surcharge })
  // A quote stays valid for half an hour, so every request comes from a new shopper.
  const quoteNow = async () => {
    const shopper = world.shopper()
    await shopper.adds('mug', 2)
    return shopper.startsPayment(addresses.berlin)
  }
  const dear = await quoteNow()
  expect(dear.body.shipping_cost).toBe(1000)

  await saves(id, { shippingSurcharge: null, restrictions: { blockedCountries: ['DE'], delayRegions: [] } })
  expect(await quoteNow()).toMatchObject({ status: 422, body: { code: 'country_blocked' } })
  await saves(id, { restrictions: null })
  expect((await quoteNow()).body.shipping_cost).toBe(0)
})

test.each([
  [{ place: 0 }, 'place'],
  [{ place: 1.5 }, 'place'],
  [{ badge: 'x'.repeat(31) }, 'badge'],
  [{ description: ' ' }, 'description'],
  [{ slug: 'No Spaces' }, 'slug'],
  [{ collection: 'nowhere' }, 'collection'],
  [{ colors: [{ name: 'Navy', hex: 'blue' }] }, 'colors.0.hex'],
  [{ shippingSurcharge: { amount: 0, regions: [], description: 'a', enabled: true } }, 'shippingSurcharge.amount'],
  [{ restrictions: { blockedCountries: ['Japan'], delayRegions: [] } }, 'restrictions.blockedCountries.0'],
])('%o is refused, and the answer says why', async (edit, field) => {
  const { id } = await owner.find('mug')
  const { status, body } = await saves(id, edit)
  expect(status).toBe(422)
  expect(Object.keys(body.fields ?? {})).toEqual([field])
})

test('a product that does not exist cannot be changed', async () => {
  const { id } = await owner.find('mug')
  expect((await owner.send('PUT', '/api/admin/products/999999', await adminProduct(id))).status).toBe(404)
})

test('a change at the printer is shown with its margin, can be accepted, and can be undone', async () => {
  const product = await owner.find('hat')
  const variantId = await owner.firstVariant(product)
  await world.simulators.printful.change({ change: 'price', sync_variant_id: variantId, retail_price: '99.00' })
  await world.settled()
  const syncs = async () => (await owner.send<{ syncs: AdminSync[] }>('GET', '/api/admin/catalog')).body.syncs
  const sync = (await syncs()).find(({ waiting }) => waiting > 0)
  const path = `/api/admin/catalog/${sync?.id}`
  const { body } = await owner.send<{ changes: { to: string; margin: string; state: string }[] }>('GET', path)
  expect(body.changes).toMatchObject([{ to: '$99.00', state: 'waiting', margin: expect.stringContaining('->') }])

  const price = async () =>
    (
      await world.shop.database.pool.query<{ price: string }>(
        'select unit_price_cents as price from variant where id = $1',
        [variantId],
      )
    ).rows[0]?.price
  const before = await price()
  expect((await owner.send('POST', `${path}/apply`)).status).toBe(200)
  expect(await price()).toBe('9900')
  expect((await owner.send('POST', `${path}/apply`)).status).toBe(409)
  expect((await owner.send('POST', `${path}/revert`)).status).toBe(200)
  expect(await price()).toBe(before)
  expect(await lastAction()).toMatchObject({ about: { kind: 'synchronization' } })
  for (const id of [0, 77_777, 99_999_999_999])
    expect((await owner.send('GET', `/api/admin/catalog/${id}`)).status).toBe(id === 77_777 ? 409 : 404)
})

test('a cost that rises above the price is marked as a new loss, with the usual and the worst sale before and after', async () => {
  await world.advance(1000)
  const product = await owner.find('mug')
  const { rows } = await world.shop.database.pool.query<{ id: number; cost: string; price: string }>(
    `select catalog_variant_id as id, cost_cents as cost, unit_price_cents as price from variant
      where id = ${await owner.firstVariant(product)}`,
  )
  const [variant] = rows
  const dear = (Number(variant?.price) / 100 + 1).toFixed(2)
  await world.simulators.printful.change({ change: 'cost', variant_id: Number(variant?.id), cost: dear })
  await syncCatalog(world.shop, 'owner')
  const { syncs } = (await owner.send<{ syncs: AdminSync[] }>('GET', '/api/admin/catalog')).body
  type Shown = { changes: AdminSyncChange[] }
  const { changes } = (await owner.send<Shown>('GET', `/api/admin/catalog/${syncs[0]?.id}`)).body
  const effect = changes.find(({ change }) => change === 'cost')?.effect
  expect(effect).toMatchObject({
    loss: 'new',
    worstSale: expect.stringMatching(/^sent to .+, paid by /),
  })
  const { usual, worst } = effect as MarginEffect
  expect((usual.before ?? 0) - (usual.after ?? 0)).toBe(Number(variant?.price) + 100 - Number(variant?.cost))
  expect(usual.before).toBeGreaterThan(0)
  expect(usual.after).toBeLessThan(0)
  expect(worst.after).toBeLessThan(usual.after ?? 0)
  expect(worst.before).toBeLessThan(usual.before ?? 0)
})

test('each of several changes is accepted, declined and undone separately', async () => {
  // The printer's events have no id: two identical ones within a second count as one.
  await world.advance(1000)
  const product = await owner.find('hat')
  await world.simulators.printful.change({
    change: 'price',
    sync_product_id: product.providerProductId ?? product.id,
    retail_price: '88.00',
  })
  let sync: AdminSync | undefined
  const look = async () => {
    const { syncs } = (await owner.send<{ syncs: AdminSync[] }>('GET', '/api/admin/catalog')).body
    sync = syncs.find(({ waiting }) => waiting > 1)
    return sync !== undefined
  }
  await expect.poll(look, { timeout: 20_000 }).toBe(true)
  await world.settled()
  const path = `/api/admin/catalog/${sync?.id}`
  const listed = async () => (await owner.send<{ changes: AdminSyncChange[] }>('GET', path)).body.changes
  const [first, second] = await listed()
  const states = async () => {
    const changes = await listed()
    return [first, second].map((product) => changes.find(({ id }) => id === product?.id)?.state)
  }
  const priceOf = async (change: AdminSyncChange | undefined) =>
    Number(
      (await world.shop.database.pool.query('select unit_price_cents from variant where id = $1', [change?.variantId]))
        .rows[0].unit_price_cents,
    )
  const review = (change: number | undefined, what: string) => owner.send('POST', `${path}/changes/${change}/${what}`)

  expect((await review(first?.id, 'apply')).body).toEqual({ done: '1 change decided.' })
  expect([await priceOf(first), (await priceOf(second)) === 8800]).toEqual([8800, false])
  expect((await review(second?.id, 'revert')).status).toBe(200)
  expect(await states()).toEqual(['applied', 'declined'])
  expect((await review(second?.id, 'revert')).status).toBe(409)
  expect((await review(first?.id, 'revert')).status).toBe(200)
  expect(await states()).toEqual(['reverted', 'declined'])
  // Changes belong to one synchronization; another id cannot apply them.
  expect((await review(999_999, 'apply')).status).toBe(409)
  expect(await lastAction()).toMatchObject({ what: 'declined or reverted', after: { change: first?.id } })
})

test('products in the admin are for the owner alone', async () => {
  const nobody = world.shopper()
  for (const { method, path } of Object.values(adminProductCalls))
    expect(
      (await nobody.send(method, path.replace(':id', '1').replace(':change', '1'), method === 'GET' ? undefined : {}))
        .status,
    ).toBe(401)
})

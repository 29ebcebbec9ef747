import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminCollection, CollectionInput, OneCollection } from '#contract/admin-collections.ts'
import type { Product } from '#contract/catalog.ts'
import type { CollectionCard } from '#contract/collections.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { draftOf } from '#domain/catalog/collection-draft.ts'
import { catalogRevision, collection, product } from '#server/catalog/schema.ts'
import { publishDueCollections } from '#server/catalog/collection-editor.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import { exportCollections, importCollections } from '#server/catalog/collection-file.ts'
import { addKnownCollections } from '#server/catalog/collections.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { build } from '../../tools/build.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  await build()
  world = await openWorld({ pages: true })
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

/** A published collection about a corgi. */
const inputFor = (name: string, change: Partial<CollectionInput> = {}) => ({
  ...draftOf(name, 'corgi'),
  ...{ state: 'published', publishAt: null, inMenu: true, onHome: true },
  emailThankYouMessage: `${name} barked once.`,
  ...change,
})
type Saved = { id: string; version: number } & RefusalBody
const create = (name: string, change: Partial<CollectionInput> = {}) =>
  owner.send<Saved>('POST', '/api/admin/collections', inputFor(name, change))
const read = async (id: string) => (await owner.send<OneCollection>('GET', `/api/admin/collections/${id}`)).body
const save = (id: string, version: number, collection: unknown) =>
  owner.send<Saved>('PUT', `/api/admin/collections/${id}`, { ...(collection as object), version })
/** Saves the latest version with a change. */
async function change(id: string, part: Partial<CollectionInput>) {
  const { version, collection: now } = await read(id)
  return save(id, version, { ...now, ...part })
}
const open = async (path: string) => {
  const answer = await fetch(world.address + path, { redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location'), html: await answer.text(), answer }
}
const config = async () => (await owner.send<PublicConfig>('GET', '/api/config')).body
const moveProduct = async (id: number, to: string) => {
  await world.shop.db
    .update(product)
    .set({ collection: to })
    .where(eq(product.id, id as Product['id']))
  clearListingCache(world.shop.db)
}

test('a collection made at the admin has its page at all four addresses, its colors, its place in menu, home and sitemap', async () => {
  const theme = { ...draftOf('Biscuit', '').colors, primary: '#31204d' } as const
  expect(await create('Biscuit', { colors: theme })).toMatchObject({ status: 200, body: { id: 'biscuit', version: 1 } })
  for (const path of ['/biscuit', '/collection/biscuit', '/collections/biscuit', '/BiscuitCollection']) {
    const { status, html } = await open(path)
    expect([path, status]).toEqual([path, 200])
    expect(html).toContain('data-collection="biscuit"')
    expect(html).toMatch(/rel="canonical" href="[^"]*\/collections\/biscuit"/)
    expect(html).toContain('Meet Biscuit.')
  }
  const { html } = await open('/')
  expect(html).toContain('href="/BiscuitCollection"')
  expect(html).toContain('Hats, shirts and household goods about Biscuit, the corgi.')
  expect((await open('/sitemap.xml')).html).toContain('/collections/biscuit</loc>')

  const sheet = await open((await config()).themeSheet)
  expect(sheet.html).toMatch(/\[data-collection='biscuit'\]\{[^}]*--theme-primary:#31204d;/)
  expect(sheet.answer.headers.get('cache-control')).toContain('immutable')
  expect((await open('/themes/older.css')).answer.headers.get('cache-control')).toBe('no-cache')
})

test('a product of a new collection is found by the pet’s name, and its order has the collection’s email and report line', async () => {
  const [mug] = (await owner.send<Product[]>('GET', '/api/products')).body.filter(({ type }) => type === 'mug')
  if (!mug) throw new Error('no mug')
  await moveProduct(mug.id, 'biscuit')
  const found = (await owner.send<{ products: Product[] }>('GET', '/api/search?q=biscuit')).body.products
  expect(found.map(({ id }) => id)).toEqual([mug.id])
  expect((await owner.send('GET', '/api/search/suggestions?q=bisc')).body['suggestions']).toContainEqual(
    expect.objectContaining({ kind: 'collection', id: 'biscuit', text: 'The Biscuit Collection' }),
  )
  expect((await open(`/product/${mug.id}`)).html).toContain('Back to The Biscuit Collection')
  expect((await open('/feed.xml')).html).toContain('<g:product_type>The Biscuit Collection &gt; ')

  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: mug.name })
  await payment.returnsToShop()
  await world.settled()
  const confirmation = world.mailbox.list().find(({ subject }) => subject.includes('The Biscuit Collection'))
  expect(confirmation?.text).toContain('Biscuit barked once.')
  const report = await owner.send<{ collections: { id: string; name: string }[] }>('GET', '/api/reports/summary')
  expect(report.body.collections).toContainEqual(expect.objectContaining({ id: 'biscuit', name: 'Biscuit' }))
  const orders = await owner.send<{ orders: { collection: string }[] }>('GET', '/api/admin/orders?collection=biscuit')
  expect(orders.body.orders).toHaveLength(1)
})

test('colors that nobody can read are refused at their field, and nothing is saved', async () => {
  const { version, collection: now } = await read('biscuit')
  const refused = await save('biscuit', version, { ...now, colors: { ...now.colors, textSecondary: '#b0a89a' } })
  expect(refused.status).toBe(422)
  expect(refused.body.fields?.['colors.textSecondary']).toMatch(/Hard to read on “Page”: \d\.\d:1, needed is 4\.5:1/)
  expect((await read('biscuit')).version).toBe(version)
})

test.each([
  ['products', {}, 'slug', /belongs to a page of the shop/],
  ['rudy', {}, 'slug', /belongs to The Rudy Collection/],
  ['other', { name: 'Rudy' }, 'name', /The Rudy Collection has this name already/],
  ['Two Words', {}, 'slug', /lower-case letters/],
  [
    'waffle',
    { partnerTexts: { video: 'Waffle!', comment: '{link}', post: '{link}', mail: '{link}' } },
    'partnerTexts.video',
    /\{link\}/,
  ],
])('a new collection with the slug %j and %j is refused at its %s', async (slug, more, field, sentence) => {
  const refused = await create('Waffle', { slug, ...more })
  expect(refused.status).toBe(422)
  expect(refused.body.fields?.[field]).toMatch(sentence)
})

test('styles that could break out of the style sheet or load something are refused', async () => {
  for (const patternOverlay of ['none;} body{display:none', 'url(/x)', '</style>'])
    expect((await create('Waffle', { patternOverlay })).status).toBe(422)
})

test('the second of two owners is told what changed, and saves over it by saving again', async () => {
  const { version, collection: now } = await read('biscuit')
  await save('biscuit', version, { ...now, heroTitle: 'The first to save.' })
  const late = await save('biscuit', version, { ...now, heroTitle: 'The second.' })
  expect(late).toMatchObject({ status: 409, body: { code: 'collection_changed' } })
  expect(late.body.message).toContain('changed: heroTitle')
  expect((await change('biscuit', { heroTitle: 'The second.' })).status).toBe(200)
  expect((await open('/biscuit')).html).toContain('The second.')
})

test('an earlier version can be restored, and the history says who saved what', async () => {
  const { version } = await read('biscuit')
  const restored = await owner.send('POST', '/api/admin/collections/biscuit/restore', { version, to: 1 })
  expect(restored.status).toBe(200)
  const after = await read('biscuit')
  expect(after.collection.heroTitle).toBe('Meet Biscuit.')
  expect(after.history[0]).toMatchObject({ version: version + 1, source: 'undo', by: 'owner' })
})

test('a changed slug redirects from the old address, and products and orders keep their collection', async () => {
  expect((await change('biscuit', { slug: 'biscuit-the-corgi' })).status).toBe(200)
  for (const path of ['/biscuit', '/collections/biscuit']) {
    const { status, location } = await open(path)
    expect([status, location]).toEqual([301, '/collections/biscuit-the-corgi'])
  }
  const { html } = await open('/collections/biscuit-the-corgi')
  expect(html).toContain('data-collection="biscuit"')
  expect(html).toContain('"numberOfItems":1')
  expect((await create('Waffle', { slug: 'biscuit' })).body.fields?.['slug']).toMatch(/belongs to The Biscuit/)
})

test('a collection that is coming soon has a page without products, and stands on the home page', async () => {
  await create('Waffle', { state: 'coming_soon', heroTitle: 'Waffle is nearly ready.' })
  const { html } = await open('/waffle')
  expect(html).toContain('Waffle is nearly ready.')
  expect(html).toContain('There is nothing to buy yet.')
  expect(html).not.toContain('No products found')
  expect((await open('/')).html).toContain('Have a look')
})

test('a draft is nowhere, until its day has come', async () => {
  const publishAt = new Date(world.shop.clock.now().getTime() + 3_600_000).toISOString()
  await create('Muffin', { state: 'draft', publishAt })
  expect((await open('/muffin')).status).toBe(404)
  expect((await open('/')).html).not.toContain('Muffin')
  expect(await publishDueCollections(world.shop)).toBe(0)
  await world.advance(3_600_001)
  const done = await Promise.all([publishDueCollections(world.shop), publishDueCollections(world.shop)])
  expect(done.toSorted()).toEqual([0, 1])
  expect((await open('/muffin')).status).toBe(200)
  const { state, version, collection: stored, history } = await read('muffin')
  expect({ state, version, day: stored.publishAt }).toEqual({ state: 'published', version: 2, day: null })
  expect(history[0]).toMatchObject({ source: 'schedule', by: 'shop' })
})

test('a picture that does not exist is refused, and the collection stays as it was', async () => {
  const before = await read('muffin')
  const hero = { file: 'hero.0123456789abcdef', widths: [1600, 800], width: 1600, height: 900, alt: 'Muffin asleep' }
  const refused = await change('muffin', { hero, heroTitle: 'Never saved' })
  expect(refused).toMatchObject({ status: 422, body: { fields: { hero: expect.stringMatching(/does not exist/) } } })
  expect(await read('muffin')).toEqual(before)
  const { hero: known } = (await read('sherlock')).collection
  expect((await change('muffin', { hero: known })).status).toBe(200)
})

type CollectionList = {
  collections: AdminCollection[]
  order: { version: number; history: { version: number; changes: string[] }[] }
}
const listed = async () => {
  const { collections, order } = (await owner.send<CollectionList>('GET', '/api/admin/collections')).body
  return { ids: collections.map(({ id }) => id), ...order }
}
const arrange = async (ids: readonly string[], version?: number) =>
  (await owner.send('PUT', '/api/admin/collections', { ids, version: version ?? (await listed()).version })).status

test('the order of the menu is the owner’s, and an earlier one can be restored', async () => {
  const { ids, version } = await listed()
  expect(await arrange(ids.toReversed(), version)).toBe(200)
  expect((await listed()).ids).toEqual(ids.toReversed())
  const shown = (await owner.send<{ collections: CollectionCard[] }>('GET', '/api/collections')).body.collections
  expect(shown.map(({ id }) => id)).toEqual(ids.toReversed())
  expect(await arrange(ids.slice(1))).toBe(409)
  // Another owner still sees the former order.
  expect(await arrange(ids, version)).toBe(409)
  const restore = (to: number) => owner.send('POST', '/api/admin/collection-order', { version: version + 1, to })
  expect((await restore(99)).status).toBe(409)
  expect((await restore(version)).status).toBe(200)
  const after = await listed()
  expect(after).toMatchObject({ ids, version: version + 2 })
  expect(after.history[1]?.changes).toEqual(after.history[0]?.changes.toReversed())
})

test('a retired collection leads to all products, and can come back, but not as a draft', async () => {
  await change('waffle', { state: 'published' })
  expect((await change('waffle', { state: 'retired' })).status).toBe(200)
  expect(await open('/waffle')).toMatchObject({ status: 302, location: '/products' })
  expect((await change('waffle', { state: 'draft' })).body.code).toBe('collection_state_refused')
  expect((await change('waffle', { state: 'published' })).status).toBe(200)
  expect((await open('/waffle')).status).toBe(200)
})

test('a database from before collections were rows gets those that its products name', async () => {
  const { db, clock } = world.shop
  await db.delete(collection).where(eq(collection.id, 'sherlock'))
  await db.delete(catalogRevision).where(eq(catalogRevision.key, 'sherlock'))
  await db.transaction((tx) => addKnownCollections(tx, clock.now()))
  clearListingCache(db)
  expect((await open('/collections/sherlock')).html).toContain('The nose has it.')
  // Biscuit has a product too, and stays as the owner made it.
  expect((await read('biscuit')).collection.displayName).toBe('The Biscuit Collection')
})

test('collections in a catalog file replace what is stored, and the same file again changes nothing', async () => {
  const { db, clock } = world.shop
  const ids = (await exportCollections(db)).map(({ id }) => id)
  await arrange(ids)
  const file = await exportCollections(db)
  await change('waffle', { heroTitle: 'Not what the file says.' })
  await db.delete(collection).where(eq(collection.id, 'muffin'))
  await db.delete(catalogRevision).where(eq(catalogRevision.key, 'muffin'))
  const upload = () =>
    db.transaction((tx) =>
      importCollections(tx, file, { at: clock.now(), by: 'owner', source: 'upload', replaces: true }),
    )
  expect(await upload()).toEqual([
    {
      ...{ name: 'The Waffle Collection', what: 'changed' },
      changes: [
        {
          field: 'hero title',
          before: 'Not what the file says.',
          after: file.find(({ id }) => id === 'waffle')?.heroTitle,
        },
      ],
    },
    { name: 'The Muffin Collection', what: 'new', changes: [] },
  ])
  expect(await upload()).toEqual([])
  expect(await exportCollections(db)).toEqual(file)
  clearListingCache(db)
  expect((await open('/collections/waffle')).html).toContain('Waffle is nearly ready.')
})

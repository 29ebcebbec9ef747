import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import type { Draft } from '#contract/admin-studio.ts'
import type { Product } from '#contract/catalog.ts'
import { EMPTY_DRAFT, type DraftContent } from '#domain/studio/draft.ts'
import { makeProduct } from '#server/studio/make-product.ts'
import { openWorld, type World } from '#sandbox/world.ts'

const [SHIRT, MUG, POSTER] = [71, 19, 1]
const BATCH = 'b'.repeat(24)

let world: World
let owner: ReturnType<World['shopper']>
let source: DraftContent

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  const signedIn = await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const cookie = signedIn.headers.getSetCookie().find((header) => header.includes('session='))
  // Black: it stands out on white, and not on black.
  const black = { r: 10, g: 10, b: 10, alpha: 1 }
  const png = await sharp({ create: { width: 800, height: 1000, channels: 4, background: black } })
    .png()
    .toBuffer()
  const answer = await fetch(`${world.address}/api/admin/pictures?kind=drawing&alt=Biscuit+asleep`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', cookie: cookie?.split(';')[0] ?? '' },
    body: new Uint8Array(png),
  })
  const drawing = (await answer.json()) as StoredPicture
  const placement = { area: 'front', drawing: drawing.file, x: 0.3, y: 0.25, width: 0.4, height: 0.4, threadColors: [] }
  source = {
    ...EMPTY_DRAFT,
    ...{ blankId: SHIRT, placements: [placement], name: 'Biscuit', description: '{name} on a {type}.' },
    ...{ collection: 'rudy', keywords: ['dog'] },
  }
})
afterAll(() => world[Symbol.asyncDispose]())

const begin = (blankIds: number[], batch = BATCH, content = source) =>
  owner.send<{ drafts: Draft[] }>('PUT', `/api/admin/draft-batches/${batch}`, {
    ...{ blankIds, content, namePattern: '{name} {type}', targetBasisPoints: 2500 },
  })
const fill = (blankId: number, batch = BATCH) =>
  owner.send<Draft>('POST', `/api/admin/draft-batches/${batch}`, { blankId })
async function copy(blankId: number, batch = BATCH, content = source) {
  const begun = await begin([blankId], batch, content)
  return begun.status === 200 ? fill(blankId, batch) : { ...begun, body: begun.body as unknown as Draft }
}
const batchOf = async (batch = BATCH) =>
  (await owner.send<{ drafts: Draft[] }>('GET', `/api/admin/draft-batches/${batch}`)).body.drafts
const publish = ({ id, version }: Draft) => owner.send<Draft>('POST', `/api/admin/drafts/${id}/publish`, { version })
const save = async (draft: Draft, content: Partial<DraftContent>) =>
  (
    await owner.send<Draft>('PUT', `/api/admin/drafts/${draft.id}`, {
      ...{ version: draft.version, step: 'preview', content: { ...draft.content, ...content } },
    })
  ).body

test('a drawing on several blanks: placed alike and inside, in colors that suit it, at a price with the margin', async () => {
  for (const blankId of [SHIRT, MUG, POSTER]) expect((await copy(blankId)).status).toBe(200)
  const [shirt, mug, poster] = await batchOf()
  expect(shirt?.content).toMatchObject({ name: 'Biscuit T-shirt', slug: 'biscuit-t-shirt', keywords: ['dog'] })
  expect(shirt?.content.placements).toMatchObject([{ area: 'front', x: 0.3, y: 0.25, width: 0.4 }])
  expect(shirt?.content.colors).toContain('Ivory')
  expect(shirt?.content.colors).not.toContain('Black')
  expect(shirt?.content.prices.length).toBe(shirt?.content.sizes.length)
  expect(mug?.content.placements).toMatchObject([{ area: 'default', x: 0.3, width: expect.any(Number) }])
  expect(poster?.content).toMatchObject({ colors: [], name: 'Biscuit Poster', description: 'Biscuit on a Poster.' })
  for (const { content } of [shirt, mug, poster].filter((draft) => draft !== undefined)) {
    expect(content.prices.every(({ price }) => price > 0 && [95, 99].includes(price % 100))).toBe(true)
    for (const { x, y, width, height } of content.placements) {
      expect(x - width / 2).toBeGreaterThanOrEqual(-1e-9)
      expect(y + height / 2).toBeLessThanOrEqual(1 + 1e-9)
    }
  }
})

test('the same request again answers the same draft, also when both arrive at once', async () => {
  const batch = 'c'.repeat(24)
  const [first, second] = await Promise.all([copy(MUG, batch), copy(MUG, batch)])
  expect(first.body.id).toBe(second.body.id)
  expect(await batchOf(batch)).toHaveLength(1)
})

test('the page closes in the middle: every blank has a draft, and opening it again fills in the rest', async () => {
  const batch = 'd'.repeat(24)
  expect((await begin([MUG, 999_999, SHIRT], batch)).status).toBe(200)
  expect((await fill(MUG, batch)).body).toMatchObject({ isUnfilled: false, content: { colors: ['White'] } })
  type List = { drafts: { batch: string | null; name: string }[] }
  const listed = (await owner.send<List>('GET', '/api/admin/drafts')).body.drafts
  expect(listed.filter((draft) => draft.batch === batch).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Biscuit', 'Biscuit', 'Biscuit Mug']),
  )
  expect((await batchOf(batch)).map(({ isUnfilled }) => isUnfilled)).toEqual([false, true, true])
  // Begun again, nothing is made twice.
  expect((await begin([MUG, 999_999, SHIRT], batch)).body.drafts).toHaveLength(3)
  // A blank that the printer does not have is refused, and the others go on.
  expect((await fill(999_999, batch)).status).toBe(404)
  expect((await fill(SHIRT, batch)).body).toMatchObject({ isUnfilled: false, content: { type: 't-shirt' } })
})

test('a draft that somebody saved before its turn stays as it was saved', async () => {
  const batch = 'e'.repeat(24)
  const [draft] = (await begin([MUG], batch)).body.drafts
  const saved = await save(draft as Draft, { name: 'My own mug' })
  expect((await fill(MUG, batch)).body).toMatchObject({ version: saved.version, content: { name: 'My own mug' } })
})

test('all are published, one is refused by the printer: it says why, the others are on sale, and each is made once', async () => {
  // The shop has no type of its own for posters. One color each: the pictures of all would take a minute.
  const drafts = await Promise.all(
    (await batchOf()).map((draft) =>
      save(draft, { type: draft.content.type || 'tote', colors: draft.content.colors.slice(0, 1) }),
    ),
  )
  const [refused] = drafts
  world.simulators.kit.rules.add({
    provider: 'printful',
    // Both makers of it are refused.
    match: { method: 'POST', path: '/store/products', body: `"${refused?.content.slug}"` },
    when: 'before',
    do: { status: 400, body: { code: 400, result: 'x', error: { reason: 'BadRequest', message: 'Variant 0: no' } } },
    times: 2,
  })
  for (const draft of drafts) expect((await publish(draft)).status).toBe(200)
  // Another instance takes the same jobs after a restart.
  await Promise.allSettled(drafts.map(({ id }) => makeProduct(world.shop, id)))
  await world.settled()
  const after = await batchOf()
  expect(after.map(({ state }) => state).toSorted()).toEqual(['published', 'published', 'refused'])
  expect(after.find(({ state }) => state === 'refused')?.refusal?.sentence).toContain('no')
  const externals: (string | null)[] = []
  for await (const { externalId } of world.shop.printful.listProducts()) externals.push(externalId)
  for (const { content, state } of after)
    expect(externals.filter((one) => one === content.slug)).toHaveLength(state === 'published' ? 1 : 0)
})

test('copies of a product start from its words and its drawing', async () => {
  const published = (await batchOf()).find(({ state }) => state === 'published')
  const ofProduct = (id: number | null | undefined) =>
    owner.send<{ content: DraftContent }>('GET', `/api/admin/products/${id}/draft`)
  const { content } = (await ofProduct(published?.productId)).body
  expect(content).toMatchObject({
    name: published?.content.name,
    placements: published?.content.placements,
    takenOver: null,
  })
  const demo = (await owner.send<Product[]>('GET', '/api/products')).body[0]
  expect((await ofProduct(demo?.id)).body.content).toMatchObject({ name: demo?.name, placements: [] })
  expect((await ofProduct(2 ** 40)).status).toBe(404)
})

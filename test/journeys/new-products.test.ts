import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Draft } from '#contract/admin-studio.ts'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import type { Blank } from '#contract/admin-blanks.ts'
import type { Product } from '#contract/catalog.ts'
import { EMPTY_DRAFT, type DraftContent } from '#domain/studio/draft.ts'
import { cents } from '#shared/money.ts'
import { printFileUrl } from '#server/studio/print-files.ts'
import { makeProduct } from '#server/studio/make-product.ts'
import { openWorld, type World } from '#sandbox/world.ts'

const SHIRT = 71

let world: World
let owner: ReturnType<World['shopper']>
let drawing: StoredPicture

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  const signedIn = await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const square = { r: 200, g: 120, b: 30, alpha: 1 }
  const png = await sharp({ create: { width: 1500, height: 1500, channels: 4, background: square } })
    .png()
    .toBuffer()
  const answer = await fetch(`${world.address}/api/admin/pictures?kind=drawing&alt=Biscuit+asleep`, {
    method: 'POST',
    headers: { 'content-type': 'image/png', cookie: cookieOf(signedIn.headers) },
    body: new Uint8Array(png),
  })
  expect(answer.status).toBe(200)
  drawing = (await answer.json()) as StoredPicture
})
afterAll(() => world[Symbol.asyncDispose]())

const cookieOf = (headers: Headers) =>
  headers
    .getSetCookie()
    .find((header) => header.includes('session='))
    ?.split(';')[0] ?? ''

async function draftOf(slug: string, more: Partial<DraftContent> = {}): Promise<Draft> {
  const blank = (await owner.send<Blank>('GET', `/api/admin/blanks/${SHIRT}`)).body
  const color = blank.colors[0]?.name ?? ''
  const content: DraftContent = {
    ...EMPTY_DRAFT,
    blankId: SHIRT,
    placements: [{ area: 'front', drawing: drawing.file, x: 0.5, y: 0.4, width: 0.6, height: 0.5, threadColors: [] }],
    colors: [color],
    sizes: ['S', 'M'],
    prices: [
      { size: 'S', price: cents(3495) },
      { size: 'M', price: cents(3495) },
    ],
    name: 'Biscuit T-Shirt',
    slug,
    description: 'Biscuit, asleep.',
    type: 't-shirt',
    collection: 'rudy',
    ...more,
  }
  return (await owner.send<Draft>('POST', '/api/admin/drafts', { content })).body
}
const publish = (draft: Draft, accepted = '') =>
  owner.send<Draft & { message: string; code: string }>('POST', `/api/admin/drafts/${draft.id}/publish${accepted}`, {
    version: draft.version,
  })
const now = async ({ id }: Draft) => (await owner.send<Draft>('GET', `/api/admin/drafts/${id}`)).body
const atPrinter = async (slug: string) => {
  const found = []
  for await (const head of world.shop.printful.listProducts()) if (head.externalId === slug) found.push(head)
  return found
}
const onSale = async (slug: string) =>
  (await owner.send<{ product: Product }>('GET', `/api/products/${slug}`)).body.product

const untilMockupsBegin = (draft: Draft) =>
  expect
    .poll(async () => (await now(draft)).progress, { timeout: 30_000 })
    .toBe('The printer has the product, and is making its pictures.')

/** Time passes twenty times as fast: the shop asks for the printer's pictures every ten seconds. */
async function settledSoon(): Promise<void> {
  const clock = setInterval(() => void world.advance(2000), 100)
  await world.settled().finally(() => clearInterval(clock))
}

test('a draft becomes a product at the printer and in the shop, and can be bought', async () => {
  const draft = await draftOf('biscuit-shirt')
  expect(await publish(draft)).toMatchObject({ status: 200, body: { state: 'creating' } })
  await world.settled()
  expect(await now(draft)).toMatchObject({ state: 'published', refusal: null })
  const product = await onSale('biscuit-shirt')
  expect(product).toMatchObject({ name: 'Biscuit T-Shirt', variantCount: 2, price: 3495, available: true })
  expect(await atPrinter('biscuit-shirt')).toHaveLength(1)
  const detail = await owner.send<{ result: { sync_variants: { id: number }[] } }>(
    'GET',
    `/api/printful/products/${product.providerProductId}`,
  )
  const variantId = detail.body.result.sync_variants[0]?.id
  expect((await owner.send('POST', '/api/cart', { productId: product.id, variantId, quantity: 1 })).status).toBe(200)
})

test('publishing a draft that somebody saved meanwhile answers the stored draft and a sentence', async () => {
  const draft = await draftOf('biscuit-meanwhile')
  const { id, version, content } = draft
  await owner.send('PUT', `/api/admin/drafts/${id}`, { version, step: 'words', content: { ...content, badge: 'NEW' } })
  const late = await owner.send<{ message: string; summary: Draft }>('POST', `/api/admin/drafts/${id}/publish`, {
    version,
  })
  expect(late.status).toBe(409)
  expect(late.body.message).toBe(
    'After you opened this draft, owner saved it. Changed there: what the draft shows now. Nothing you typed is lost.',
  )
  expect(late.body.summary).toEqual(await now(draft))
})

test('the answer of the printer is lost: the product exists there once, and goes on sale', async () => {
  const draft = await draftOf('biscuit-lost')
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { method: 'POST', path: '/store/products' },
    when: 'after',
    do: 'reset',
  })
  await publish(draft)
  await world.settled()
  // The next try of the job, once the printer counts as up again.
  await world.advance(120_000)
  await makeProduct(world.shop, draft.id)
  expect(await now(draft)).toMatchObject({ state: 'published' })
  expect(await atPrinter('biscuit-lost')).toHaveLength(1)
  expect((await onSale('biscuit-lost')).variantCount).toBe(2)
})

test('the job runs twice and again after it is done: one product here and there', async () => {
  const draft = await draftOf('biscuit-twice')
  await publish(draft)
  await Promise.allSettled([makeProduct(world.shop, draft.id), makeProduct(world.shop, draft.id)])
  await world.settled()
  await makeProduct(world.shop, draft.id)
  expect(await now(draft)).toMatchObject({ state: 'published' })
  expect(await atPrinter('biscuit-twice')).toHaveLength(1)
  const { rows } = await world.shop.database.pool.query(`select id from product where slug = 'biscuit-twice'`)
  expect(rows).toHaveLength(1)
})

test('what the printer refuses is shown at its step, nothing is on sale, and it can be corrected and sent again', async () => {
  const draft = await draftOf('biscuit-refused')
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { method: 'POST', path: '/store/products' },
    when: 'before',
    do: {
      status: 400,
      body: { code: 400, result: 'x', error: { reason: 'BadRequest', message: 'Variant 0: file is too small' } },
    },
  })
  await publish(draft)
  await world.settled()
  const refused = await now(draft)
  expect(refused).toMatchObject({
    state: 'refused',
    refusal: { step: 'drawing', sentence: 'The printer refused it: Variant 0: file is too small' },
  })
  expect(await atPrinter('biscuit-refused')).toEqual([])
  expect(await onSale('biscuit-refused')).toBeUndefined()
  await publish(refused)
  await world.settled()
  expect(await now(draft)).toMatchObject({ state: 'published', refusal: null })
})

test('a print file that the printer cannot read stops the product before it exists, and publishing again makes it', async () => {
  const run = vi.spyOn(world.shop.pictureProcess, 'run').mockRejectedValueOnce(new Error('out of memory'))
  const draft = await draftOf('biscuit-unread')
  await publish(draft)
  await world.settled()
  run.mockRestore()
  const refused = await now(draft)
  expect(refused).toMatchObject({
    state: 'refused',
    refusal: { step: 'drawing', sentence: expect.stringContaining('could not read the print file') },
  })
  expect(await atPrinter('biscuit-unread')).toEqual([])
  await publish(refused)
  await world.settled()
  expect(await now(draft)).toMatchObject({ state: 'published', refusal: null })
})

test('a product of this name at the printer that is not ours is left alone', async () => {
  const first = await draftOf('biscuit-theirs', { staysDraft: true })
  await publish(first)
  await world.settled()
  await world.shop.database.pool.query(
    `update product set slug = 'renamed', external_id = null where slug = 'biscuit-theirs'`,
  )
  const draft = await draftOf('biscuit-theirs')
  await publish(draft)
  await world.settled()
  expect(await now(draft)).toMatchObject({ state: 'refused', refusal: { step: 'words' } })
  expect(await atPrinter('biscuit-theirs')).toHaveLength(1)
})

test('a price below cost is refused until the owner accepts the loss', async () => {
  const prices = [
    { size: 'S', price: cents(500) },
    { size: 'M', price: cents(3495) },
  ]
  const draft = await draftOf('biscuit-cheap', { prices })
  const cheap = await publish(draft)
  expect(cheap).toMatchObject({ status: 409, body: { code: 'below_floor' } })
  expect(cheap.body.message).toMatch(/^With this, one Biscuit T-Shirt loses \$[\d.]+ when sent to /)
  expect(await now(draft)).toMatchObject({ state: 'open' })
  expect((await publish(draft, '?accepted=1')).status).toBe(200)
  await world.settled()
})

test('front and sleeve have their own drawing: the printer gets a file for each, and keywords find the product', async () => {
  const at = (area: string, x: number) => ({
    area,
    drawing: drawing.file,
    x,
    y: 0.5,
    width: 0.4,
    height: 0.4,
    threadColors: [],
  })
  const draft = await draftOf('biscuit-twofold', {
    placements: [at('front', 0.3), at('sleeve_left', 0.6)],
    keywords: ['snoozy mutt'],
  })
  await publish(draft)
  await world.settled()
  expect(await now(draft)).toMatchObject({ state: 'published', refusal: null })
  const { apiBase, token } = world.shop.config.printful
  const answer = await fetch(`${apiBase}/store/products/@biscuit-twofold`, {
    headers: { authorization: `Bearer ${token.reveal()}` },
  })
  const { result } = (await answer.json()) as {
    result: { sync_variants: { files: { type: string; url: string | null }[] }[] }
  }
  for (const { files } of result.sync_variants) {
    const given = files.filter(({ type }) => type !== 'preview')
    expect(given.map(({ type }) => type)).toEqual(['front', 'sleeve_left'])
    const places = given.map(({ url }) => {
      const [payload = ''] = (url ?? '').split('/').at(-1)?.split('.') ?? []
      return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown[]).slice(3, 5)
    })
    expect(places).toEqual([
      [0.3, 0.5],
      [0.6, 0.5],
    ])
  }
  const found = await owner.send<{ products: { id: number }[] }>('GET', '/api/search?q=snoozy')
  const [{ id } = { id: 0 }, ...others] = found.body.products
  expect(others).toEqual([])
  expect((await owner.send('GET', `/api/products/${id}`)).body).toMatchObject({
    product: { slug: 'biscuit-twofold', keywords: ['snoozy mutt'] },
  })
})

test('two drafts of one address are published at once: one is made, the other says why not', async () => {
  const drafts = [await draftOf('biscuit-same'), await draftOf('biscuit-same')]
  const answers = await Promise.all(drafts.map((draft) => publish(draft)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  expect(answers.find(({ status }) => status === 422)?.body.message).toContain('biscuit-same')
  await world.settled()
  expect(await atPrinter('biscuit-same')).toHaveLength(1)
})

test('a poster has no colors, and is published without any', async () => {
  const draft = await draftOf('biscuit-poster', {
    blankId: 1,
    colors: [],
    sizes: ['8″×10″'],
    prices: [{ size: '8″×10″', price: cents(2995) }],
    placements: [{ area: 'default', drawing: drawing.file, x: 0.5, y: 0.5, width: 0.9, height: 0.7, threadColors: [] }],
  })
  expect(await publish(draft)).toMatchObject({ status: 200 })
  await untilMockupsBegin(draft)
  await settledSoon()
  expect(await now(draft)).toMatchObject({ state: 'published', refusal: null })
})

test('a print file is the whole area with the drawing at its place, and no address of it can be made up', async () => {
  const placement = { area: 'front', drawing: drawing.file, x: 0.5, y: 0.25, width: 0.5, height: 0.5, threadColors: [] }
  const url = printFileUrl(world.shop, placement, { width: 1200, height: 1200 }, new Date())
  const print = sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).ensureAlpha()
  expect(await print.metadata()).toMatchObject({ width: 1200, height: 1200, format: 'png' })
  const { data } = await print.raw().toBuffer({ resolveWithObject: true })
  const alphaAt = (x: number, y: number) => data[(y * 1200 + x) * 4 + 3]
  expect([alphaAt(600, 300), alphaAt(310, 10), alphaAt(290, 300), alphaAt(600, 610)]).toEqual([255, 255, 0, 0])

  const ended = printFileUrl(world.shop, placement, { width: 1200, height: 1200 }, new Date(0))
  const changed = url.replace(/\.[^.]+$/, '.AAAA')
  for (const address of [ended, changed, `${url}x`, url.replace('/print/', '/print/e30')])
    expect((await fetch(address)).status, address).toBe(404)
})

describe('a product that the shop has no model of', () => {
  /** Of a type without a model, on the same shirt. */
  const plain = (slug: string) => draftOf(slug, { type: 'hoodie' })
  const TASKS = '/mockup-generator/create-task/71'

  beforeAll(async () => {
    await world.shop.database.pool.query(
      `insert into product_type select (jsonb_populate_record(t, '{"key": "hoodie", "name": "Hoodie"}')).* from product_type t where key = 't-shirt'`,
    )
  })

  test.each([
    ['of a type without a model', 'hoodie', 'biscuit-hoodie'],
    ['on another blank than the model of its type', 'tote', 'biscuit-tote'],
  ])('%s shows the printer’s front and lifestyle pictures, in our sizes and with alt text', async (_, type, slug) => {
    const draft = await draftOf(slug, { type })
    await publish(draft)
    await untilMockupsBegin(draft)
    await settledSoon()
    expect(await now(draft)).toMatchObject({ state: 'published', remark: null })
    const { images } = await onSale(slug)
    const color = draft.content.colors[0]
    expect(images.map(({ view, alt, avif }) => [view, alt, avif])).toEqual([
      ['front', `Biscuit T-Shirt, ${color}, front view`, true],
      ['lifestyle', `Biscuit T-Shirt, ${color}, in use`, true],
    ])
    for (const { src } of images) expect((await fetch(`${world.address}${src}`)).status).toBe(200)
  })

  test('is killed while the printer draws: the next run takes the same task’s pictures', async () => {
    const draft = await plain('biscuit-killed')
    const tasksBefore = world.simulators.kit.log.since(0).filter(({ path }) => path === TASKS).length
    await publish(draft)
    await untilMockupsBegin(draft)
    const again = makeProduct(world.shop, draft.id)
    await settledSoon()
    await again
    expect(await now(draft)).toMatchObject({ state: 'published', remark: null })
    expect(world.simulators.kit.log.since(0).filter(({ path }) => path === TASKS).length).toBe(tasksBefore + 1)
  })

  test('the printer draws nothing and its preview is no picture either: it stays hidden, and the owner is told why', async () => {
    const { pictureProcess } = world.shop
    const run = pictureProcess.run.bind(pictureProcess)
    const reading = vi
      .spyOn(pictureProcess, 'run')
      .mockImplementation((name, ...rest) =>
        name === 'readPhoto' ? Promise.reject(new Error('no picture')) : run(name, ...rest),
      )
    world.simulators.kit.rules.add({
      provider: 'printful',
      match: { method: 'POST', path: TASKS },
      when: 'before',
      do: {
        status: 400,
        body: { code: 400, result: 'x', error: { reason: 'BadRequest', message: 'No mockups here.' } },
      },
    })
    const draft = await draftOf('biscuit-unseen', {
      type: 'hoodie',
      placements: [
        { area: 'front', drawing: drawing.file, x: 0.5, y: 0.41, width: 0.6, height: 0.5, threadColors: [] },
      ],
    })
    await publish(draft)
    await world.settled()
    reading.mockRestore()
    expect(await now(draft)).toMatchObject({
      state: 'published',
      remark:
        'The printer made no pictures: No mockups here. It is hidden until you add a picture to it and publish it.',
    })
    expect(await onSale('biscuit-unseen')).toBeUndefined()
    const { rows } = await world.shop.database.pool.query(`select state from product where slug = 'biscuit-unseen'`)
    expect(rows).toEqual([{ state: 'draft' }])
  })
})

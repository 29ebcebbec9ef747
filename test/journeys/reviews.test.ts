import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminReview } from '#contract/admin-reviews.ts'
import type { Product } from '#contract/catalog.ts'
import type { ReviewableLine, ReviewPage, ReviewPhoto } from '#contract/reviews.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { followOrdersWithoutNews } from '#server/fulfillment/fulfillment.ts'
import { erasePerson, exportOf } from '#server/privacy/privacy.ts'
import { eraseExpired } from '#server/privacy/retention.ts'
import { hasOpenClaim } from '#server/claims/waiting.ts'
import { requestReviews } from '#server/reviews/requests.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { openWorld, type World } from '#sandbox/world.ts'

/** A sweep every five minutes, the shop's default: parcels are followed every two hours. */
const env = { SWEEP_INTERVAL_S: '300' }

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld({ env })
  owner = world.shopper()
  await signsIn()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Again after days have passed: an owner's session is short. */
const signsIn = () => owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })

/** Somebody who bought this, and has it. */
async function receives(buying: string) {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying })
  const number = (await payment.returnsToShop()).body.orderId ?? ''
  await world.settled()
  const partner = (change: string) => world.simulators.printful.change({ change, external_id: number })
  await partner('ship')
  await world.settled()
  await partner('deliver')
  await world.advance(3 * HOUR_MS)
  await followOrdersWithoutNews(world.shop)
  await world.settled()
  await signsIn()
  const mail = mailsTo(shopper.customer.email).find(({ subject }) => subject.includes('has arrived'))
  const product = await shopper.find(buying)
  return { shopper, number, product, token: tokenIn(mail?.text) }
}

const mailsTo = (email: string) => world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(email))
const tokenIn = (text: string | undefined) => /[?&]token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''

const review = { version: 0, stars: 4, fit: null, words: 'Warm, and the dog is very asleep.', name: 'Ada', photos: [] }
const writes = (token: string, more: object = {}, line = 0) =>
  world
    .shopper()
    .send<RefusalBody & { done: string }>('PUT', `/api/order/reviews/${line}`, { token, ...review, ...more })
const linesOf = async (token: string) =>
  (await world.shopper().send<{ lines: ReviewableLine[] }>('GET', `/api/order/reviews?token=${token}`)).body.lines
const pageOf = async ({ id }: { id: number }, search = '') =>
  (await world.shopper().send<ReviewPage>('GET', `/api/products/${id}/reviews${search}`)).body
const ratingOf = async ({ id }: { id: number }) => {
  const { body } = await world.shopper().send<{ product: Product }>('GET', `/api/products/${id}`)
  return { rating: body.product.rating, reviewCount: body.product.reviewCount }
}
const adminList = async (search = '') =>
  (await owner.send<{ reviews: AdminReview[]; waiting: number }>('GET', `/api/admin/reviews${search}`)).body
const reviewOf = async (words: string) => (await adminList()).reviews.find((one) => one.words === words)
const decides = (id: number | undefined, verb: string, body: object) =>
  owner.send<RefusalBody & { done: string }>('POST', `/api/admin/reviews/${id}/${verb}`, body)
const picture = (color: string) =>
  sharp({ create: { width: 800, height: 600, channels: 3, background: color } })
    .jpeg()
    .withExif({ IFD0: { Artist: 'Zelda of 12 Elm Street' } })
    .toBuffer()
const uploads = async (token: string, bytes: Uint8Array) =>
  world.shopper().send<ReviewPhoto & RefusalBody>('POST', `/api/order/reviews/0/photos?token=${token}`, bytes)

describe('a product’s rating', () => {
  test('is the average of its published reviews, which are all readable and marked as demo reviews', async () => {
    const hat = await world.shopper().find('Market Closed')
    const page = await pageOf(hat)
    expect(page.reviews.length).toBeGreaterThan(3)
    expect(page.reviews.every(({ isDemo }) => isDemo)).toBe(true)
    const average = page.reviews.reduce((sum, { stars }) => sum + stars, 0) / page.reviews.length
    expect(page.all).toEqual({ rating: Math.round(average * 10) / 10, count: page.reviews.length })
    expect(await ratingOf(hat)).toEqual({ rating: page.all?.rating, reviewCount: page.all?.count })
    // Nobody bought it.
    expect(page.real).toBeNull()
    expect(page.byStars.reduce((sum, count) => sum + count, 0)).toBe(page.all?.count)
    const fives = await pageOf(hat, '?stars=5')
    expect(fives.reviews.map(({ stars }) => stars)).toEqual(Array(page.byStars[4]).fill(5))
  })

  test('stays out of catalog files: a column is refused by its name, a member of JSON changes nothing', async () => {
    const file = await owner.send<string>('GET', '/api/admin/catalog-file/csv')
    expect(file.body.slice(0, 400)).not.toContain('rating')
    const csv = Buffer.from('slug,rating\nrudy-polo-quarterly-nap,5\n')
    const refused = await owner.send<RefusalBody>('POST', '/api/admin/catalog-file', csv)
    expect(refused).toMatchObject({ status: 422, body: { code: 'catalog_file_refused' } })
    expect(JSON.stringify(refused.body)).toContain('Ratings come from reviews alone')
    const json = await owner.send<{ products: object[] }>('GET', '/api/admin/catalog-file/json')
    const products = json.body.products.map((product) => ({ ...product, rating: 1, reviewCount: 9 }))
    const rated = Buffer.from(JSON.stringify({ ...json.body, products }))
    expect(await owner.send('POST', '/api/admin/catalog-file', rated)).toMatchObject({
      status: 200,
      body: { new: 0, changed: 0 },
    })
  })
})

describe('a review', () => {
  test('is written with the link of an email, waits for the owner, and appears with her answer (F64)', async () => {
    const { shopper, number, product, token } = await receives('mouse pad')
    expect(token).not.toBe('')
    expect(await ratingOf(product)).toEqual({ rating: 5, reviewCount: 0 })
    expect(await linesOf(token)).toMatchObject([{ line: 0, productId: product.id, isWorn: false, review: null }])

    const wrong = await writes(token, { stars: 0, words: ' ', name: '' })
    expect(wrong.status).toBe(422)
    expect(Object.keys(wrong.body.fields ?? {}).toSorted()).toEqual(['name', 'stars', 'words'])

    const photo = await uploads(token, await picture('#335577'))
    expect(photo.status).toBe(200)
    const words = 'Smooth. <b>Very</b> smooth; https://spam.example'
    const written = await writes(token, { words, photos: [photo.body.file] })
    expect(written).toMatchObject({ status: 200, body: { done: expect.stringContaining('before it appears') } })
    expect((await pageOf(product)).all).toBeNull()
    expect(await owner.send('GET', '/api/admin')).toMatchObject({ body: { reviews: 1 } })

    const waiting = await reviewOf(words)
    expect(waiting).toMatchObject({ state: 'waiting', orderNumber: number, isDemo: false })
    const { id, version } = waiting ?? { id: 0, version: 0 }
    expect((await decides(id, 'publish', { version })).status).toBe(200)
    expect(await decides(id, 'publish', { version: version + 1 })).toMatchObject({
      status: 409,
      body: { code: 'review_state_refused' },
    })
    // Another tab of the admin.
    expect(await decides(id, 'hide', { version, reason: 'too late' })).toMatchObject({
      status: 409,
      body: { code: 'review_changed' },
    })
    expect((await decides(id, 'answer', { version: version + 1, text: 'Thank you.' })).status).toBe(200)

    const page = await pageOf(product)
    expect(page).toMatchObject({ all: { rating: 4, count: 1 }, real: { rating: 4, count: 1 } })
    expect(page.reviews[0]).toMatchObject({ words, name: 'Ada', isDemo: false, answer: 'Thank you.' })
    expect(await ratingOf(product)).toEqual({ rating: 4, reviewCount: 1 })
    // Nobody learns who wrote it.
    expect(JSON.stringify(page)).not.toContain(shopper.customer.email)
    expect(JSON.stringify(page)).not.toContain(number)
    const [shown] = page.reviews[0]?.photos ?? []
    const bytes = Buffer.from(await (await fetch(world.address + (shown?.src ?? ''))).arrayBuffer())
    expect((await sharp(bytes).metadata()).format).toBe('webp')
    expect(bytes.includes('Zelda')).toBe(false)

    // Changed, it waits again; photos that it no longer has are gone.
    const [line] = await linesOf(token)
    expect(await writes(token, { version: 1 })).toMatchObject({ status: 409, body: { code: 'review_changed' } })
    const changed = await writes(token, { version: line?.review?.version, stars: 2, words: 'Less smooth by now.' })
    expect(changed.status).toBe(200)
    expect((await pageOf(product)).all).toBeNull()
    expect((await fetch(world.address + (shown?.src ?? ''))).status).toBe(404)

    const history = await owner.send<{ actions: { who: string; what: string }[] }>(
      'GET',
      `/api/admin/reviews/${id}/history`,
    )
    expect(history.body.actions.map(({ who, what }) => `${who} ${what}`)).toEqual([
      'customer changed a review',
      'owner answered a review',
      'owner published a review',
      'customer wrote a review',
    ])
    expect(await world.audit('reviews')).toContainEqual(
      expect.objectContaining({ id, product_id: product.id, stars: 2, state: 'waiting', is_demo: false }),
    )

    const gone = await world.shopper().send('DELETE', `/api/order/reviews/0?token=${token}`)
    expect(gone.status).toBe(200)
    expect(await linesOf(token)).toMatchObject([{ review: null }])
    expect(await reviewOf('Less smooth by now.')).toBeUndefined()
  })

  test('appears at once when the owner wants that, and one that she hid comes back only with her consent', async () => {
    await owner.send('PUT', '/api/admin/settings', { reviewsAppear: { was: 'after_approval', value: 'at_once' } })
    const { product, token } = await receives('polo')
    expect(await linesOf(token)).toMatchObject([{ isWorn: true }])
    const before = (await pageOf(product)).all?.count ?? 0
    const words = 'The collar stays up without being told.'
    await writes(token, { words, fit: 'large' })
    expect((await pageOf(product)).all?.count).toBe(before + 1)
    const shown = await reviewOf(words)
    expect(await decides(shown?.id, 'hide', { version: shown?.version, reason: '' })).toMatchObject({ status: 422 })
    await decides(shown?.id, 'hide', { version: shown?.version, reason: 'An advertisement' })
    expect((await pageOf(product)).all?.count).toBe(before)
    expect(await reviewOf(words)).toMatchObject({ state: 'hidden', hiddenReason: 'An advertisement' })
    const [line] = await linesOf(token)
    // The reason is the owner's own.
    expect(JSON.stringify(line)).not.toContain('advertisement')
    await writes(token, { version: line?.review?.version, words: 'Only about the collar.' })
    expect(await reviewOf('Only about the collar.')).toMatchObject({ state: 'waiting', hiddenReason: null })
    await owner.send('PUT', '/api/admin/settings', { reviewsAppear: { was: 'at_once', value: null } })
  })

  test('is for arrived pieces of one’s own order alone, and one of two tabs writes it (F64)', async () => {
    const shopper = world.shopper()
    const payment = await shopper.paysByCard({ buying: 'mug' })
    const number = (await payment.returnsToShop()).body.orderId ?? ''
    await world.settled()
    const token = tokenIn(mailsTo(shopper.customer.email)[0]?.text)
    expect(await linesOf(token)).toEqual([])
    expect(await writes(token)).toMatchObject({ status: 409, body: { code: 'review_not_possible' } })
    expect(await writes('nonsense')).toMatchObject({ status: 404, body: { code: 'order_not_shown' } })
    // A number and an email open an order for reading only.
    const guest = world.shopper()
    await guest.send('POST', '/api/track', { orderNumber: number, email: shopper.customer.email })
    expect(await guest.send('GET', `/api/order/reviews?order=${number}`)).toMatchObject({ status: 404 })
    const other = await receives('tote')
    // Two tabs at once: a line has one review.
    const both = await Promise.all([writes(other.token), writes(other.token)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect((await linesOf(other.token)).map(({ review: own }) => own?.version)).toEqual([1])
    expect(await writes(other.token, {}, 5)).toMatchObject({ status: 409, body: { code: 'review_not_possible' } })
    expect(await owner.send('GET', '/api/admin/reviews/999999/history')).toMatchObject({ status: 404 })
  })

  test('has photos of its own line only: no text file, not those of others, not without end', async () => {
    const [mine, other] = [await receives('blanket'), await receives('water bottle')]
    expect(await uploads(mine.token, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject({
      status: 415,
      body: { code: 'picture_type' },
    })
    const foreign = await uploads(other.token, await picture('#112233'))
    expect(await writes(mine.token, { photos: [foreign.body.file] })).toMatchObject({
      status: 404,
      body: { code: 'unknown_picture' },
    })
    // Nor does the owner's library have them.
    const library = await owner.send<{ pictures: { file: string }[] }>('GET', '/api/admin/pictures')
    expect(library.body.pictures.map(({ file }) => file)).not.toContain(foreign.body.file)
    for (let at = 0; at < 12; at += 1) expect((await uploads(mine.token, await picture('#112233'))).status).toBe(200)
    expect(await uploads(mine.token, await picture('#112233'))).toMatchObject({
      status: 409,
      body: { code: 'review_photos_full' },
    })
    // Photos of no review go after a day.
    await world.advance(2 * DAY_MS)
    await eraseExpired(world.shop)
    expect((await fetch(world.address + foreign.body.src)).status).toBe(404)
    await signsIn()
  })

  test('stays when its piece is refunded, is no longer possible once all is, and leaves with its product', async () => {
    const { number, product, token } = await receives('visor')
    await writes(token, { words: 'Shade, as promised.' })
    const shown = await reviewOf('Shade, as promised.')
    await decides(shown?.id, 'publish', { version: shown?.version })
    const wanted = { kind: 'rest' }
    const { body } = await owner.send('POST', `/api/admin/orders/${number}/refund/preview`, { wanted })
    const refund = { wanted, reason: 'Too much shade', amount: body['amount'], limit: body['limit'] }
    expect((await owner.send('POST', `/api/admin/orders/${number}/refund`, refund)).status).toBe(200)
    await world.settled()
    expect((await pageOf(product)).real).toEqual({ rating: 4, count: 1 })
    expect((await world.shopper().send('DELETE', `/api/order/reviews/0?token=${token}`)).status).toBe(200)
    expect(await writes(token)).toMatchObject({ status: 409, body: { code: 'review_not_possible' } })
    await world.shop.database.pool.query(`update product set state = 'retired' where id = $1`, [product.id])
    expect(await world.shopper().send('GET', `/api/products/${product.id}/reviews`)).toMatchObject({ status: 404 })
    await world.shop.database.pool.query(`update product set state = 'published' where id = $1`, [product.id])
  })

  test('is exported and erased with its writer, photos and all', async () => {
    const { shopper, token } = await receives('pillow')
    const { body: photo } = await uploads(token, await picture('#445566'))
    await writes(token, { words: 'My grandmother Zelda loves it.', photos: [photo.file] })
    const { email } = shopper.customer
    const exported = JSON.parse(await text(await exportOf(world.shop, email))) as {
      reviews: { words: string; photos: string[] }[]
    }
    const [own] = exported.reviews
    expect(own?.words).toContain('My grandmother Zelda')
    expect(own?.photos.map((one) => Buffer.from(one, 'base64').subarray(8, 12).toString())).toEqual(['WEBP'])
    const slow = await exportOf(world.shop, email)
    await erasePerson(world.shop, email, COMMAND)
    expect(JSON.parse(await text(slow)), 'a photo is read once it is its turn').toMatchObject({
      reviews: [{ photos: [null] }],
    })
    expect(await reviewOf('My grandmother Zelda loves it.')).toBeUndefined()
    expect((await fetch(world.address + photo.src)).status).toBe(404)
    expect(await writes(token)).toMatchObject({ status: 404 })
  })
})

test('buyers are asked once, a week after delivery, unless they have written, were refunded or do not want it', async () => {
  await using own = await openWorld({ env })
  const first = world
  world = own
  try {
    const silent = await receives('hat')
    const eager = await receives('mug')
    await writes(eager.token)
    const askedOf = (email: string) => mailsTo(email).filter(({ subject }) => subject.startsWith('How do you like'))
    const unhappy = await receives('pillow')
    await own.shop.database.pool.query(
      `insert into claim (order_id, kind, reason, state, opened_at, waiting_since, pieces, submission)
       select id, 'claim', 'damaged', 'open', now(), now(), '[]', gen_random_uuid() from shop_order where order_number = $1`,
      [unhappy.number],
    )
    expect(await requestReviews(own.shop, hasOpenClaim)).toBe(0)
    await own.advance(7 * DAY_MS)
    expect(await requestReviews(own.shop, hasOpenClaim)).toBe(1)
    expect(await requestReviews(own.shop, hasOpenClaim)).toBe(0)
    await own.settled()
    const [mail] = askedOf(silent.shopper.customer.email)
    expect(mail?.text).toMatch(/Write a review: \S+order-confirmation\?token=[\w-]+#reviews/)
    expect(askedOf(eager.shopper.customer.email)).toEqual([])
    expect((await writes(tokenIn(mail?.text))).status).toBe(200)

    const stop = /^List-Unsubscribe:\s*<([^>]+)>/m.exec((mail?.raw ?? '').replaceAll(/\r?\n\s+/g, ' '))?.[1] ?? ''
    const post = (address: string) => fetch(address, { method: 'POST', body: 'List-Unsubscribe=One-Click' })
    expect((await post(stop)).status).toBe(200)
    expect((await post(stop.replace(/token=.*/, 'token=no'))).status).toBe(404)
    await own.shop.database.pool.query('update shop_order set customer_email = $1 where order_number = $2', [
      silent.shopper.customer.email.toUpperCase(),
      (await receives('tote')).number,
    ])
    await own.advance(7 * DAY_MS)
    expect(await requestReviews(own.shop, hasOpenClaim)).toBe(0)
  } finally {
    world = first
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Funnel, Origins } from '#contract/reports.ts'
import { DAY_MS } from '#shared/time.ts'
import { eraseExpired } from '#server/privacy/retention.ts'
import { addresses, cards, openWorld, type World } from '#sandbox/world.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1'
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const reports = (steps: [step: string, about?: number][], from = '', userAgent = PHONE) =>
  owner.send(
    'POST',
    '/visits',
    { steps: steps.map(([step, about = 0]) => ({ step, about })), from },
    { 'user-agent': userAgent },
  )

type Row = { step: string; device: string; source: string; about: number; count: number }

async function stored(): Promise<Row[]> {
  await world.shop.visits.flush()
  const { rows } = await world.shop.database.pool.query<Row>(
    'select step, device, source, about::float8 as about, count from visit_count order by 1, 2, 3, 4',
  )
  return rows
}

const funnel = async () => (await owner.send<Funnel>('GET', '/api/reports/funnel')).body
const countOf = ({ steps }: Funnel, step: string) => steps.find((row) => row.step === step)

test('a phone visits, buys and is in the funnel, in the row of its product, its device and its day', async () => {
  const shopper = world.shopper()
  const mug = await shopper.find('mug')
  const { id: productId } = mug
  await reports([['visit'], ['product'], ['view', productId]], 'www.youtube.com')
  const onPhone = { 'user-agent': PHONE }
  const variantId = await shopper.firstVariant(mug)
  await shopper.send('POST', '/api/cart', { productId: String(productId), variantId, quantity: 1 }, onPhone)
  await shopper.send('POST', '/api/cart', { productId: String(productId), variantId, quantity: 1 }, onPhone)
  await reports([['checkout'], ['priced']])
  const customerInfo = {
    ...{ email: 'fan@mail.example', name: 'Ada Fan' },
    ...{ shippingAddress: addresses.newYork, sameBillingAddress: true },
  }
  const { body: started } = await shopper.send<{ payment_intent: string; client_secret: string }>(
    'POST',
    '/api/create-payment-intent',
    { customerInfo, termsAccepted: true },
    onPhone,
  )
  await shopper.confirms(started)
  await shopper.returnsToShop(started.payment_intent)
  await world.settled()
  await world.shop.visits.flush()

  const seen = await funnel()
  for (const { step } of seen.steps) expect(countOf(seen, step), step).toMatchObject({ all: 1, phone: 1, tablet: 0 })
  expect(seen.sources).toEqual([{ source: 'social', visits: 1 }])
  for (const [by, key] of [
    ['product', String(productId)],
    ['device', 'phone'],
    ['day', seen.countedFrom ?? ''],
  ] as const) {
    const { body } = await owner.send<Origins>('GET', `/api/reports/origins?by=${by}`)
    // The same mug again is no second time that it was put into a cart.
    expect(
      body.rows.find((row) => row.key === key),
      by,
    ).toMatchObject({ visits: 1, carts: 1, checkouts: 1, orders: 1 })
  }
})

test('a declined card and a start that nobody finished are where people leave', async () => {
  const declined = world.shopper()
  await declined.adds('hat')
  const { body: started } = await declined.startsPayment()
  await declined.confirms(started, cards.declined)
  await declined.send('POST', '/api/payment-declined', { paymentIntentId: started.payment_intent })
  const undecided = world.shopper()
  await undecided.adds('hat')
  await undecided.startsPayment()
  const { stops } = await funnel()
  expect(stops.map(({ stop, checkouts }) => [stop, checkouts])).toEqual([
    ['declined', 1],
    ['form', 1],
  ])
})

test('bots, made-up steps and other sites are not counted, and no cookie is set', async () => {
  const before = await stored()
  expect((await reports([['visit']], '', BOT)).status).toBe(204)
  expect((await reports([['visit']], '', '')).status).toBe(204)
  expect((await reports([['paid']])).status).toBe(204)
  expect((await reports([['view', -1]])).status).toBe(204)
  const foreign = await owner.send(
    'POST',
    '/visits',
    { steps: [{ step: 'visit', about: 0 }], from: '' },
    { 'user-agent': PHONE, origin: 'https://elsewhere.example' },
  )
  expect(foreign.status).toBe(403)
  expect(await stored()).toEqual(before)
  const counted = await reports([['visit']], 'www.google.com')
  expect([counted.status, counted.headers.getSetCookie()]).toEqual([204, []])
  // What is stored of a visit: nothing that tells visitors apart.
  expect((await stored()).filter(({ source }) => source === 'search')).toEqual([
    { step: 'visit', device: 'phone', source: 'search', about: 0, count: 1 },
  ])
})

test('a sold-out variant counts its views and presses, with what they may have cost', async () => {
  const { rows } = await world.shop.database.pool.query<{ id: number; price: number }>(
    `update variant set availability = 'discontinued' where id = (select min(id) from variant)
     returning id::float8 as id, unit_price_cents::float8 as price`,
  )
  const [variant] = rows
  if (!variant) throw new Error('no variant')
  await reports([
    ['sold_out_view', variant.id],
    ['sold_out_press', variant.id],
  ])
  await reports([['sold_out_view', variant.id]])
  await world.shop.visits.flush()
  const { soldOut } = await funnel()
  expect(soldOut).toMatchObject([{ variantId: variant.id, views: 2, presses: 1, isBack: false }])
  expect(soldOut[0]?.pressedValue).toBe(soldOut[0]?.price)
  expect(soldOut[0]?.usualValue).toBeLessThanOrEqual(2 * (soldOut[0]?.price ?? 0))
})

test('one address, made-up products and a long day fill neither memory nor table', async () => {
  const { visits } = world.shop
  await visits.flush()
  expect(Array.from({ length: 301 }, () => visits.admits('192.0.2.1')).filter(Boolean)).toHaveLength(300)
  expect(visits.admits('192.0.2.2')).toBe(true)
  const before = (await stored()).length
  for (let about = 1_000_000; about < 1_006_000; about += 1) visits.count({ step: 'view', device: 'phone', about })
  expect((await stored()).length - before).toBe(5000)
  for (let about = 2_000_000; about < 2_005_000; about += 1) visits.count({ step: 'view', device: 'phone', about })
  await visits.flush()
  await reports([['view', 777_777], ['visit']])
  const after = await stored()
  expect(after.length).toBeLessThan(15_000)
  expect(after.filter(({ about }) => about === 777_777)).toEqual([])
  expect(after.find(({ step, source }) => step === 'visit' && source === 'direct')?.count).toBe(1)
})

test('counts are deleted after 400 days', async () => {
  await world.advance(402 * DAY_MS)
  await eraseExpired(world.shop)
  expect((await stored()).filter(({ source }) => source === 'social')).toEqual([])
})

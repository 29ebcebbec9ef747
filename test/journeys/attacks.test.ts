import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cents, formatUsd } from '#shared/money.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, ordersOf } from './invariants.ts'

// Attempts to pay less, see more, or exhaust the shop.

let world: World
let shopper: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  shopper = world.shopper()
})

const onPartner = () => world.simulators.kit.log.since(0).filter(({ provider }) => provider === 'printful').length
const intents = () => world.simulators.stripe.ledger().payments?.length ?? 0

const saoPaulo = {
  line1: 'Avenida Paulista 1578',
  line2: null,
  city: 'São Paulo',
  state: 'SP',
  postal_code: '01310-200',
  country: 'BR',
}

test('the alternate checkout’s claimed total of 1 is compared, never charged (S02)', async () => {
  await shopper.adds('hat')
  const before = intents()
  const { customerInfo: _, ...cheap } = {
    customerInfo: null,
    orderSummary: { total: 1, subtotal: 1, shipping: 0, tax: 0 },
  }
  const answer = await shopper.startsPayment(addresses.newYork, {
    ...cheap,
    customerInfo: { ...shopper.customer, phone: null, address: addresses.newYork },
  })
  expect(answer).toMatchObject({ status: 409, body: { code: 'summary_changed' } })
  expect(intents()).toBe(before)
})

test('five items and minus four do not make a cart of one (S05)', async () => {
  const { id, price } = await shopper.find('mouse pad')
  await shopper.adds('mouse pad', 5)
  expect((await shopper.send('POST', '/api/cart', { productId: id, variantId: null, quantity: -4 })).status).toBe(422)
  const answer = await shopper.startsPayment(addresses.newYork, {
    cartItems: [
      { productId: id, quantity: 5, price },
      { productId: id, quantity: -4, price },
    ],
  })
  expect(answer.status).toBe(422)
  expect((await shopper.startsPayment()).body.subtotal).toBe(5 * price)
})

test('an address that mixes Brazil and the US is refused instead of avoiding the surcharge (S10)', async () => {
  await shopper.adds('pillow')
  expect((await shopper.startsPayment({ ...saoPaulo, country: 'US' })).status).toBe(422)
  expect((await shopper.startsPayment({ ...addresses.newYork, country: 'BR' })).status).toBe(422)
})

test('the surcharge follows the delivery address, even if it changes after payment started (S10)', async () => {
  await shopper.adds('pillow')
  const home = await shopper.startsPayment(addresses.newYork)
  expect(home.body.shipping_cost).toBe(0)
  const away = await shopper.startsPayment(addresses.sydney)
  expect(away.body).toMatchObject({ payment_intent: home.body.payment_intent, shipping_cost: 3499 })
  // The older tab still shows the American total; that total is not charged.
  const older = await shopper.startsPayment(addresses.sydney, { amount: home.body.total_amount })
  expect(older).toMatchObject({ status: 409, body: { code: 'summary_changed' } })

  await shopper.confirms(away.body)
  await shopper.returnsToShop(away.body.payment_intent)
  await world.settled()
  const order = (await ordersOf(world)).find(({ customer_email: email }) => email === shopper.customer.email)
  expect(order).toMatchObject({ shipping_cents: '3499', total_cents: String(away.body.total_amount) })
  const drafted = world.simulators.kit.log
    .since(0)
    .find(({ key, method }) => method === 'POST' && key === order?.external_id)
  expect(drafted?.request).toMatchObject({ recipient: { city: 'Sydney', country_code: 'AU', zip: '2000' } })
})

test('prices around a dollar, a hundred and ten thousand agree in the shop, at the provider, in the email and on the printer’s papers (S09)', async () => {
  const { pool } = world.shop.database
  const hongKong = { line1: '1 Queen’s Road', city: 'Central', state: null, postal_code: null, country: 'HK' }
  const bought: { price: number; quantity: number; paymentId: string; orderId: string }[] = []
  for (const price of [1, 99, 100, 101, 9999, 10_000, 1_000_000]) {
    // An item of one cent is below the provider's minimum charge.
    const quantity = price < 100 ? 99 : 1
    const buyer = world.shopper()
    const { body: line } = await buyer.adds('mouse pad', quantity)
    await pool.query('update variant set unit_price_cents = $2 where id = $1', [line.variantId, price])
    expect(await buyer.cart()).toMatchObject([{ price, quantity }])
    const { body: started } = await buyer.startsPayment(hongKong)
    await pool.query('update variant set unit_price_cents = $2 where id = $1', [line.variantId, line.price])
    expect(started).toMatchObject({ subtotal: price * quantity, total_amount: price * quantity })
    await buyer.confirms(started)
    const { orderId } = (await buyer.returnsToShop(started.payment_intent)).body
    bought.push({ price, quantity, paymentId: started.payment_intent, orderId: orderId ?? 'no number' })
  }
  await world.settled()

  for (const { price, quantity, paymentId, orderId } of bought) {
    const paid = world.simulators.stripe.ledger().payments?.find(({ id }) => id === paymentId)
    expect(paid?.amount_cents).toBe(price * quantity)
    const mail = world.mailbox.list().find(({ subject }) => subject.includes(orderId))
    expect(mail?.text).toContain(formatUsd(cents(price * quantity)))
    const drafted = world.simulators.kit.log.since(0).find(({ key, method }) => method === 'POST' && key === orderId)
    const [dollars, rest] = [Math.floor(price / 100), String(price % 100).padStart(2, '0')]
    expect(drafted?.request).toMatchObject({ items: [{ retail_price: `${dollars}.${rest}`, quantity }] })
  }
  await expectBooksAgree(world)
})

test('a cart of a hundred and one lines is refused, and quotes do not use up the printer’s rate limit (S14)', async () => {
  const before = onPartner()
  const cartItems = Array.from({ length: 101 }, () => ({ quantity: 1 }))
  await shopper.adds('mouse pad', 99)
  expect((await shopper.startsPayment(addresses.newYork, { cartItems })).status).toBe(422)
  expect((await shopper.startsPayment(addresses.newYork, { cartItems: [{ quantity: 101 }] })).status).toBe(422)
  await shopper.send('POST', '/api/calculate-shipping', { shippingAddress: addresses.newYork })
  await shopper.send('POST', '/api/calculate-taxes', { customerAddress: addresses.newYork })
  await shopper.startsPayment()
  expect(onPartner() - before).toBeLessThanOrEqual(3)
})

test('guessed payment ids are not found, and the guesser is rate limited (S25)', async () => {
  await using slow = await openWorld({ env: { RATE_LIMIT_SCALE: '0.1' } })
  const payer = slow.shopper()
  const payment = await payer.paysByCard()
  const guesser = slow.shopper()
  const statuses: number[] = []
  for (let n = 0; n < 40; n += 1) {
    const answer = await guesser.send('GET', `/api/payment-success/pi_guess${n}`)
    statuses.push(answer.status)
    expect(JSON.stringify(answer.body)).not.toContain(payer.customer.email)
    if (answer.status === 429) expect(answer.headers.get('retry-after')).toBeTruthy()
  }
  expect(new Set(statuses)).toEqual(new Set([404, 429]))
  expect(statuses.at(-1)).toBe(429)
  // The id of somebody else's payment reveals only a status.
  const stranger = await slow.shopper().returnsToShop(payment.payment_intent)
  expect(stranger.body).toEqual({ success: true, status: 'paid' })
})

test('an address that keeps registering users is rate limited (S38)', async () => {
  await using slow = await openWorld({ env: { RATE_LIMIT_SCALE: '0.25' } })
  const statuses = []
  for (let n = 0; n < 7; n += 1) {
    const answer = await slow.shopper().send('POST', '/api/register', { username: `fan${n}`, password: 'sleepy-dog-9' })
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
})

test('fifty new sessions that start payments from one address get ten payments at most (S35)', async () => {
  await using slow = await openWorld({ env: { RATE_LIMIT_SCALE: '1' } })
  const { id } = await slow.shopper().find('mouse pad')
  const statuses = []
  for (let n = 0; n < 50; n += 1) {
    const stranger = slow.shopper()
    await stranger.send('POST', '/api/cart', { productId: id, variantId: null })
    const answer = n % 5 === 4 ? await stranger.startsWallet() : await stranger.startsPayment()
    statuses.push(answer.status)
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  const made = [
    ...(slow.simulators.stripe.ledger().payments ?? []),
    ...(slow.simulators.paypal.ledger().payments ?? []),
  ]
  expect(made).toHaveLength(10)
})

test(
  'forty honest shoppers behind one address are all served at the same time (S37)',
  { timeout: 120_000 },
  async () => {
    await using slow = await openWorld({ env: { RATE_LIMIT_SCALE: '1' } })
    for (let n = 0; n < 20; n += 1) {
      const [byCard, byWallet] = [slow.shopper(), slow.shopper()]
      const payment = await byCard.paysByCard({ buying: 'mouse pad' })
      expect((await payment.returnsToShop()).body).toMatchObject({ success: true })
      const wallet = await byWallet.approvesWallet({ buying: 'mouse pad' })
      expect((await byWallet.captures(wallet)).body.status).toBe('COMPLETED')
    }
    expect(await ordersOf(slow)).toHaveLength(40)
  },
)

test('an idempotency key repeats its answer, one after the other or concurrently, and is refused for another body (S13)', async () => {
  const key = { 'idempotency-key': 'press-1' }
  await shopper.adds('hat')
  const starts = (to: object) =>
    shopper.send<{ payment_intent: string; fields?: object }>(
      'POST',
      '/api/create-payment-intent',
      { customerInfo: shopper.customerInfo(to), termsAccepted: true },
      key,
    )
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => starts(addresses.newYork)))
  expect(first?.status).toBe(200)
  for (const answer of [...others, await starts(addresses.newYork)]) expect(answer.body).toEqual(first?.body)
  expect(await starts(addresses.berlin)).toMatchObject({
    status: 422,
    body: { code: 'invalid', fields: { 'Idempotency-Key': expect.any(String) } },
  })
  // Without an idempotency key, the checkout's own applies.
  expect((await shopper.startsPayment(addresses.berlin)).body.payment_intent).toBe(first?.body.payment_intent)
  // A key belongs to its session.
  const stranger = world.shopper()
  await stranger.adds('mug')
  const theirs = { customerInfo: stranger.customerInfo(addresses.sydney), termsAccepted: true }
  expect((await stranger.send('POST', '/api/create-payment-intent', theirs, key)).status).toBe(200)
  expect((await stranger.send('POST', '/paypal/order', theirs, { 'idempotency-key': 'x'.repeat(300) })).status).toBe(
    422,
  )
})

test('privileges added to a registration are ignored (S30)', async () => {
  const wishes: object[] = [
    { isPartner: true, isOwner: true, role: 'owner', roles: ['owner'], id: 1, userId: 1, is_owner: true, admin: 1 },
    { user: { isOwner: true }, ['isOwner ']: true, ISOWNER: 'true' },
  ]
  for (const [at, wish] of wishes.entries()) {
    const visitor = world.shopper()
    const { status } = await visitor.send('POST', '/api/register', {
      ...wish,
      username: `climber ${at}`,
      password: 'sleeps on ingots',
    })
    expect(status).toBe(200)
    expect((await visitor.send('GET', '/api/user')).body).toMatchObject({ isPartner: false, isOwner: false })
    expect((await visitor.send('GET', '/api/reports/summary')).status).toBe(403)
  }
  for (const pollution of ['"__proto__":{"isOwner":true}', '"constructor":{"prototype":{"isOwner":true}}']) {
    const polluted = `{"username":"climber x","password":"sleeps on ingots",${pollution}}`
    expect((await world.shopper().send('POST', '/api/register', polluted)).status).toBe(400)
  }
  expect(({} as { isOwner?: boolean }).isOwner).toBeUndefined()
  const { rows } = await world.shop.database.pool.query(`select username from app_user where is_owner`)
  expect(rows).toEqual([{ username: 'owner' }])
})

test('a password counts to its last letter, may be long, and is refused before hashing if it is too long (S44)', async () => {
  const long = (tail: string, length: number) => `${'x'.repeat(length - tail.length)}${tail}`
  for (const length of [64, 80, 256]) {
    const visitor = world.shopper()
    const username = `long ${length}`
    expect((await visitor.send('POST', '/api/register', { username, password: long('a', length) })).status).toBe(200)
    const login = (password: string) => world.shopper().send('POST', '/api/login', { username, password })
    expect((await login(long('b', length))).status).toBe(401)
    expect((await login(long('a', length))).status).toBe(200)
  }
  for (const length of [257, 1024, 900_000]) {
    const credentials = { username: 'too long', password: long('a', length) }
    for (const call of ['register', 'login'])
      expect(await world.shopper().send('POST', `/api/${call}`, credentials)).toMatchObject({
        status: 422,
        body: { fields: { password: 'Please use at most 256 characters' } },
      })
  }
})

test('a genuine event with extra fields smuggled in is handled like any other (S54)', async () => {
  const { pool } = world.shop.database
  const secret = world.simulators.settings['PRINTFUL_WEBHOOK_SECRET'] ?? ''
  const sendEvent = (body: string) => shopper.send('POST', `/webhooks/printful/${secret}`, body)
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  const order = `{"external_id":"K7QM-4T2X","status":{"toString":1},"costs":{"total":[]},"shipments":"many"}`
  expect((await sendEvent(`{"type":"order_updated","data":{"order":${order}},"extra":${deep}}`)).status).toBeLessThan(
    500,
  )
  expect((await sendEvent(`{"type":"order_updated","type":"x","data":{"order":${order}},"retries":"9"}`)).status).toBe(
    200,
  )
  for (const body of [
    '{"type":"order_updated","__proto__":{"isOwner":true},"data":{}}',
    '{"type":["order_updated"],"data":{}}',
    '{"type":"order_updated","data":{"order":{"external_id":{"$ne":1}}}}',
    `{"type":"${'x'.repeat(200)}"}`,
    '[]',
    'null',
  ])
    expect((await sendEvent(body)).status, body.slice(0, 60)).toBe(400)
  await world.settled()
  expect(({} as { isOwner?: boolean }).isOwner).toBeUndefined()
  const { rows } = await pool.query(`select 1 from audit_jobs where state = 'failed'`)
  expect(rows).toEqual([])
})

test('truncated, overlong, doubled and foreign cookies open only a cart of their own (S19)', async () => {
  const victim = world.shopper()
  await victim.send('POST', '/api/register', { username: 'a victim', password: 'sleeps on ingots' })
  await victim.adds('mouse pad', 3)
  const token = victim.cookie().split('=')[1] ?? ''
  for (const cookie of [
    `session=${token.slice(0, -1)}`,
    `session=${token}x`,
    `session=${'x'.repeat(8192)}`,
    `session=`,
    `session="${token.toUpperCase()}"`,
    `Session=${token}`,
    `session=%00${token}`,
    `session=; session=${token.slice(1)}`,
  ]) {
    const stranger = world.shopper()
    stranger.usesCookie(cookie)
    expect((await stranger.send('GET', '/api/user')).status, cookie.slice(0, 40)).toBe(401)
    expect(await stranger.cart()).toEqual([])
  }
  const { id } = await shopper.find('mouse pad')
  await shopper.send('POST', '/api/cart', { productId: id, variantId: null, sessionId: token, session: token })
  expect(await victim.cart()).toMatchObject([{ quantity: 3 }])
})

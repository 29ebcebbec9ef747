import { expect, test } from 'vitest'
import { submitWaiting } from '#server/fulfillment/fulfillment.ts'
import { signEvent } from '#sandbox/stripe/events.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { copyOrder } from './orders-to-send.ts'
import { expectBooksAgree, expectNoPaymentLost, expectPrintedOnce, ordersOf } from './invariants.ts'

const HOUR_MS = 3_600_000
/** What does not depend on the database is tested on one kind only. */
const onServer = process.env['TEST_DATABASE'] === 'postgresql'

/** Sends an event as Stripe would now, with any signature. */
async function sendEvent(world: World, body: string, signature: string): Promise<number> {
  const answer = await fetch(`${world.address}/webhooks/stripe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  })
  return answer.status
}

/** The body of a payment success event. */
const succeeded = (id: string, paymentIntent: string) =>
  JSON.stringify({
    id,
    object: 'event',
    api_version: null,
    created: Math.floor(Date.now() / 1000),
    type: 'payment_intent.succeeded',
    data: { object: { id: paymentIntent, object: 'payment_intent' } },
  })

const secretOf = (world: World) => world.simulators.settings['STRIPE_WEBHOOK_SECRET'] ?? ''
const nowS = () => Math.floor(Date.now() / 1000)

test('an event that arrives before the create call returns finds its checkout: one order (F09)', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { method: 'POST', path: '/v1/payment_intents' },
    when: 'after',
    do: { delayMs: 1500 },
  })
  const starting = shopper.startsPayment()
  const payment = await expect
    .poll(() => world.simulators.stripe.ledger().payments ?? [], { interval: 20, timeout: 5000 })
    .toHaveLength(1)
    .then(() => world.simulators.stripe.ledger().payments?.[0])
  await world.simulators.stripe.change({ change: 'succeed', payment_intent: payment?.id })
  await world.settled()
  expect(await ordersOf(world)).toMatchObject([{ payment_key: `stripe:${payment?.id}` }])

  await starting
  await shopper.returnsToShop(payment?.id ?? '')
  await world.settled()
  expect(await ordersOf(world)).toHaveLength(1)
  await expectNoPaymentLost(world)
  await expectBooksAgree(world)
})

test('twenty simultaneous clicks on Pay charge once and make one order (F11)', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const { body: started } = await shopper.startsPayment()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => shopper.confirms(started)))
  expect(outcomes.filter(({ status }) => status === 'succeeded')).toHaveLength(1)
  const returns = await Promise.all(Array.from({ length: 20 }, () => shopper.returnsToShop(started.payment_intent)))
  expect(new Set(returns.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  await world.settled()
  expect(await ordersOf(world)).toHaveLength(1)
  expect(world.mailbox.list()).toHaveLength(1)
  await expectNoPaymentLost(world)
  await expectPrintedOnce(world)
})

test('events that come twenty-five times, in any order, take effect once (F13)', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ duplicate: 24, shuffle: true })
  for (let n = 0; n < 3; n += 1) await world.shopper().paysByCard()
  await expect.poll(() => ordersOf(world).then((orders) => orders.length), { timeout: 10_000 }).toBe(3)
  await world.settled()
  const [order] = await ordersOf(world)
  await world.simulators.printful.change({ change: 'ship', external_id: order?.external_id })
  await expect.poll(() => ordersOf(world).then(([order]) => order?.status), { timeout: 10_000 }).toBe('shipped')
  await world.settled()

  const events = await world.audit<{ provider: string; event_id: string }>('events')
  expect(new Set(events.map((event) => `${event.provider} ${event.event_id}`)).size).toBe(events.length)
  expect(world.mailbox.list()).toHaveLength(4)
  await expectNoPaymentLost(world)
  await expectPrintedOnce(world)
  await expectBooksAgree(world)
})

test('with every webhook lost and every browser closed, the sweep makes all orders (F14)', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ drop: 10_000 })
  for (let n = 0; n < 8; n += 1) await world.shopper().paysByCard()
  expect(await ordersOf(world)).toEqual([])
  expect(await world.sweep()).toMatchObject({ settled: 8 })
  await world.settled()
  expect(world.mailbox.list()).toHaveLength(8)
  await expectNoPaymentLost(world)
  await expectPrintedOnce(world)
})

test('an event that was refused for hours is accepted when it is resent with a fresh signature (F15)', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', sign: 'old' })
  await world.shopper().paysByCard()
  await world.simulators.kit.idle()
  expect(await world.audit('events')).toEqual([])

  await world.simulators.kit.webhooks.set({ provider: 'stripe', sign: 'good' })
  await world.simulators.kit.clock.advance(12 * HOUR_MS)
  await world.settled()
  expect(await ordersOf(world)).toHaveLength(1)
})

test('during a secret rotation, events signed with either secret are accepted, and no third (F17)', async () => {
  await using world = await openWorld()
  const { payment_intent: id } = await (async () => {
    await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 1000 })
    return world.shopper().paysByCard()
  })()
  const body = succeeded('evt_rotated', id)
  const good = signEvent(body, secretOf(world), nowS())
  const other = signEvent(body, 'whsec_retired', nowS())
  const both = `${other},${good.split(',').at(-1)}`
  expect(await sendEvent(world, body, other)).toBe(400)
  expect(await sendEvent(world, body, both)).toBe(200)
  await world.settled()
  expect(await ordersOf(world)).toHaveLength(1)
})

test('a shop with two webhook secrets accepts both (F17)', async () => {
  await using world = await openWorld({ env: { STRIPE_WEBHOOK_SECRET: 'whsec_new,whsec_old' } })
  for (const [secret, status] of [
    ['whsec_old', 200],
    ['whsec_new', 200],
    ['whsec_other', 400],
  ] as const) {
    const body = succeeded(`evt_${secret}`, 'pi_unknown')
    expect(await sendEvent(world, body, signEvent(body, secret, nowS())), secret).toBe(status)
  }
})

test.each([
  ['no valid signature', () => 'nonsense'],
  ['only an outdated signature scheme', (_: string, good: string) => good.replace('v1=', 'v0=')],
  ['a signature six minutes old', (body: string, _: string, secret: string) => signEvent(body, secret, nowS() - 360)],
  ['a signature for another body', (body: string, _: string, secret: string) => signEvent(`${body} `, secret, nowS())],
  ['a header of 8 KB', (_: string, good: string) => `${good},${'v0=0,'.repeat(1600)}v0=0`.slice(good.length + 1)],
])('an event with %s is refused and stores nothing', async (_, forge) => {
  await using world = await openWorld()
  const body = succeeded('evt_1', 'pi_1')
  const good = signEvent(body, secretOf(world), nowS())
  expect(await sendEvent(world, body, forge(body, good, secretOf(world)))).toBe(400)
  expect(await world.audit('events')).toEqual([])
})

test('a product withdrawn before the quote is named to the shopper; withdrawn after it, the quote holds (F55)', async () => {
  await using world = await openWorld()
  const { pool } = world.shop.database
  const shopper = world.shopper()
  const { body: line } = await shopper.adds('mouse pad')
  const setGone = (gone: boolean) =>
    pool.query('update variant set availability = $2 where id = $1', [line.variantId, gone ? 'discontinued' : 'active'])
  await setGone(true)
  expect(await shopper.startsPayment()).toMatchObject({ status: 409, body: { code: 'sold_out' } })
  expect(world.simulators.stripe.ledger().payments).toEqual([])

  await setGone(false)
  const started = await shopper.startsPayment()
  await setGone(true)
  expect((await shopper.startsPayment()).body.payment_intent).toBe(started.body.payment_intent)
  await shopper.confirms(started.body)
  expect((await shopper.returnsToShop(started.body.payment_intent)).body).toMatchObject({ success: true })
  await world.settled()
  await expectNoPaymentLost(world)
})

test('a price that changed before payment asks for confirmation; the page’s old total is never charged (F55)', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const { body: line } = await shopper.adds('mouse pad')
  const believed = { cartItems: [{ productId: 1, variantId: line.variantId, quantity: 1, price: line.price }] }
  await world.shop.database.pool.query('update variant set unit_price_cents = unit_price_cents + 1 where id = $1', [
    line.variantId,
  ])
  const refused = await shopper.startsPayment(addresses.newYork, believed)
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'summary_changed', summary: { total: expect.any(Number) } },
  })
  expect(world.simulators.stripe.ledger().payments).toEqual([])
})

test(
  'more abandoned checkouts than one sweep handles are all canceled at the provider',
  { timeout: 120_000 },
  async () => {
    await using world = await openWorld()
    const FORGOTTEN = 120
    for (let n = 0; n < FORGOTTEN; n += 1) {
      const shopper = world.shopper()
      await shopper.adds('mouse pad')
      await shopper.startsPayment()
    }
    await world.advance(25 * HOUR_MS)
    await world.sweep()
    await world.sweep()
    const { payments = [] } = world.simulators.stripe.ledger()
    expect(payments.map(({ status }) => status)).toEqual(Array.from({ length: FORGOTTEN }, () => 'canceled'))
    expect(await world.audit<{ state: string }>('checkouts')).toSatisfy((rows: { state: string }[]) =>
      rows.every(({ state }) => state === 'released'),
    )
    expect(await ordersOf(world)).toEqual([])
  },
)

test.skipIf(onServer)(
  'with more orders a minute than the rate limit allows, the printer never gets a 121st call',
  { timeout: 120_000 },
  async () => {
    await using world = await openWorld()
    await world.simulators.printful.change({ change: 'rate_limit', perMinute: 120 })
    const calls = () => world.simulators.kit.log.since(0).filter(({ provider }) => provider === 'printful')
    await (await world.shopper().paysByCard({ buying: 'mouse pad' })).returnsToShop()
    await world.settled()
    // Each order takes two calls, so the last ones exceed the limit.
    await copyOrder(world, 62)
    await world.advance(HOUR_MS)
    const sending = submitWaiting(world.shop).catch(() => {})
    await expect.poll(() => calls().length, { timeout: 50_000, interval: 200 }).toBeGreaterThan(115)
    // Meanwhile sales continue; waiting orders are submitted after the minute.
    const late = await world.shopper().paysByCard({ buying: 'mouse pad' })
    expect((await late.returnsToShop()).body).toMatchObject({ success: true })

    const times = calls().map(({ at }) => Date.parse(at))
    const withinAMinute = times.map((last) => times.filter((at) => at <= last && at > last - 60_000).length)
    expect(Math.max(...withinAMinute)).toBeLessThanOrEqual(120)
    expect(calls().filter(({ status }) => status === 429)).toEqual([])
    expect((await ordersOf(world)).some(({ status }) => status === 'paid')).toBe(true)
    world.shop.printful.stopWaiting()
    await sending
  },
)

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cards, createShopper, databaseOnServer, openWorld, type World } from '#sandbox/world.ts'
import { Secret } from '#server/config/secret.ts'
import { createRateCounter } from '#server/limits/rate-counter.ts'
import { sweep } from '#server/payments/sweep.ts'
import { freePort } from '../../tools/free-port.ts'
import { createShop, type RunningShop } from '../../src/shop.ts'
import { expectBooksAgree, expectNoPaymentLost, expectPrintedOnce, ordersOf } from './invariants.ts'
import { startRoundRobin } from './round-robin.ts'

// Several instances on one PostgreSQL server behind a proxy without sticky sessions: each continues what another started.

describe.runIf(process.env['TEST_DATABASE'] === 'postgresql')('several instances', () => {
  let world: World
  const running: RunningShop[] = []
  const addresses: string[] = []
  let proxy: Awaited<ReturnType<typeof startRoundRobin>>

  async function another(settings: object = {}): Promise<RunningShop> {
    const { config, log } = world.shop
    const shop = await createShop({ config: { ...config, port: await freePort(), ...settings }, log })
    running.push(shop)
    return shop
  }
  const shopper = () => createShopper(proxy.address, world.simulators)

  beforeAll(async () => {
    world = await openWorld()
    addresses.push(world.address, await (await another()).listen(), await (await another()).listen())
    proxy = await startRoundRobin(addresses)
    world.simulators.announceShop(proxy.address)
  })
  afterAll(async () => {
    proxy.close()
    for (const shop of running) await shop.close()
    await world[Symbol.asyncDispose]()
  })

  test.each([2, 3])('%i of them sell, book, print and email each purchase once', async (count) => {
    proxy.use(addresses.slice(0, count))
    const before = (await ordersOf(world)).length
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const payment = await shopper().paysByCard()
        expect((await payment.returnsToShop()).body).toMatchObject({ success: true })
      }),
    )
    await world.settled()
    expect(await ordersOf(world)).toHaveLength(before + 6)
    expect(world.mailbox.list()).toHaveLength(before + 6)
    expect(proxy.taken().every((taken) => taken > 6)).toBe(true)
    await expectNoPaymentLost(world)
    await expectPrintedOnce(world)
    await expectBooksAgree(world)
  })

  test('a shopper who returns to all of them concurrently, with the webhook and the sweeps, has one order', async () => {
    const before = (await ordersOf(world)).length
    await world.simulators.kit.webhooks.set({ provider: 'stripe', hold: true })
    for (let race = 1; race <= 5; race += 1) {
      const payment = await shopper().paysByCard()
      const [, , ...answers] = await Promise.all([
        world.simulators.kit.webhooks.set({ provider: 'stripe', release: true }),
        Promise.all([world.shop, ...running.map(({ shop }) => shop)].map((shop) => sweep(shop))),
        ...Array.from({ length: 6 }, () => payment.returnsToShop()),
      ])
      await world.simulators.kit.webhooks.set({ provider: 'stripe', hold: true })
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
      expect(await ordersOf(world)).toHaveLength(before + race)
    }
    await world.simulators.kit.webhooks.set({ provider: 'stripe', release: true })
    await world.settled()
    await expectNoPaymentLost(world)
    await expectPrintedOnce(world)
    await expectBooksAgree(world)
  })

  test('a shopper who presses Pay on all of them concurrently has one payment', async () => {
    const buyer = shopper()
    await buyer.adds('hat')
    const starts = await Promise.all(Array.from({ length: 6 }, () => buyer.startsPayment()))
    const started = starts.filter(({ status }) => status === 200)
    const intents = new Set(started.map(({ body }) => body.payment_intent))
    expect(intents.size).toBe(1)
    expect(starts.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const { payments = [] } = world.simulators.stripe.ledger()
    const payable = payments.filter(({ status }) => status.startsWith('requires'))
    expect(payable.map(({ id }) => id)).toEqual([...intents])
  })

  test('five declined cards reported to all of them concurrently are five, and the intent is canceled once', async () => {
    const thief = shopper()
    await thief.adds('mouse pad')
    const { body: payment } = await thief.startsPayment()
    await world.simulators.kit.webhooks.set({ provider: 'stripe', hold: true, duplicate: 2 })
    for (let n = 0; n < 5; n += 1) await thief.confirms(payment, cards.declined)
    const report = { paymentIntentId: payment.payment_intent }
    await Promise.all([
      world.simulators.kit.webhooks.flush(),
      ...Array.from({ length: 6 }, () => thief.send('POST', '/api/payment-declined', report)),
    ])
    await world.simulators.kit.webhooks.set({ provider: 'stripe', hold: false, duplicate: 1 })
    await world.settled()
    const { pool } = world.shop.database
    const { rows } = await pool.query(
      `select count(*)::int as n from card_decline where checkout_id = (select id from checkout where provider_payment_id = $1)`,
      [payment.payment_intent],
    )
    expect(rows).toEqual([{ n: 5 }])
    const { rows: jobs } = await pool.query(
      `select state from pgboss.job where name = 'cancel-intent' and data ->> 'intentId' = $1`,
      [payment.payment_intent],
    )
    expect(jobs).toEqual([{ state: 'completed' }])
    const known = world.simulators.stripe.ledger().payments?.find(({ id }) => id === payment.payment_intent)
    expect(known?.status).toBe('canceled')
    expect(await thief.startsPayment()).toMatchObject({ status: 429, body: { code: 'card_closed' } })
  })

  test('share their rate limits', async () => {
    const limit = { max: 8, windowMs: 60_000, nowMs: Date.now() }
    const [here, there] = [
      createRateCounter('test', world.shop.database, { namesMax: 10 }),
      createRateCounter('test', world.shop.database, { namesMax: 10 }),
    ]
    const counts: number[] = []
    for (const counter of [here, here, there, there, here]) counts.push((await counter.count('ada', limit)).count)
    expect(counts).toEqual([1, 2, 3, 4, 5])
    await here.reset('ada')
    expect(await there.count('ada', { ...limit, nowMs: limit.nowMs + 60_001 })).toMatchObject({ count: 1 })
    expect(await here.count('ada', { ...limit, nowMs: limit.nowMs + 60_002 })).toMatchObject({ count: 2 })
  })

  test('read reports from the replica, and sales from the primary', async () => {
    // A replica that follows nothing shows which reads reach it: the catalog, and no order.
    const replica = await databaseOnServer(false)
    try {
      const shop = await another({ databaseReplicaUrl: new Secret(replica.url) })
      proxy.use([await shop.listen()])
      await (await shopper().paysByCard()).returnsToShop()
      const owner = shopper()
      await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
      const { body } = await owner.send<{ totalOrders: number }>('GET', '/api/reports/summary')
      expect(body).toMatchObject({ totalOrders: 0 })
      expect((await ordersOf(world)).length).toBeGreaterThan(0)
      await world.settled()
      await running.pop()?.close()
    } finally {
      await replica.drop()
    }
  })

  test('all refuse password guessing and message spam', async () => {
    const strict = { rateLimitScale: 0.2 }
    proxy.use([await (await another(strict)).listen(), await (await another(strict)).listen()])
    const guesser = shopper()
    const guess = () => guesser.send('POST', '/api/login', { username: 'owner', password: 'a wrong guess' })
    const guesses: number[] = []
    for (let time = 0; time < 6; time += 1) guesses.push((await guess()).status)
    expect(guesses).toEqual([401, 401, 401, 401, 429, 429])

    const letter = { name: 'Ada Fan', email: 'ada@mail.example', subject: 'A hat', message: 'Is there a small one?' }
    const statuses: number[] = []
    for (let time = 0; time < 6; time += 1) statuses.push((await shopper().send('POST', '/api/contact', letter)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  })
})

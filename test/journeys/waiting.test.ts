import { expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { ordersOf } from './invariants.ts'

// While a provider does not answer, nobody else may notice. The test does not depend on milliseconds: what must not wait has
// to finish while the rest is still waiting.

const HANGING = 12

/** A provider that accepts every call of a kind and never answers. */
const hang = (world: World, method: string, path: string, provider: 'stripe' | 'paypal' | 'printful' = 'stripe') =>
  world.simulators.kit.rules.add({
    provider,
    match: { method, path },
    when: 'before',
    do: 'hang',
    times: 1000,
  })

/** Requests that need the database, but not the provider. */
async function shopsOn(world: World): Promise<number[]> {
  const other = world.shopper()
  const statuses = []
  for (let time = 0; time < 3; time += 1) {
    statuses.push((await other.adds('mouse pad')).status)
    statuses.push((await other.send('GET', '/api/cart')).status)
    statuses.push((await other.send('GET', '/api/products')).status)
    statuses.push((await other.send('POST', '/api/calculate-shipping', { shippingAddress: addresses.newYork })).status)
  }
  return statuses
}

/** Whether a promise has settled by now. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  const still = Symbol('still')
  return (await Promise.race([work, new Promise((resolve) => setTimeout(() => resolve(still), 0))])) !== still
}

/** 8 s, plus the time this machine needs for as many healthy payment starts, since it may be busy. */
async function timeoutFor(world: World): Promise<number> {
  const shopper = world.shopper()
  await shopper.adds('hat')
  const startedAt = Date.now()
  await shopper.startsPayment()
  return 8000 + HANGING * (Date.now() - startedAt)
}

// The embedded database has one connection, a server's pool ten: both fewer than the requests that wait here.
test.each([
  ['the tax source', 'POST', '/v1/tax/calculations', 200],
  ['the payment provider', 'POST', '/v1/payment_intents', 503],
] as const)(
  `while ${HANGING} payment starts wait for %s, everybody else is served; the answer comes within 8 s (F30)`,
  { timeout: 60_000 },
  async (_, method, path, status) => {
    await using world = await openWorld()
    const shoppers = Array.from({ length: HANGING }, () => world.shopper())
    for (const shopper of shoppers) await shopper.adds('hat')
    const timeoutMs = await timeoutFor(world)
    hang(world, method, path)

    const startedAt = Date.now()
    const waiting = Promise.all(shoppers.map((shopper) => shopper.startsPayment()))
    expect(new Set(await shopsOn(world))).toEqual(new Set([200]))
    expect(await isDone(waiting)).toBe(false)
    const answers = await waiting
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: HANGING }, () => status))
    expect(Date.now() - startedAt).toBeLessThan(timeoutMs)
  },
)

test('while returning browsers wait for the payment provider, other orders are made', { timeout: 60_000 }, async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 1000 })
  const payments = []
  for (let n = 0; n < HANGING; n += 1) payments.push(await world.shopper().paysByCard())
  const [last, ...stuck] = payments.toReversed()
  for (const { payment_intent: id } of stuck) hang(world, 'GET', `/v1/payment_intents/${id}`)

  const waiting = Promise.all(stuck.map((payment) => payment.returnsToShop()))
  expect((await last?.returnsToShop())?.body).toMatchObject({ success: true })
  expect(new Set(await shopsOn(world))).toEqual(new Set([200]))
  expect(await isDone(waiting)).toBe(false)
  // These were charged, so nobody may tell them otherwise.
  const unknownOutcomes = stuck.map(() => ({ status: 503, body: { code: 'outcome_unknown' } }))
  expect(await waiting).toMatchObject(unknownOutcomes)
  expect(await ordersOf(world)).toHaveLength(1)

  world.simulators.kit.rules.clear()
  await world.sweep()
  expect(await ordersOf(world)).toHaveLength(HANGING)
})

test(
  'a silent wallet provider is reported within 8 s, whatever is requested; the card still works (F30)',
  { timeout: 60_000 },
  async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('hat')
    const timeoutMs = await timeoutFor(world)
    for (const method of ['GET', 'POST']) hang(world, method, '/**', 'paypal')
    const startedAt = Date.now()
    const requests = [
      shopper.send('GET', '/paypal/setup'),
      shopper.startsWallet(),
      shopper.processes('5O190127TN364715T'),
      shopper.send('GET', '/api/payment-success/5O190127TN364715T'),
    ].map(async (answer) => [(await answer).status, Date.now() - startedAt < timeoutMs])
    expect((await world.shopper().adds('mug')).status).toBe(200)
    expect(await Promise.all(requests)).toEqual(requests.map(() => [503, true]))
    expect((await shopper.startsPayment()).status).toBe(200)
  },
)

test('a silent printer blocks no quote and no payment (F30)', { timeout: 60_000 }, async () => {
  await using world = await openWorld()
  const timeoutMs = await timeoutFor(world)
  for (const method of ['GET', 'POST']) hang(world, method, '/**', 'printful')
  const shopper = world.shopper()
  await shopper.adds('pillow')
  const startedAt = Date.now()
  const started = await shopper.startsPayment(addresses.sydney)
  expect(Date.now() - startedAt).toBeLessThan(timeoutMs)
  expect(started.body).toMatchObject({ shipping_cost: 3499 })
  await shopper.confirms(started.body)
  const returning = Date.now()
  expect((await shopper.returnsToShop(started.body.payment_intent)).body).toMatchObject({ success: true })
  expect(Date.now() - returning).toBeLessThan(timeoutMs)
  expect(await ordersOf(world)).toMatchObject([{ status: 'paid' }])
})

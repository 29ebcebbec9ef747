import { expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, expectNoPaymentLost, expectPrintedOnce, ordersOf } from './invariants.ts'

// Only a PostgreSQL server has real races; the embedded database runs transactions one after another.
const RACES = process.env['TEST_DATABASE'] === 'postgresql' ? 50 : 5

const onStripe = (world: World, path: string, body: Record<string, string>) =>
  fetch(`${world.simulators.stripe.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.simulators.settings['STRIPE_SECRET_KEY']}` },
    body: new URLSearchParams(body),
  })

test(
  `a webhook, the browser and the sweep together make one order, ${RACES} times (F07)`,
  { timeout: 120_000 },
  async () => {
    await using world = await openWorld()
    // Webhooks are held back, to arrive at the same time as the others.
    await world.simulators.kit.webhooks.set({ provider: 'stripe', hold: true })
    for (let race = 1; race <= RACES; race += 1) {
      const payment = await world.shopper().paysByCard()
      const [returned] = await Promise.all([
        payment.returnsToShop(),
        payment.returnsToShop(),
        world.simulators.kit.webhooks.set({ provider: 'stripe', release: true }),
        world.sweep(),
        world.settle(payment.payment_intent),
      ])
      await world.simulators.kit.webhooks.set({ provider: 'stripe', hold: true })
      expect(returned.body).toMatchObject({ success: true })
      expect(await ordersOf(world)).toHaveLength(race)
    }
    await world.simulators.kit.webhooks.set({ provider: 'stripe', release: true })
    await world.settled()
    await expectNoPaymentLost(world)
    await expectPrintedOnce(world)
    await expectBooksAgree(world)
    expect(world.mailbox.list()).toHaveLength(RACES)
  },
)

test('all webhooks lost and the browser closed: the sweep still makes the order (F06)', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  await world.shopper().paysByCard()
  expect(await ordersOf(world)).toEqual([])

  expect(await world.sweep()).toEqual({ settled: 1 })
  expect(await world.sweep()).toEqual({ settled: 0 })
  await world.settled()
  expect(world.mailbox.list()).toHaveLength(1)
  await expectPrintedOnce(world)
})

test('the webhook alone makes the order, however often it arrives', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', duplicate: 5 })
  await world.shopper().paysByCard()
  await world.settled()
  expect(await ordersOf(world)).toHaveLength(1)
  expect(world.mailbox.list()).toHaveLength(1)
  await expectBooksAgree(world)
})

test('an event with an invalid signature is refused and not stored (S50, S52)', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const forged = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_1', object: 'payment_intent' } },
  })
  for (const signature of [undefined, '', 't=1,v1=00', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`]) {
    const answer = await shopper.send(
      'POST',
      '/webhooks/stripe',
      forged,
      signature === undefined ? {} : { 'stripe-signature': signature },
    )
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_signature' } })
  }
  expect((await shopper.send('POST', '/webhooks/printful/guessed', { type: 'order_updated' })).status).toBe(404)
  expect(await world.audit('events')).toEqual([])
})

test('a payment of the wrong amount becomes an exception: the owner is notified, nothing is printed', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const { body: started } = await shopper.startsPayment()
  await onStripe(world, `/v1/payment_intents/${started.payment_intent}`, { amount: '50' })
  await shopper.confirms(started)
  expect((await shopper.returnsToShop(started.payment_intent)).body).toMatchObject({ success: true, status: 'paid' })
  await world.settled()

  expect(await ordersOf(world)).toEqual([])
  expect(await world.audit('exceptions')).toMatchObject([
    { kind: 'amount_differs', amount_cents: '50', resolved_at: null },
  ])
  expect(world.simulators.printful.ledger().partner_orders).toEqual([])
  expect(world.mailbox.list()[0]?.subject).toContain('amount differs')
  await expectBooksAgree(world)
})

test('a second payment of a checkout is refunded automatically and booked', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const payment = await shopper.paysByCard()
  await payment.returnsToShop()
  const [checkout] = await world.audit<{ id: string; total_cents: string }>('checkouts')
  const { metadata } = (await (
    await fetch(`${world.simulators.stripe.url}/v1/payment_intents/${payment.payment_intent}`, {
      headers: { authorization: `Bearer ${world.simulators.settings['STRIPE_SECRET_KEY']}` },
    })
  ).json()) as { metadata: Record<string, string> }
  const second = (await (
    await onStripe(world, '/v1/payment_intents', {
      amount: String(payment.total_amount),
      currency: 'usd',
      'automatic_payment_methods[enabled]': 'true',
      'metadata[checkout_id]': checkout?.id ?? '',
      'metadata[quote_hash]': metadata['quote_hash'] ?? '',
    })
  ).json()) as { id: string; client_secret: string }
  await shopper.confirms({ payment_intent: second.id, client_secret: second.client_secret })
  await shopper.returnsToShop(second.id)
  await world.settled()

  expect(await ordersOf(world)).toHaveLength(1)
  expect(await world.audit('refunds')).toMatchObject([
    { payment_key: `stripe:${second.id}`, amount_cents: String(payment.total_amount), status: 'succeeded' },
  ])
  expect(await world.audit('exceptions')).toMatchObject([{ kind: 'second_payment', resolved_at: expect.any(Date) }])
  await expectBooksAgree(world)
})

test('an order whose answer from the printer was lost is looked up, and made once (F27)', async () => {
  await using world = await openWorld()
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { method: 'POST', path: '/orders' },
    when: 'after',
    do: 'reset',
    times: 1,
  })
  const payment = await world.shopper().paysByCard()
  await payment.returnsToShop()
  await expect.poll(() => ordersOf(world).then(([order]) => order?.status), { timeout: 20_000 }).toBe('submitted')
  await expectPrintedOnce(world)
})

test('an order the printer refuses waits for the owner with the reason', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  shopper.customer.name = 'FAIL ADDRESS'
  const payment = await shopper.paysByCard()
  await payment.returnsToShop()
  await world.settled()
  expect(await ordersOf(world)).toMatchObject([{ status: 'needs_attention', payment_status: 'paid' }])
  await expectBooksAgree(world)
})

test('an intent too old for the sweep’s list still becomes an order', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  const shopper = world.shopper()
  await shopper.adds('hat')
  // The shopper returns every twenty hours, and pays on the fourth day.
  let started = await shopper.startsPayment()
  for (const to of [addresses.sydney, addresses.berlin, addresses.newYork, addresses.sydney]) {
    await world.advance(20 * 3_600_000)
    started = await shopper.startsPayment(to)
    await world.sweep()
  }
  await shopper.confirms(started.body)
  await world.sweep()
  expect(await ordersOf(world)).toEqual([])
  await world.advance(25 * 3_600_000)
  await world.sweep()
  expect(await ordersOf(world)).toHaveLength(1)
  await expectNoPaymentLost(world)
})

test('a payment of another application on the same account does not stop the sweep', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  const shopper = world.shopper()
  const ours = await shopper.paysByCard()
  const foreign = (await (
    await onStripe(world, '/v1/payment_intents', {
      amount: '5000',
      currency: 'usd',
      'automatic_payment_methods[enabled]': 'true',
      'metadata[checkout_id]': 'order-77',
    })
  ).json()) as { id: string; client_secret: string }
  await shopper.confirms({ payment_intent: foreign.id, client_secret: foreign.client_secret })

  expect(await world.sweep()).toEqual({ settled: 1 })
  expect(await ordersOf(world)).toMatchObject([{ payment_key: `stripe:${ours.payment_intent}` }])
  expect((await shopper.returnsToShop(foreign.id)).status).toBe(404)
})

test('a payment refunded before the shop heard of it makes no order', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  const payment = await world.shopper().paysByCard()
  await onStripe(world, '/v1/refunds', { payment_intent: payment.payment_intent })
  await world.sweep()
  await world.settled()
  expect(await ordersOf(world)).toEqual([])
  expect(await world.audit('exceptions')).toMatchObject([{ kind: 'money_returned' }])
  expect(world.simulators.printful.ledger().partner_orders).toEqual([])
})

test('signing in while a payment is booked loses neither the cart nor the order', async () => {
  await using world = await openWorld()
  for (let round = 0; round < 5; round += 1) {
    const shopper = world.shopper()
    const payment = await shopper.paysByCard()
    const [registered, settled] = await Promise.all([
      shopper.send('POST', '/api/register', { username: `fan${round}`, password: 'sleepy-dog-9' }),
      world.settle(payment.payment_intent),
    ])
    expect(registered.status).toBe(200)
    expect(settled.order).toBeDefined()
    expect(await shopper.cart()).toEqual([])
  }
})

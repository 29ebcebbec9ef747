import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, expectNoPaymentLost, expectPrintedOnce, ordersOf } from './invariants.ts'

/** What does not depend on the database is tested on one kind only. */
const onServer = process.env['TEST_DATABASE'] === 'postgresql'

test('while a wallet payment is in review, its lines cannot be paid by card from another tab', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const card = await shopper.startsPayment()
  const wallet = await shopper.startsWallet()
  await shopper.approves(wallet.body.id, 'hold')
  expect((await shopper.captures(wallet.body.id)).body.status).toBe('PENDING')
  await world.settled()

  expect(await shopper.confirms(card.body)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  await world.simulators.paypal.change({ change: 'release', order: wallet.body.id })
  await world.settled()
  expect(await ordersOf(world)).toMatchObject([{ payment_key: `paypal:${wallet.body.id}` }])
  expect(await world.audit('exceptions')).toEqual([])
})

test('a payment declined in review leaves nothing that could still be paid', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  await shopper.startsPayment()
  const wallet = await shopper.startsWallet()
  await shopper.approves(wallet.body.id, 'hold')
  await shopper.captures(wallet.body.id)
  await world.simulators.paypal.change({ change: 'deny', order: wallet.body.id })
  await world.settled()
  expect(world.simulators.stripe.ledger().payments).toMatchObject([{ status: 'canceled' }])
  expect(await shopper.cart()).toHaveLength(1)
})

test('late news of an earlier, declined wallet order does not end the review of the next one', async () => {
  await using world = await openWorld()
  const { kit, paypal } = world.simulators
  await kit.webhooks.set({ provider: 'paypal', hold: true })
  const shopper = world.shopper()
  const first = await shopper.approvesWallet()
  const captures = [{ id: 'CAP1', status: 'DECLINED', amount: { currency_code: 'USD', value: '35.87' } }]
  const body = { id: first, status: 'COMPLETED', purchase_units: [{ payments: { captures } }] }
  const path = `/v2/checkout/orders/${first}`
  for (const match of [{ path: `${path}/capture` }, { method: 'GET', path }])
    kit.rules.add({ provider: 'paypal', match, when: 'before', do: { status: 200, body }, times: 10 })
  expect((await shopper.captures(first)).body.code).toBe('wallet_declined')
  const second = (await shopper.startsWallet()).body.id
  await shopper.approves(second, 'hold')
  expect((await shopper.captures(second)).body.status).toBe('PENDING')

  await kit.webhooks.set({ provider: 'paypal', release: true })
  await world.settled()
  expect([await stateOf(world), await shopper.cart(), world.mailbox.list().length]).toEqual([['held'], [], 1])
  // Even with two wallet orders, the shop knows which one is in review.
  expect((await shopper.startsPayment()).body).toMatchObject({ code: 'payment_held', payment: `paypal:${second}` })
  await paypal.change({ change: 'release', order: second })
  await world.settled()
  expect(await ordersOf(world)).toMatchObject([{ payment_key: `paypal:${second}` }])
})

test.skipIf(onServer)(
  'a capture that outlasts the request is answered within 8 s, and still makes its order',
  { timeout: 60_000 },
  async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet()
    world.simulators.kit.rules.add({
      provider: 'paypal',
      match: { path: `/v2/checkout/orders/${id}/capture` },
      when: 'after',
      do: { delayMs: 8500 },
    })
    const startedAt = Date.now()
    expect((await shopper.captures(id)).body.status).toBe('PROCESSING')
    expect(Date.now() - startedAt).toBeLessThan(8000)
    // Meanwhile others can shop, and the reloaded page shows the truth.
    expect((await world.shopper().adds('mug')).status).toBe(200)
    await expect
      .poll(() => shopper.processes(id).then(({ body }) => body.status), { timeout: 15_000 })
      .toBe('COMPLETED')
    await world.settled()
    expect(world.mailbox.list()).toHaveLength(1)
    expect(await shopper.cart()).toEqual([])
    await expectPrintedOnce(world)
  },
)

test.skipIf(onServer)(
  'a provider that answers slowly, call after call, delays nobody for more than 8 s',
  { timeout: 60_000 },
  async () => {
    await using world = await openWorld()
    await world.simulators.kit.webhooks.set({ drop: 1000 })
    const payer = world.shopper()
    const id = await payer.approvesWallet()
    await payer.captures(id)
    const starter = world.shopper()
    await starter.adds('mug')

    const slow = (match: object, what: object) =>
      world.simulators.kit.rules.add({ provider: 'paypal', match, when: 'before', do: what, times: 10 })
    slow({ method: 'GET', path: `/v2/checkout/orders/${id}` }, { delayMs: 3200 })
    const details = [{ issue: 'DUPLICATE_INVOICE_ID', description: 'Duplicate Invoice ID detected.' }]
    const body = { name: 'UNPROCESSABLE_ENTITY', message: 'No.', details, debug_id: 'f2a3' }
    slow({ method: 'POST', path: '/v2/checkout/orders' }, { status: 422, body, delayMs: 2500 })
    world.simulators.kit.rules.add({ provider: 'printful', match: {}, when: 'before', do: 'hang', times: 100 })

    const startedAt = Date.now()
    const timed = async <Told>(answer: Promise<Told>) => ({
      ...(await answer),
      isInTime: Date.now() - startedAt < 8000,
    })
    const [processed, started] = await Promise.all([timed(payer.processes(id)), timed(starter.startsWallet())])
    expect(processed).toMatchObject({ status: 200, body: { status: 'COMPLETED' }, isInTime: true })
    expect(started).toMatchObject({ status: 503, body: { code: 'provider_unavailable' }, isInTime: true })
  },
)

test('a review the shop has not heard of is no error on the next try: the shopper sees it and its payment', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 100 })
  const shopper = world.shopper()
  const id = await shopper.approvesWallet({ as: 'hold' })
  const match = { path: `/v2/checkout/orders/${id}/capture` }
  world.simulators.kit.rules.add({ provider: 'paypal', match, when: 'after', do: 'reset' })
  expect((await shopper.captures(id)).body.status).toBe('PROCESSING')
  const held = { status: 409, body: { code: 'payment_held', payment: `paypal:${id}` } }
  expect(await shopper.startsWallet()).toMatchObject(held)

  // That payment's page makes the shop check.
  expect((await shopper.processes(id)).body).toMatchObject({ success: false, status: 'PENDING_REVIEW' })
  expect(await stateOf(world)).toEqual(['held'])
  expect(await shopper.cart()).toEqual([])
  expect(await shopper.startsWallet()).toMatchObject(held)
  expect(await shopper.startsPayment()).toMatchObject(held)
  // An hour later it is an empty cart like any other.
  await world.advance(HOUR_MS)
  expect(await shopper.startsPayment()).toMatchObject({ status: 422, body: { code: 'cart_empty' } })
})

test('a capture in a state unknown to the shop is neither announced nor treated as money', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const id = await shopper.approvesWallet()
  const amount = { currency_code: 'USD', value: '1.00' }
  const captures = [{ id: 'CAP1', status: 'CONTEMPLATED', amount }]
  const body = { id, status: 'COMPLETED', purchase_units: [{ payments: { captures } }] }
  const match = { path: `/v2/checkout/orders/${id}/capture` }
  world.simulators.kit.rules.add({ provider: 'paypal', match, when: 'before', do: { status: 201, body } })
  expect((await shopper.captures(id)).body.status).toBe('PROCESSING')
  expect(await ordersOf(world)).toEqual([])
})

test('a wallet window that outlived its checkout says so, and nothing is charged', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 100 })
  const shopper = world.shopper()
  await shopper.adds('hat')
  const { id } = (await shopper.startsWallet()).body
  await world.advance(2 * DAY_MS)
  await world.sweep()
  const late = await shopper.captures(id)
  expect([late.status, late.body.code]).toEqual([402, 'wallet_declined'])
  expect(late.body.message).toContain('This payment has expired. Nothing was charged.')
})

test('card and wallet paid concurrently: one order stays paid, the other payment is refunded', async () => {
  await using world = await openWorld()
  for (let round = 0; round < 5; round += 1) {
    const shopper = world.shopper()
    await shopper.adds('hat')
    const card = await shopper.startsPayment()
    const wallet = await shopper.startsWallet()
    await shopper.approves(wallet.body.id)
    await Promise.all([shopper.confirms(card.body), shopper.captures(wallet.body.id)])
    await shopper.returnsToShop(card.body.payment_intent)
    await world.settled()
    expect(await ordersOf(world)).toHaveLength(round + 1)
    expect(await shopper.cart()).toEqual([])
  }
  await world.settled()
  const { payments = [], refunds = [] } = world.simulators.stripe.ledger()
  const byWallet = world.simulators.paypal.ledger()
  const taken = [...payments, ...(byWallet.payments ?? [])].filter(({ status }) =>
    ['succeeded', 'COMPLETED', 'REFUNDED'].includes(status),
  )
  expect(taken.length - refunds.length - (byWallet.refunds?.length ?? 0)).toBe(5)
  const exceptions = await world.audit<{ kind: string; resolved_at: Date | null }>('exceptions')
  expect(exceptions.every(({ kind, resolved_at: at }) => kind === 'second_payment' && at !== null)).toBe(true)
  await expectNoPaymentLost(world)
  await expectBooksAgree(world)
})

/** Runs something after the shop has read its own state, before Stripe answers. */
function meanwhile(
  world: World,
  method: 'createIntent' | 'updateIntent' | 'cancelIntent' | 'calculateTax',
  happens: () => Promise<unknown>,
) {
  const { stripe } = world.shop
  const original = stripe[method] as (...args: unknown[]) => Promise<unknown>
  Object.assign(stripe, {
    [method]: async (...args: unknown[]) => {
      Object.assign(stripe, { [method]: original })
      await happens()
      return original(...args)
    },
  })
}

const stateOf = async (world: World) => (await world.audit<{ state: string }>('checkouts')).map(({ state }) => state)

test.each(['approve', 'hold'] as const)(
  'a wallet payment (%s) while a card payment starts in another tab stays the only one',
  async (as) => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('hat')
    const wallet = await shopper.startsWallet()
    await shopper.approves(wallet.body.id, ...(as === 'hold' ? (['hold'] as const) : []))
    meanwhile(world, 'createIntent', () => shopper.captures(wallet.body.id))
    const late = await shopper.startsPayment()
    expect([late.status, late.body]).toMatchObject([409, { code: as === 'hold' ? 'payment_held' : 'already_paid' }])
    await world.settled()
    expect(world.simulators.stripe.ledger().payments).toMatchObject([{ status: 'canceled' }])
    expect(await stateOf(world)).toEqual([as === 'hold' ? 'held' : 'paid'])
  },
)

test('a card payment whose intent the wallet payment closed does not reopen the checkout', async () => {
  await using world = await openWorld()
  // The approval's event makes the shop capture, which on a slow machine may come first.
  await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 1000 })
  const shopper = world.shopper()
  await shopper.adds('hat')
  await shopper.startsPayment()
  const wallet = await shopper.startsWallet()
  await shopper.approves(wallet.body.id)
  await shopper.adds('mug')
  meanwhile(world, 'updateIntent', async () => {
    await shopper.captures(wallet.body.id)
    await world.settled()
  })
  const late = await shopper.startsPayment()
  expect([late.status, late.body]).toMatchObject([409, { code: 'already_paid' }])
  expect(await stateOf(world)).toEqual(['paid'])
})

test('a shopper who returns while an old checkout is being released is not turned away', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  await shopper.startsPayment()
  await world.advance(2 * DAY_MS)
  let wallet = ''
  meanwhile(world, 'cancelIntent', async () => {
    wallet = (await shopper.startsWallet()).body.id
  })
  await world.sweep()
  await shopper.approves(wallet)
  expect((await shopper.captures(wallet)).body.status).toBe('COMPLETED')
})

test('a shopper whose intent is canceled as they return gets a new one', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  await shopper.startsPayment()
  await world.advance(2 * DAY_MS)
  meanwhile(world, 'cancelIntent', () => shopper.startsPayment())
  await world.sweep()
  const { body } = await shopper.startsPayment()
  expect(await shopper.confirms(body)).toMatchObject({ status: 'succeeded' })
})

test('an intent the provider does not know, such as after a change of account, blocks neither payment nor release', async () => {
  await using world = await openWorld()
  const [payer, gone, other] = [world.shopper(), world.shopper(), world.shopper()]
  const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such payment_intent' }
  for (const shopper of [payer, gone]) {
    await shopper.adds('hat')
    const { body } = await shopper.startsPayment()
    for (const path of [
      `/v1/payment_intents/${body.payment_intent}`,
      `/v1/payment_intents/${body.payment_intent}/cancel`,
    ])
      world.simulators.kit.rules.add({
        provider: 'stripe',
        match: { path },
        when: 'before',
        do: { status: 404, body: { error } },
        times: 10,
      })
  }
  await other.adds('hat')
  await other.startsPayment()

  await payer.adds('mug')
  expect(await payer.confirms((await payer.startsPayment()).body)).toMatchObject({ status: 'succeeded' })
  await world.settled()
  await world.advance(2 * DAY_MS)
  await world.sweep()
  expect((await stateOf(world)).toSorted()).toEqual(['paid', 'released', 'released', 'released'])
})

test('a cart paid in one tab while another prices it for a second address is not sold again', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const { body } = await shopper.startsPayment()
  meanwhile(world, 'calculateTax', async () => {
    await shopper.confirms(body)
    await shopper.returnsToShop(body.payment_intent)
  })
  const late = await shopper.startsWallet(addresses.berlin)
  expect([late.status, late.body]).toMatchObject([
    409,
    { code: 'already_paid', payment: `stripe:${body.payment_intent}` },
  ])
})

test.skipIf(onServer)(
  'an approved wallet order is not delayed by a hundred that nobody approves',
  { timeout: 180_000 },
  async () => {
    await using world = await openWorld()
    await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 1000 })
    for (let n = 0; n < 100; n += 1) {
      const shopper = world.shopper()
      await shopper.adds('mouse pad')
      await shopper.startsWallet()
    }
    const id = await world.shopper().approvesWallet({ buying: 'mouse pad' })
    await world.sweep()
    expect(await ordersOf(world)).toMatchObject([{ payment_key: `paypal:${id}` }])
  },
)

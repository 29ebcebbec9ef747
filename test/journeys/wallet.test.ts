import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS, DAY_MS } from '#shared/time.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree } from './invariants.ts'

type AuditOrder = { order_number: string; payment_key: string; total_cents: string; fulfilment_status: string }
type Believed = { provider: string; id: string; status: string; amount_cents: number }

const orders = (world: World) => world.audit<AuditOrder>('orders')
const paypalPayments = (world: World): Believed[] => world.simulators.paypal.ledger().payments as Believed[]
const captured = (world: World) => paypalPayments(world).filter(({ status }) => status === 'COMPLETED')
const mailsAbout = (world: World, words: string) =>
  world.mailbox.list().filter(({ subject }) => subject.includes(words))

describe('a wallet payment', () => {
  test('becomes one order whose total, payment, email and printer agree', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet({ buying: 'pillow', to: addresses.sydney })
    const { status, body } = await shopper.captures(id)
    expect([status, body.status]).toEqual([200, 'COMPLETED'])

    const processed = await shopper.processes(id, { paypalOrderData: { status: 'COMPLETED' } })
    expect(processed.body).toMatchObject({ success: true, status: 'COMPLETED' })
    expect(processed.body.printfulOrderId).toMatch(/^\d+$/)

    await world.settled()
    const [order, ...others] = await orders(world)
    expect(others).toEqual([])
    expect(order).toMatchObject({ order_number: processed.body.orderNumber, payment_key: `paypal:${id}` })
    expect(captured(world)).toEqual([expect.objectContaining({ id, amount_cents: Number(order?.total_cents) })])
    expect(mailsAbout(world, String(order?.order_number))).toHaveLength(1)
    expect(await shopper.cart()).toEqual([])
    await expectBooksAgree(world)
  })

  test('shows its numbers only to the session that paid', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet()
    await shopper.captures(id)
    expect((await world.shopper().processes(id)).body).toEqual({ success: true, status: 'COMPLETED' })
    const result = await world.shopper().send('GET', `/api/payment-success/${id}`)
    expect(result.body).toMatchObject({ success: true, status: 'paid' })
    expect(JSON.stringify(result.body)).not.toContain(shopper.customer.email)
  })

  test('is also found by its order number, by the session that paid; a stranger learns nothing from a number (O01)', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet()
    await shopper.captures(id)
    const { orderNumber } = (await shopper.processes(id)).body
    const found = await shopper.send('GET', `/api/payment-success/${orderNumber}`)
    expect([found.status, found.body['status']]).toEqual([200, 'paid'])

    const stranger = world.shopper()
    await stranger.adds('hat')
    const unknownNumber = 'ZZZZ-ZZZZ'
    const asking = (number: string): [string, string, object?][] => [
      ['GET', `/api/payment-success/${number}`],
      ['GET', `/api/order?order=${number}`],
      ['GET', `/api/order/receipt?order=${number}`],
      ['POST', '/api/track', { orderNumber: number, email: 'stranger@mail.example' }],
      ['POST', '/api/process-completed-payment', { paymentIntentId: number }],
      ['POST', '/api/process-paypal-order', { paypalOrderId: number }],
      ['POST', `/paypal/order/${number}/capture`],
      ['GET', `/order-confirmation?order=${number}`],
      ['GET', `/payment-success?paymentMethod=paypal&orderNumber=${number}&printfulOrderId=1`],
    ]
    const notFound = (answer: { status: number; body: unknown }, number: string) =>
      JSON.stringify([answer.status, answer.body])
        .replaceAll(number, '')
        .replaceAll(/[\w-]{36}|nonce\W+\w+/g, '')
    for (const [at, [method, path, body]] of asking(String(orderNumber)).entries()) {
      const [, other, otherBody] = asking(unknownNumber)[at] ?? ['', '']
      const ofTheirs = await stranger.send(method, path, body)
      const ofNobodys = await stranger.send(method, other, otherBody)
      expect(notFound(ofTheirs, String(orderNumber)), path).toBe(notFound(ofNobodys, unknownNumber))
    }
  })

  test('is offered once for the same request, and again for a different one', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('hat')
    const first = (await shopper.startsWallet()).body.id
    expect((await shopper.startsWallet()).body.id).toBe(first)
    await shopper.adds('mug')
    expect((await shopper.startsWallet()).body.id).not.toBe(first)
    expect(await world.audit('checkouts')).toHaveLength(1)
  })

  test('shares its checkout with the card: whichever is paid first is the only one', async () => {
    await using world = await openWorld()
    // The approval's webhook would capture the wallet payment, sometimes before the card pays.
    await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 100 })
    const shopper = world.shopper()
    const id = await shopper.approvesWallet()
    const card = await shopper.startsPayment()
    await shopper.confirms(card.body)
    await shopper.returnsToShop(card.body.payment_intent)

    const late = await shopper.captures(id)
    expect([late.status, late.body.code]).toEqual([409, 'already_paid'])
    expect(captured(world)).toEqual([])
    expect(await orders(world)).toHaveLength(1)
  })

  test('closes the card’s intent, so nobody pays twice from another tab', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet()
    const card = await shopper.startsPayment()
    await shopper.captures(id)
    await world.settled()
    expect(await shopper.confirms(card.body)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } })
  })
})

describe('the amounts, currency and intent a browser sends', () => {
  let world: World
  let shopper: ReturnType<World['shopper']>
  beforeAll(async () => {
    world = await openWorld()
    shopper = world.shopper()
    await shopper.adds('hat')
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.each([
    ['an amount of a cent', { amount: 0.01 }, 409, 'summary_changed'],
    ['an amount in the wallet’s own format', { amount: '0.01' }, 409, 'summary_changed'],
    ['no amount at all', { amount: 'much' }, 409, 'summary_changed'],
    ['another currency', { currency: 'JPY' }, 422, 'wrong_currency'],
    ['a currency with a space', { currency: 'usd ' }, 422, 'wrong_currency'],
    ['an unknown currency', { currency: 'XXX' }, 422, 'wrong_currency'],
    ['an authorization without capture', { intent: 'AUTHORIZE' }, 422, 'wrong_intent'],
  ])('are compared, never charged: %s (S06)', async (_, more, status, code) => {
    const answer = await shopper.startsWallet(addresses.newYork, more)
    expect([answer.status, (answer.body as { code?: string }).code]).toEqual([status, code])
    expect(paypalPayments(world)).toEqual([])
  })

  test('may use either valid format', async () => {
    const { total_amount: total } = (await shopper.startsPayment()).body
    const decimal = `${Math.floor(total / 100)}.${String(total % 100).padStart(2, '0')}`
    const { id } = (await shopper.startsWallet(addresses.newYork, { amount: total })).body
    expect((await shopper.startsWallet(addresses.newYork, { amount: decimal })).body.id).toBe(id)
  })

  test('do not turn a forged payment into an order (S07)', async () => {
    const { id } = (await shopper.startsWallet()).body
    for (const forged of [id, '5O190127TN364715T', 'x']) {
      const answer = await shopper.processes(forged, { paypalOrderData: { status: 'COMPLETED' }, amount: 1 })
      expect([answer.status, answer.body.code]).toEqual([409, 'payment_not_captured'])
    }
    expect(await orders(world)).toEqual([])
  })
})

describe('a wallet order', () => {
  test('of another session cannot be captured', async () => {
    await using world = await openWorld()
    // The event of its own shopper's approval would.
    await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 100 })
    const id = await world.shopper().approvesWallet()
    const stranger = world.shopper()
    await stranger.adds('hat')
    expect((await stranger.captures(id)).status).toBe(404)
    expect(captured(world)).toEqual([])
  })

  test('that was approved and is not captured yet is neither paid nor failed', async () => {
    await using world = await openWorld()
    await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 100 })
    const shopper = world.shopper()
    const id = await shopper.approvesWallet()
    const result = await shopper.send('GET', `/api/payment-success/${id}`)
    expect(result.body).toMatchObject({ success: false, status: 'processing' })
  })

  test('that nobody approved is not captured', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('hat')
    const { id } = (await shopper.startsWallet()).body
    expect((await shopper.captures(id)).body).toMatchObject({ code: 'wallet_not_approved' })
  })

  test('that was declined says why, and can be paid after the payer chooses again', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet({ as: 'decline' })
    const declined = await shopper.captures(id)
    expect([declined.status, declined.body.code]).toEqual([402, 'wallet_declined'])
    expect(declined.body.message).toContain('Nothing was charged.')
    expect(declined.body.message).not.toBe('')
    expect((await shopper.startsWallet()).body.id).toBe(id)
    await shopper.approves(id)
    expect((await shopper.captures(id)).body.status).toBe('COMPLETED')
    expect(await orders(world)).toHaveLength(1)
  })

  test('whose address the wallet refuses says so, and nothing is charged', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet({ as: 'SHIPPING_ADDRESS_INVALID' })
    const refused = await shopper.captures(id)
    expect(refused.status).toBe(422)
    expect(refused.body.message).toMatch(/^Address validation error: ./)
    expect(captured(world)).toEqual([])
  })

  test('is captured once by twenty concurrent calls (F24)', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet()
    const answers = await Promise.all(Array.from({ length: 20 }, () => shopper.captures(id)))
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['COMPLETED']))
    await world.settled()
    expect(captured(world)).toHaveLength(1)
    expect(await orders(world)).toHaveLength(1)
  })

  test('whose answer was lost is captured once when it is requested again (F20)', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet()
    world.simulators.kit.rules.add({
      provider: 'paypal',
      match: { path: '/v2/checkout/orders/*/capture' },
      when: 'after',
      do: 'reset',
    })
    expect((await shopper.captures(id)).body.status).toBe('PROCESSING')
    expect((await shopper.captures(id)).body.status).toBe('COMPLETED')
    expect(captured(world)).toHaveLength(1)
    expect(await orders(world)).toHaveLength(1)
  })

  test('whose browser died after approval is captured by the webhook alone (F25)', async () => {
    await using world = await openWorld()
    await world.shopper().approvesWallet()
    await world.settled()
    expect(captured(world)).toHaveLength(1)
    expect(await orders(world)).toHaveLength(1)
  })

  test('that was approved while every webhook is lost is captured by the sweep (F25)', async () => {
    await using world = await openWorld()
    await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 100 })
    await world.shopper().approvesWallet()
    await world.settled()
    expect(await orders(world)).toEqual([])
    await world.sweep()
    expect(captured(world)).toHaveLength(1)
    expect(await orders(world)).toHaveLength(1)
  })
})

describe('a payment in review at the provider', () => {
  test('is held: no order, no second payment, an email that says so', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet({ as: 'hold' })
    expect((await shopper.captures(id)).body.status).toBe('PENDING')
    await world.settled()
    expect((await shopper.processes(id)).body).toMatchObject({ success: false, status: 'PENDING_REVIEW' })
    expect(await orders(world)).toEqual([])
    expect(await shopper.cart()).toEqual([])
    expect(mailsAbout(world, 'PayPal is reviewing your payment')).toHaveLength(1)
    expect((await world.audit<{ state: string }>('checkouts')).map(({ state }) => state)).toEqual(['held'])
    expect((await shopper.send('GET', `/api/payment-success/${id}`)).body).toMatchObject({ status: 'held' })
  })

  test('becomes an order when it is released two days later, with every webhook lost (F21)', async () => {
    await using world = await openWorld()
    await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 100 })
    const shopper = world.shopper()
    const id = await shopper.approvesWallet({ as: 'hold' })
    await shopper.captures(id)
    await shopper.adds('mug')
    await world.advance(2 * DAY_MS)
    await world.simulators.paypal.change({ change: 'release', order: id })
    await world.sweep()
    await world.settled()
    expect(await orders(world)).toHaveLength(1)
    // What was added to the cart since is a separate purchase.
    expect(await shopper.cart()).toHaveLength(1)
    await expectBooksAgree(world)
  })

  test('returns the cart when it is denied, and says so (F21)', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    const id = await shopper.approvesWallet({ as: 'hold' })
    await shopper.captures(id)
    await world.simulators.paypal.change({ change: 'deny', order: id })
    await world.settled()
    expect(await orders(world)).toEqual([])
    expect(await shopper.cart()).toHaveLength(1)
    expect(mailsAbout(world, 'did not go through')).toHaveLength(1)
    // The same cart can be paid another way.
    const card = await shopper.startsPayment()
    await shopper.confirms(card.body)
    expect((await shopper.returnsToShop(card.body.payment_intent)).body.success).toBe(true)
  })
})

describe('a wallet that does not answer', () => {
  test('leaves card payment available', async () => {
    await using world = await openWorld()
    world.simulators.kit.rules.add({ provider: 'paypal', match: {}, when: 'before', do: { status: 500 }, times: 100 })
    const shopper = world.shopper()
    await shopper.adds('hat')
    expect((await shopper.send('GET', '/paypal/setup')).status).toBe(503)
    expect((await shopper.startsWallet()).status).toBe(503)
    expect((await shopper.startsPayment()).status).toBe(200)
  })

  test('is available while the card’s provider is down', async () => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('hat')
    world.simulators.kit.rules.add({
      provider: 'stripe',
      match: { path: '/v1/payment_intents' },
      when: 'before',
      do: { status: 500 },
      times: 100,
    })
    const card = await shopper.startsPayment()
    expect([card.status, card.body]).toEqual([503, expect.objectContaining({ code: 'card_unavailable' })])
    const { summary } = card.body as unknown as { summary: { total: number } }
    const wallet = await shopper.startsWallet(addresses.newYork, { amount: summary.total })
    await shopper.approves(wallet.body.id)
    expect((await shopper.captures(wallet.body.id)).body.status).toBe('COMPLETED')
  })
})

test('wallet orders that were never approved are polled for six hours, no longer', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  const { id } = (await shopper.startsWallet()).body
  const countPolls = async () => {
    const before = world.simulators.kit.log.since(0).length
    await world.sweep()
    return world.simulators.kit.log
      .since(0)
      .slice(before)
      .filter(({ path }) => path.endsWith(id)).length
  }
  expect(await countPolls()).toBe(1)
  await world.advance(40 * MINUTE_MS)
  expect([await countPolls(), await countPolls()]).toEqual([1, 0])
  await world.advance(6 * HOUR_MS)
  expect([await countPolls(), await countPolls()]).toEqual([1, 0])
  await world.advance(DAY_MS)
  expect(await countPolls()).toBe(0)
})

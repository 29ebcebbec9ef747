import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { followPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { expectNoPaymentLost, expectPrintedOnce, ordersOf, postingsOf } from './invariants.ts'
import { passAMinute } from './a-minute-later.ts'

const DAY_MS = 86_400_000

/** A paid order of two hats that has been delivered. */
async function delivered(world: World) {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'hat', quantity: 2, to: addresses.newYork })
  const { body } = await payment.returnsToShop()
  await world.settled()
  const number = String(body.orderId)
  await arrives(world, number)
  return { shopper, number }
}

async function arrives(world: World, number: string) {
  const change = (name: string) => world.simulators.printful.change({ change: name, external_id: number })
  await change('ship')
  await world.settled()
  await change('deliver')
  await followPrinterOrder(world.shop, number)
  await world.settled()
}

async function ownerOf(world: World) {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner
}

const balanceOf = async (world: World, account: string) =>
  (await postingsOf(world))
    .flat()
    .filter((entry) => entry.account === account)
    .reduce((sum, { amount_cents: amount }) => sum + Number(amount), 0)

const revenueOf = async (world: World) =>
  (await postingsOf(world))
    .flat()
    .filter(({ account }) => account.startsWith('revenue:'))
    .reduce((sum, { amount_cents: amount }) => sum + Number(amount), 0)

test('a replacement goes the way of every order, costs its own account, and earns nothing', async () => {
  await using world = await openWorld()
  const { number } = await delivered(world)
  const owner = await ownerOf(world)
  const earned = await revenueOf(world)
  const made = await balanceOf(world, 'expense:fulfillment')

  const pieces = [{ position: 0, quantity: 1 }]
  const preview = await owner.send('POST', `/api/admin/orders/${number}/replacement/preview`, { pieces })
  expect(preview.status).toBe(200)
  expect(Number(preview.body['cost'])).toBeGreaterThan(0)

  const body = { pieces, seen: 2, reason: 'arrived torn', requestKey: randomUUID() }
  const send = () => owner.send('POST', `/api/admin/orders/${number}/replacement`, body)
  const answers = await Promise.all([send(), send(), send()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map((answer) => answer.body['orderNumber'])).size).toBe(1)
  const replacement = String(answers[0]?.body['orderNumber'])
  await world.settled()

  const rows = await ordersOf(world)
  expect(rows).toHaveLength(2)
  expect(rows.find(({ order_number: own }) => own === replacement)).toMatchObject({
    payment_key: null,
    checkout_id: null,
    payment_status: 'no_charge',
    total_cents: '0',
    fulfilment_status: 'submitted',
  })
  expect(await revenueOf(world)).toBe(earned)
  expect(await balanceOf(world, 'expense:fulfillment')).toBe(made)
  expect(await balanceOf(world, 'expense:free_orders')).toBeGreaterThan(0)
  expect(await balanceOf(world, 'expense:commission')).toBe(0)
  await expectNoPaymentLost(world)
  await expectPrintedOnce(world)

  // Both orders name each other.
  expect((await owner.send('GET', `/api/admin/orders/${replacement}`)).body).toMatchObject({
    kind: 'replacement',
    replaces: number,
    can: { refund: 'Nothing was paid for it, so there is nothing to refund.' },
  })
  expect((await owner.send('GET', `/api/admin/orders/${number}`)).body).toMatchObject({
    replacements: [{ orderNumber: replacement, status: 'submitted' }],
    replaceable: [{ position: 0, quantity: 1 }],
  })

  await arrives(world, replacement)
  const subjects = world.mailbox.list().map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.startsWith('We’re making your replacement'))).toHaveLength(1)
  expect((await ordersOf(world)).map(({ fulfilment_status: status }) => status)).toEqual(['delivered', 'delivered'])
})

test('no piece is replaced twice, nothing unsent is replaced, and every refusal is a sentence', async () => {
  await using world = await openWorld()
  const payment = await world.shopper().paysByCard({ buying: 'hat' })
  const number = String((await payment.returnsToShop()).body.orderId)
  await world.settled()
  const owner = await ownerOf(world)
  const replace = (seen: number, quantity = 1) =>
    owner.send('POST', `/api/admin/orders/${number}/replacement`, {
      ...{ pieces: [{ position: 0, quantity }], seen, reason: 'lost', requestKey: randomUUID() },
    })
  expect(await replace(1)).toMatchObject({
    status: 409,
    body: { code: 'cannot_replace', message: 'Nothing was ordered. Nothing of it has shipped yet.' },
  })
  await arrives(world, number)
  expect(await replace(1, 2)).toMatchObject({ status: 409, body: { code: 'cannot_replace' } })
  // Two tabs.
  const both = await Promise.all([replace(1), replace(1)])
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
  expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'replacement_changed' })
  expect(await replace(0)).toMatchObject({
    status: 409,
    body: { message: 'Nothing was ordered. Every piece of it already has a replacement.' },
  })

  // A canceled replacement frees its pieces.
  const made = String(both.find(({ status }) => status === 200)?.body['orderNumber'])
  await world.settled()
  expect((await owner.send('POST', `/api/admin/orders/${made}/cancel`)).status).toBe(200)
  await world.settled()
  expect(world.mailbox.list().filter(({ text }) => text.includes('Nothing was charged for it'))).toHaveLength(1)
  expect(await balanceOf(world, 'expense:free_orders')).toBe(0)
  expect((await replace(1)).status).toBe(200)
  await world.settled()
  await passAMinute(world)
  expect(await world.audit('exceptions')).toEqual([])
})

test('a sample and a gift reach the printer without a payment, and stay out of every sum of sales', async () => {
  await using world = await openWorld()
  const owner = await ownerOf(world)
  const buyer = world.shopper()
  const { body: added } = await buyer.adds('mug')
  const lines = [{ variantId: added.variantId, quantity: 1 }]
  const customer = { email: 'fan@mail.example', name: 'Fan Fannet', shippingAddress: addresses.berlin }
  const preview = await owner.send('POST', '/api/admin/free-orders/preview', {
    lines,
    shippingAddress: addresses.berlin,
  })
  expect(Number(preview.body['cost'])).toBeGreaterThan(0)
  for (const kind of ['sample', 'gift']) {
    const body = { kind, lines, customer, reason: 'for the blog', requestKey: randomUUID() }
    expect((await owner.send('POST', '/api/admin/free-orders', body)).status).toBe(200)
    expect((await owner.send('POST', '/api/admin/free-orders', { ...body, requestKey: randomUUID() })).status).toBe(200)
  }
  await world.settled()
  expect((await ordersOf(world)).map(({ fulfilment_status: status }) => status)).toEqual(['submitted', 'submitted'])
  await expectPrintedOnce(world)
  expect((await owner.send('GET', '/api/reports/summary')).body).toMatchObject({ totalOrders: 0, totalRevenue: 0 })
  expect(world.mailbox.list().map(({ subject }) => subject.split(':')[0])).toEqual(
    expect.arrayContaining(['We’re making your sample', 'A gift for you from Pawtelier']),
  )
  const refused = await owner.send('POST', '/api/admin/free-orders', {
    kind: 'gift',
    lines,
    customer: { ...customer, shippingAddress: { ...addresses.newYork, postal_code: '' } },
    reason: 'a prize',
    requestKey: randomUUID(),
  })
  expect(refused).toMatchObject({
    status: 422,
    body: { fields: { 'customer.shippingAddress.postal_code': expect.any(String) } },
  })
  expect(await ordersOf(world)).toHaveLength(2)
})

test('an order that is later than promised says so, and its page names no day in the past', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'hat', to: addresses.newYork })
  const number = String((await payment.returnsToShop()).body.orderId)
  await world.settled()
  const view = async () =>
    (
      await shopper.send<{ isLate: boolean; expected: { from: string; to: string } | null }>(
        'GET',
        `/api/order?order=${number}`,
      )
    ).body
  const first = await view()
  expect(first.isLate).toBe(false)
  await world.advance(Date.parse(first.expected?.to ?? '') + 2 * DAY_MS - world.shop.clock.now().getTime())
  const second = await view()
  expect(second.isLate).toBe(true)
  expect(Date.parse(second.expected?.to ?? '')).toBeGreaterThan(world.shop.clock.now().getTime())
  await world.advance(60 * DAY_MS)
  expect(await view()).toMatchObject({ isLate: true, expected: null })
})

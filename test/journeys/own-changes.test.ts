import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '#shared/time.ts'
import { cards, openWorld, type World } from '#sandbox/world.ts'
import { whyChangedOrderDiffers, whyChangedOrderIsUnfinished } from '../properties/changed-orders.ts'
import { catchesUp, madeByPrinter, printerAwayForADay } from './printer-away.ts'

// A customer changes an order from the emailed link, without an account, while its time for changes lasts.

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { CHANGE_WINDOW_S: '1800' } })
})
afterAll(() => world[Symbol.asyncDispose]())

type Said = { done?: string; code?: string; message?: string; isToPay?: boolean; fields?: Record<string, string> }
type Seen = Said & { difference: number; waived: number; taxLabel: string; amounts: { tax: number; total: number } }
type Row = Record<string, string>

async function sold(quantity = 2, by: 'card' | 'wallet' = 'card') {
  const shopper = world.shopper()
  if (by === 'card') await (await shopper.paysByCard({ quantity })).returnsToShop()
  else {
    const id = await shopper.approvesWallet({ quantity })
    await shopper.captures(id)
    await shopper.processes(id)
  }
  await world.settled()
  const mail = world.mailbox.list().find(({ to }) => JSON.stringify(to).includes(shopper.customer.email))
  const token = /order-confirmation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const guest = world.shopper()
  const send = <Body>(path: string, more: object = {}) =>
    guest.send<Body>('POST', `/api/order${path}`, { token, ...more })
  const { body: view } = await guest.send<{ orderNumber: string; lines: { position: number; variantId: number }[] }>(
    'GET',
    `/api/order?token=${token}`,
  )
  return {
    number: view.orderNumber,
    email: shopper.customer.email,
    guest,
    send,
    token,
    line: view.lines[0] ?? { position: 0, variantId: 0 },
  }
}

type Sold = Awaited<ReturnType<typeof sold>>

const orderOf = async ({ number }: Sold) =>
  (await world.audit<Row>('orders')).find(({ order_number: one }) => one === number)
const preview = ({ send }: Sold, wish: object) => send<Seen>('/change/preview', wish)
const change = async (one: Sold, wish: object) => {
  const { body } = await preview(one, wish)
  const answer = await one.send<Said>('/change', { ...wish, difference: body.difference })
  await world.settled()
  return { difference: body.difference, answer }
}
const ofLine = ({ line }: Sold, more: object) => ({ lines: { changed: [{ ...line, ...more }], added: [] } })

test('fewer pieces: the difference with its tax goes back, and the printer makes the rest', async () => {
  const one = await sold()
  const before = await orderOf(one)
  const { difference, answer } = await change(
    one,
    ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 1 }),
  )
  expect(difference).toBeLessThan(0)
  expect(answer).toMatchObject({
    status: 200,
    body: { isToPay: false, done: expect.stringContaining('on its way back') },
  })
  expect(await orderOf(one)).toMatchObject({
    total_cents: String(Number(before?.['total_cents']) + difference),
    payment_status: 'paid',
  })
  const mails = (await world.audit<Row>('mails')).filter(({ order_id: id }) => id === before?.['id'])
  expect(mails.map(({ kind }) => kind)).toEqual(['confirmation', 'changed'])
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])
})

test('paid by wallet: what becomes less goes back to the wallet, and what costs more is paid by card', async () => {
  const one = await sold(2, 'wallet')
  const less = await change(one, ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 1 }))
  const { refunds = [] } = world.simulators.paypal.ledger()
  expect(refunds.at(-1)).toMatchObject({ amount_cents: -less.difference })
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])

  const more = ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 3 })
  expect((await change(one, more)).answer.body).toMatchObject({ isToPay: true })
  const { body } = await one.send<{ intentId: string; clientSecret: string }>('/change/pay')
  await one.guest.confirms({ payment_intent: body.intentId, client_secret: body.clientSecret })
  await world.sweep()
  await world.settled()
  expect((await one.guest.send('GET', `/api/order?token=${one.token}`)).body['lines']).toMatchObject([{ quantity: 3 }])
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])
})

test('one more piece is paid on the page, in time or not at all; canceling drops it', async () => {
  const one = await sold(1)
  const more = ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 2 })
  const { difference, answer } = await change(one, more)
  expect(answer.body).toMatchObject({ isToPay: true })
  const { body } = await one.guest.send<{ intentId: string; clientSecret: string; amount: number }>(
    'POST',
    '/api/order/change/pay',
    { token: one.token },
  )
  expect(body.amount).toBe(difference)
  await one.guest.confirms({ payment_intent: body.intentId, client_secret: body.clientSecret })
  await world.settled()
  const { body: view } = await one.guest.send<{ lines: { quantity: number }[] }>('GET', `/api/order?token=${one.token}`)
  expect(view.lines).toMatchObject([{ quantity: 2 }])
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])

  const other = await sold(1)
  await change(other, ofLine(other, { variantId: other.line.variantId, position: 0, quantity: 2 }))
  expect((await other.send('/cancel')).status).toBe(200)
  await world.settled()
  expect(await orderOf(other)).toMatchObject({ fulfilment_status: 'cancelled', payment_status: 'refunded' })
  expect((await other.send('/change/pay')).status).toBe(404)
  expect(await whyChangedOrderDiffers(world, other.number)).toEqual([])

  const late = await sold(1)
  await change(late, ofLine(late, { variantId: late.line.variantId, position: 0, quantity: 2 }))
  await world.advance(61 * MINUTE_MS)
  await world.sweep()
  await world.settled()
  expect((await late.send('/change/pay')).status).toBe(404)
  expect(await orderOf(late)).toMatchObject({ fulfilment_status: 'submitted' })
  expect(await whyChangedOrderDiffers(world, late.number)).toEqual([])
})

test('the printer is down for a day when a difference is paid: the order waits changed, says so, and is made once as changed (F59)', async () => {
  const one = await sold(1)
  const more = ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 2 })
  const { difference } = await change(one, more)
  expect(difference).toBeGreaterThan(0)
  const page = async () =>
    (await one.guest.send<{ fulfillment: string; lines: object[] }>('GET', `/api/order?token=${one.token}`)).body
  await printerAwayForADay(world, async () => {
    const { body } = await one.send<{ intentId: string; clientSecret: string }>('/change/pay')
    await one.guest.confirms({ payment_intent: body.intentId, client_secret: body.clientSecret })
    await world.settled()
  })
  const ours = () => madeByPrinter(world).filter((external) => external.startsWith(one.number))
  expect(ours()).toEqual([])
  expect(await page()).toMatchObject({ fulfillment: 'waiting', lines: [{ quantity: 2 }] })

  const works = async () => {
    await catchesUp(world)
    return ours().length
  }
  await expect.poll(works, { timeout: 60_000 }).toBe(1)
  expect(await works()).toBe(1)
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])
  expect(await whyChangedOrderIsUnfinished(world, one.number)).toEqual([])
  const id = (await orderOf(one))?.['id']
  const mails = (await world.audit<Row>('mails')).filter(({ order_id: order }) => order === id).map(({ kind }) => kind)
  expect(mails).toEqual([...new Set(mails)])
  expect(mails).toContain('changed')
})

test('declined cards of a change count for its order: after too many it is made as it was, and tries no more', async () => {
  const one = await sold(1)
  const more = ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 2 })
  await change(one, more)
  const { body } = await one.send<{ intentId: string; clientSecret: string }>('/change/pay')
  const key = { payment_intent: body.intentId, client_secret: body.clientSecret }
  for (let tries = 0; tries < 5; tries += 1) await one.guest.confirms(key, cards.declined)
  await world.settled()
  expect((await one.send('/change/pay')).status).toBe(404)
  expect((await one.guest.confirms(key)).error).toBeDefined()
  await change(one, more)
  expect(await one.send('/change/pay')).toMatchObject({ status: 409, body: { code: 'change_refused' } })
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])
})

test('a payment of a change that the provider answered with an error can be started again, and is paid once', async () => {
  const one = await sold(1)
  const { difference } = await change(one, ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 2 }))
  await world.simulators.stripe.change({ change: 'keep_500' })
  expect((await one.send('/change/pay')).status).toBe(503)
  const { body } = await one.send<{ intentId: string; clientSecret: string; amount: number }>('/change/pay')
  expect(body.amount).toBe(difference)
  expect((await one.send('/change/pay')).body).toEqual(body)
  await one.guest.confirms({ payment_intent: body.intentId, client_secret: body.clientSecret })
  await world.settled()
  expect((await one.guest.send('GET', `/api/order?token=${one.token}`)).body['lines']).toMatchObject([{ quantity: 2 }])
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])
})

test('who knows only number and email sees no payment of a change', async () => {
  const one = await sold(1)
  await change(one, ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 2 }))
  const reader = world.shopper()
  expect((await reader.send('POST', '/api/track', { orderNumber: one.number, email: one.email })).status).toBe(200)
  expect((await one.guest.send('GET', `/api/order/change?token=${one.token}`)).body).not.toEqual({ toPay: null })
  expect((await reader.send('GET', `/api/order/change?order=${one.number}`)).body).toEqual({ toPay: null })
})

test('another country: its tax by name, and the tax number that its customs need', async () => {
  const one = await sold()
  const brazil = {
    line1: 'Rua Augusta, 500',
    line2: null,
    city: 'São Paulo',
    state: 'SP',
    postal_code: '01304-000',
    country: 'BR',
  }
  const recipient = { name: 'Ada Fan', shippingAddress: brazil }
  expect(await preview(one, { recipient })).toMatchObject({
    status: 422,
    body: { fields: { tax_number: expect.any(String) } },
  })
  const wish = { recipient: { ...recipient, tax_number: '529.982.247-25' } }
  const { body } = await preview(one, wish)
  expect(body.taxLabel).toBe('Country Consumption Tax')
  const { answer } = await change(one, wish)
  expect(answer.status).toBe(200)
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])
})

test('an address in a country that a piece may not go to is refused with the piece’s name, for customer and owner', async () => {
  const one = await sold()
  const before = await orderOf(one)
  await using blocked = await blocking(one, 'SG')
  const shippingAddress = { line1: '1 Raffles Place', city: 'Singapore', postal_code: '048616', country: 'SG' }
  const recipient = { name: 'Ada Fan', shippingAddress }
  const refusal = {
    status: 422,
    body: { code: 'country_blocked', message: `We can’t ship ${blocked.name} to Singapore.` },
  }
  expect(await preview(one, { recipient })).toMatchObject(refusal)
  expect(await one.send('/change', { recipient, difference: 0 })).toMatchObject(refusal)
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const path = `/api/admin/orders/${one.number}/address`
  expect(await owner.send('POST', path, { ...recipient, seen: 0 })).toMatchObject(refusal)
  expect(await orderOf(one)).toEqual(before)
})

/** The order's product may not go to a country. */
async function blocking({ line }: Sold, country: string) {
  const { pool } = world.shop.database
  const ofLine = '(select product_id from variant where id = $1)'
  const { rows } = await pool.query<{ name: string; metadata: object | null }>(
    `select name, metadata from product where id = ${ofLine}`,
    [line.variantId],
  )
  const { name = '', metadata = null } = rows[0] ?? {}
  const set = (value: object | null) =>
    pool.query(`update product set metadata = $2 where id = ${ofLine}`, [line.variantId, value])
  await set({ ...metadata, restrictions: { blockedCountries: [country] } })
  return { name, [Symbol.asyncDispose]: () => set(metadata).then(() => undefined) }
}

test('a difference too small for a card costs nothing: the shop bears it, and the books agree', async () => {
  const one = await sold(1)
  await world.shop.database.pool.query(
    `update variant set unit_price_cents = unit_price_cents + 30 where id <> $1 and product_id = (select product_id from variant where id = $1)`,
    [one.line.variantId],
  )
  const { rows } = await world.shop.database.pool.query<{ id: string }>(
    `select id from variant where id <> $1 and product_id = (select product_id from variant where id = $1) order by id limit 1`,
    [one.line.variantId],
  )
  const wish = ofLine(one, { position: 0, variantId: Number(rows[0]?.id), quantity: 1 })
  const { body } = await preview(one, wish)
  expect(body.waived).toBeGreaterThan(0)
  expect(body.difference).toBeLessThanOrEqual(0)
  expect(body.difference).toBeGreaterThan(-10)
  expect((await change(one, wish)).answer).toMatchObject({ status: 200, body: { isToPay: false } })
  expect(await whyChangedOrderDiffers(world, one.number)).toEqual([])
})

test('after its time, or without the link, nothing can be changed, and the answer says so', async () => {
  const one = await sold()
  const wish = ofLine(one, { variantId: one.line.variantId, position: 0, quantity: 1 })
  const stranger = world.shopper()
  for (const key of [{}, { token: 'guess' }, { order: one.number }])
    for (const path of ['/api/order/change/preview', '/api/order/change'])
      expect((await stranger.send('POST', path, { ...wish, ...key, difference: 0 })).status).toBe(404)
  // Two tabs: the second one saw another price.
  const { body } = await preview(one, wish)
  const both = await Promise.all([0, 0].map(() => one.send<Said>('/change', { ...wish, difference: body.difference })))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await world.advance(31 * MINUTE_MS)
  expect(await preview(one, wish)).toMatchObject({ status: 409, body: { code: 'correction_too_late' } })
})

import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AdminPhoneOrder, PhoneOrderView } from '#contract/phone-orders.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { erasePerson, exportOf } from '#server/privacy/privacy.ts'
import { eraseExpired } from '#server/privacy/retention.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectNoPaymentLost, expectPrintedOnce, ordersOf, postingsOf } from './invariants.ts'

// The owner takes an order by phone, and its customer pays by the emailed link.

let world: World
let owner: ReturnType<World['shopper']>
let hat: number | null
beforeAll(async () => {
  world = await openWorld()
  await world.simulators.printful.change({ change: 'rate_limit', perMinute: 100_000 })
  const shopper = world.shopper()
  hat = await shopper.firstVariant(await shopper.find('hat'))
})
beforeEach(async () => {
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

type Answered = { code?: string; message?: string; done?: string }
type Started = { clientSecret: string; intentId: string; amount: number; id: string } & Answered

const requestOf = (email: string, { to = addresses.newYork, ...more }: { to?: object; partnerLink?: string } = {}) => ({
  lines: [{ variantId: hat, quantity: 2 }],
  customer: { email, name: 'Grace Fan', shippingAddress: to },
  partnerLink: '',
  requestKey: randomUUID(),
  ...more,
})

const listed = async () =>
  (await owner.send<{ orders: AdminPhoneOrder[] }>('GET', '/api/admin/phone-orders')).body.orders

/** An order that was taken, with what its customer can do from the email. */
async function taken(more: Parameters<typeof requestOf>[1] = {}) {
  const email = `phone-${randomUUID().slice(0, 8)}@example.com`
  expect(await owner.send('POST', '/api/admin/phone-orders', requestOf(email, more))).toMatchObject({ status: 200 })
  await world.settled()
  const mails = () => world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(email))
  const token = /order-confirmation\/pay\?token=([\w.-]+)/.exec(mails()[0]?.text ?? '')?.[1] ?? ''
  const guest = world.shopper()
  const show = async () => (await guest.send<PhoneOrderView & Answered>('GET', `/api/order/to-pay?token=${token}`)).body
  const starts = async (by: 'card' | 'wallet', change: object = {}) =>
    world.shopper().send<Started>('POST', `/api/order/to-pay/${by}`, {
      ...{ token, total: (await show()).summary?.total ?? 0, ageConfirmed: false, ...change },
    })
  const row = async () => (await listed()).find(({ customer }) => customer.email === email)
  return {
    ...{ email, token, guest, mails, show, starts, row },
    decides: async (what: 'send' | 'cancel') =>
      owner.send<Answered>('POST', `/api/admin/phone-orders/${(await row())?.id}/${what}`, {}),
    async paysByCard() {
      const { body } = await starts('card')
      const payment = { payment_intent: body.intentId, client_secret: body.clientSecret }
      await guest.confirms(payment)
      return guest.returnsToShop(body.intentId)
    },
    captures: (id: string) =>
      guest.send<{ status: string } & Answered>('POST', `/api/order/to-pay/wallet/${id}/capture`, { token }),
  }
}

const orderOf = async (email: string) => {
  const { rows } = await world.shop.database.pool.query<{ order_number: string }>(
    'select order_number from shop_order where customer_email = $1',
    [email],
  )
  return (await ordersOf(world)).filter(({ order_number: number }) =>
    rows.some(({ order_number: own }) => own === number),
  )
}

test('an order taken by phone is paid by card from the emailed link, printed once and owed to nobody', async () => {
  const request = requestOf('preview@example.com')
  const { body: preview } = await owner.send<{ total: number; tax: number }>(
    'POST',
    '/api/admin/phone-orders/preview',
    {
      lines: request.lines,
      customer: request.customer,
    },
  )
  const { email, token, mails, show, row, paysByCard, starts } = await taken()
  expect(mails()[0]?.subject).toContain('Your order is ready to pay')
  expect(await row()).toMatchObject({ state: 'awaiting_payment', link: expect.stringContaining(token) })
  const seen = await show()
  // Late in the evening, the day alone would be another one in other time zones.
  expect(mails()[0]?.text).toContain(`by ${formatClockTime(new Date(seen.until))}`)
  // A forwarded link shows neither street nor email.
  expect(seen).toMatchObject({ state: 'awaiting_payment', lines: [{ quantity: 2 }], summary: { total: preview.total } })
  expect(JSON.stringify(seen)).not.toContain(email)
  expect(JSON.stringify(seen)).not.toContain('5th Avenue')
  // Nothing is made before it is paid.
  expect(await orderOf(email)).toEqual([])

  expect(await starts('card', { total: 1 })).toMatchObject({ status: 409, body: { code: 'summary_changed' } })
  const [first, second] = [await starts('card'), await starts('card')]
  expect(second.body.intentId).toBe(first.body.intentId)
  expect(first.body.amount).toBe(preview.total)
  expect(await paysByCard()).toMatchObject({ body: { status: 'paid' } })
  await world.settled()
  expect(await orderOf(email)).toMatchObject([
    { total_cents: String(preview.total), payment_status: 'paid', fulfilment_status: 'submitted' },
  ])
  expect(mails()[0]?.subject).toContain('Order Confirmation')
  expect(await show()).toMatchObject({ state: 'paid', summary: null })
  expect(await row()).toBeUndefined()
  expect(await starts('wallet')).toMatchObject({ status: 409, body: { code: 'phone_order_closed' } })
  const commission = (await postingsOf(world)).flat().filter(({ account }) => account.includes('commission'))
  expect(commission).toEqual([])
  await expectPrintedOnce(world)
  await expectNoPaymentLost(world)
})

test('paid with PayPal, and by card in another browser meanwhile, it is one order and the second payment goes back (F62)', async () => {
  const { email, guest, starts, captures, show } = await taken()
  const { body: card } = await starts('card')
  const { body: wallet } = await starts('wallet')
  expect(await captures(wallet.id)).toMatchObject({ status: 409, body: { code: 'wallet_not_approved' } })
  await guest.approves(wallet.id)
  expect(await captures(wallet.id)).toMatchObject({ status: 200, body: { status: 'paid' } })
  expect(await captures(wallet.id)).toMatchObject({ status: 200, body: { status: 'paid' } })
  await guest.confirms({ payment_intent: card.intentId, client_secret: card.clientSecret })
  await guest.returnsToShop(card.intentId)
  await world.settled()
  expect(await orderOf(email)).toHaveLength(1)
  expect(await show()).toMatchObject({ state: 'paid' })
  await expectNoPaymentLost(world)
  await expectPrintedOnce(world)
})

test('a partner whose link the owner names gets the commission; a link that does not exist is refused', async () => {
  expect(
    await owner.send('POST', '/api/admin/phone-orders', requestOf('x@example.com', { partnerLink: 'nobody-here' })),
  ).toMatchObject({ status: 404, body: { code: 'unknown_link' } })
  const countClicks = async () => (await world.shop.database.pool.query('select 1 from affiliate_click')).rowCount ?? 0
  const before = await countClicks()
  const { email, paysByCard } = await taken({ partnerLink: 'bullion-rudy' })
  // The same order from a second form is no second click.
  await owner.send('POST', '/api/admin/phone-orders', requestOf(email, { partnerLink: 'bullion-rudy' }))
  expect(await countClicks()).toBe(before + 1)
  await paysByCard()
  await world.settled()
  const earned = (await postingsOf(world)).flat().filter(({ account }) => account === 'expense:commission')
  expect(earned.length).toBeGreaterThan(0)
})

test('the same order from a double click or a second form is one, and gets one email (F62)', async () => {
  const request = requestOf('twice@example.com')
  const again = { ...request, requestKey: randomUUID() }
  const answers = await Promise.all(
    [request, request, again].map((body) => owner.send('POST', '/api/admin/phone-orders', body)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await world.settled()
  expect((await listed()).filter(({ customer }) => customer.email === 'twice@example.com')).toHaveLength(1)
  expect(world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes('twice@example.com'))).toHaveLength(1)
  await world.advance(11 * MINUTE_MS)
  await owner.send('POST', '/api/admin/phone-orders', { ...request, requestKey: randomUUID() })
  expect((await listed()).filter(({ customer }) => customer.email === 'twice@example.com')).toHaveLength(2)
})

test('a canceled link takes no payment, not even one that was started; an expired one is sent again', async () => {
  const canceled = await taken()
  const { body: card } = await canceled.starts('card')
  const { body: wallet } = await canceled.starts('wallet')
  await canceled.guest.approves(wallet.id)
  expect(await canceled.decides('cancel')).toMatchObject({ status: 200 })
  expect(await canceled.decides('cancel')).toMatchObject({ status: 409, body: { code: 'phone_order_closed' } })
  const late = await canceled.guest.confirms({ payment_intent: card.intentId, client_secret: card.clientSecret })
  expect(late.error).toBeDefined()
  expect(await canceled.captures(wallet.id)).toMatchObject({ status: 409, body: { code: 'phone_order_closed' } })
  expect(await canceled.starts('card')).toMatchObject({
    status: 409,
    body: { message: 'This order was canceled. Nothing was charged.' },
  })
  await world.sweep()
  expect(await orderOf(canceled.email)).toEqual([])

  const { mails, show, decides, starts, paysByCard, row } = await taken()
  await world.advance(8 * DAY_MS)
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  expect(await show()).toMatchObject({ state: 'expired', summary: null })
  expect(await starts('card')).toMatchObject({ status: 409, body: { code: 'phone_order_closed' } })
  expect(await row()).toMatchObject({ state: 'expired' })
  expect(await decides('send')).toMatchObject({ status: 200 })
  await world.settled()
  expect(mails()).toHaveLength(2)
  expect(await paysByCard()).toMatchObject({ body: { status: 'paid' } })
  expect(await decides('send')).toMatchObject({ status: 404, body: { code: 'unknown_phone_order' } })
})

test('addresses and products are judged as in every checkout, and a changed token opens nothing', async () => {
  const bad = requestOf('bad@example.com', { to: { ...addresses.newYork, postal_code: 'x' } })
  expect(await owner.send('POST', '/api/admin/phone-orders', bad)).toMatchObject({
    status: 422,
    body: { fields: { 'customer.shippingAddress.postal_code': expect.any(String) } },
  })
  const gone = { ...requestOf('gone@example.com'), lines: [{ variantId: 1, quantity: 1 }] }
  expect(await owner.send('POST', '/api/admin/phone-orders', gone)).toMatchObject({ body: { code: 'unknown_variant' } })
  const { token, guest } = await taken()
  const [id, signature] = token.split('.')
  for (const other of [`${Number(id) - 1}.${signature}`, `${id}.${signature?.slice(1)}`, `${id}`, 'x'])
    expect(await guest.send('GET', `/api/order/to-pay?token=${other}`)).toMatchObject({
      status: 404,
      body: { code: 'unknown_phone_order' },
    })
})

test('a person’s export has the orders taken for them, and erasing or a month leaves none', async () => {
  const { email, guest, token } = await taken()
  expect(await text(await exportOf(world.shop, email))).toContain('Grace Fan')
  await erasePerson(world.shop, email, COMMAND)
  expect((await guest.send('GET', `/api/order/to-pay?token=${token}`)).status).toBe(404)
  const { email: other } = await taken()
  await world.advance(60 * DAY_MS)
  await eraseExpired(world.shop)
  const { rows } = await world.shop.database.pool.query(`select 1 from phone_order where customer->>'email' = $1`, [
    other,
  ])
  expect(rows).toEqual([])
})

// Last, because its paid orders were never paid.
test('however many newer ones are paid, an unpaid order stays in the list', async () => {
  const { email, paysByCard } = await taken()
  await paysByCard()
  const { row } = await taken()
  await world.shop.database.pool.query(
    `with newer as (
       insert into phone_order (request_key, session_id, customer, pieces, created_at, expires_at)
         select gen_random_uuid(), session_id || n, customer, pieces, created_at, expires_at
         from phone_order, generate_series(1, 101) n where customer->>'email' = $1 returning session_id)
     insert into checkout select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'session_id', n.session_id,
       'order_number', right(n.session_id, 8), 'provider', null, 'provider_payment_id', null))).*
     from newer n join checkout c on n.session_id like c.session_id || '%'`,
    [email],
  )
  expect(await row()).toMatchObject({ state: 'awaiting_payment' })
})

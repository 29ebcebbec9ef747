import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { OrderNumber } from '#shared/ids.ts'
import { refusedStreet } from '#sandbox/sentinels.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { changeOrder } from '#server/payments/order-changes.ts'
import { submitOrder } from '#server/fulfillment/fulfillment.ts'
import { findOrderByNumber } from '#server/orders/orders.ts'
import { erasePerson, exportOf } from '#server/privacy/privacy.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { ordersOf } from './invariants.ts'

// An address the printer refuses, or an email that bounces, is corrected, and the order continues automatically.

const refused = { ...addresses.newYork, line1: refusedStreet }
const right = { ...addresses.newYork, line1: '11 Wall Street', postal_code: '10005' }

const mailsTo = (world: World, email: string) =>
  world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(email))
const tokenIn = (mail: { text: string } | undefined): string =>
  /order-confirmation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''

const atPrinter = (world: World, number: string) =>
  (world.simulators.printful.ledger().partner_orders ?? []).filter(({ external_id: id }) => id.startsWith(number))
/** Where it was actually shipped. */
const streetsAtPrinter = async (world: World, number: string) => {
  const { settings } = world.simulators
  const streets: string[] = []
  for (const { external_id: id, status } of atPrinter(world, number)) {
    if (['draft', 'canceled', 'failed'].includes(status)) continue
    const answer = await fetch(`${settings['PRINTFUL_API_BASE']}/orders/@${id}`, {
      headers: { authorization: `Bearer ${settings['PRINTFUL_TOKEN']}` },
    })
    const { result } = (await answer.json()) as { result: { recipient: { address1: string } } }
    streets.push(result.recipient.address1)
  }
  return streets
}

async function sold(world: World, to: object = refused, email?: string) {
  const shopper = world.shopper()
  if (email) shopper.customer.email = email
  const payment = await shopper.paysByCard({ buying: 'hat', to })
  const { body } = await payment.returnsToShop()
  await world.settled()
  return { shopper, number: String(body.orderId) as OrderNumber }
}

async function ownerOf(world: World) {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner
}

const orderAt = async (world: World, number: string) =>
  (await ordersOf(world)).find(({ order_number: orderNumber }) => orderNumber === number)

test('a customer corrects an address the printer refused through the emailed link, and the order is made once', async () => {
  await using world = await openWorld()
  const { shopper, number } = await sold(world)
  expect(await orderAt(world, number)).toMatchObject({ fulfilment_status: 'needs_attention' })
  const held = mailsTo(world, shopper.customer.email).find(({ subject }) => subject.includes('needs your address'))
  expect(held?.text).toMatch(/Correct the address: \S+order-confirmation\?token=[\w-]+#correct-address/)
  expect(held?.text).not.toMatch(/reply to this e?mail with/i)
  const token = tokenIn(held)

  const guest = world.shopper()
  const correct = (body: object) =>
    guest.send<{ done?: string; code?: string; fields?: Record<string, string> }>('POST', '/api/order/address', {
      token,
      name: 'Ada Fan',
      ...body,
    })
  const { body: view } = await guest.send('GET', `/api/order?token=${token}`)
  expect(view['can']).toEqual({ correctAddress: true, correctEmail: true, withdraw: false })
  // A link reveals no more than before: no street, no full email.
  expect(JSON.stringify(view)).not.toContain(refusedStreet)
  expect(JSON.stringify(view)).not.toContain(shopper.customer.email)

  // Errors are shown beside their field, and change nothing.
  const wrong = await correct({ shippingAddress: { ...right, postal_code: '1' } })
  expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([422, ['shippingAddress.postal_code']])
  expect(await correct({ shippingAddress: { ...right, state: 'NJ', postal_code: '07030' } })).toMatchObject({
    status: 422,
    body: { code: 'correction_elsewhere', message: expect.stringContaining('a different state') },
  })
  expect(await correct({ shippingAddress: addresses.berlin })).toMatchObject({
    status: 422,
    body: { code: 'correction_elsewhere', message: expect.stringContaining('Please write to us') },
  })
  // Refused again, the order waits again, and the customer is notified again.
  expect((await correct({ shippingAddress: { ...refused, line2: 'Floor 2' } })).status).toBe(200)
  await world.settled()
  expect(await orderAt(world, number)).toMatchObject({ fulfilment_status: 'needs_attention' })
  expect(
    mailsTo(world, shopper.customer.email).filter(({ subject }) => subject.includes('needs your address')),
  ).toHaveLength(2)

  expect(await correct({ shippingAddress: right })).toMatchObject({ status: 200 })
  await world.settled()
  expect(await orderAt(world, number)).toMatchObject({ fulfilment_status: 'submitted' })
  expect(await streetsAtPrinter(world, number)).toEqual(['11 Wall Street'])
  expect(mailsTo(world, shopper.customer.email).some(({ subject }) => subject.includes('was corrected'))).toBe(true)

  // Too late: the page says so, and nothing changes.
  expect(await correct({ shippingAddress: { ...right, line1: '12 Wall Street' } })).toMatchObject({ status: 409 })
  expect((await guest.send('GET', `/api/order?token=${token}`)).body['can']).toMatchObject({ correctAddress: false })
  expect(await streetsAtPrinter(world, number)).toEqual(['11 Wall Street'])
})

test('a foreign link, another customer’s order, a number or a finished order corrects nothing (E16)', async () => {
  await using world = await openWorld()
  const { shopper, number } = await sold(world)
  const other = await sold(world, addresses.newYork)
  const stranger = world.shopper()
  const body = { name: 'Eve', shippingAddress: right }
  const paid = await world.shop.db.transaction((tx) => findOrderByNumber(tx, number))
  const paymentId = paid?.paymentKey?.split(':')[1]
  for (const key of [{ token: 'guess' }, { order: number }, { session_id: paymentId }, {}])
    for (const path of ['/api/order/address', '/api/order/email'])
      expect((await stranger.send('POST', path, { ...body, email: 'eve@mail.example', ...key })).status).toBe(404)
  // Order number and email let a stranger look, but change nothing.
  await stranger.send('POST', '/api/track', { orderNumber: number, email: shopper.customer.email })
  expect((await stranger.send('GET', `/api/order?order=${number}`)).body['can']).toEqual({
    correctAddress: false,
    correctEmail: false,
    withdraw: false,
  })
  expect((await stranger.send('POST', '/api/order/address', { ...body, order: number })).status).toBe(404)
  // One order's link does not open another; an order at the printer cannot be changed.
  const token = tokenIn(mailsTo(world, other.shopper.customer.email)[0])
  expect(await stranger.send('POST', '/api/order/address', { ...body, token, order: number })).toMatchObject({
    status: 409,
    body: { code: 'correction_too_late' },
  })
  for (const path of [`/api/admin/orders/${number}/address`, `/api/admin/orders/${number}/email`])
    expect((await stranger.send('POST', path, { ...body, email: 'eve@mail.example' })).status).toBe(401)
  expect((await world.shop.database.pool.query('select 1 from order_correction')).rows).toEqual([])
  expect(await orderAt(world, number)).toMatchObject({ customer_email: shopper.customer.email })
})

test('the owner corrects an address and sees the printer’s answer; the log masks it, and erasure removes it', async () => {
  await using world = await openWorld()
  const { shopper, number } = await sold(world)
  const owner = await ownerOf(world)
  const says = (path: string, body?: object) =>
    owner.send<{ done?: string; code?: string; message?: string }>('POST', `/api/admin/orders/${number}/${path}`, body)
  expect(await says('resubmit')).toMatchObject({
    status: 409,
    body: { code: 'printer_refused', message: expect.stringContaining('could not verify this address') },
  })
  expect(await says('address', { name: 'Ada Lovelace', shippingAddress: right, seen: 0 })).toMatchObject({
    status: 200,
    body: { done: 'Address corrected. The printer accepted the order.' },
  })
  await world.settled()
  expect(await streetsAtPrinter(world, number)).toEqual(['11 Wall Street'])

  const { body: orderView } = await owner.send('GET', `/api/admin/orders/${number}`)
  expect(JSON.stringify(orderView['timeline'])).toContain(refusedStreet)
  const { body: log } = await owner.send('GET', '/api/admin/log')
  expect(JSON.stringify(log)).toContain('corrected the address')
  for (const secret of [refusedStreet, 'Wall Street', 'Lovelace', '10005'])
    expect(JSON.stringify(log)).not.toContain(secret)

  expect(await text(await exportOf(world.shop, shopper.customer.email))).toContain(refusedStreet)
  await world.shop.database.pool.query(`update shop_order set fulfilment_status = 'delivered'`)
  await erasePerson(world.shop, shopper.customer.email, COMMAND)
  expect((await world.shop.database.pool.query('select 1 from order_correction')).rows).toEqual([])
})

test('an address that another owner or the customer corrected meanwhile is not overwritten unseen', async () => {
  await using world = await openWorld({ env: { CHANGE_WINDOW_S: '1800' } })
  const { shopper, number } = await sold(world)
  const owner = await ownerOf(world)
  const versionNow = async () => Number((await owner.send('GET', `/api/admin/orders/${number}`)).body['version'])
  const corrects = (line1: string, seen: number) =>
    owner.send<{ code?: string; message?: string }>('POST', `/api/admin/orders/${number}/address`, {
      ...{ name: 'Ada Lovelace', shippingAddress: { ...right, line1 }, seen },
    })
  const line1Now = async () =>
    (await world.shop.db.transaction((tx) => findOrderByNumber(tx, number)))?.shippingAddress.line1

  // Two owners at once: one of them is told.
  const seen = await versionNow()
  const both = await Promise.all(['1 Wall Street', '2 Wall Street'].map((line1) => corrects(line1, seen)))
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const kept = both[0]?.status === 200 ? '1 Wall Street' : '2 Wall Street'
  expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'order_changed',
    message: expect.stringContaining(`it goes to Ada Lovelace, ${kept}, New York, NY 10005`),
  })
  expect(await line1Now()).toBe(kept)

  // The customer in between, also against the owner's other changes.
  const before = await versionNow()
  const link = tokenIn(mailsTo(world, shopper.customer.email)[0])
  const own = { token: link, name: 'Ada Lovelace', shippingAddress: { ...right, line1: '3 Wall Street' } }
  expect((await shopper.send('POST', '/api/order/address', own)).status).toBe(200)
  expect(await corrects('4 Wall Street', before)).toMatchObject({ status: 409, body: { code: 'order_changed' } })
  const phone = { phone: '+1 555 0100', difference: 0, seen: before }
  expect(await owner.send('POST', `/api/admin/orders/${number}/change`, phone)).toMatchObject({
    ...{ status: 409, body: { code: 'order_changed' } },
  })
  expect(await line1Now()).toBe('3 Wall Street')
  expect((await corrects('4 Wall Street', await versionNow())).status).toBe(200)
  expect(await line1Now()).toBe('4 Wall Street')
})

test('a bouncing email is corrected: the bounced messages go to the new address, and old links stop working', async () => {
  await using world = await openWorld()
  const { shopper, number } = await sold(world, addresses.newYork, 'bounce@mail.example')
  const owner = await ownerOf(world)
  const wanted = `ada-${number.toLowerCase()}@mail.example`
  // The browser that paid sees the order without needing an email.
  const { payment_key: key } = (await orderAt(world, number)) as unknown as { payment_key: string }
  const session_id = key.slice(key.indexOf(':') + 1)
  expect(await shopper.send('POST', '/api/order/email', { session_id, email: wanted })).toMatchObject({ status: 200 })
  await world.settled()
  const [mail] = mailsTo(world, wanted)
  expect(mail?.subject).toContain(number)
  const token = tokenIn(mail)
  expect((await owner.send('GET', `/api/order?token=${token}`)).status).toBe(200)

  // A typo that reaches a stranger: the confirmation goes to the right address, and the stranger's link stops working.
  const own = `ada-own-${number.toLowerCase()}@mail.example`
  const corrects = (email: string, seen: number) =>
    owner.send<{ code?: string; message?: string }>('POST', `/api/admin/orders/${number}/email`, { email, seen })
  expect(await corrects('too-late@mail.example', 0), 'the customer corrected it in another tab').toMatchObject({
    ...{
      status: 409,
      body: { code: 'order_changed', message: expect.stringContaining(`its emails to ${wanted} now`) },
    },
  })
  expect(await orderAt(world, number)).toMatchObject({ customer_email: wanted })
  for (const again of [1, 1]) expect(await corrects(own, again)).toMatchObject({ status: 200 })
  await world.settled()
  expect((await owner.send('GET', `/api/order?token=${token}`)).status).toBe(404)
  const renewed = tokenIn(mailsTo(world, own)[0])
  expect((await owner.send('GET', `/api/order?token=${renewed}`)).status).toBe(200)
  const notice = mailsTo(world, wanted).find(({ subject }) => subject.includes('email on order'))
  expect(notice?.text).toContain('If this wasn’t you')
  expect(notice?.text).not.toContain('token=')
  expect(await orderAt(world, number)).toMatchObject({ customer_email: own })
})

test('a correction concurrent with a submission never prints twice, and never to the old address', async () => {
  await using world = await openWorld()
  for (let round = 0; round < 6; round += 1) {
    // The printer is down during the sale, so the order waits.
    world.simulators.kit.rules.add({
      provider: 'printful',
      match: { path: '/**' },
      when: 'before',
      do: { status: 401, body: {} },
      times: 1000,
    })
    const shopper = world.shopper()
    const payment = await shopper.paysByCard({ buying: 'hat', to: { ...right, line1: '1 Old Street' } })
    const number = String((await payment.returnsToShop()).body.orderId) as OrderNumber
    await world.settled()
    world.simulators.kit.rules.clear()
    const order = await findOrderByNumber(world.shop.db, number)
    if (!order) throw new Error('no order')
    // In odd rounds the printer has not been called yet.
    await world.shop.database.pool.query(
      `update shop_order set fulfilment_status = 'waiting', attention_reason = null, partner_tried_at = $2 where id = $1`,
      [order.id, round % 2 ? null : new Date()],
    )
    const waits = (ms: number) => new Promise((done) => setTimeout(done, ms))
    const [corrected] = await Promise.allSettled([
      waits(round * 15).then(() =>
        changeOrder(
          world.shop,
          order,
          { recipient: { name: 'Ada', shippingAddress: right, tax_number: null } },
          { kind: 'shopper' },
        ),
      ),
      submitOrder(world.shop, order.id),
      waits(20).then(() => submitOrder(world.shop, order.id)),
    ])
    await world.settled()
    await submitOrder(world.shop, order.id)
    const streets = await streetsAtPrinter(world, number)
    expect(streets, `round ${round}`).toEqual([corrected?.status === 'fulfilled' ? '11 Wall Street' : '1 Old Street'])
    expect(await orderAt(world, number)).toMatchObject({ fulfilment_status: 'submitted' })
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { submitOrder } from '#server/fulfillment/fulfillment.ts'
import { findOrderByNumber, isSale } from '#server/orders/orders.ts'
import { runChangeRaces } from '../properties/change-races.ts'
import { expectBooksAgree, ordersOf, postingsOf } from './invariants.ts'

// A customer cancels an order on its page, or has it made at once.

const env = { CHANGE_WINDOW_S: '1800', SWEEP_INTERVAL_S: '300' }
let shared: World
beforeAll(async () => {
  shared = await openWorld({ env })
})
afterAll(() => shared[Symbol.asyncDispose]())

const mailsTo = (world: World, email: string) =>
  world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(email))

async function sold(world = shared) {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'hat' })
  const { body } = await payment.returnsToShop()
  await world.settled()
  const order = await findOrderByNumber(world.shop.db, String(body.orderId) as never)
  if (!order || !isSale(order)) throw new Error('no order')
  const mail = mailsTo(world, shopper.customer.email).find(({ subject }) => subject.includes('Confirmation'))
  const token = /order-confirmation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  return { world, shopper, order, mail, token, intent: payment.payment_intent }
}

type Sold = Awaited<ReturnType<typeof sold>>

const orderNow = async ({ world, order }: Sold) => (await ordersOf(world)).find(({ id }) => id === order.id)
const atPrinter = ({ world, order }: Sold) =>
  (world.simulators.printful.ledger().partner_orders ?? []).filter(({ external_id: id }) =>
    id.startsWith(order.orderNumber),
  )
const refundsOf = async ({ world, order }: Sold) =>
  (await world.audit<{ payment_key: string; amount_cents: string; status: string }>('refunds')).filter(
    ({ payment_key: key }) => key === order.paymentKey,
  )
const changesOf = async ({ world, order }: Sold) =>
  (await world.audit<{ order_id: number }>('changes')).filter(({ order_id: id }) => id === order.id)
const cancels = ({ world, token }: Sold) =>
  world.shopper().send<{ code?: string; message?: string; done?: string }>('POST', '/api/order/cancel', { token })

test('a customer cancels through the emailed link: all money goes back, nothing is made, and the books agree', async () => {
  const one = await sold()
  expect(one.mail?.text).toMatch(/You can change it until|Change or cancel it until/)
  expect(one.mail?.text).toMatch(/\d:\d\d [AP]M E[DS]T/)
  const guest = shared.shopper()
  const view = () => guest.send<{ changes: object; status: string }>('GET', `/api/order?token=${one.token}`)
  expect((await view()).body.changes).toMatchObject({ objection: null, isYours: true, canceledAt: null })

  // Two tabs, and once more.
  const answers = await Promise.all([cancels(one), cancels(one)])
  answers.push(await cancels(one))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answers[0]?.body.done).toContain('is on its way back to you')
  await shared.settled()

  const paid = String(one.order.totalCents)
  expect(await orderNow(one)).toMatchObject({ fulfilment_status: 'cancelled', payment_status: 'refunded' })
  expect(await refundsOf(one)).toMatchObject([{ amount_cents: paid, status: 'succeeded' }])
  expect(await changesOf(one)).toMatchObject([
    { by: 'shopper', kind: 'canceled', amount_cents: `-${paid}`, state: 'done' },
  ])
  expect((await view()).body).toMatchObject({ changes: { objection: 'closed', canceledAt: expect.any(String) } })
  const mails = mailsTo(one.world, one.shopper.customer.email).map(({ subject }) => subject)
  expect(mails.filter((subject) => subject.includes('is canceled'))).toHaveLength(1)
  expect(mails.filter((subject) => subject.includes('refund'))).toHaveLength(1)

  // Neither its job nor the sweep sends it to the printer.
  await shared.advance(60 * MINUTE_MS)
  await shared.sweep()
  await submitOrder(shared.shop, one.order.id)
  await shared.settled()
  expect(atPrinter(one)).toEqual([])
  await expectBooksAgree(shared)
})

test('a customer who does not want to wait has it made at once, and can no longer cancel', async () => {
  const one = await sold()
  const now = () => shared.shopper().send('POST', '/api/order/make-now', { token: one.token })
  expect([(await now()).status, (await now()).status]).toEqual([200, 200])
  await shared.settled()
  expect(await orderNow(one)).toMatchObject({ fulfilment_status: 'submitted' })
  expect(atPrinter(one)).toHaveLength(1)
  expect(await changesOf(one)).toMatchObject([{ by: 'shopper', kind: 'made_now', amount_cents: '0', state: 'done' }])
  expect(await cancels(one)).toMatchObject({ status: 409, body: { code: 'correction_too_late' } })
  expect(await refundsOf(one)).toEqual([])
})

test('only the emailed link and the browser that paid can cancel, and only in time', async () => {
  const one = await sold()
  const stranger = shared.shopper()
  for (const key of [{ token: 'guess' }, { order: one.order.orderNumber }, { session_id: one.intent }, {}])
    for (const path of ['/api/order/cancel', '/api/order/make-now'])
      expect((await stranger.send('POST', path, key)).status).toBe(404)
  // Who knows number and email can look, but not cancel.
  const { email } = one.shopper.customer
  await stranger.send('POST', '/api/track', { orderNumber: one.order.orderNumber, email })
  const seen = await stranger.send('GET', `/api/order?order=${one.order.orderNumber}`)
  expect(seen.body['changes']).toMatchObject({ isYours: false })
  expect((await stranger.send('POST', '/api/order/cancel', { order: one.order.orderNumber })).status).toBe(404)
  await shared.advance(31 * MINUTE_MS)
  expect(await cancels(one)).toMatchObject({ status: 409 })
  const { body } = await shared.shopper().send('GET', `/api/order?token=${one.token}`)
  expect(body['changes']).toMatchObject({ objection: 'over' })
  expect(await refundsOf(one)).toEqual([])
})

test('what was refunded in the provider’s dashboard is not paid twice', async () => {
  const one = await sold()
  await shared.shop.payments.refund(one.order.paymentKey, 500 as never, 999_999, 'from the dashboard')
  expect((await cancels(one)).status).toBe(200)
  await shared.settled()
  const refunds = await refundsOf(one)
  expect(refunds.map(({ amount_cents: cents }) => Number(cents)).toSorted((a, b) => a - b)).toEqual([
    500,
    one.order.totalCents - 500,
  ])
  expect(refunds.every(({ status }) => status === 'succeeded')).toBe(true)
  expect(await orderNow(one)).toMatchObject({ fulfilment_status: 'cancelled', payment_status: 'refunded' })
  await expectBooksAgree(shared)
})

test('a dispute and a cancellation never return the money twice', async () => {
  await using own = await openWorld({ env })
  const first = await sold(own)
  await own.simulators.stripe.change({ change: 'dispute', payment_intent: first.intent })
  expect(await cancels(first)).toMatchObject({ status: 409 })
  expect(await refundsOf(first)).toEqual([])

  const both = await sold(own)
  const [canceled] = await Promise.all([
    cancels(both),
    own.simulators.stripe.change({ change: 'dispute', payment_intent: both.intent }),
  ])
  await own.settled()
  await own.advance(31 * MINUTE_MS)
  await own.sweep()
  await own.settled()
  expect(atPrinter(both)).toEqual([])
  const returned = (await refundsOf(both)).filter(({ status }) => status !== 'failed')
  expect(returned.length, String(canceled.status)).toBeLessThanOrEqual(canceled.status === 200 ? 1 : 0)
  for (const posting of await postingsOf(own))
    expect(posting.reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0)).toBe(0)
})

test('with the printer down, an order that it never got is canceled; one that it may have is not touched (F59)', async () => {
  const here = await sold()
  const there = await sold()
  await shared.shop.database.pool.query('update shop_order set partner_tried_at = now() where id = $1', [
    there.order.id,
  ])
  shared.simulators.kit.rules.add({
    provider: 'printful',
    match: { path: '/**' },
    when: 'before',
    do: { status: 503, body: 'away' },
    times: 10_000,
  })
  expect((await cancels(here)).status).toBe(200)
  expect((await cancels(there)).status).toBe(503)
  await shared.settled()
  expect(await orderNow(here)).toMatchObject({ fulfilment_status: 'cancelled', payment_status: 'refunded' })
  expect(await orderNow(there)).toMatchObject({ fulfilment_status: 'waiting', payment_status: 'paid' })
  shared.simulators.kit.rules.clear()
  await shared.advance(3 * MINUTE_MS)
  expect((await cancels(there)).status).toBe(200)
  await shared.settled()
  expect(await orderNow(there)).toMatchObject({ fulfilment_status: 'cancelled', payment_status: 'refunded' })
  await expectBooksAgree(shared)
})

/** `npm run prove:changes -- --races 1000` runs more. */
test('an order canceled or changed while it is submitted: as wanted or as it was, never both and never neither (F59)', async () => {
  expect((await runChangeRaces({ count: 24 })).wrong).toEqual([])
})

import { expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { followOrdersWithoutNews } from '#server/fulfillment/fulfillment.ts'
import { mailRefundedLater } from '#server/orders/mails.ts'
import { findOrder } from '#server/orders/orders.ts'
import { cents } from '#shared/money.ts'
import type { OrderId } from '#shared/ids.ts'
import { fulfillmentCanBecome, type FulfillmentStatus } from '#domain/orders/status.ts'
import { ordersOf } from './invariants.ts'

const HOUR_MS = 3_600_000
/** A sweep every five minutes, the shop's default: an order in production is polled every half hour. */
const env = { SWEEP_INTERVAL_S: '300' }

/** A paid order of three items, in production. */
async function beingMade(world: World) {
  const shopper = world.shopper()
  await shopper.adds('vented hat', 2)
  const payment = await shopper.paysByCard({ buying: 'mug', to: addresses.newYork })
  const { body } = await payment.returnsToShop()
  await expect.poll(() => statusOf(world), { timeout: 20_000 }).toBe('submitted')
  await world.settled()
  const number = body.orderId ?? ''
  const partner = (change: string, more: object = {}) =>
    world.simulators.printful.change({ change, external_id: number, ...more })
  return { shopper, number, partner }
}

const statusOf = async (world: World) => (await ordersOf(world))[0]?.status

const kindsOfMail = async (world: World) =>
  (await world.audit<{ kind: string }>('mails')).map(({ kind }) => kind).toSorted()

const shipmentsAt = (world: World) => world.simulators.printful.ledger().shipments ?? []

async function attentionReason(world: World): Promise<string | null | undefined> {
  const { rows } = await world.shop.database.pool.query<{ attention_reason: string | null }>(
    'select attention_reason from shop_order',
  )
  return rows[0]?.attention_reason
}

/** Expects the order's statuses to follow the allowed transitions. */
async function expectForwardOnly(world: World): Promise<FulfillmentStatus[]> {
  const { rows } = await world.shop.database.pool.query<{ status: FulfillmentStatus }>(
    'select fulfilment_status as status from order_step order by id',
  )
  const path = rows.map(({ status }) => status)
  for (const [index, status] of path.entries())
    expect(fulfillmentCanBecome(path[index - 1] ?? 'waiting', status), path.join(' > ')).toBe(true)
  return path
}

test('three parcels with doubled events, one of them resent: one email a parcel, and no status goes back (F33)', async () => {
  await using world = await openWorld({ env })
  const { partner } = await beingMade(world)
  await world.simulators.kit.webhooks.set({ provider: 'printful', duplicate: 4 })
  for (const parcel of [1, 2, 3]) {
    await partner('ship', { parcel, of: 3 })
    await world.settled()
  }
  expect(await statusOf(world)).toBe('shipped')
  const [first] = shipmentsAt(world)
  await partner('deliver', { shipment: Number(first?.id) })
  await world.advance(3 * HOUR_MS)
  await followOrdersWithoutNews(world.shop)
  await partner('ship', { again: true })
  await world.settled()
  expect(await kindsOfMail(world)).toEqual(['confirmation', 'delivered', ...Array<string>(4).fill('shipped')])

  await partner('deliver')
  await world.advance(3 * HOUR_MS)
  await followOrdersWithoutNews(world.shop)
  await followOrdersWithoutNews(world.shop)
  await world.settled()
  expect(await statusOf(world)).toBe('delivered')
  expect(await kindsOfMail(world)).toEqual([
    'confirmation',
    ...Array<string>(4).fill('delivered'),
    ...Array<string>(4).fill('shipped'),
  ])
  expect(world.mailbox.list().filter(({ text }) => text.includes('A replacement for part of your order'))).toHaveLength(
    1,
  )
  expect(await expectForwardOnly(world)).toEqual(['submitted', 'partially_shipped', 'shipped', 'delivered'])
})

test('with every event lost, polling follows the order to the doorstep, every half hour at most', async () => {
  await using world = await openWorld({ env })
  const { partner } = await beingMade(world)
  await world.simulators.kit.webhooks.set({ provider: 'printful', drop: 1000 })
  await partner('advance')
  expect(await followOrdersWithoutNews(world.shop)).toBe(0)
  await world.advance(31 * 60_000)
  await world.sweep()
  expect(await statusOf(world)).toBe('in_production')
  expect(await followOrdersWithoutNews(world.shop)).toBe(0)

  // Delivered before the shop heard of the shipment.
  await partner('ship')
  await partner('deliver')
  await world.advance(31 * 60_000)
  expect(await followOrdersWithoutNews(world.shop)).toBe(1)
  await world.settled()
  expect(await statusOf(world)).toBe('delivered')
  expect(await kindsOfMail(world)).toEqual(['confirmation', 'delivered', 'shipped'])
  await world.advance(31 * 60_000)
  expect(await followOrdersWithoutNews(world.shop)).toBe(0)
  await expectForwardOnly(world)
})

test('without the printer’s newer API an order stays shipped', async () => {
  await using world = await openWorld({ env })
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { path: '/v2/**' },
    times: 100,
    when: 'before',
    do: { status: 403, body: { code: 403, result: 'no', error: { reason: 'Forbidden', message: 'no' } } },
  })
  const { partner } = await beingMade(world)
  await partner('ship')
  await partner('deliver')
  await world.settled()
  await world.advance(3 * HOUR_MS)
  expect(await followOrdersWithoutNews(world.shop)).toBe(1)
  expect(await statusOf(world)).toBe('shipped')
  await partner('return', { reason: 'The address was not found' })
  await world.settled()
  expect(await statusOf(world)).toBe('shipped')
  expect(await attentionReason(world)).toContain('A parcel came back to the printer: The address was not found')
})

test('a hold over the address asks the shopper to fix it, once; any other hold is for the owner', async () => {
  await using world = await openWorld({ env })
  const { partner, number, shopper } = await beingMade(world)
  await partner('hold', { reason: 'The design needs your approval' })
  await world.settled()
  expect(await statusOf(world)).toBe('on_hold')
  expect(await attentionReason(world)).toBe(
    'The printer put it on hold: The design needs your approval. Approve or replace the print file at the printer.',
  )
  expect(await kindsOfMail(world)).toEqual(['confirmation'])
  await partner('release')
  await world.settled()
  expect(await statusOf(world)).toBe('submitted')
  expect(await attentionReason(world)).toBeNull()

  await partner('hold', { reason: 'Recipient: the address is incomplete' })
  await world.settled()
  expect(await kindsOfMail(world)).toEqual(['confirmation', 'on_hold'])
  const view = await shopper.send<{ needsAddress: boolean; expected: unknown }>('GET', `/api/order?order=${number}`)
  expect(view.body).toMatchObject({ needsAddress: true, expected: null })
  await expectForwardOnly(world)
})

test('an address the printer refuses right away is fixed the same way', async () => {
  await using world = await openWorld({ env })
  const shopper = world.shopper()
  shopper.customer.name = 'FAIL ADDRESS'
  const payment = await shopper.paysByCard()
  await payment.returnsToShop()
  await expect.poll(() => statusOf(world), { timeout: 20_000 }).toBe('needs_attention')
  await world.settled()
  expect(await kindsOfMail(world)).toEqual(['confirmation', 'on_hold'])
  expect(await attentionReason(world)).toMatch(/^The printer refused it: Recipient: .* We asked the customer/)
  const addressRequest = world.mailbox.list().find(({ subject }) => subject.includes('needs your address'))
  expect(addressRequest?.text).toContain('350 5th Avenue')
})

test('an order that is a draft again after a hold for its costs is confirmed again', async () => {
  await using world = await openWorld({ env })
  const { partner } = await beingMade(world)
  await partner('hold', { reason: 'Costs are being calculated', resumes_as: 'draft' })
  await world.settled()
  expect(await statusOf(world)).toBe('on_hold')
  await partner('release')
  await world.settled()
  expect(await statusOf(world)).toBe('submitted')
  expect(world.simulators.printful.ledger().partner_orders).toMatchObject([{ status: 'pending' }])

  // A disputed order is not produced until the dispute is decided.
  await partner('hold', { reason: 'Costs are being calculated', resumes_as: 'draft' })
  const [payment] = await world.audit<{ payment_id: string }>('payments')
  await world.simulators.stripe.change({ change: 'dispute', payment_intent: payment?.payment_id })
  await world.settled()
  await partner('release')
  await world.settled()
  expect(world.simulators.printful.ledger().partner_orders).toMatchObject([{ status: 'draft' }])
})

test('an order the printer cancels is announced once, and no longer counts as waiting', async () => {
  await using world = await openWorld({ env })
  const { partner, shopper, number } = await beingMade(world)
  await partner('cancel', { reason: 'The printer broke' })
  await world.settled()
  expect(await statusOf(world)).toBe('cancelled')
  expect(await kindsOfMail(world)).toEqual(['cancelled', 'confirmation'])
  expect(await attentionReason(world)).toContain('The printer broke')
  const { body } = await shopper.send<{ milestones: { station: string }[] }>('GET', `/api/order?order=${number}`)
  expect(body.milestones.at(-1)?.station).toBe('cancelled')
  // The printer's reason is for the owner only.
  expect(JSON.stringify(body)).not.toContain('printer broke')
})

test('a returned parcel marks the order returned; if part of it was delivered, the owner is asked to look', async () => {
  await using world = await openWorld({ env })
  const { partner } = await beingMade(world)
  await partner('ship')
  await partner('return')
  await world.settled()
  expect(await statusOf(world)).toBe('returned')
  await expectForwardOnly(world)

  await using other = await openWorld({ env })
  const made = await beingMade(other)
  await made.partner('ship', { parcel: 1, of: 2 })
  await made.partner('ship', { parcel: 2, of: 2 })
  const [, second] = shipmentsAt(other)
  await made.partner('return', { shipment: Number(second?.id) })
  await other.settled()
  expect(await statusOf(other)).toBe('shipped')
  expect(await attentionReason(other)).toContain('A parcel came back')
})

test('each refund is emailed once, with its amount', async () => {
  await using world = await openWorld({ env })
  const { shopper } = await beingMade(world)
  const [made] = await ordersOf(world)
  const { db, clock } = world.shop
  const order = await findOrder(db, (made?.id ?? 0) as OrderId)
  for (const refundId of [1, 1, 2])
    await db.transaction(async (tx) => {
      if (order) await mailRefundedLater(world.shop, tx, order, { refundId, amount: cents(500) }, clock.now())
    })
  await world.settled()
  const refundMails = world.mailbox.list().filter(({ subject }) => subject.includes('refund'))
  expect(refundMails).toHaveLength(2)
  expect(JSON.stringify(refundMails[0]?.to)).toContain(shopper.customer.email)
  expect(refundMails[0]?.text).toContain('$5.00')
})

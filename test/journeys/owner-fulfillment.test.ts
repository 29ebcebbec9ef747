import { expect, test } from 'vitest'
import type { OrderId, OrderNumber } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { cancelOrder, holdOrder, releaseOrder, resubmitOrder } from '#server/fulfillment/owner-actions.ts'
import { cancelAtPrinter } from '#server/fulfillment/cancellation.ts'
import { followPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { searchOrders, showOrder } from '#server/admin/orders.ts'
import { previewRefund } from '#server/payments/refunds.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'
import { ordersOf, postingsOf } from './invariants.ts'

const runCommand = (world: World, ...words: string[]) => ownerVerbs(world.shop.database, async () => world.shop)(words)

/** A paid order; with `isAway`, nobody has submitted it yet. */
async function sold(world: World, { isAway = false } = {}): Promise<OrderNumber> {
  if (isAway) away(world)
  const payment = await world.shopper().paysByCard({ buying: 'hat' })
  const { body } = await payment.returnsToShop()
  if (!isAway) await world.settled()
  return String(body.orderId) as OrderNumber
}

/** The printer refuses the token, which is no fault of an order. */
const away = (world: World) =>
  world.simulators.kit.rules.add({
    provider: 'printful',
    match: { path: '/**' },
    when: 'before',
    do: { status: 401, body: {} },
    times: 1000,
  })

const statusOf = async (world: World, number: OrderNumber) =>
  (await ordersOf(world)).find(({ order_number: orderNumber }) => orderNumber === number)?.fulfilment_status

const atPartner = (world: World, number: OrderNumber) =>
  (world.simulators.printful.ledger().partner_orders ?? []).filter(({ external_id: id }) => id.startsWith(number))

const partner = (world: World, change: string, number: string, more: object = {}) =>
  world.simulators.printful.change({ change, external_id: number, ...more })

/** The account owed to the printer, over all orders. */
const owedToPartner = async (world: World) =>
  (await postingsOf(world))
    .flat()
    .filter(({ account }) => account === 'print_partner')
    .reduce((sum, { amount_cents: amount }) => sum + Number(amount), 0)

test('an order on hold reaches the printer only when it is released, whatever the printer sends', async () => {
  await using world = await openWorld()
  const number = await sold(world, { isAway: true })
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const held = await owner.send('POST', `/api/admin/orders/${number}/hold`, { reason: 'looks like a fraud' })
  expect(held.status).toBe(200)
  // A running submission ends without the printer; no new one starts.
  await world.settled()
  world.simulators.kit.rules.clear()
  await world.advance(20 * 60_000)
  await world.sweep()
  await followPrinterOrder(world.shop, number)
  await expect(releaseOrder(world.shop, 'AAAA-AAAA' as OrderNumber, COMMAND)).rejects.toMatchObject({
    code: 'unknown_order',
  })
  expect([await statusOf(world, number), atPartner(world, number)]).toEqual(['on_hold', []])

  expect((await owner.send('POST', `/api/admin/orders/${number}/release`)).status).toBe(200)
  await expect.poll(() => statusOf(world, number), { timeout: 20_000 }).toBe('submitted')
  await expect(holdOrder(world.shop, number, 'too late', COMMAND)).rejects.toMatchObject({ code: 'cannot_hold' })
  await expect(releaseOrder(world.shop, number, COMMAND)).rejects.toMatchObject({ code: 'cannot_release' })
  const { rows } = await world.shop.database.pool.query('select what from owner_action order by id')
  expect(rows).toEqual([{ what: 'put on hold' }, { what: 'released' }])
})

test('an order canceled in time is stopped at the printer, costs nothing and is announced once', async () => {
  await using world = await openWorld()
  const number = await sold(world)
  expect(await owedToPartner(world)).toBeLessThan(0)
  await world.simulators.kit.webhooks.set({ provider: 'printful', drop: 100 })
  await cancelOrder(world.shop, number, COMMAND)
  await cancelOrder(world.shop, number, COMMAND)
  await world.settled()
  expect([await statusOf(world, number), atPartner(world, number)]).toMatchObject([
    'cancelled',
    [{ status: 'canceled' }],
  ])
  expect(await owedToPartner(world)).toBe(0)
  expect((await world.audit<{ kind: string }>('mails')).filter(({ kind }) => kind === 'cancelled')).toHaveLength(1)

  const made = await sold(world)
  await partner(world, 'advance', made)
  await expect(cancelOrder(world.shop, made, COMMAND)).rejects.toMatchObject({ code: 'too_late_to_cancel' })
  expect((await world.shop.database.pool.query('select 1 from owner_action')).rows).toHaveLength(1)
})

test('an order the printer canceled is resubmitted under the next external id, once, however often it is requested', async () => {
  await using world = await openWorld()
  const number = await sold(world)
  await expect(runCommand(world, 'resubmit', number)).rejects.toThrow('can’t be submitted again')
  await partner(world, 'cancel', number)
  await world.settled()
  const tries = await Promise.allSettled([1, 2, 3].map(() => resubmitOrder(world.shop, number, COMMAND)))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await world.settled()
  expect(atPartner(world, number).toReversed()).toMatchObject([
    { external_id: number, status: 'canceled' },
    { external_id: `${number}-2`, status: 'pending' },
  ])
  expect(await ordersOf(world)).toMatchObject([{ external_id: `${number}-2`, fulfilment_status: 'submitted' }])
  // News of the first submission no longer matches an order.
  expect(await followPrinterOrder(world.shop, number)).toBe('not our order')

  await partner(world, 'fail', `${number}-2`, { reason: 'A print file could not be downloaded' })
  await world.settled()
  expect(await statusOf(world, number)).toBe('needs_attention')
  expect(await owedToPartner(world)).toBe(0)
  // Somebody fixed it at the printer: the order continues under the same id.
  expect(await runCommand(world, 'resubmit', number)).toMatchObject({ externalId: `${number}-2`, status: 'submitted' })
  expect(await owedToPartner(world)).toBeLessThan(0)
  expect(atPartner(world, number)).toHaveLength(2)
})

test('a late answer about the old submission changes nothing about the new one', async () => {
  await using world = await openWorld()
  const { printful } = world.shop
  const { findOrder } = printful
  /** Somebody else resubmits the order between the printer's answer and its processing. */
  const meanwhile = (number: OrderNumber) => {
    const late: typeof findOrder = async (...about) => {
      const theirs = await findOrder(...about)
      Object.assign(printful, { findOrder })
      await resubmitOrder(world.shop, number, COMMAND)
      await world.settled()
      return theirs
    }
    Object.assign(printful, { findOrder: late })
  }
  const stopped = async () => {
    const number = await sold(world)
    await world.simulators.kit.webhooks.set({ provider: 'printful', drop: 100 })
    await partner(world, 'cancel', number)
    await world.shop.database.pool.query(
      `update shop_order set fulfilment_status = 'needs_attention' where order_number = $1`,
      [number],
    )
    return number
  }
  const followed = await stopped()
  meanwhile(followed)
  await followPrinterOrder(world.shop, followed)
  expect(await statusOf(world, followed)).toBe('submitted')

  const canceled = await stopped()
  meanwhile(canceled)
  await expect(cancelOrder(world.shop, canceled, COMMAND)).rejects.toMatchObject({ code: 'too_late_to_cancel' })
  expect(await statusOf(world, canceled)).toBe('submitted')

  // The payment was refunded, so the new submission must stop as well.
  const refunded = await stopped()
  const { rows } = await world.shop.database.pool.query<{ id: OrderId }>(
    'select id from shop_order where order_number = $1',
    [refunded],
  )
  meanwhile(refunded)
  for (const { id } of rows) await cancelAtPrinter(world.shop, id)
  expect(atPartner(world, refunded)).toMatchObject([{ status: 'canceled' }, { status: 'canceled' }])
  expect(await statusOf(world, refunded)).toBe('cancelled')
})

test('the printer’s charge is booked once it confirms, line by line, and its credits are booked back', async () => {
  await using world = await openWorld()
  const number = await sold(world)
  const { rows: lines } = await world.shop.database.pool.query<{ cost: string }>(
    'select partner_cost_cents as cost from order_line',
  )
  const taken = -(await owedToPartner(world))
  expect(Number(lines[0]?.cost)).toBeGreaterThan(0)
  expect(taken).toBeGreaterThanOrEqual(Number(lines[0]?.cost))
  await partner(world, 'credit', number, { amount: '3.00' })
  await world.settled()
  expect(await owedToPartner(world)).toBe(300 - taken)
  const balances = (await runCommand(world, 'balances')) as { account: string; cents: number }[]
  expect(balances.find(({ account }) => account === 'expense:fulfillment')?.cents).toBe(taken - 300)
  expect(balances.reduce((sum, { cents }) => sum + cents, 0)).toBe(0)
})

test('the admin offers what is possible for an order, says why the rest is not, and what would still be made after a refund', async () => {
  await using world = await openWorld()
  const { shop } = world
  const number = await sold(world)
  const preview = (cents: number) => previewRefund(shop, number, { kind: 'amount', amount: cents as Cents })
  expect((await showOrder(shop, number)).can.cancel).toBeNull()
  expect(await preview(100)).toMatchObject({
    canCancel: true,
    goods: expect.stringContaining('still be made and shipped'),
  })
  expect(await previewRefund(shop, number, { kind: 'rest' })).toMatchObject({
    canCancel: true,
    goods: expect.stringContaining('ask the printer to stop'),
  })

  // The printer has started, and no event arrived: the button fails once, and is not offered again.
  await world.simulators.kit.webhooks.set({ provider: 'printful', drop: 100 })
  await partner(world, 'advance', number)
  await expect(cancelOrder(shop, number, COMMAND)).rejects.toMatchObject({ code: 'too_late_to_cancel' })
  const order = await showOrder(shop, number)
  expect(order.can.cancel).toBe('The printer is making it, so it can’t be canceled.')
  const owed = -(await owedToPartner(world))
  expect(await previewRefund(shop, number, { kind: 'rest' })).toMatchObject({
    canCancel: false,
    goods: expect.stringContaining(`so it will still ship. We still pay the printer’s ${formatUsd(owed as Cents)}.`),
  })

  // The order fails at the printer and is then fully refunded: it waits for nobody.
  await partner(world, 'fail', number, { reason: 'A print file could not be downloaded' })
  await followPrinterOrder(shop, number)
  const listed = async () => (await searchOrders(shop.db, { status: 'needs_attention' })).orders.length
  expect([(await showOrder(shop, number)).attention, await listed()]).toEqual([expect.any(String), 1])
  const { pool } = shop.database
  await pool.query(`update shop_order set payment_status = 'refunded' where order_number = $1`, [number])
  expect([(await showOrder(shop, number)).attention, await listed()]).toEqual([null, 0])
})

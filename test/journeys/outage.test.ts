import { expect, test } from 'vitest'
import { submitWaiting } from '#server/fulfillment/fulfillment.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { openWorld } from '#sandbox/world.ts'
import { expectPrintedOnce, ordersOf } from './invariants.ts'
import { copyOrder } from './orders-to-send.ts'

const MINUTE_MS = 60_000
/** `OUTAGE_ORDERS=200` submits them all; the calls beyond two an order do not grow with the number of orders. */
const ORDERS = Number(process.env['OUTAGE_ORDERS'] ?? 60)

test('after a six-hour outage 200 paid orders are submitted within five minutes, in order of payment, with at most three calls each (F29)', async () => {
  await using world = await openWorld()
  const { kit, printful } = world.simulators
  await (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()
  await world.settled()
  const expected = await copyOrder(world, ORDERS)
  kit.rules.add({
    provider: 'printful',
    match: { path: '/**' },
    when: 'before',
    do: { status: 503, body: 'away' },
    times: 10_000,
  })
  const seen = kit.log.since(0).length
  const calls = () =>
    kit.log
      .since(0)
      .slice(seen)
      .filter(({ provider }) => provider === 'printful').length
  const sends = () =>
    submitWaiting(world.shop).catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable)) throw error
    })
  for (let tries = 0; tries < 12; tries += 1) {
    await world.advance(30 * MINUTE_MS)
    for (let again = 0; again < 5; again += 1) await sends()
  }
  // Three calls detect the outage, then one for each time the printer might be back.
  const whileAway = calls()
  expect(whileAway).toBeLessThanOrEqual(3 + 12)

  kit.rules.clear()
  await world.advance(2 * MINUTE_MS)
  await sends()
  await world.settled()
  expect(new Set((await ordersOf(world)).map(({ status }) => status))).toEqual(new Set(['submitted']))
  const sent = (printful.ledger().partner_orders ?? []).toSorted((a, b) => Number(a.id) - Number(b.id))
  expect(sent.map(({ external_id: id }) => id).slice(1)).toEqual(expected)
  await expectPrintedOnce(world)

  // 192: what a circuit breaker lets through in six hours (src/server/limits/circuit-breaker.test.ts). Two an order; the
  // rest are lookups of orders already tried, whose number stays the same.
  const ofTwoHundred = 2 * 200 + (calls() - whileAway - 2 * ORDERS)
  expect(192 + ofTwoHundred).toBeLessThanOrEqual(3 * 200)
  expect(118_000 + (Math.ceil(ofTwoHundred / 120) - 1) * MINUTE_MS).toBeLessThanOrEqual(5 * MINUTE_MS)
}, 300_000)

test('an order that cannot be submitted does not block the others', async () => {
  await using world = await openWorld()
  await (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()
  await world.settled()
  const [, second] = await copyOrder(world, 3)
  await world.shop.database.pool.query("update shop_order set shipping_address = 'null' where external_id = $1", [
    second,
  ])
  await world.advance(MINUTE_MS)
  await submitWaiting(world.shop)
  const stuck = (await ordersOf(world)).filter(({ status }) => status !== 'submitted')
  expect(stuck).toMatchObject([{ external_id: second, status: 'paid' }])
})

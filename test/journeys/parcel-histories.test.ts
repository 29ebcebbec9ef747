import { expect, test } from 'vitest'
import { addresses, openWorld } from '#sandbox/world.ts'
import { followOrdersWithoutNews } from '#server/fulfillment/fulfillment.ts'
import { fulfillmentCanBecome, type FulfillmentStatus } from '#domain/orders/status.ts'
import { expectPrintedOnce, ordersOf } from './invariants.ts'

const HOUR_MS = 3_600_000
const ORDERS = 4
const CHANGES = 40

/** Small and seeded, so a failing history can be repeated. */
function dice(seed: number) {
  let state = seed
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const changes = [
  { change: 'advance' },
  { change: 'advance' },
  { change: 'ship', parcel: 1, of: 2 },
  { change: 'ship' },
  { change: 'ship', again: true },
  { change: 'deliver' },
  { change: 'deliver' },
  { change: 'hold' },
  { change: 'hold', resumes_as: 'draft' },
  { change: 'release' },
  { change: 'return' },
  { change: 'fail' },
  { change: 'cancel' },
] as const

test('random histories at the printer, with events repeated, late, out of order or lost, never move an order back', async () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))
  const roll = dice(seed)
  await using world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
  const { printful, kit } = world.simulators
  const shopper = world.shopper()
  const numbers: string[] = []
  for (let order = 0; order < ORDERS; order += 1) {
    await shopper.adds('vented hat', 1 + roll(3))
    const payment = await shopper.paysByCard({ buying: 'mug', to: addresses.newYork })
    numbers.push((await payment.returnsToShop()).body.orderId ?? '')
  }
  await expect
    .poll(async () => (await ordersOf(world)).map(({ status }) => status), { timeout: 30_000 })
    .toEqual(numbers.map(() => 'submitted'))

  for (let step = 0; step < CHANGES; step += 1) {
    const manner = roll(4)
    await kit.webhooks.set({
      provider: 'printful',
      ...(manner === 0 && { duplicate: 3 }),
      ...(manner === 1 && { drop: 2 }),
      ...(manner === 2 && { hold: true }),
      ...(manner === 3 && { release: true }),
    })
    const wanted = { ...changes[roll(changes.length)], external_id: numbers[roll(numbers.length)] ?? '' }
    // Impossible changes, such as shipping a canceled order, fail at the printer too.
    await printful.change(wanted).catch(() => {})
    if (roll(5) === 0) {
      await world.advance(3 * HOUR_MS)
      await followOrdersWithoutNews(world.shop)
    }
  }
  await kit.webhooks.set({ provider: 'printful', release: true })
  await world.settled()
  await world.advance(25 * HOUR_MS)
  await followOrdersWithoutNews(world.shop)
  await world.settled()

  const { rows: steps } = await world.shop.database.pool.query<{ order_id: number; status: FulfillmentStatus }>(
    'select order_id, fulfilment_status as status from order_step order by id',
  )
  for (const [order, path] of Map.groupBy(steps, ({ order_id: id }) => id))
    for (const [index, { status }] of path.entries())
      expect(
        fulfillmentCanBecome(path[index - 1]?.status ?? 'waiting', status),
        `seed ${seed}, order ${order}: ${path.map((step) => step.status).join(' > ')}`,
      ).toBe(true)

  // The shop has each parcel the printer shipped once, announced once; and each delivery as well.
  const { shipments = [], partner_orders: theirs = [] } = printful.ledger()
  const { rows: known } = await world.shop.database.pool.query<{ id: string; arrived: boolean }>(
    'select id, delivered_at is not null as arrived from shipment',
  )
  expect(known.map(({ id }) => id).toSorted(), `seed ${seed}`).toEqual(shipments.map(({ id }) => id).toSorted())
  const { rows: mails } = await world.shop.database.pool.query<{ kind: string; about: string }>(
    "select kind, about from mail where kind in ('shipped', 'delivered')",
  )
  const toldOf = (kind: string) => mails.filter((mail) => mail.kind === kind).map(({ about }) => about)
  expect(toldOf('shipped').toSorted(), `seed ${seed}`).toEqual(known.map(({ id }) => id).toSorted())
  expect(toldOf('delivered').toSorted(), `seed ${seed}`).toEqual(
    known.flatMap(({ id, arrived }) => (arrived ? [id] : [])).toSorted(),
  )
  // Where the printer has reached a final status, so has the shop.
  for (const order of await ordersOf(world)) {
    const partner = theirs.find(({ external_id: id }) => id === order.external_id)
    if (partner?.status === 'canceled' && !shipments.some(({ order_id: id }) => id === partner.id))
      expect(order.fulfilment_status, `seed ${seed}`).toBe('cancelled')
  }
  if (theirs.every(({ status }) => status !== 'canceled')) await expectPrintedOnce(world)
})

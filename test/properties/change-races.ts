import type { OrderNumber } from '#shared/ids.ts'
import { findOrderByNumber } from '#server/orders/orders.ts'
import { submitOrder } from '#server/fulfillment/fulfillment.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { whyChangedOrderDiffers } from './changed-orders.ts'

// An order is canceled or changed in the moment in which it goes to the printer: never both, never neither.

type Shopper = ReturnType<World['shopper']>

/** Who wants what; the same moments come again for each of them. */
const wishes = ['canceled', 'changed by its customer', 'changed by the owner'] as const
type Wish = (typeof wishes)[number]

/** Of one moment, so that they also compete for the database and the printer. */
const AT_ONCE = 8
/** A new world after so many, so that no list grows. */
const RACES_A_WORLD = 96
/** The longest head start, in ms: about as long as the slowest of the rivals takes on a busy machine. */
const HEAD_START_MS = 250

export type Races = {
  granted: Record<Wish, number>
  refused: Record<Wish, number>
  wrong: string[]
}

/** @param onProgress called after each world with how many are done */
export async function runChangeRaces(
  { count, database }: { count: number; database?: 'embedded' | 'postgresql' },
  onProgress: (done: number) => void = () => undefined,
): Promise<Races> {
  const none = { canceled: 0, 'changed by its customer': 0, 'changed by the owner': 0 }
  const races: Races = { granted: { ...none }, refused: { ...none }, wrong: [] }
  for (let first = 0; first < count; first += RACES_A_WORLD) {
    await using world = await openWorld({ ...(database && { database }), env: { CHANGE_WINDOW_S: '1800' } })
    const owner = world.shopper()
    await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
    const end = Math.min(count, first + RACES_A_WORLD)
    for (let next = first; next < end; next += AT_ONCE) {
      const moments = Array.from({ length: Math.min(AT_ONCE, end - next) }, (_, index) => next + index)
      const starters = await Promise.all(moments.map((moment) => linesUp(world, owner, moment)))
      const finished = await Promise.all(starters.map((one) => runs(world, one)))
      await world.settled()
      // What a lost job would do.
      for (const one of finished) await submitOrder(world.shop, one.id)
      await world.settled()
      for (const one of finished) {
        races[one.isGranted ? 'granted' : 'refused'][one.wish] += 1
        races.wrong.push(...(await whyRaceIsWrong(world, one)))
      }
    }
    onProgress(end)
  }
  return races
}

type Starter = Awaited<ReturnType<typeof linesUp>>
type Finished = Starter & { isGranted: boolean }

/** A paid order of two pieces, and what is wanted of it. */
async function linesUp(world: World, owner: Shopper, moment: number) {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ quantity: 2 })
  const { body } = await payment.returnsToShop()
  const number = String(body.orderId)
  const order = await findOrderByNumber(world.shop.db, number as OrderNumber)
  if (!order) throw new Error(`no order ${number}`)
  const key = { session_id: payment.payment_intent }
  const wish: Wish = wishes[moment % wishes.length] ?? 'canceled'
  const common = {
    moment,
    number,
    wish,
    id: order.id,
    makeNow: () => shopper.send('POST', '/api/order/make-now', key),
  }
  if (wish === 'canceled') {
    const ask = () => shopper.send('POST', '/api/order/cancel', key)
    return { ...common, ask, returned: Number(order.totalCents) }
  }
  const { body: view } = await shopper.send<{ lines: { variantId: number }[] }>(
    'GET',
    `/api/order?session_id=${key.session_id}`,
  )
  const lines = { changed: [{ position: 0, variantId: view.lines[0]?.variantId, quantity: 1 }], added: [] }
  const send = (path: string, more: object) =>
    wish === 'changed by the owner'
      ? owner.send<{ difference: number }>('POST', `/api/admin/orders/${number}${path}`, { lines, ...more })
      : shopper.send<{ difference: number }>('POST', `/api/order${path}`, { ...key, lines, ...more })
  const { difference } = (await send('/change/preview', {})).body
  return { ...common, ask: () => send('/change', { difference }), returned: -difference }
}

const waits = (ms: number) => new Promise((done) => setTimeout(done, ms))

async function runs({ shop }: World, one: Starter): Promise<Finished> {
  const { moment } = one
  const [answer] = await Promise.all([
    waits((moment * 53) % HEAD_START_MS).then(one.ask),
    waits((moment * 97) % HEAD_START_MS).then(one.makeNow),
    waits((moment * 149) % HEAD_START_MS).then(() => submitOrder(shop, one.id).catch(() => undefined)),
  ])
  return { ...one, isGranted: answer.status === 200 }
}

async function whyRaceIsWrong(
  world: World,
  { id, number, wish, moment, isGranted, returned }: Finished,
): Promise<string[]> {
  const made = (world.simulators.printful.ledger().partner_orders ?? []).filter(
    ({ external_id: external, status }) =>
      external.startsWith(number) && !['draft', 'canceled', 'failed'].includes(status),
  )
  const items = made.flatMap((order) => order.items as unknown as { quantity: number }[])
  const { rows } = await world.shop.database.pool.query<{ returned: number }>(
    `select coalesce(sum(amount_cents), 0)::int as returned from refund where order_id = $1 and status = 'succeeded'`,
    [id],
  )
  const is = { pieces: items.reduce((sum, { quantity }) => sum + quantity, 0), returned: rows[0]?.returned }
  const granted = { pieces: wish === 'canceled' ? 0 : 1, returned }
  const expected = isGranted ? granted : { pieces: 2, returned: 0 }
  const about = `${number} (${moment}), ${wish}: ${isGranted ? 'granted' : 'refused'}`
  return [
    ...(is.pieces === expected.pieces ? [] : [`${about}, ${is.pieces} pieces printed`]),
    ...(is.returned === expected.returned ? [] : [`${about}, ${is.returned} cents went back`]),
    ...(await whyChangedOrderDiffers(world, number)).map((text) => `${about}, ${text}`),
  ]
}

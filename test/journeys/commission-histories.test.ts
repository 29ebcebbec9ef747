import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOrderNumber } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { Refusal } from '#server/http/refusal.ts'
import { refundOrder, type RefundRequest } from '#server/payments/refunds.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { ordersOf } from './invariants.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }
const ORDERS = 6
const LOOKED_EVERY = 10
/** Without this, jobs pile up for longer than a slow machine waits. */
const SETTLED_EVERY = 3

type Event =
  | { kind: 'amount'; order: number; share: number }
  | { kind: 'piece'; order: number; position: number }
  | { kind: 'fails' | 'disputed' | 'won' | 'lost'; order: number }

const order = fc.nat(ORDERS - 1)
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('amount' as const),
      order,
      share: fc.double({ min: 0.001, max: 0.3, noNaN: true }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('piece' as const), order, position: fc.nat(1) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('fails' as const, 'disputed' as const, 'won' as const, 'lost' as const),
      order,
    }),
  },
)

/** `HISTORY_EVENTS` and `HISTORY_SEED` lengthen a run, or repeat it. */
test('commission follows what remains of each line through refunds, late failures and disputes', async () => {
  const seed = Number(process.env['HISTORY_SEED'] ?? Math.floor(Math.random() * 1e9))
  const length = Number(process.env['HISTORY_EVENTS'] ?? 30)
  const [history = []] = fc.sample(fc.array(event, { minLength: length, maxLength: length }), { seed, numRuns: 1 })
  await using world = await openWorld()
  const intents: string[] = []
  for (let at = 0; at < ORDERS; at += 1) intents.push(await sold(world, at))
  await world.settled()

  for (const [at, event] of history.entries()) {
    await happens(world, intents, event)
    if (at % SETTLED_EVERY === SETTLED_EVERY - 1) await world.settled()
    if (at % LOOKED_EVERY === LOOKED_EVERY - 1) await agree(world, seed)
  }
  await agree(world, seed)
}, 600_000)

/** The last order belongs to no creator. */
async function sold(world: World, at: number): Promise<string> {
  const shopper = world.shopper()
  await shopper.adds('hat', 1 + at)
  if (at < ORDERS - 1) {
    const followed = await fetch(`${world.address}/r/bullion`, { redirect: 'manual', headers: BROWSER })
    shopper.usesCookie(`${shopper.cookie()}; ${followed.headers.getSetCookie()[0]?.split(';', 1)[0]}`)
  }
  await shopper.adds('mug', 3)
  const { body } = await shopper.startsPayment(at % 2 ? addresses.berlin : addresses.newYork)
  await shopper.confirms(body)
  await shopper.returnsToShop(body.payment_intent)
  return body.payment_intent
}

async function happens(world: World, intents: readonly string[], event: Event): Promise<void> {
  const id = intents[event.order] ?? ''
  const stored = (await ordersOf(world)).find(({ payment_key: key }) => key === `stripe:${id}`)
  const number = readOrderNumber(stored?.order_number ?? '')
  if (!number) throw new Error(`no order of ${id}`)
  const refunds = (wanted: RefundRequest) =>
    // A refund of more than is left is refused, which is part of the history.
    refundOrder(world.shop, number, wanted, 'a story', COMMAND).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
  /** A change the provider cannot make just then, such as a second dispute, is skipped. */
  const change = (wanted: Record<string, unknown>) => world.simulators.stripe.change(wanted).catch(() => {})
  switch (event.kind) {
    case 'amount':
      return void (await refunds({
        kind: 'amount',
        amount: cents(Math.max(1, Math.floor(Number(stored?.total_cents) * event.share))),
      }))
    case 'piece':
      return void (await refunds({ kind: 'pieces', pieces: [{ position: event.position, quantity: 1 }] }))
    case 'fails': {
      const made = world.simulators.stripe.ledger().refunds?.find((refund) => refund.payment_id === id)
      return void (await change({ change: 'fail_refund', refund: made?.id }))
    }
    case 'disputed':
      return void (await change({ change: 'dispute', payment_intent: id }))
    case 'won':
    case 'lost': {
      const { rows } = await world.shop.database.pool.query<{ dispute_id: string }>(
        `select dispute_id from dispute where payment_key = $1 and status = 'open'`,
        [`stripe:${id}`],
      )
      return void (await change({
        change: event.kind === 'won' ? 'win_dispute' : 'lose_dispute',
        dispute: rows[0]?.dispute_id,
      }))
    }
  }
}

type Line = { order_id: number; position: number; goods: string; base: string; amount: string; basis_points: number }
type Order = { id: number; goods: string; total: string; refunded_goods: string; refunded: string; taken: string }

/** Computes the commission a second time, independently, from refunds and disputes. */
async function agree(world: World, seed: number): Promise<void> {
  await world.settled()
  const { pool } = world.shop.database
  const { rows: lines } = await pool.query<Line>(
    `select l.order_id, l.position, l.unit_price_cents * l.quantity as goods, sum(e.base_cents) as base,
            sum(e.amount_cents) as amount, min(e.basis_points) as basis_points
     from commission_entry e join order_line l on l.order_id = e.order_id and l.position = e.position
     group by l.order_id, l.position, l.unit_price_cents, l.quantity`,
  )
  for (const { goods, base, amount, basis_points: rate } of lines) {
    expect(Number(base) >= 0 && Number(base) <= Number(goods), `seed ${seed}`).toBe(true)
    expect(Number(amount), `seed ${seed}`).toBe(Number((BigInt(base) * BigInt(rate) + 5000n) / 10_000n))
  }

  const { rows: orders } = await pool.query<Order>(
    `select o.id, o.subtotal_cents as goods, o.total_cents as total,
       coalesce((select sum((r.parts->>'merchandise')::bigint) from refund r
         where r.order_id = o.id and r.booked_at is not null and r.reversed_at is null), 0) as refunded_goods,
       coalesce((select sum(r.amount_cents) from refund r
         where r.order_id = o.id and r.booked_at is not null and r.reversed_at is null), 0) as refunded,
       coalesce((select sum(d.amount_cents) from dispute d where d.order_id = o.id and d.status in ('open', 'lost')), 0) as taken
     from shop_order o join attribution a on a.checkout_id = o.checkout_id`,
  )
  expect(orders).toHaveLength(ORDERS - 1)
  for (const { id, goods, total, refunded_goods: back, refunded, taken } of orders) {
    const left = Number(total) - Number(refunded)
    const goodsLeft = Number(goods) - Number(back)
    const byBank = left === 0 ? 0 : (Math.min(Number(taken), left) * goodsLeft) / left
    const base = lines.reduce((all, line) => (line.order_id === id ? all + Number(line.base) : all), 0)
    // What a bank withdrew is spread over goods, shipping and tax, rounded to whole cents.
    expect(Math.abs(base - (goodsLeft - byBank)), `order ${id}, seed ${seed}`).toBeLessThan(1)
  }

  const earned = lines.reduce((all, { amount }) => all + Number(amount), 0)
  const entries = await world.audit<{ account: string; amount_cents: string; partner_id: number | null }>('ledger')
  const owed = entries.filter(({ account }) => account === 'liability:commission')
  expect(0 - owed.reduce((all, entry) => all + Number(entry.amount_cents), 0), `ledger, seed ${seed}`).toBe(earned)
  expect(new Set(owed.map((entry) => entry.partner_id)).size).toBe(1)
  const { rows: statement } = await pool.query<{ total: string }>(
    'select sum(amount_cents) as total from commission_entry',
  )
  expect(Number(statement[0]?.total)).toBe(earned)
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { readBooks } from '#server/reconciliation/book-reader.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'

// The providers' own records, as the shop has read them.

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Row = {
  provider: string
  id: string
  kind: string
  amount: number
  fee: number
  key: string | null
  mine: boolean
}

const rows = async (): Promise<Row[]> =>
  (
    await world.shop.database.pool.query<Row>(
      `select provider, id, kind, amount_cents::int as amount, fee_cents::int as fee, payment_key as key,
              checkout_id is not null as mine
       from provider_transaction order by occurred_at, kind`,
    )
  ).rows

const reading = async (provider: string) =>
  (await world.shop.database.pool.query('select * from provider_reading where provider = $1', [provider])).rows[0]

test('every line of both accounts is read once, with its payment, as are the printer’s orders with their costs', async () => {
  const shopper = world.shopper()
  const card = await shopper.paysByCard({ buying: 'mug' })
  await card.returnsToShop()
  const order = await shopper.approvesWallet({ buying: 'hat', to: addresses.sydney })
  await shopper.captures(order)
  await world.settled()
  await world.shop.payments.refund(`stripe:${card.payment_intent}` as never, 100 as never, 999, 'by-hand')
  await world.shop.payments.refund(`paypal:${order}` as never, 200 as never, 999, 'by-hand')
  // PayPal reports transactions after three hours.
  await world.advance(4 * HOUR_MS)
  await readBooks(world.shop)
  await readBooks(world.shop)

  const ledger = world.simulators.stripe.ledger().payments ?? []
  const wallet = world.simulators.paypal.ledger().payments ?? []
  const read = await rows()
  expect(read).toHaveLength(4)
  expect(read).toMatchObject([
    { provider: 'stripe', kind: 'charge', key: `stripe:${card.payment_intent}`, mine: true },
    { provider: 'paypal', kind: 'charge', key: `paypal:${order}`, mine: true },
    { provider: 'stripe', kind: 'refund', amount: -100, fee: 0, key: `stripe:${card.payment_intent}` },
    { provider: 'paypal', kind: 'refund', amount: -200, fee: 0, key: `paypal:${order}` },
  ])
  expect(read[0]?.amount).toBe(ledger.find(({ id }) => id === card.payment_intent)?.amount_cents)
  expect(read[1]?.amount).toBe(wallet.find(({ id }) => id === order)?.amount_cents)
  expect(read[0]?.fee).toBeGreaterThan(30)
  expect(read[1]?.fee).toBeGreaterThan(30)

  const { rows: made } = await world.shop.database.pool.query(
    'select p.status, p.cost_cents::int as cost from partner_order p join shop_order o on o.external_id = p.external_id',
  )
  expect(made).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  expect(made.every(({ cost }) => (cost as number) > 500)).toBe(true)
})

test('an unavailable provider keeps its last lines and their time, and reading continues once it answers', async () => {
  const before = await reading('stripe')
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { path: '/v1/balance_transactions' },
    when: 'before',
    do: { status: 500 },
    times: 2,
  })
  await world.advance(HOUR_MS)
  await readBooks(world.shop)
  const meanwhile = await reading('stripe')
  expect(meanwhile).toMatchObject({ read_at: before?.['read_at'], until: before?.['until'] })
  expect(meanwhile?.['failing_since']).not.toBeNull()
  expect((await reading('paypal'))?.['failing_since']).toBeNull()

  await readBooks(world.shop)
  const after = await reading('stripe')
  expect(after?.['failing_since']).toBeNull()
  expect(Number(after?.['read_at'])).toBeGreaterThan(Number(before?.['read_at']))
})

test('an interrupted read continues where it stopped', async () => {
  const now = world.shop.clock.now()
  const [newest] = (await rows()).filter(({ provider }) => provider === 'stripe').toReversed()
  const under = {
    since: new Date(now.getTime() - 9 * DAY_MS).toISOString(),
    until: now.toISOString(),
    mark: newest?.id,
  }
  await world.shop.database.pool.query(`delete from provider_transaction where provider = 'stripe'`)
  await world.shop.database.pool.query(`update provider_reading set under = $1 where provider = 'stripe'`, [
    JSON.stringify(under),
  ])
  await readBooks(world.shop)
  // Stripe lists the newest first: everything before the cursor was already read by the interrupted run.
  expect((await rows()).filter(({ provider }) => provider === 'stripe').map(({ kind }) => kind)).toEqual(['charge'])
  expect((await reading('stripe'))?.['under']).toBeNull()
  await readBooks(world.shop, 30 * DAY_MS)
  expect((await rows()).filter(({ provider }) => provider === 'stripe')).toHaveLength(2)
})

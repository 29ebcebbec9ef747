import { expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { bookPayout } from '#server/payments/payouts.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, ordersOf, postingsOf } from './invariants.ts'

async function sold(world: World): Promise<{ intent: string; total: number }> {
  const payment = await world.shopper().paysByCard({ buying: 'hat' })
  await payment.returnsToShop()
  await world.settled()
  return { intent: payment.payment_intent, total: payment.total_amount }
}

async function soldByWallet(world: World): Promise<{ id: string; total: number }> {
  const shopper = world.shopper()
  const id = await shopper.approvesWallet({ buying: 'hat' })
  await shopper.captures(id)
  await world.settled()
  const order = (await ordersOf(world)).find(({ payment_key: key }) => key === `paypal:${id}`)
  return { id, total: Number(order?.total_cents) }
}

/** The balances of a payment's accounts, without zeros. */
async function booked(world: World, key: string | null): Promise<Record<string, number>> {
  const entries = (await postingsOf(world)).flat().filter((entry) => entry.payment_key === key)
  const sums = new Map<string, number>()
  for (const { account, amount_cents: amount } of entries) sums.set(account, (sums.get(account) ?? 0) + Number(amount))
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0))
}

const change = (world: World, provider: 'stripe' | 'paypal', wanted: Record<string, unknown>) =>
  world.simulators[provider].change(wanted) as Promise<{ id: string; dispute_id: string }>

test('a provider’s fee is booked with the sale, or as soon as it is known, once', async () => {
  await using world = await openWorld()
  const { intent } = await sold(world)
  const { id } = await soldByWallet(world)
  for (const key of [`stripe:${intent}`, `paypal:${id}`]) {
    const { payments = [] } = world.simulators[key.startsWith('stripe') ? 'stripe' : 'paypal'].ledger()
    const fee = payments.find((payment) => key.endsWith(payment.id))?.fee_cents
    expect(fee).toBeGreaterThan(0)
    expect((await booked(world, key))['expense:provider_fees']).toBe(fee)
  }

  await change(world, 'stripe', { change: 'late_fee' })
  const late = await sold(world)
  expect((await booked(world, `stripe:${late.intent}`))['expense:provider_fees']).toBeUndefined()
  await world.advance(2 * 60_000)
  for (let times = 0; times < 2; times += 1) await world.sweep()
  expect((await booked(world, `stripe:${late.intent}`))['expense:provider_fees']).toBeGreaterThan(0)
  await expectBooksAgree(world)
})

test('payouts are booked once, by event or by the sweep, and reversed when the bank returns them days later', async () => {
  await using world = await openWorld()
  await sold(world)
  await world.advance(3 * DAY_MS)
  const bank = async () => (await booked(world, null))['bank'] ?? 0
  const first = (await change(world, 'stripe', { change: 'payout', amount: 500 })).id
  await world.settled()
  await change(world, 'stripe', { change: 'land_payout', payout: first })
  await world.settled()
  expect(await bank()).toBe(500)

  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  await change(world, 'stripe', { change: 'payout', amount: 700 })
  await world.sweep()
  expect(await bank()).toBe(1200)
  await world.advance(5 * DAY_MS)
  await change(world, 'stripe', { change: 'fail_payout', payout: first })
  for (let times = 0; times < 2; times += 1) await world.sweep()
  expect(await bank()).toBe(700)

  await change(world, 'paypal', { change: 'withdraw', amount: 300 })
  await world.advance(4 * HOUR_MS)
  for (let times = 0; times < 2; times += 1) await world.sweep()
  expect(await bank()).toBe(1000)

  // A payout first seen as failed; late news of it books nothing.
  const latePayout = {
    provider: 'stripe',
    id: 'po_late',
    amount: cents(900),
    createdAt: world.shop.clock.now(),
  } as const
  for (const status of ['failed', 'under_way', 'paid'] as const)
    expect(await bookPayout(world.shop, { ...latePayout, status })).toBe('failed')
  expect(await bank()).toBe(1000)
})

test('changes to refunds and disputes weeks later are found without an event', async () => {
  await using world = await openWorld()
  const { intent, total } = await sold(world)
  const wallet = await soldByWallet(world)
  const refund = await world.shop.stripe.refund(intent, cents(400), 0, 'elsewhere')
  const { captureId } = await world.shop.paypal.readOrder(wallet.id)
  const walletRefund = await world.shop.paypal.refund(captureId ?? '', cents(300), 0, 'elsewhere')
  await world.settled()
  expect((await booked(world, `stripe:${intent}`))['revenue:merchandise']).toBeGreaterThan(-total)

  await world.simulators.kit.webhooks.set({ drop: 100 })
  await world.advance(20 * DAY_MS)
  await change(world, 'stripe', { change: 'fail_refund', refund: refund.id })
  await change(world, 'paypal', { change: 'fail_refund', refund: walletRefund.id })
  await world.advance(4 * HOUR_MS)
  await world.sweep()
  const statuses = async () => (await world.audit<{ status: string }>('refunds')).map(({ status }) => status)
  expect(await statuses()).toEqual(['failed', 'failed'])
  await expectBooksAgree(world)
  // Its tax was removed from the tax provider's records, and is there again.
  await world.settled()
  const { rows: reversals } = await world.shop.database.pool.query('select tax_reversal_id as id from refund')
  expect(reversals).toEqual([{ id: null }, { id: null }])
  const recorded = world.simulators.kit.log
    .since(0)
    .filter(({ path, status }) => path.endsWith('/create_from_calculation') && status === 200)
  expect(recorded).toHaveLength(4)

  // A wallet inquiry moves no money, so it has no line in the account's history.
  await change(world, 'paypal', { change: 'dispute', order: wallet.id })
  await world.sweep()
  const { rows } = await world.shop.database.pool.query('select status from dispute')
  expect(rows).toEqual([{ status: 'inquiry' }])
})

test('a dispute fee that is returned with the dispute is income again', async () => {
  await using world = await openWorld()
  const { intent, total } = await sold(world)
  const dispute = await change(world, 'stripe', { change: 'dispute', payment_intent: intent })
  await world.settled()
  expect(await booked(world, `stripe:${intent}`)).toMatchObject({
    'receivable:disputes': total,
    'expense:dispute_fees': 1500,
  })
  await change(world, 'stripe', { change: 'win_dispute', dispute: dispute.id, returns_fee: true })
  await world.settled()
  const left = await booked(world, `stripe:${intent}`)
  expect([left['receivable:disputes'], left['expense:dispute_fees']]).toEqual([undefined, undefined])
  expect(left['provider:stripe']).toBe(total - (left['expense:provider_fees'] ?? 0))
})

test('a lost wallet dispute that PayPal also lists as a refund is one loss', async () => {
  await using world = await openWorld()
  for (const chargeback of [true, false]) {
    const { id, total } = await soldByWallet(world)
    const dispute = await change(world, 'paypal', { change: 'dispute', order: id, chargeback })
    await world.settled()
    await change(world, 'paypal', { change: 'lose_dispute', dispute: dispute.dispute_id, as_refund: true })
    await world.settled()
    await world.advance(4 * HOUR_MS)
    await world.sweep()
    await world.settled()
    const {
      'provider:paypal': left = 0,
      'expense:provider_fees': fee = 0,
      ...more
    } = await booked(world, `paypal:${id}`)
    const disputeFee = more['expense:dispute_fees'] ?? 0
    expect(left, `${total} sold, chargeback ${chargeback}`).toBe(-fee - disputeFee)
    const order = (await ordersOf(world)).find(({ payment_key: key }) => key === `paypal:${id}`)
    expect(order?.payment_status).toBe('refunded')
  }
})

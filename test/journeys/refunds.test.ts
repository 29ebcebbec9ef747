import { expect, test } from 'vitest'
import { paymentKey, readOrderNumber, type OrderId, type OrderNumber } from '#shared/ids.ts'
import { cents, formatUsd } from '#shared/money.ts'
import { DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { showOrder } from '#server/admin/orders.ts'
import { reconcile } from '#server/reconciliation/reconciliation.ts'
import {
  recordManualRefund,
  previewRefund,
  refundOrder,
  refundPayment,
  type RefundRequest,
} from '#server/payments/refunds.ts'
import { takeBackUnknownRefunds } from '#server/payments/repairs.ts'
import { lockOrder, moveFulfillment } from '#server/orders/orders.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { followReturns } from '#server/payments/returns.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'
import { expectBooksAgree, ordersOf, postingsOf } from './invariants.ts'

type AuditRefund = { id: number; amount_cents: string; status: string; provider_refund_id: string | null }
const besides = new Set(['expense:provider_fees', 'expense:fulfillment'])

const refundsOf = (world: World) => world.audit<AuditRefund>('refunds')

async function refunds(world: World, orderNumber: string, wanted: RefundRequest) {
  const number = readOrderNumber(orderNumber)
  if (!number) throw new Error(`${orderNumber} is no order number`)
  await refundOrder(world.shop, number, wanted, 'the shopper asked', COMMAND)
  await world.settled()
}

async function sold(world: World, buying = 'hat') {
  const payment = await world.shopper().paysByCard({ buying, quantity: 2 })
  const { body } = await payment.returnsToShop()
  await world.settled()
  return { intent: payment.payment_intent, total: payment.total_amount, orderNumber: String(body.orderId) }
}

async function soldByWallet(world: World) {
  const shopper = world.shopper()
  const id = await shopper.approvesWallet({ buying: 'pillow', quantity: 2, to: addresses.sydney })
  await shopper.captures(id)
  await world.settled()
  const [order] = await ordersOf(world)
  return { id, total: Number(order?.total_cents), orderNumber: String(order?.order_number) }
}

/** The balances of all accounts, without zeros, and without the fees and costs of a sale. */
async function balances(world: World): Promise<Record<string, number>> {
  const entries = (await postingsOf(world)).flatMap((posting) =>
    posting.some(({ account }) => besides.has(account)) ? [] : posting,
  )
  const sums = new Map<string, number>()
  for (const { account, amount_cents: amount } of entries) sums.set(account, (sums.get(account) ?? 0) + Number(amount))
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0))
}

const change = (world: World, provider: 'stripe' | 'paypal', wanted: Record<string, unknown>) =>
  world.simulators[provider].change(wanted) as Promise<{ id: string }>

test('a full refund clears every account, stops the printer and is emailed once', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await sold(world)
  await refunds(world, orderNumber, { kind: 'rest' })
  expect(await balances(world)).toEqual({})
  expect(await refundsOf(world)).toMatchObject([{ amount_cents: String(total), status: 'succeeded' }])
  expect(await ordersOf(world)).toMatchObject([
    { status: 'refunded', payment_status: 'refunded', fulfilment_status: 'cancelled' },
  ])
  expect(world.simulators.printful.ledger().partner_orders).toMatchObject([{ status: 'canceled' }])
  expect(world.mailbox.list().filter(({ subject }) => /refund/i.test(subject))).toHaveLength(1)
  await expectBooksAgree(world)
})

test('one item is refunded with its own tax, and the rest of the order is still made', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await sold(world)
  await refunds(world, orderNumber, { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] })
  const [refund] = await refundsOf(world)
  expect(Math.abs(Number(refund?.amount_cents) * 2 - total)).toBeLessThanOrEqual(1)
  expect(await ordersOf(world)).toMatchObject([
    { payment_status: 'partially_refunded', fulfilment_status: 'submitted', status: 'submitted' },
  ])
  // The other item may still be refunded, but none twice.
  const piece = { position: 0, quantity: 1 }
  for (const pieces of [[{ position: 0, quantity: 2 }], [piece, piece]])
    await expect(refunds(world, orderNumber, { kind: 'pieces', pieces })).rejects.toMatchObject({ code: 'invalid' })
  await refunds(world, orderNumber, { kind: 'rest' })
  expect(await balances(world)).toEqual({})
  await expectBooksAgree(world)
})

test('a wallet payment is refunded in parts, surcharge included', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await soldByWallet(world)
  await refunds(world, orderNumber, { kind: 'amount', amount: cents(1234) })
  expect((await balances(world))['provider:paypal']).toBe(total - 1234)
  await refunds(world, orderNumber, { kind: 'rest' })
  expect(await balances(world)).toEqual({})
  await expectBooksAgree(world)
})

test('a refund of more than is left is refused with the amount left, and nothing changes', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await sold(world)
  await refunds(world, orderNumber, { kind: 'amount', amount: cents(1000) })
  await expect(refunds(world, orderNumber, { kind: 'amount', amount: cents(total) })).rejects.toMatchObject({
    code: 'nothing_to_refund',
  })
  expect(await refundsOf(world)).toHaveLength(1)
})

test('two concurrent refunds never return more than was paid', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await sold(world)
  const half: RefundRequest = { kind: 'amount', amount: cents(total - 1) }
  const both = await Promise.allSettled([refunds(world, orderNumber, half), refunds(world, orderNumber, half)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expectBooksAgree(world)
})

test('a refund made in the provider’s dashboard is recognized, with and without its webhook (F18)', async () => {
  await using world = await openWorld()
  const { intent, total, orderNumber } = await sold(world)
  await byHand(world, intent, 500)
  await world.settled()
  expect(await refundsOf(world)).toMatchObject([{ amount_cents: '500', status: 'succeeded' }])

  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  await byHand(world, intent, 700)
  await world.sweep()
  await world.settled()
  expect((await refundsOf(world)).map(({ amount_cents: amount }) => amount)).toEqual(['500', '700'])
  expect((await balances(world))['provider:stripe']).toBe(total - 1200)
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'partially_refunded' }])
  await refunds(world, orderNumber, { kind: 'rest' })
  expect(await balances(world)).toEqual({})
})

test('concurrent refunds here and in the provider’s dashboard return the payment once', async () => {
  await using world = await openWorld()
  const { intent, total, orderNumber } = await sold(world)
  await Promise.all([byHand(world, intent, total), refunds(world, orderNumber, { kind: 'rest' })])
  await world.settled()
  const { refunds: theirs = [] } = world.simulators.stripe.ledger()
  expect(theirs.reduce((sum, { amount_cents: amount }) => sum + amount, 0)).toBe(total)
  expect(await balances(world)).toEqual({})
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'refunded' }])
  // None remains that would be retried forever.
  expect((await refundsOf(world)).filter(({ status }) => status === 'requested')).toEqual([])
})

test('a lost answer does not double a refund', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await sold(world)
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { path: '/v1/refunds', method: 'POST' },
    when: 'after',
    do: 'reset',
    times: 2,
  })
  await refunds(world, orderNumber, { kind: 'amount', amount: cents(1000) })
  expect(world.simulators.stripe.ledger().refunds).toHaveLength(1)
  expect((await balances(world))['provider:stripe']).toBe(total - 1000)
  await expectBooksAgree(world)
})

test('a refund whose answer was lost is looked up after a day, when the provider has deleted its key', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await sold(world)
  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  const { payments } = world.shop
  const { refund } = payments
  const loses: typeof refund = async (...about) => {
    Object.assign(payments, { refund })
    await refund(...about)
    await world.simulators.kit.clock.advance(DAY_MS)
    throw new ProviderUnavailable('stripe', 'the answer was lost')
  }
  Object.assign(payments, { refund: loses })
  await refunds(world, orderNumber, { kind: 'amount', amount: cents(1000) })
  const [made] = await refundsOf(world)
  await refundPayment(world.shop, Number(made?.id))
  expect(world.simulators.stripe.ledger().refunds).toHaveLength(1)
  expect((await balances(world))['provider:stripe']).toBe(total - 1000)
  await expectBooksAgree(world)
})

test('a refund the provider does not know leaves the ledger and the tax report, and returns to both when the provider lists it', async () => {
  await using world = await openWorld()
  const { intent, total, orderNumber } = await sold(world)
  await refunds(world, orderNumber, { kind: 'amount', amount: cents(1000) })
  const key = paymentKey('stripe', intent)
  const taxed = () =>
    world.simulators.kit.log.since(0).flatMap(({ path, status }) => {
      const what = /^\/v1\/tax\/transactions\/(create_\w+)$/.exec(path)?.[1]
      return what ? [`${what} ${status}`] : []
    })
  const knowsNone = { listReturns: () => Promise.resolve({ refunds: [], disputes: [] }) }
  const blind = { ...world.shop, payments: { ...world.shop.payments, ...knowsNone } }
  expect([await takeBackUnknownRefunds(blind, key), await takeBackUnknownRefunds(blind, key)]).toEqual([1, 0])
  await world.settled()
  expect((await balances(world))['provider:stripe']).toBe(total)
  expect(taxed()).toEqual(['create_from_calculation 200', 'create_reversal 200', 'create_from_calculation 200'])

  await followReturns(world.shop, key)
  await followReturns(world.shop, key)
  await world.settled()
  expect(await refundsOf(world)).toMatchObject([{ status: 'succeeded' }])
  expect((await balances(world))['provider:stripe']).toBe(total - 1000)
  expect(taxed().slice(3)).toEqual(['create_reversal 200'])
  await expectBooksAgree(world)

  // It can still fail like any other.
  const [made] = await refundsOf(world)
  await change(world, 'stripe', { change: 'fail_refund', refund: made?.provider_refund_id })
  await world.settled()
  expect((await balances(world))['provider:stripe']).toBe(total)
})

test('a fee returned with a refund is reversed together with that refund', async () => {
  await using world = await openWorld()
  const { intent, orderNumber } = await sold(world)
  const feesBooked = async () =>
    (await postingsOf(world))
      .flat()
      .reduce(
        (sum, { account, amount_cents: amount }) => sum + (account === 'expense:provider_fees' ? Number(amount) : 0),
        0,
      )
  const fee = await feesBooked()
  await refunds(world, orderNumber, { kind: 'amount', amount: cents(1000) })
  const key = paymentKey('stripe', intent)
  const { payments } = world.shop
  const withReturns = (listReturns: typeof payments.listReturns) => ({
    ...world.shop,
    payments: { ...payments, listReturns },
  })
  const knowsNone = withReturns(() => Promise.resolve({ refunds: [], disputes: [] }))
  const givesBack = withReturns(async (of) => {
    const { refunds: all, disputes } = await payments.listReturns(of)
    return { refunds: all.map((refund) => ({ ...refund, feeReturned: cents(29) })), disputes }
  })
  await takeBackUnknownRefunds(knowsNone, key)
  await followReturns(givesBack, key)
  expect(await feesBooked()).toBe(fee - 29)
  expect(await takeBackUnknownRefunds(knowsNone, key)).toBe(1)
  expect(await feesBooked()).toBe(fee)
})

test('a refund made while the provider’s list is loading is not reversed', async () => {
  await using world = await openWorld()
  const { intent, total, orderNumber } = await sold(world)
  const { payments } = world.shop
  const slow: typeof payments = {
    ...payments,
    listReturns: async (key) => {
      const listed = await payments.listReturns(key)
      if (listed.refunds.length === 0) await refunds(world, orderNumber, { kind: 'amount', amount: cents(1000) })
      return listed
    },
  }
  expect(await takeBackUnknownRefunds({ ...world.shop, payments: slow }, paymentKey('stripe', intent))).toBe(0)
  expect((await balances(world))['provider:stripe']).toBe(total - 1000)
})

test('a list older than a refund’s failure does not undo the failure', async () => {
  await using world = await openWorld()
  const { intent, total, orderNumber } = await sold(world)
  await refunds(world, orderNumber, { kind: 'rest' })
  const [made] = await refundsOf(world)
  const { payments } = world.shop
  const slow: typeof payments = {
    ...payments,
    listReturns: async (key) => {
      const listed = await payments.listReturns(key)
      await change(world, 'stripe', { change: 'fail_refund', refund: made?.provider_refund_id })
      await world.settled()
      return listed
    },
  }
  await followReturns({ ...world.shop, payments: slow }, paymentKey('stripe', intent))
  expect(await refundsOf(world)).toMatchObject([{ status: 'failed' }])
  expect((await balances(world))['provider:stripe']).toBe(total)
})

test.each([
  ['stripe', sold],
  ['paypal', soldByWallet],
] as const)(
  'a refund at %s that fails late reopens the order, is reported to owner and shopper, and is paid another way once',
  async (provider, sell) => {
    await using world = await openWorld({ env: { SWEEP_INTERVAL_S: '300' } })
    const { total, orderNumber } = await sell(world)
    await refunds(world, orderNumber, { kind: 'rest' })
    const [made] = await refundsOf(world)
    const id = Number(made?.id)
    const pay = (reference: string) => recordManualRefund(world.shop, id, reference, COMMAND)
    await expect(pay('TOO EARLY')).rejects.toMatchObject({ code: 'refund_not_failed' })
    await expect(recordManualRefund(world.shop, id + 100, 'NONE', COMMAND)).rejects.toMatchObject({
      code: 'unknown_refund',
    })

    await change(world, provider, { change: 'fail_refund', refund: made?.provider_refund_id })
    await world.settled()
    expect(await refundsOf(world)).toMatchObject([{ status: 'failed' }])
    expect((await balances(world))[`provider:${provider}`]).toBe(total)
    expect(await ordersOf(world)).toMatchObject([{ payment_status: 'paid' }])
    const mailed = (words: string) => world.mailbox.list().filter(({ subject }) => subject.includes(words))
    const [toOwner, ...others] = mailed(`for order PF${orderNumber} failed`)
    expect(others).toEqual([])
    for (const text of [toOwner?.text, toOwner?.html]) expect(text).toContain(`/admin/orders/${orderNumber}`)
    expect(mailed('did not arrive')).toMatchObject([{ text: expect.stringContaining(formatUsd(cents(total))) }])
    expect((await showOrder(world.shop, orderNumber)).refunds).toMatchObject([{ isOwed: true }])

    await Promise.all([pay('WIRE 77'), pay('WIRE 77'), pay('WIRE 78')])
    const owner = world.shopper()
    await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
    const again = await owner.send('POST', `/api/admin/refunds/${id}/paid-another-way`, { reference: 'WIRE 79' })
    expect(again.status).toBe(200)
    await world.settled()
    expect(await refundsOf(world)).toMatchObject([
      { status: 'failed' },
      { status: 'succeeded', provider_refund_id: null },
    ])
    // The provider still has the money, and the bank has paid it.
    expect(await balances(world)).toEqual({ [`provider:${provider}`]: total, bank: -total })
    expect(await ordersOf(world)).toMatchObject([{ payment_status: 'refunded', status: 'refunded' }])
    expect(mailed('sent another way')).toMatchObject([{ text: expect.stringMatching(/WIRE 7[78]/) }])
    const { pool } = world.shop.database
    const { rows } = await pool.query(`select what from owner_action where what like '%another way'`)
    expect(rows).toHaveLength(1)
    expect((await showOrder(world.shop, orderNumber)).refunds).toMatchObject([{ isOwed: false }, { isOwed: false }])
    await expectBooksAgree(world)

    await world.advance(4 * 60 * MINUTE_MS)
    await reconcile(world.shop, 'watch')
    const exceptions = await world.audit<{ kind: string; resolved_at: Date | null }>('exceptions')
    expect(exceptions.filter(({ resolved_at: at }) => at === null)).toEqual([])
  },
)

test('a refund event before the payment’s own makes no order and loses no cent (F18)', async () => {
  await using world = await openWorld()
  await world.simulators.kit.webhooks.set({ provider: 'stripe', hold: true })
  const payment = await world.shopper().paysByCard()
  await byHand(world, payment.payment_intent, payment.total_amount)
  await world.simulators.kit.webhooks.set({ provider: 'stripe', release: true })
  await world.settled()
  expect(await ordersOf(world)).toEqual([])
  expect(await world.audit('exceptions')).toMatchObject([{ kind: 'money_returned', resolved_at: expect.any(Date) }])
  expect(await balances(world)).toEqual({})
  await expectBooksAgree(world)
})

test('money without an order is booked as it is refunded in the provider’s dashboard, and stays listed until all of it is', async () => {
  await using world = await openWorld()
  const payment = await world.shopper().paysByCard()
  await byHand(world, payment.payment_intent, 500)
  await world.settled()
  const waits = async () => (await world.audit<{ resolved_at: Date | null }>('exceptions'))[0]?.resolved_at === null
  expect([await waits(), await balances(world)]).toMatchObject([
    true,
    { 'provider:stripe': payment.total_amount - 500 },
  ])

  await world.simulators.kit.webhooks.set({ provider: 'stripe', drop: 100 })
  await byHand(world, payment.payment_intent, payment.total_amount - 500)
  await world.sweep()
  expect([await waits(), await balances(world)]).toEqual([false, {}])
  const [, last] = await refundsOf(world)
  await change(world, 'stripe', { change: 'fail_refund', refund: last?.provider_refund_id })
  await followReturns(world.shop, paymentKey('stripe', payment.payment_intent))
  expect([await waits(), await balances(world)]).toMatchObject([
    true,
    { 'provider:stripe': payment.total_amount - 500 },
  ])
})

test('an order refunded in the provider’s dashboard is not printed', async () => {
  await using world = await openWorld()
  const { intent, total } = await sold(world)
  await byHand(world, intent, total)
  await world.settled()
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'refunded', fulfilment_status: 'cancelled' }])
  expect(world.simulators.printful.ledger().partner_orders).toMatchObject([{ status: 'canceled' }])
})

test('an order refunded during its confirmation is stopped at the printer', async () => {
  await using world = await openWorld()
  const payment = await world.shopper().paysByCard()
  const { printful } = world.shop
  const confirms = printful.confirmOrder
  const confirmOrder: typeof confirms = async (id) => {
    Object.assign(printful, { confirmOrder: confirms })
    // As if the printer had not had it yet when it was stopped.
    const [order] = await ordersOf(world)
    await world.shop.db.transaction(async (tx) =>
      moveFulfillment(tx, await lockOrder(tx, Number(order?.id) as OrderId), 'cancelled', world.shop.clock.now()),
    )
    return confirms(id)
  }
  Object.assign(printful, { confirmOrder })
  await payment.returnsToShop()
  await world.settled()
  expect(world.simulators.printful.ledger().partner_orders).toMatchObject([{ status: 'canceled' }])
  expect(await ordersOf(world)).toMatchObject([{ fulfilment_status: 'cancelled' }])
})

test('a refund the provider’s list does not show yet, or not as the shop’s, is booked once', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await sold(world)
  const { payments } = world.shop
  const forgetful: typeof payments = {
    ...payments,
    listReturns: async (key) => {
      const { refunds: listed, disputes } = await payments.listReturns(key)
      return { refunds: listed.map((refund) => ({ ...refund, ours: null })).slice(firstListed), disputes }
    },
  }
  let firstListed = 1
  const number = readOrderNumber(orderNumber)
  if (!number) throw new Error(`${orderNumber} is no order number`)
  const { refunds } = await refundOrder(
    world.shop,
    number,
    { kind: 'amount', amount: cents(1000) },
    'late list',
    COMMAND,
  )
  const [refund] = refunds
  if (!refund) throw new Error('no refund was requested')
  await refundPayment({ ...world.shop, payments: forgetful }, refund.id)
  firstListed = 0
  await followReturns({ ...world.shop, payments: forgetful }, refund.paymentKey)
  await world.settled()
  expect(await refundsOf(world)).toMatchObject([{ amount_cents: '1000', status: 'succeeded' }])
  expect((await balances(world))['provider:stripe']).toBe(total - 1000)
})

test('money that the bank withdraws some time after a dispute opened is booked then', async () => {
  await using world = await openWorld()
  const { intent, total } = await sold(world)
  const tells = (hasMoved: boolean) =>
    followReturns(
      {
        ...world.shop,
        payments: {
          ...world.shop.payments,
          listReturns: () =>
            Promise.resolve({
              refunds: [],
              disputes: [
                {
                  ...{ id: 'dp_1', amount: cents(total), at: new Date(), fee: cents(1500), status: 'open', hasMoved },
                  respondBy: null,
                  reason: null,
                },
              ],
            }),
        },
      },
      paymentKey('stripe', intent),
    )
  await tells(false)
  expect((await balances(world))['provider:stripe']).toBe(total)
  await tells(true)
  await tells(true)
  expect((await balances(world))['provider:stripe']).toBe(-1500)
})

test('a dispute is booked with its fee, blocks the amount, and is won', async () => {
  await using world = await openWorld()
  const { intent, total, orderNumber } = await sold(world)
  const dispute = await change(world, 'stripe', { change: 'dispute', payment_intent: intent })
  await world.settled()
  expect(await balances(world)).toMatchObject({
    'provider:stripe': -1500,
    'receivable:disputes': total,
    'expense:dispute_fees': 1500,
  })
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'disputed' }])
  await expect(refunds(world, orderNumber, { kind: 'rest' })).rejects.toMatchObject({ code: 'nothing_to_refund' })

  await change(world, 'stripe', { change: 'win_dispute', dispute: dispute.id })
  await world.settled()
  expect((await balances(world))['provider:stripe']).toBe(total - 1500)
  expect((await balances(world))['receivable:disputes']).toBeUndefined()
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'paid' }])
})

test('a lost dispute of a wallet payment leaves the order refunded and the loss in the ledger', async () => {
  await using world = await openWorld()
  const { id, total } = await soldByWallet(world)
  const dispute = (await change(world, 'paypal', { change: 'dispute', order: id, chargeback: true })) as unknown as {
    dispute_id: string
  }
  await world.settled()
  await change(world, 'paypal', { change: 'lose_dispute', dispute: dispute.dispute_id })
  await world.settled()
  expect((await balances(world))['expense:disputes']).toBe(total)
  expect((await balances(world))['provider:paypal']).toBeUndefined()
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'refunded' }])
})

test('a wallet refund without a webhook is found in the account’s history', async () => {
  await using world = await openWorld()
  const { id, total } = await soldByWallet(world)
  await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 100 })
  const { captureId } = await world.shop.paypal.readOrder(id)
  await world.shop.paypal.refund(captureId ?? '', cents(900), 999_999, 'by hand')
  // It follows one of another application on the account, whose payment PayPal does not show the shop.
  const others = await world.shop.paypal.readOrder((await soldByWallet(world)).id)
  await world.shop.paypal.refund(others.captureId ?? '', cents(100), 999_998, 'elsewhere')
  world.simulators.kit.rules.add({
    provider: 'paypal',
    match: { path: `/v2/payments/captures/${others.captureId}` },
    when: 'before',
    do: { status: 404, body: { name: 'RESOURCE_NOT_FOUND', message: 'No such refund.', debug_id: 'f2a3' } },
    times: 10,
  })
  await world.advance(4 * 60 * MINUTE_MS)
  await world.sweep()
  expect((await balances(world))['provider:paypal']).toBe(2 * total - 900)
})

test('a refund’s tax is removed from the tax provider’s records', async () => {
  await using world = await openWorld()
  const { orderNumber } = await sold(world)
  await refunds(world, orderNumber, { kind: 'amount', amount: cents(1000) })
  const reversed = world.simulators.kit.log
    .since(0)
    .filter(({ path }) => path === '/v1/tax/transactions/create_reversal')
  expect(reversed).toHaveLength(1)
  expect(reversed[0]?.status).toBe(200)
  await world.advance(DAY_MS)
})

test('the refund command refunds, shows what becomes of the goods, and explains refusals', async () => {
  await using world = await openWorld()
  const { total, orderNumber } = await sold(world)
  const says = (...args: string[]) =>
    ownerVerbs(world.shop.database, () => Promise.resolve(world.shop))(['refund', ...args])
  await expect(says(orderNumber)).rejects.toThrow('--reason')
  await expect(says('0000-0000', '--reason', 'why')).rejects.toThrow('There is no order with this number.')
  await expect(says(orderNumber, '--reason', 'why', '--amount', '9999999')).rejects.toThrow('can still be refunded')
  const { goods } = await previewRefund(world.shop, orderNumber as OrderNumber, {
    kind: 'pieces',
    pieces: [{ position: 0, quantity: 1 }],
  })
  expect(goods).toContain('still be made and shipped')
  expect(await says(orderNumber.toLowerCase(), '--reason', 'a stain', '--line', '1')).toMatchObject({
    order: `PF${orderNumber}`,
    status: 'succeeded',
    reason: 'a stain',
    goods,
  })
  await says(orderNumber, '--reason', 'the rest as well')
  await world.settled()
  const given = (await refundsOf(world)).reduce((sum, { amount_cents: amount }) => sum + Number(amount), 0)
  expect(given).toBe(total)
  expect(await balances(world)).toEqual({})
})

/** A refund made by a person in the provider's dashboard. */
async function byHand(world: World, intent: string, amount: number): Promise<void> {
  const { STRIPE_SECRET_KEY: key = '' } = world.simulators.settings
  const answer = await fetch(`${world.simulators.stripe.url}/v1/refunds`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/x-www-form-urlencoded',
      'stripe-version': '2026-10-28.endive',
    },
    body: new URLSearchParams({ payment_intent: intent, amount: String(amount) }),
  })
  if (answer.status !== 200 && answer.status !== 400) throw new Error(await answer.text())
}

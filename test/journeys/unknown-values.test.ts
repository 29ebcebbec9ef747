import { expect, test } from 'vitest'
import { HOUR_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { runDoctor } from '#server/admin/doctor.ts'
import { ordersOf } from './invariants.ts'
import { passAMinute } from './a-minute-later.ts'

// An unreadable list or an undocumented value from a provider affects nothing else.

const wordsOf = async ({ shop }: World) => {
  const { rows } = await shop.database.pool.query<{ said: string }>(
    `select provider || ' ' || field || ' ' || word as said from provider_word order by 1`,
  )
  return rows.map(({ said }) => said)
}

const openOfKind = async (world: World, wanted: string) =>
  (await world.audit<{ kind: string; resolved_at: Date | null }>('exceptions')).filter(
    ({ kind, resolved_at: at }) => kind === wanted && at === null,
  )

/** A charged wallet payment that was refunded at PayPal, without an event for either. */
async function refundedAtPaypal(world: World) {
  await world.simulators.kit.webhooks.set({ provider: 'paypal', drop: 1000 })
  const shopper = world.shopper()
  const id = await shopper.approvesWallet()
  await shopper.captures(id)
  const { captureId, amount } = await world.shop.paypal.readOrder(id)
  const refund = await world.shop.paypal.refund(captureId ?? '', amount, 999_999, `by-hand-${id}`)
  return { id, refund }
}

test('a PayPal app without disputes, or without transactions, still reads the other, and the doctor names the missing one', async () => {
  await using world = await openWorld()
  const { paypal } = world.simulators
  const { id } = await refundedAtPaypal(world)
  // The history covers what is older than three hours.
  await world.advance(4 * HOUR_MS)
  await paypal.change({ change: 'lacks', features: ['disputes'] })
  await world.sweep()
  expect(await ordersOf(world)).toMatchObject([{ payment_key: `paypal:${id}`, payment_status: 'refunded' }])

  const findings = async () =>
    Object.fromEntries((await runDoctor(world.shop)).map(({ name, state, what }) => [name, [state, what] as const]))
  const lacking = await findings()
  expect(lacking['paypal disputes']?.[0]).toBe('failed')
  expect(lacking['paypal disputes']?.[1]).toContain('Customer disputes')
  expect(lacking['paypal transactions']?.[0]).toBe('passed')

  const disputed = world.shopper()
  const order = await disputed.approvesWallet()
  await disputed.captures(order)
  await paypal.change({ change: 'dispute', order, chargeback: true })
  await paypal.change({ change: 'lacks', features: ['transactions'] })
  await world.sweep()
  expect(await ordersOf(world)).toMatchObject([{ payment_status: 'refunded' }, { payment_status: 'disputed' }])
  const other = await findings()
  expect(other['paypal transactions']?.[0]).toBe('failed')
  expect(other['paypal transactions']?.[1]).toContain('Transaction search')
  expect(other['paypal disputes']?.[0]).toBe('passed')
})

test('undocumented provider values are stored, lose no row, decide nothing, and are reported once', async () => {
  await using world = await openWorld()
  const { stripe, paypal, printful } = world.simulators
  const [archived, other] = [await world.shopper().paysByCard(), await world.shopper().paysByCard()]
  for (const payment of [archived, other]) await payment.returnsToShop()
  await world.settled()
  const [first] = await ordersOf(world)
  const before = first?.fulfilment_status
  await printful.change({ change: 'say', external_id: first?.order_number, status: 'archived' })

  // The whole list is read: the archived order is in it, under its own status.
  const { rows } = await world.shop.printful.listOrders(null)
  expect(rows.map(({ status }) => status).toSorted()).toEqual(['archived', 'pending'])
  const { followPrinterOrder } = await import('#server/fulfillment/fulfillment.ts')
  for (let attempt = 0; attempt < 3; attempt += 1)
    expect(await followPrinterOrder(world.shop, String(first?.order_number))).toBe('archived')
  expect((await ordersOf(world))[0]?.fulfilment_status).toBe(before)

  // A refund, a capture and a payment with unknown statuses have neither failed nor succeeded.
  const { id, refund } = await refundedAtPaypal(world)
  await paypal.change({ change: 'say', id: refund.id, status: 'SIMMERING' })
  expect((await world.shop.paypal.listReturns(id)).refunds).toMatchObject([{ status: 'pending' }])
  await paypal.change({ change: 'say', id, status: 'CONTEMPLATED' })
  expect(await world.shop.paypal.readOrder(id)).toMatchObject({ status: 'processing', amount: 0 })
  const undecided = world.shopper()
  await undecided.adds('hat')
  const { payment_intent: intent } = (await undecided.startsPayment()).body
  await stripe.change({ change: 'say', id: intent, status: 'requires_moonlight' })
  expect((await undecided.send('GET', `/api/payment-success/${intent}`)).body).toMatchObject({ status: 'processing' })

  await expect
    .poll(() => wordsOf(world))
    .toEqual([
      'paypal capture status CONTEMPLATED',
      'paypal refund status SIMMERING',
      'printful order status archived',
      'stripe payment status requires_moonlight',
    ])
  await passAMinute(world)
  expect(await openOfKind(world, 'provider_word')).toHaveLength(4)
  await passAMinute(world)
  expect(await openOfKind(world, 'provider_word')).toHaveLength(4)
  // It is no longer reported a week after it was last seen.
  await world.advance(8 * 24 * HOUR_MS)
  await passAMinute(world)
  expect(await openOfKind(world, 'provider_word')).toHaveLength(0)
})

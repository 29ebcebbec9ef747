import { expect, test } from 'vitest'
import type { WireQuote } from '#contract/quote.ts'
import { addresses, cards, openWorld } from '#sandbox/world.ts'
import { openStripeCheck } from '../conformance/schema/stripe-schema.ts'
import { expectBooksAgree, expectNoPaymentLost, expectPrintedOnce, ordersOf } from './invariants.ts'

test('a hat paid by card is printed, confirmed by email and booked to the cent', async () => {
  const { check, mistakes } = openStripeCheck()
  await using world = await openWorld({ check })
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'hat', quantity: 2 })
  const returned = await payment.returnsToShop()
  await world.settled()

  expect(returned).toMatchObject({ status: 200, body: { success: true, status: 'paid' } })
  const [order] = await ordersOf(world)
  expect(order).toMatchObject({
    order_number: returned.body.orderId,
    payment_key: `stripe:${payment.payment_intent}`,
    status: 'submitted',
    customer_email: shopper.customer.email,
  })
  expect(Number(order?.total_cents)).toBe(payment.total_amount)
  expect(payment.total_amount).toBe(payment.subtotal + payment.shipping_cost + payment.tax_amount)

  const [mail] = world.mailbox.list()
  const totalText = `$${Math.trunc(payment.total_amount / 100)}.${String(payment.total_amount % 100).padStart(2, '0')}`
  expect(mail).toMatchObject({
    to: shopper.customer.email,
    subject: expect.stringContaining(`PF${returned.body.orderId}`),
  })
  expect(mail?.text).toContain(totalText)
  expect(mail?.html).toContain(totalText)

  expect(await shopper.cart()).toEqual([])
  await expectNoPaymentLost(world)
  await expectPrintedOnce(world)
  await expectBooksAgree(world)
  expect(mistakes).toEqual([])
})

test('what is added to the cart during payment stays in it', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'hat', quantity: 2 })
  await shopper.adds('hat', 1)
  await shopper.adds('mouse pad', 1)
  await payment.returnsToShop()

  expect((await shopper.cart()).map(({ quantity }) => quantity)).toEqual([1, 1])
})

test('a declined card shows the reason, and another card pays the same order', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ card: cards.declined })
  expect(payment.confirmed.error).toMatchObject({ code: 'card_declined', message: 'Your card was declined.' })
  expect((await payment.returnsToShop()).body).toMatchObject({ success: false, status: 'failed' })
  expect(await ordersOf(world)).toEqual([])
  expect(await shopper.cart()).toHaveLength(1)

  expect(await shopper.confirms(payment)).toMatchObject({ status: 'succeeded' })
  expect((await payment.returnsToShop()).body).toMatchObject({ success: true })
  await world.settled()
  await expectNoPaymentLost(world)
  await expectBooksAgree(world)
})

test('a card that needs authentication makes no order until it succeeds', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ card: cards.challenged })
  expect(payment.confirmed.status).toBe('requires_action')
  expect((await payment.returnsToShop()).body.success).toBe(false)

  const passed = await fetch(`${world.simulators.stripe.url}/sandbox/3ds/${payment.payment_intent}`, {
    method: 'POST',
    body: new URLSearchParams({
      key: world.simulators.settings['STRIPE_PUBLISHABLE_KEY'] ?? '',
      client_secret: payment.client_secret,
      outcome: 'authenticated',
    }),
  })
  expect(passed.status).toBe(200)
  expect((await payment.returnsToShop()).body).toMatchObject({ success: true, status: 'paid' })
})

test('a pillow to Sydney carries its surcharge, shown before payment and booked separately', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('pillow', 2)
  const preview = await shopper.send<{ cost: number; method: string; surcharge_disclosures: string[] }>(
    'POST',
    '/api/calculate-shipping',
    {
      shippingAddress: addresses.sydney,
    },
  )
  expect(preview.body).toMatchObject({ cost: 6998, method: 'Free Worldwide Shipping' })
  expect(preview.body.surcharge_disclosures).toHaveLength(1)

  const started = await shopper.startsPayment(addresses.sydney)
  await shopper.confirms(started.body)
  await shopper.returnsToShop(started.body.payment_intent)
  await world.settled()
  const ledger = await world.audit<{ account: string; amount_cents: string }>('ledger')
  expect(ledger.find(({ account }) => account === 'revenue:surcharge')?.amount_cents).toBe('-6998')
  await expectBooksAgree(world)
})

test('tax follows the address: state tax in the US, value added tax in Germany, none in Hong Kong', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('mug', 1)
  const taxAt = async (customerAddress: object) =>
    (await shopper.send<{ tax_amount: number; quote: WireQuote }>('POST', '/api/calculate-taxes', { customerAddress }))
      .body
  expect(await taxAt(addresses.newYork)).toMatchObject({
    quote: { taxLabel: 'Sales Tax' },
    tax_amount: expect.toSatisfy((tax: number) => tax > 0),
  })
  expect(await taxAt(addresses.berlin)).toMatchObject({
    quote: { taxLabel: 'Country Consumption Tax' },
    tax_amount: expect.toSatisfy((tax: number) => tax > 0),
  })
  expect(await taxAt({ line1: '1 Queen’s Road', city: 'Central', country: 'HK' })).toMatchObject({ tax_amount: 0 })
})

test('a parcel is shipped once, announced once, and its status never goes back', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  const payment = await shopper.paysByCard()
  await payment.returnsToShop()
  await world.settled()
  const [before] = await ordersOf(world)
  await world.simulators.printful.change({ change: 'ship', external_id: before?.external_id })
  await world.settled()
  await world.settled()

  expect((await ordersOf(world))[0]?.status).toBe('shipped')
  const shipped = world.mailbox.list().filter(({ subject }) => !subject.includes('Order Confirmation'))
  expect(shipped).toHaveLength(1)
  expect(shipped[0]?.to).toBe(shopper.customer.email)
})

test('the success page’s call returns whether the payment succeeded, and nothing about who paid', async () => {
  await using world = await openWorld()
  const payer = world.shopper()
  const payment = await payer.paysByCard()
  const answer = await world.shopper().send('GET', `/api/payment-success/${payment.payment_intent}`)
  expect(answer).toMatchObject({
    status: 200,
    body: { success: true, status: 'paid', collection: { petName: expect.any(String) } },
  })
  expect(JSON.stringify(answer.body)).not.toContain(payer.customer.email)
  expect((await world.shopper().send('GET', '/api/payment-success/pi_invented')).status).toBe(404)
  // In another browser the same payment shows a status, not an order.
  expect((await world.shopper().returnsToShop(payment.payment_intent)).body).toEqual({ success: true, status: 'paid' })
  expect((await payment.returnsToShop()).body.orderId).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)
})

test('the browser receives public settings only', async () => {
  await using world = await openWorld()
  const { body } = await world.shopper().send('GET', '/api/config')
  expect(body).toMatchObject({
    stripe: { publishableKey: world.simulators.settings['STRIPE_PUBLISHABLE_KEY'] },
    sandbox: true,
  })
  expect(JSON.stringify(body)).not.toMatch(/sk_test_|whsec_/)
})

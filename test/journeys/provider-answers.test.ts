import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { ordersOf } from './invariants.ts'

// Providers are trusted about money and parcels, but their answers are validated first.

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { SHIPPING: 'partner' } })
})
afterEach(() => world.simulators.kit.rules.clear())
afterAll(() => world[Symbol.asyncDispose]())

const TAX = '/v1/tax/calculations'
const RATES = '/shipping/rates'

const answerWith = (provider: 'stripe' | 'printful', path: string, body: unknown) =>
  world.simulators.kit.rules.add({ provider, match: { path }, when: 'before', do: { status: 200, body }, times: 20 })

const calculation = (amount: unknown) => ({
  id: 'taxcalc_1',
  object: 'tax.calculation',
  tax_amount_exclusive: amount,
  tax_breakdown: [],
})
const rates = (rate: unknown) => ({ code: 200, result: [{ id: 'STANDARD', name: 'Flat Rate', rate, currency: 'USD' }] })

const impossible: [string, unknown][] = [
  ['below zero', -500],
  ['more than the cart', 9_000_000_000_000],
  ['beyond all precision', 1e300],
  ['half a cent', 10.5],
  ['text', '500'],
  ['NaN as text', 'NaN'],
  ['null', null],
  ['a list', [500]],
]

describe('an impossible answer', () => {
  const payments = async () => (await world.audit('checkouts')).length

  test.each(impossible)('with a tax of %s starts no payment and is no server error (P02)', async (_, amount) => {
    const shopper = world.shopper()
    await shopper.adds('hat')
    const before = await payments()
    answerWith('stripe', TAX, calculation(amount))
    const refused = { status: 503, body: { code: 'provider_unavailable' } }
    expect(await shopper.send('POST', '/api/calculate-taxes', { customerAddress: addresses.newYork })).toMatchObject(
      refused,
    )
    expect(await shopper.startsPayment(addresses.newYork)).toMatchObject(refused)
    expect(await shopper.startsWallet(addresses.newYork)).toMatchObject(refused)
    expect(await payments()).toBe(before)
  })

  const ratesThatCannotBe = impossible.filter(([name]) => name !== 'text' && name !== 'half a cent')
  test.each(ratesThatCannotBe)(
    'with a shipping rate of %s starts no payment and is no server error (P02)',
    async (_, rate) => {
      const shopper = world.shopper()
      // Rates are cached, so each row uses another cart.
      await shopper.adds('mug', 2 + impossible.findIndex(([, other]) => other === rate))
      answerWith('printful', RATES, rates(rate))
      const refused = { status: 503, body: { code: 'provider_unavailable' } }
      expect(
        await shopper.send('POST', '/api/calculate-shipping', { shippingAddress: addresses.newYork }),
      ).toMatchObject(refused)
      expect(await shopper.startsPayment(addresses.newYork)).toMatchObject(refused)
    },
  )
})

test.each([-30, 1e12, '59', null])(
  'a payment whose fee is %j is booked once the fee can be read (P02)',
  async (fee) => {
    const shopper = world.shopper()
    const payment = await shopper.paysByCard({ buying: 'mug' })
    const id = payment.payment_intent
    const intent = await (
      await fetch(
        `${world.simulators.stripe.url}/v1/payment_intents/${id}?expand[]=latest_charge.balance_transaction`,
        {
          headers: { authorization: `Bearer ${world.shop.config.stripe.secretKey.reveal()}` },
        },
      )
    ).json()
    const { latest_charge: charge } = intent as { latest_charge: { balance_transaction: object } }
    const strange = { ...charge, balance_transaction: { ...charge.balance_transaction, fee } }
    answerWith('stripe', `/v1/payment_intents/${id}`, { ...(intent as object), latest_charge: strange })
    const report = await shopper.send('POST', '/api/process-completed-payment', { paymentIntentId: id })
    expect([report.status, report.body['code']]).toEqual([503, 'outcome_unknown'])

    world.simulators.kit.rules.clear()
    expect((await shopper.send('POST', '/api/process-completed-payment', { paymentIntentId: id })).status).toBe(200)
  },
)

test('invisible characters in a name and an address reach neither the printer, the email nor the page (P03)', async () => {
  const shopper = world.shopper()
  shopper.customer.name = 'Ada\u202E \u200BLove\u00ADlace\u2069'
  const to = { ...addresses.newYork, line1: '\u20661 Ingot\u3164 Street', city: 'New\u200B\u00A0York\u202A' }
  const payment = await shopper.paysByCard({ buying: 'mug', to })
  await payment.returnsToShop()
  await world.settled()
  const order = (await ordersOf(world)).at(-1) as unknown as { order_number: string }
  const { rows } = await world.shop.database.pool.query<{ name: string; address: object }>(
    'select customer_name as name, shipping_address as address from shop_order where order_number = $1',
    [order.order_number],
  )
  expect(rows).toEqual([
    { name: 'Ada Lovelace', address: expect.objectContaining({ line1: '1 Ingot Street', city: 'New York' }) },
  ])
  const made = world.simulators.kit.log
    .since(0)
    .findLast(({ path, method }) => path === '/orders' && method === 'POST') as { request: { recipient: object } }
  expect(made.request.recipient).toMatchObject({ name: 'Ada Lovelace', address1: '1 Ingot Street', city: 'New York' })
  const mails = JSON.stringify(world.mailbox.list().map(({ id }) => world.mailbox.find(id)))
  expect(mails).toContain('Ada Lovelace')
  expect(mails).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
})

test('a name of invisible characters only is no name', async () => {
  const shopper = world.shopper()
  await shopper.adds('hat')
  shopper.customer.name = '\u200B\u3164\u202E'
  expect(await shopper.startsPayment(addresses.newYork)).toMatchObject({
    status: 422,
    body: { fields: { 'customerInfo.name': 'Required' } },
  })
})

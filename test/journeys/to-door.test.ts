import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { OrderSummary } from '#contract/checkout.ts'
import type { ToDoor } from '#contract/to-door.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterEach(() => world.simulators.kit.rules.clear())
afterAll(() => world[Symbol.asyncDispose]())

type Shopper = ReturnType<World['shopper']>
type Refused = { code: string; message: string }

const cartTo = (shopper: Shopper, country: string) =>
  shopper.send<ToDoor & Refused>('GET', `/api/cart/to-door/${country}`)

const seoul = { line1: '110 Sejong-daero', city: 'Seoul', state: null, postal_code: '04524', country: 'KR' }

const calculations = () =>
  world.simulators.kit.log.since(0).filter(({ path }) => path === '/v1/tax/calculations').length

test.each([
  ['Germany', addresses.berlin, 'German VAT 19%'],
  ['Australia, with a surcharge', addresses.sydney, 'Australian GST 10%'],
  ['South Korea, where the printer charges its tax', seoul, undefined],
])(
  'what a cart costs to %s is shown before the address as it is charged, with the tax by its name',
  async (_, to, name) => {
    const shopper = world.shopper()
    await shopper.adds('pillow', 2)
    await shopper.adds('hat')
    const { country } = to as { country: string }
    const { status, body: shown } = await cartTo(shopper, country)
    expect(status).toBe(200)
    const { body } = await shopper.startsPayment(to)
    const { summary } = body as unknown as { summary: OrderSummary }
    const amounts = ({ subtotal, shipping, tax, vatProtection, total, taxName }: OrderSummary) => ({
      ...{ subtotal, shipping, tax, vatProtection, total, taxName },
    })
    expect(amounts(shown)).toEqual(amounts(summary))
    expect(shown.taxName).toBe(name)
    expect(shown.left).toBeUndefined()
    expect(shown.total).toBe(shown.subtotal + shown.shipping + shown.tax + shown.vatProtection)
  },
)

test('in the United States the state’s tax comes with the address, by its name, and nothing else changes', async () => {
  const shopper = world.shopper()
  await shopper.adds('mug', 3)
  const { body: shown } = await cartTo(shopper, 'US')
  expect(shown).toMatchObject({ tax: 0, left: 'Plus the sales tax of your state, if any.' })
  const { body } = await shopper.startsPayment(addresses.newYork)
  const { summary } = body as unknown as { summary: OrderSummary }
  expect(summary.taxName).toMatch(/^New York sales tax \d/)
  expect(summary.total).toBe(shown.total + summary.tax)
})

test('every country has a quote for a piece, from one calculation of its tax a day', async () => {
  const shopper = world.shopper()
  await shopper.adds('hat')
  const [{ variantId } = { variantId: 0 }] = (await shopper.send<{ variantId: number }[]>('GET', '/api/cart')).body
  const before = calculations()
  for (const country of mainCountries) {
    const { status, body } = await shopper.send<ToDoor>('GET', `/api/to-door/${country}/${variantId}`)
    expect([country, status]).toEqual([country, 200])
    expect(body.arrival).toMatch(/^[A-Z][a-z]{2} \d+ – [A-Z][a-z]{2} \d+$/)
    expect(body.taxName !== undefined || body.vatProtection > 0 || body.left !== undefined, country).toBe(true)
    expect((await cartTo(shopper, country)).body.total).toBe(body.total)
  }
  // Not of the United States and Canada, where the address decides.
  expect(calculations() - before).toBeLessThanOrEqual(mainCountries.length - 2)
})

test('the day named before the purchase is the one on the preview, the order’s page and in its email', async () => {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'hat', to: addresses.berlin })
  const preview = await shopper.send<{ arrival: string }>('POST', '/api/calculate-shipping', {
    shippingAddress: addresses.berlin,
  })
  const number = String((await payment.returnsToShop()).body.orderId)
  await world.settled()
  const { body: order } = await shopper.send<{
    expected: { from: string; to: string }
    amounts: { taxName?: string }
  }>('GET', `/api/order?order=${number}`)
  const day = (iso: string) =>
    new Date(iso).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
  expect(preview.body.arrival).toBe(`${day(order.expected.from)} – ${day(order.expected.to)}`)
  expect(order.amounts.taxName).toBe('German VAT 19%')
  const mail = world.mailbox.list().find(({ to }) => JSON.stringify(to).includes(shopper.customer.email))
  expect(mail?.text).toContain(preview.body.arrival)
  expect(mail?.text).toMatch(/Country Consumption Tax\s+\(German VAT 19%\)/)
})

test('while the tax source does not answer, the total is said to be without tax', async () => {
  await using own = await openWorld()
  const shopper = own.shopper()
  await shopper.adds('hat')
  own.simulators.kit.rules.add({
    ...{ provider: 'stripe', match: { path: '/v1/tax/calculations' }, when: 'before', times: 20 },
    do: { status: 500, body: {} },
  })
  expect(await cartTo(shopper, 'DE')).toMatchObject({
    status: 200,
    body: { tax: 0, left: 'Plus tax, which we can’t tell right now.' },
  })
})

test('the owner’s rate shows the total in the country’s currency, for seven days', async () => {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const dayBefore = (days: number) =>
    new Date(world.shop.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10)
  const rate = { currency: 'EUR', perDollar: 0.86, day: dayBefore(0) }
  const old = { ...rate, currency: 'GBP', day: dayBefore(8) }
  const save = async (value: object[]) =>
    (await owner.send('PUT', '/api/admin/settings', { currencyRates: { was: [], value } })).status
  for (const wrong of [{ perDollar: 0 }, { currency: 'XYZ' }, { day: '2026-02-30' }])
    expect(await save([{ ...rate, ...wrong }])).toBe(422)
  expect(await save([rate, rate])).toBe(422)
  expect(await save([rate, old])).toBe(200)
  const shopper = world.shopper()
  await shopper.adds('hat')
  const about = async (country: string) => (await cartTo(shopper, country)).body.about
  expect(await about('DE')).toMatch(/^about \d+ EUR, charged in US dollars$/)
  expect([await about('GB'), await about('US')]).toEqual([undefined, undefined])
})

test('a country that we do not deliver to is refused', async () => {
  const shopper = world.shopper()
  await shopper.adds('hat')
  expect(await cartTo(shopper, 'ZZ')).toMatchObject({ status: 422, body: { code: 'country_unsupported' } })
  expect((await cartTo(shopper, 'germany')).status).toBe(404)
})

test('an empty cart and an unknown piece have no quote', async () => {
  expect(await cartTo(world.shopper(), 'DE')).toMatchObject({ body: { code: 'cart_empty' } })
  expect(await world.shopper().send('GET', '/api/to-door/DE/1')).toMatchObject({ body: { code: 'unknown_variant' } })
})

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { OrderSummary, PaymentStart } from '#contract/checkout.ts'
import type { CartCodes } from '#contract/codes.ts'
import type { OrderView } from '#contract/orders.ts'
import type { WireQuote } from '#contract/quote.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { formatDates } from '#shared/calendar-day.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterEach(() => world.simulators.kit.rules.clear())
afterAll(() => world[Symbol.asyncDispose]())

type Shopper = ReturnType<World['shopper']>
type Refused = { code: string; message: string }

/** The cart's quote, or the refusal. */
async function cartTo(shopper: Shopper, country: string): Promise<{ status: number; body: WireQuote & Refused }> {
  const { status, body } = await shopper.send<CartCodes & WireQuote & Refused>(
    'GET',
    `/api/cart/code?country=${country}`,
  )
  return { status, body: (body.quote ?? body) as WireQuote & Refused }
}

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
    const { summary, quote } = body as unknown as { summary: OrderSummary; quote: WireQuote }
    const preview = await shopper.send<{ quote: WireQuote }>('POST', '/api/calculate-taxes', { customerAddress: to })
    const byWallet = await shopper.startsWallet(to)
    for (const shownAtCheckout of [quote, preview.body.quote, byWallet.body.quote])
      expect(shownAtCheckout).toEqual(shown)
    const amounts = ({ shipping, tax, vatProtection, total }: OrderSummary | WireQuote) => ({
      ...{ shipping, tax, vatProtection, total },
    })
    expect(amounts(shown)).toEqual(amounts(summary))
    expect(shown.goods - shown.discount).toBe(summary.subtotal)
    expect([shown.taxName ?? undefined, summary.taxName]).toEqual([name, name])
    expect(shown).toMatchObject({ currency: 'USD', collectedAtDelivery: false })
    expect(shown.left).toBeUndefined()
    expect(shown.surcharge).toBe(country === 'AU' ? 2 * 3499 : 0)
    expect(shown.total).toBe(shown.goods - shown.discount + shown.shipping + shown.tax + shown.vatProtection)
  },
)

test('in the United States the state’s tax comes with the address, by its name, and nothing else changes', async () => {
  const shopper = world.shopper()
  await shopper.adds('mug', 3)
  const { body: shown } = await cartTo(shopper, 'US')
  expect(shown).toMatchObject({ tax: 0, left: 'Plus state sales tax, if any.' })
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
    const { status, body } = await shopper.send<WireQuote>('GET', `/api/door?variantId=${variantId}&country=${country}`)
    expect([country, status]).toEqual([country, 200])
    expect(body.arrival.from < body.arrival.to).toBe(true)
    expect(body.taxName !== null || body.vatProtection > 0 || body.left !== undefined, country).toBe(true)
    expect((await cartTo(shopper, country)).body.total).toBe(body.total)
  }
  // Not of the United States and Canada, where the address decides.
  expect(calculations() - before).toBeLessThanOrEqual(mainCountries.length - 2)
})

test('the days named on the product page, in the drawer and before the payment are those of the order, its page and its emails, whatever the owner changes later', async () => {
  await using own = await openWorld()
  const shopper = own.shopper()
  await shopper.adds('hat')
  const { body: preview } = await shopper.send<{ quote: WireQuote }>('POST', '/api/calculate-taxes', {
    customerAddress: addresses.berlin,
  })
  const [{ variantId } = { variantId: 0 }] = (await shopper.send<{ variantId: number }[]>('GET', '/api/cart')).body
  const ofPiece = await shopper.send<WireQuote>('GET', `/api/door?variantId=${variantId}&country=DE`)
  const inDrawer = await cartTo(shopper, 'DE')
  for (const { arrival } of [ofPiece.body, inDrawer.body]) expect(arrival).toEqual(preview.quote.arrival)
  const payment = await shopper.paysByCard({ to: addresses.berlin })
  const owner = own.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const { body: settings } = await owner.send<{ values: SiteSettings }>('GET', '/api/admin/settings')
  const { processingDays: was } = settings.values
  const slower = { processingDays: { was, value: { from: was.from + 5, to: was.to + 5 } } }
  expect((await owner.send('PUT', '/api/admin/settings', slower)).status).toBe(200)
  const number = String((await payment.returnsToShop()).body.orderId)
  await own.settled()
  const { body: order } = await shopper.send<{
    expected: { from: string; to: string }
    amounts: { taxName?: string }
  }>('GET', `/api/order?order=${number}`)
  expect(order.expected).toEqual(preview.quote.arrival)
  expect(order.amounts.taxName).toBe('German VAT 19%')
  const mailAbout = (subject: RegExp) =>
    own.mailbox
      .list()
      .find((mail) => JSON.stringify(mail.to).includes(shopper.customer.email) && subject.test(mail.subject))?.text
  const confirmed = mailAbout(/^Order Confirmation/)
  expect(confirmed).toContain(formatDates(order.expected))
  expect(confirmed).toMatch(/Country Consumption Tax\s+\(German VAT 19%\)/)
  await own.simulators.printful.change({ change: 'ship', external_id: number })
  await own.settled()
  const { body: shipped } = await shopper.send<{ expected: { from: string; to: string } }>(
    'GET',
    `/api/order?order=${number}`,
  )
  expect(mailAbout(/^On its way/)).toContain(formatDates(shipped.expected))
  await shopper.adds('hat')
  expect((await cartTo(shopper, 'DE')).body.arrival.from > order.expected.from).toBe(true)
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

test('the same amount in the country’s currency stands at the checkout, on the order and in its email, by the rate of then', async () => {
  await using own = await openWorld()
  const owner = own.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const rateOf = (perDollar: number) => [
    { currency: 'EUR', perDollar, day: own.shop.clock.now().toISOString().slice(0, 10) },
  ]
  const save = async (was: object[], value: object[]) =>
    (await owner.send('PUT', '/api/admin/settings', { currencyRates: { was, value } })).status
  expect(await save([], rateOf(0.86))).toBe(200)
  const shopper = own.shopper()
  await shopper.adds('hat')
  const { about } = (await cartTo(shopper, 'DE')).body
  expect(about).toMatch(/^about \d+ EUR, charged in US dollars$/)
  const { body: preview } = await shopper.send<{ quote: WireQuote }>('POST', '/api/calculate-taxes', {
    customerAddress: addresses.berlin,
  })
  expect(preview.quote.about).toBe(about)
  const { body: start } = await shopper.startsPayment(addresses.berlin)
  expect((start as unknown as PaymentStart).summary.about).toBe(about)

  expect(await save(rateOf(0.86), rateOf(0.5))).toBe(200)
  await shopper.confirms(start)
  const { body } = await shopper.send<{ orderId: string }>('POST', '/api/process-completed-payment', {
    paymentIntentId: start.payment_intent,
  })
  await own.settled()
  const number = body.orderId
  const { body: order } = await shopper.send<OrderView>('GET', `/api/order?order=${number}`)
  expect(order.amounts.about).toBe(about)
  const mail = own.mailbox.list().find(({ to }) => JSON.stringify(to).includes(shopper.customer.email))
  expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(about)
})

test('a country that we do not deliver to is refused', async () => {
  const shopper = world.shopper()
  await shopper.adds('hat')
  expect(await cartTo(shopper, 'ZZ')).toMatchObject({ status: 422, body: { code: 'country_unsupported' } })
  expect(await cartTo(shopper, 'germany')).toMatchObject({ status: 422, body: { code: 'invalid' } })
})

test('an empty cart and an unknown piece have no quote', async () => {
  expect(await cartTo(world.shopper(), 'DE')).toMatchObject({ body: { code: 'cart_empty' } })
  const unknown = await world.shopper().send('GET', '/api/door?variantId=1&country=DE')
  expect(unknown).toMatchObject({ body: { code: 'unknown_variant' } })
})

test('a code and a number of pieces count without a cart, and guessing codes is limited', async () => {
  await using own = await openWorld({ env: { RATE_LIMIT_SCALE: '1' } })
  const owner = own.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const made = { code: 'DOOR15', benefit: { kind: 'percent', basisPoints: 1500 } }
  expect((await owner.send('POST', '/api/admin/codes?accepted=1', made)).status).toBe(200)
  const shopper = own.shopper()
  await shopper.adds('hat')
  const [line] = (await shopper.send<{ productId: number; variantId: number }[]>('GET', '/api/cart')).body
  const to = async (more: Record<string, string | number>) => {
    const query = new URLSearchParams({ variantId: String(line?.variantId), country: 'DE' })
    for (const [name, value] of Object.entries(more)) query.set(name, String(value))
    return shopper.send<WireQuote & Refused>('GET', `/api/door?${query}`)
  }
  const { body: one } = await to({ productId: line?.productId ?? 0 })
  expect(one.discount).toBe(0)
  const { body: three } = await to({ quantity: 3, code: 'door15' })
  expect(three).toMatchObject({ goods: one.goods * 3, discount: Math.round(one.goods * 3 * 0.15) })
  for (const wrong of [{ quantity: 0 }, { quantity: 100 }, { quantity: 'x' }])
    expect(await to(wrong)).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await to({ productId: 999_999 })).toMatchObject({ body: { code: 'unknown_variant' } })
  const guesses = []
  for (let n = 0; n < 12; n += 1) guesses.push((await to({ code: `GUESS${n}` })).body.code)
  expect(guesses.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => 'code_unusable'))
  expect(guesses.slice(9)).toEqual(['too_many', 'too_many', 'too_many'])
})

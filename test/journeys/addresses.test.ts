import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { needsState } from '#domain/checkout/address.ts'
import { alternateCountries, mainCountries } from '#domain/checkout/countries.ts'
import { postalCodeExample } from '#domain/checkout/postal-codes.ts'
import { regionsOf } from '#domain/checkout/regions.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

let world: World
let shopper: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  shopper = world.shopper()
  await shopper.adds('mouse pad')
})

const saoPaulo = {
  line1: 'Avenida Paulista 1578',
  line2: null,
  city: 'São Paulo',
  state: 'SP',
  postal_code: '01310-200',
  country: 'BR',
}
const CPF = '529.982.247-25'

const startsWith = (info: object) =>
  shopper.send<{ payment_intent: string; client_secret: string; code?: string; fields?: Record<string, string> }>(
    'POST',
    '/api/create-payment-intent',
    { customerInfo: { ...shopper.customerInfo(addresses.newYork), ...info }, termsAccepted: true },
  )
const startsTo = (shippingAddress: object) => startsWith({ shippingAddress })
const payments = () => world.simulators.stripe.ledger().payments?.length

describe('a country', () => {
  test.each([['br'], ['BRA'], [' BR'], ['ＢＲ'], ['KP'], ['XX'], [''], [null], [7], ['🇧🇷']])(
    'written %j is refused before anything starts',
    async (country) => {
      const before = payments()
      const { status, body } = await startsTo({ ...saoPaulo, country })
      expect(status).toBe(422)
      expect(body.code).toMatch(/^(?:invalid|country_unsupported)$/)
      expect(payments()).toBe(before)
    },
  )

  test('is served by the checkout that offers it, and by no other', async () => {
    for (const country of mainCountries) {
      const { status, body } = await shopper.send('POST', '/api/create-payment-intent', {
        customerInfo: { ...shopper.customer, address: { line1: '1', city: 'X', country } },
      })
      const isOffered = (alternateCountries as readonly string[]).includes(country)
      const [code, field] = isOffered ? ['invalid', 'postal_code'] : ['country_unsupported', 'country']
      expect([status, body['code']], country).toEqual([422, code])
      expect(body['fields'], country).toHaveProperty([`customerInfo.address.${field}`])
    }
  })

  test('named America over a Brazilian address does not avoid the surcharge', async () => {
    await shopper.adds('pillow')
    const { status, body } = await startsTo({ ...saoPaulo, country: 'US' })
    expect({ status, fields: body.fields }).toEqual({
      status: 422,
      fields: {
        'customerInfo.shippingAddress.state': 'Please enter a state such as California or CA',
        'customerInfo.shippingAddress.postal_code': 'Please enter a ZIP code such as 94105',
      },
    })
  })
})

describe('every country on the list', () => {
  const addressIn = (country: string) => ({
    line1: '1 High Street',
    city: 'Market Town',
    state: needsState(country) ? (regionsOf(country)?.[0]?.name ?? null) : null,
    postal_code: postalCodeExample(country) ?? null,
    country,
  })

  test('of the main checkout is accepted by the shop and by the printer', async () => {
    await using others = await openWorld()
    for (const country of mainCountries) {
      const someone = others.shopper()
      await someone.adds('mouse pad')
      const customerInfo = { ...someone.customerInfo(addressIn(country)), tax_number: CPF }
      const started = await someone.startsPayment(addressIn(country), { customerInfo })
      expect(started.status, country).toBe(200)
      expect(await someone.confirms(started.body), country).toMatchObject({ status: 'succeeded' })
      expect((await someone.returnsToShop(started.body.payment_intent)).body, country).toMatchObject({ success: true })
    }
    await others.settled()
    const orders = await others.audit<{ fulfilment_status: string }>('orders')
    expect(orders.map(({ fulfilment_status: status }) => status)).toEqual(mainCountries.map(() => 'submitted'))
    const countries = (await others.audit<{ country: string }>('checkouts')).map(({ country }) => country)
    expect(countries.toSorted()).toEqual(mainCountries.toSorted())
  })

  test('of the main checkout can pay by wallet', async () => {
    for (const country of mainCountries) {
      const customerInfo = { ...shopper.customerInfo(addressIn(country)), tax_number: CPF }
      const { status, body } = await shopper.send('POST', '/paypal/order', { customerInfo })
      expect([status, body['id']], country).toEqual([200, expect.any(String)])
    }
  })

  test('of the alternate checkout can pay', async () => {
    for (const country of alternateCountries) {
      const customerInfo = { ...shopper.customer, phone: null, address: addressIn(country) }
      const { status } = await shopper.send('POST', '/api/create-payment-intent', { customerInfo })
      expect(status, country).toBe(200)
    }
  })
})

test('one address in several spellings is one checkout, stored the way its postal service writes it', async () => {
  const spellings = [
    { ...addresses.newYork, state: 'NY', postal_code: '10118-1234' },
    { ...addresses.newYork, state: ' new york ', postal_code: ' 101181234 ' },
    { ...addresses.newYork, state: 'NEW YORK', postal_code: '１０１１８－１２３４' },
  ]
  const intents = new Set<string>()
  for (const to of spellings) intents.add((await startsTo(to)).body.payment_intent)
  expect(intents.size).toBe(1)
  const { rows } = await world.running.shop.database.pool.query<{ address: object }>(
    `select frozen -> 'shippingAddress' as address from checkout_version order by frozen_at desc limit 1`,
  )
  expect(rows[0]?.address).toMatchObject({ state: 'NY', postalCode: '10118-1234' })
})

describe('a postal code that the tax provider does not know', () => {
  test('is refused beside its field, with no payment and no tax of 0', async () => {
    const before = payments()
    const nowhere = { ...addresses.newYork, postal_code: '00000' }
    expect(await startsTo(nowhere)).toMatchObject({
      status: 422,
      body: {
        code: 'address_refused',
        fields: { 'customerInfo.shippingAddress.postal_code': 'Please check the postal code, city and state.' },
      },
    })
    expect(await shopper.send('POST', '/api/calculate-taxes', { customerAddress: nowhere })).toMatchObject({
      status: 422,
      body: { code: 'address_refused', fields: { 'customerAddress.postal_code': expect.any(String) } },
    })
    expect(payments()).toBe(before)
  })
})

describe('a parcel to Brazil', () => {
  test.each([
    [undefined, 'Required'],
    [null, 'Required'],
    ['   ', 'Required'],
    ['529.982.247-24', expect.stringContaining('Please enter a CPF')],
    ['00000000000', expect.stringContaining('Please enter a CPF')],
    ['9'.repeat(31), 'Please use at most 30 characters'],
  ])('with the tax number %j is refused beside the field', async (tax_number, sentence) => {
    const before = payments()
    const { status, body } = await startsWith({ shippingAddress: saoPaulo, tax_number })
    expect({ status, fields: body.fields }).toEqual({ status: 422, fields: { 'customerInfo.tax_number': sentence } })
    expect(payments()).toBe(before)
  })

  test('sends its tax number to the printer, and stores it nowhere else', async () => {
    const records: string[] = []
    const started = await startsWith({ shippingAddress: saoPaulo, tax_number: ' 52998224725 ' })
    expect(started.status).toBe(200)
    await shopper.confirms(started.body)
    records.push(JSON.stringify(await shopper.returnsToShop(started.body.payment_intent)))
    await world.settled()

    const [order] = await world.audit<{ order_number: string; fulfilment_status: string }>('orders')
    expect(order?.fulfilment_status).toBe('submitted')
    const drafts = world.simulators.kit.log
      .since(0)
      .filter(({ method, path }) => method === 'POST' && path === '/orders')
    expect(drafts.at(-1)?.request).toMatchObject({
      recipient: { country_code: 'BR', zip: '01310-200', tax_number: CPF },
    })

    for (const view of ['orders', 'checkouts', 'lines', 'payments', 'events', 'jobs', 'mails'])
      records.push(JSON.stringify(await world.audit(view)))
    records.push(JSON.stringify(await shopper.send('GET', `/api/payment-success/${started.body.payment_intent}`)))
    records.push(JSON.stringify(world.mailbox.list()))
    const others = world.simulators.kit.log.since(0).filter(({ provider }) => provider !== 'printful')
    records.push(JSON.stringify(others))
    expect(records.join()).not.toMatch(/529\.?982\.?247-?25/)
  })

  test('can be paid by wallet, and the wallet never sees its tax number', async () => {
    const customerInfo = shopper.customerInfo(saoPaulo)
    const orderedWith = (more: object) =>
      shopper.send<{ id: string; fields?: object }>('POST', '/paypal/order', {
        customerInfo: { ...customerInfo, ...more },
      })
    expect(await orderedWith({})).toMatchObject({
      status: 422,
      body: { fields: { 'customerInfo.tax_number': 'Required' } },
    })
    const { status, body } = await orderedWith({ tax_number: CPF })
    expect(status).toBe(200)
    const walletOrders = world.simulators.kit.log.since(0).filter(({ path }) => path === '/v2/checkout/orders')
    expect(JSON.stringify(walletOrders)).toContain(body.id)
    expect(JSON.stringify(walletOrders)).not.toMatch(/529\.?982/)
  })

  test('that changes to another country drops the tax number', async () => {
    await startsWith({ tax_number: CPF })
    const { rows } = await world.running.shop.database.pool.query<{ customer: object }>(
      `select frozen -> 'customer' as customer from checkout_version order by frozen_at desc limit 1`,
    )
    expect(rows[0]?.customer).toMatchObject({ taxNumber: null })
  })
})

describe('the length of a field', () => {
  const longest = { line1: 200, line2: 200, city: 100 } as const
  const cases = Object.entries(longest).map(([field, max]) => ({ field, max }))

  test.each(cases)('$field is accepted up to $max characters (S91)', async ({ field, max }) => {
    const to = (text: string) => startsTo({ ...addresses.newYork, [field]: text })
    expect((await to('x')).status).toBe(200)
    expect((await to('x'.repeat(max))).status).toBe(200)
    expect(await to('x'.repeat(max + 1))).toMatchObject({
      status: 422,
      body: { fields: { [`customerInfo.shippingAddress.${field}`]: `Please use at most ${max} characters` } },
    })
  })

  test.each(['line1', 'city', 'state', 'postal_code'])('%s may not be blank', async (field) => {
    for (const blank of ['', '   ', '\t\u00a0'])
      expect(await startsTo({ ...addresses.newYork, [field]: blank })).toMatchObject({
        status: 422,
        body: { fields: { [`customerInfo.shippingAddress.${field}`]: 'Required' } },
      })
  })

  test('a name is accepted up to 120 characters, and may not be blank', async () => {
    expect((await startsWith({ name: 'x'.repeat(120) })).status).toBe(200)
    expect(await startsWith({ name: 'x'.repeat(121) })).toMatchObject({
      status: 422,
      body: { fields: { 'customerInfo.name': 'Please use at most 120 characters' } },
    })
    expect(await startsWith({ name: ' \t ' })).toMatchObject({
      status: 422,
      body: { fields: { 'customerInfo.name': 'Required' } },
    })
  })

  test('an email is accepted up to 254 characters, and may not be blank', async () => {
    const ofLength = (length: number) =>
      `${'a'.repeat(length - 194)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(10)}`
    expect(ofLength(254)).toHaveLength(254)
    expect((await startsWith({ email: ofLength(253) })).status).toBe(200)
    expect((await startsWith({ email: ofLength(254) })).status).toBe(200)
    expect((await startsWith({ email: ofLength(255) })).status).toBe(422)
    expect((await startsWith({ email: '   ' })).status).toBe(422)
  })

  test('emoji and four-byte letters are stored unchanged', async () => {
    const name = 'Ada 🐶 𝔄𝔡𝔞'
    const line1 = '🐶'.repeat(100)
    expect((await startsWith({ name, shippingAddress: { ...addresses.newYork, line1 } })).status).toBe(200)
    const { rows } = await world.running.shop.database.pool.query<{ frozen: object }>(
      `select frozen from checkout_version order by frozen_at desc limit 1`,
    )
    expect(rows[0]?.frozen).toMatchObject({ customer: { name }, shippingAddress: { line1 } })
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { WireQuote } from '#contract/quote.ts'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import { ESTIMATED_SHIPPING_NOTICE, ESTIMATED_TAX_NOTICE } from '#domain/checkout/quote.ts'
import type { VariantId } from '#shared/ids.ts'
import { cents, decimalFromCents, negate, sum, ZERO, type Cents } from '#shared/money.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'
import { expectBooksAgree, ordersOf } from './invariants.ts'

/** The demo's account collects no tax here, and the printer charges 10 %. */
const seoul = { line1: '110 Sejong-daero', city: 'Seoul', state: null, postal_code: '04524', country: 'KR' }
const hongKong = { line1: '1 Queen’s Road', city: 'Central', state: null, postal_code: null, country: 'HK' }
const { berlin, newYork, sydney } = addresses

const ESTIMATE = '/orders/estimate-costs'
const RATES = '/shipping/rates'
/** The shop's promise: an answer within eight seconds. */
const TIMEOUT_MS = 8000

type Started = {
  shipping_cost: Cents
  tax_amount: Cents
  vat_protection: Cents
  total_amount: Cents
  subtotal: Cents
  summary: { notices: string[]; shippingMethod: string; minimumAge: number | null; taxLabel: string }
}
const startedOf = (body: unknown) => body as Started

const callsTo = ({ simulators }: World, path: string) =>
  simulators.kit.log.since(0).filter((call) => call.path === path)

/** The items in the latest request for shipping rates. */
const lastAsked = (world: World) =>
  (callsTo(world, RATES).at(-1)?.request as { items: { variant_id: number; quantity: number }[] } | undefined)?.items ??
  []

type TaxRow = { tax_report: string; tax_transaction_id: string | null; tax_evidence: TaxEvidence; order_number: string }
const taxRowsOf = async ({ shop }: World): Promise<TaxRow[]> =>
  (
    await shop.database.pool.query<TaxRow>(
      'select order_number, tax_report, tax_transaction_id, tax_evidence from shop_order order by id',
    )
  ).rows

const failing = (world: World, provider: 'stripe' | 'printful', path: string, how: object | 'hang' = { status: 500 }) =>
  world.simulators.kit.rules.add({
    provider,
    match: { path },
    when: 'before',
    do: how === 'hang' ? 'hang' : { body: {}, ...how },
    times: 20,
  })

describe('the printer’s own consumption tax', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('is charged where the tax provider collects none, shown beside the tax and booked separately', async () => {
    const shopper = world.shopper()
    const payment = await shopper.paysByCard({ buying: 'mug', quantity: 2, to: seoul })
    const start = startedOf(payment)
    expect(start).toMatchObject({ tax_amount: 0, summary: { taxLabel: 'Country Consumption Tax', notices: [] } })
    expect(start.vat_protection).toBeGreaterThan(1)
    expect(start.total_amount).toBe(start.subtotal + start.shipping_cost + start.vat_protection)

    await payment.returnsToShop()
    await world.settled()
    const [order] = await ordersOf(world)
    expect(order).toMatchObject({ tax_cents: '0', vat_protection_cents: String(start.vat_protection) })
    const made = callsTo(world, '/orders').at(-1)?.answer as { result: { costs: { vat: string; tax: string } } }
    expect(made.result.costs).toMatchObject({ vat: decimalFromCents(start.vat_protection), tax: '0.00' })
    const booked = await world.audit<{ account: string; amount_cents: string }>('ledger')
    expect(booked.filter(({ account }) => account === 'liability:tax')).toEqual([])
    expect(booked.find(({ account }) => account === 'liability:vat_protection')).toMatchObject({
      amount_cents: String(negate(start.vat_protection)),
    })
    const [{ tax_evidence: evidence } = { tax_evidence: undefined }] = await taxRowsOf(world)
    expect(evidence).toMatchObject({
      source: 'stripe_tax',
      reasons: ['not_collecting'],
      vatProtection: { source: 'partner_estimate', amount: start.vat_protection },
    })
    await expectBooksAgree(world)
  })

  test('is requested once per cart and address, however often the page is loaded', async () => {
    const shopper = world.shopper()
    await shopper.adds('tote')
    const before = callsTo(world, ESTIMATE).length
    const preview = () =>
      shopper.send<{ quote: WireQuote; notices: string[] }>('POST', '/api/calculate-taxes', {
        customerAddress: seoul,
      })
    const [first, second] = await Promise.all([preview(), preview()])
    const start = startedOf((await shopper.startsPayment(seoul)).body)
    expect(first?.body).toMatchObject({ quote: { vatProtection: start.vat_protection }, notices: [] })
    expect(second?.body.quote.vatProtection).toBe(start.vat_protection)
    expect(callsTo(world, ESTIMATE).length - before).toBe(1)
    const requestText = JSON.stringify(callsTo(world, ESTIMATE).at(-1)?.request)
    expect(requestText).not.toContain(shopper.customer.email)
    expect(requestText).not.toContain(shopper.customer.name)
  })

  test('is zero where there is no such tax, and never requested at home or beside a tax', async () => {
    const shopper = world.shopper()
    await shopper.adds('hat')
    const before = callsTo(world, ESTIMATE).length
    for (const home of [newYork, berlin])
      expect((await shopper.startsPayment(home)).body).toMatchObject({ vat_protection: 0 })
    expect(callsTo(world, ESTIMATE)).toHaveLength(before)
    expect((await shopper.startsPayment(hongKong)).body).toMatchObject({ tax_amount: 0, vat_protection: 0 })
    expect(callsTo(world, ESTIMATE)).toHaveLength(before + 1)
  })

  test('is part of the wallet’s tax', async () => {
    const shopper = world.shopper()
    await shopper.adds('mug')
    const { body } = await shopper.startsWallet(seoul)
    const made = callsTo(world, '/v2/checkout/orders').at(-1)?.request as {
      purchase_units: { amount: { value: string; breakdown: { tax_total: { value: string } } } }[]
    }
    expect(body.id).toBeTruthy()
    const [unit] = made.purchase_units
    const start = startedOf((await shopper.startsPayment(seoul)).body)
    expect(unit?.amount.breakdown.tax_total.value).toBe(decimalFromCents(start.vat_protection))
    expect(unit?.amount.value).toBe(decimalFromCents(start.total_amount))
  })

  test('of a single cent has no line, and is not charged', async () => {
    const shopper = world.shopper()
    await shopper.adds('visor')
    const result = { costs: { currency: 'USD', tax: 0, vat: 0.01 } }
    world.simulators.kit.rules.add({
      provider: 'printful',
      match: { path: ESTIMATE },
      when: 'before',
      do: { status: 200, body: { code: 200, result } },
    })
    expect((await shopper.startsPayment(seoul)).body).toMatchObject({ vat_protection: 0 })
  })

  test('an address the printer cannot deliver to is refused beside its field, and nothing starts', async () => {
    const shopper = world.shopper()
    await shopper.adds('hat')
    const before = world.simulators.stripe.ledger().payments?.length ?? 0
    world.simulators.kit.rules.add({
      provider: 'printful',
      match: { path: ESTIMATE },
      when: 'before',
      do: { status: 400, body: { code: 400, result: 'Recipient: ZIP/Postal code is invalid', error: null } },
    })
    expect(await shopper.startsPayment({ ...seoul, postal_code: '99999' })).toMatchObject({
      status: 422,
      body: { code: 'address_refused', fields: { 'customerInfo.shippingAddress.postal_code': expect.any(String) } },
    })
    expect(world.simulators.stripe.ledger().payments).toHaveLength(before)
  })
})

test.each([['fails', { status: 500 }], ['hangs', 'hang'] as const])(
  'a printer that %s blocks no payment: the tax is 0 and the page says so, and the next page does not wait',
  async (_, how) => {
    await using world = await openWorld()
    const shopper = world.shopper()
    await shopper.adds('hat')
    failing(world, 'printful', ESTIMATE, how)
    const began = Date.now()
    const start = await shopper.startsPayment(seoul)
    expect(Date.now() - began).toBeLessThan(TIMEOUT_MS)
    expect(start.status).toBe(200)
    expect(startedOf(start.body)).toMatchObject({ vat_protection: 0, summary: { notices: [ESTIMATED_TAX_NOTICE] } })

    await shopper.adds('mug')
    const again = await shopper.send('POST', '/api/calculate-taxes', { customerAddress: seoul })
    expect(again.body).toMatchObject({ quote: { vatProtection: 0 }, notices: [ESTIMATED_TAX_NOTICE] })
    expect(callsTo(world, ESTIMATE)).toHaveLength(1)

    await shopper.confirms(start.body)
    await shopper.returnsToShop(start.body.payment_intent)
    expect((await taxRowsOf(world))[0]?.tax_evidence.vatProtection).toEqual({ source: 'unavailable', amount: 0 })
  },
)

describe('the tax provider’s records', () => {
  test('have every sale once, under its order number, however it was paid', async () => {
    await using world = await openWorld()
    const byCard = await world.shopper().paysByCard({ to: berlin })
    await byCard.returnsToShop()
    const other = world.shopper()
    const wallet = await other.approvesWallet({ buying: 'mug' })
    await other.captures(wallet)
    await other.processes(wallet)
    await world.settled()
    const rows = await taxRowsOf(world)
    expect(rows).toHaveLength(2)
    for (const { tax_report: report, tax_transaction_id: id, order_number: number, tax_evidence: evidence } of rows) {
      expect(report).toBe('reported')
      const call = callsTo(world, '/v1/tax/transactions/create_from_calculation').filter(
        ({ answer }) => (answer as { id: string }).id === id,
      )
      expect(call).toHaveLength(1)
      expect(call[0]?.answer).toMatchObject({ reference: number, type: 'transaction' })
      expect(call[0]?.request).toMatchObject({ calculation: evidence.calculationId })
    }
    const [sold] = rows
    expect(sold?.tax_evidence).toMatchObject({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      source: 'stripe_tax',
      address: { city: 'Berlin', postalCode: '10117', country: 'DE' },
      rates: [{ jurisdiction: 'DE', type: 'vat', percentage: '19.0' }],
      reasons: ['standard_rated'],
    })
    expect(sold?.tax_evidence.tax).toBe(sold?.tax_evidence.rates.reduce((sum, { amount }) => sum + amount, 0))
  })

  test.each(['before', 'after'] as const)(
    'get a sale once, even if the call fails %s it was carried out',
    async (when) => {
      await using world = await openWorld()
      world.simulators.kit.rules.add({
        provider: 'stripe',
        match: { path: '/v1/tax/transactions/**' },
        when,
        do: 'reset',
        times: 3,
      })
      await (await world.shopper().paysByCard()).returnsToShop()
      await expect.poll(async () => (await taxRowsOf(world))[0]?.tax_report, { timeout: 50_000 }).toBe('reported')
      const made = callsTo(world, '/v1/tax/transactions/create_from_calculation').flatMap(({ answer }) => {
        const { id } = answer as { id?: string }
        return id?.startsWith('tax_') ? [id] : []
      })
      expect(new Set(made).size).toBe(1)
      expect((await taxRowsOf(world))[0]?.tax_transaction_id).toBe(made[0])
    },
  )

  test('that already have the sale, under a key they deleted, stay unchanged', async () => {
    await using world = await openWorld()
    world.simulators.kit.rules.add({
      provider: 'stripe',
      match: { path: '/v1/tax/transactions/**' },
      when: 'before',
      do: {
        status: 400,
        body: {
          error: {
            type: 'invalid_request_error',
            message: 'A tax transaction with the reference ‘K7QM-4T2X’ already exists.',
          },
        },
      },
    })
    await (await world.shopper().paysByCard()).returnsToShop()
    await world.settled()
    expect(await taxRowsOf(world)).toMatchObject([{ tax_report: 'reported', tax_transaction_id: null }])
  })

  test('get a sale whose job was lost from the sweep', async () => {
    await using world = await openWorld()
    failing(world, 'stripe', '/v1/tax/transactions/**')
    await (await world.shopper().paysByCard()).returnsToShop()
    await world.shop.database.pool.query(`delete from pgboss.job where name = 'record-tax'`)
    expect(await taxRowsOf(world)).toMatchObject([{ tax_report: 'waiting' }])
    world.simulators.kit.rules.clear()
    await world.advance(11 * 60_000)
    await world.sweep()
    await expect.poll(async () => (await taxRowsOf(world))[0]?.tax_report, { timeout: 20_000 }).toBe('reported')
  })

  test('never get a sale without a tax calculation, or whose calculation expired: it is marked', async () => {
    await using world = await openWorld()
    failing(world, 'stripe', '/v1/tax/calculations')
    const untaxed = await world.shopper().paysByCard({ to: sydney })
    world.simulators.kit.rules.clear()
    await untaxed.returnsToShop()

    const late = await world.shopper().paysByCard()
    // Calculations are kept for 90 days.
    await world.simulators.kit.clock.advance(91 * 86_400_000)
    await late.returnsToShop()
    await world.settled()
    expect(await taxRowsOf(world)).toMatchObject([
      { tax_report: 'not_reported', tax_transaction_id: null, tax_evidence: { source: 'unavailable' } },
      { tax_report: 'not_reported', tax_transaction_id: null, tax_evidence: { source: 'stripe_tax' } },
    ])
  })
})

describe.each(['card', 'wallet'] as const)('a %s payment', (by) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterEach(() => world.simulators.kit.rules.clear())
  afterAll(() => world[Symbol.asyncDispose]())

  type Start = { status: number; body: unknown }
  const starts = (shopper: ReturnType<World['shopper']>, to: object, more: object = {}): Promise<Start> =>
    by === 'card' ? shopper.startsPayment(to, more) : shopper.startsWallet(to, more)
  const amountsAtProviders = () =>
    [...(world.simulators.stripe.ledger().payments ?? []), ...callsTo(world, '/v2/checkout/orders')].length

  test.each([['fails', { status: 500 }], ['hangs', 'hang'] as const])(
    'starts without tax when the provider %s, with the surcharge, and the checkout says why',
    async (_, how) => {
      const shopper = world.shopper()
      await shopper.adds('pillow')
      failing(world, 'stripe', '/v1/tax/calculations', how)
      const began = Date.now()
      expect((await starts(shopper, sydney)).status).toBe(200)
      expect(Date.now() - began).toBeLessThan(TIMEOUT_MS)
      for (const checkout of await world.audit('checkouts'))
        expect(checkout).toMatchObject({ tax_cents: '0', surcharge_cents: '3499', vat_protection_cents: '0' })
      const { rows } = await world.shop.database.pool.query<{ basis: object; notices: string[] }>(
        `select frozen->'taxBasis' as basis, frozen->'quote'->'notices' as notices from checkout_version
         order by frozen_at desc limit 1`,
      )
      expect(rows).toEqual([
        {
          basis: { source: 'unavailable', reasons: [], vatProtection: 'not_asked' },
          notices: [ESTIMATED_TAX_NOTICE],
        },
      ])
    },
  )

  test('never starts for an address the tax provider rejects, whatever tax the page shows (S11)', async () => {
    const shopper = world.shopper()
    await shopper.adds('hat')
    const before = amountsAtProviders()
    for (const nowhere of [
      { ...newYork, postal_code: '00000' },
      { ...newYork, line1: 'FAIL TAX' },
    ])
      expect(await starts(shopper, nowhere, { orderSummary: { tax: 0 } })).toMatchObject({
        status: 422,
        body: { code: 'address_refused', fields: { 'customerInfo.shippingAddress.postal_code': expect.any(String) } },
      })
    expect(amountsAtProviders()).toBe(before)
  })
})

test('an address the tax provider rejects is already refused while it is typed', async () => {
  await using world = await openWorld()
  const shopper = world.shopper()
  await shopper.adds('hat')
  for (const customerAddress of [
    { ...newYork, postal_code: '00000' },
    { ...newYork, line1: 'FAIL TAX' },
  ])
    expect(await shopper.send('POST', '/api/calculate-taxes', { customerAddress })).toMatchObject({
      status: 422,
      body: { code: 'address_refused', fields: { 'customerAddress.postal_code': expect.any(String) } },
    })
})

describe('a shop that passes on the printer’s rates', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ env: { SHIPPING: 'partner' } })
  })
  afterEach(() => world.simulators.kit.rules.clear())
  afterAll(() => world[Symbol.asyncDispose]())

  test('charges them plus surcharges, and requests them once by the catalog’s variants', async () => {
    const shopper = world.shopper()
    await shopper.adds('pillow', 2)
    const before = callsTo(world, RATES).length
    const preview = await shopper.send<{ cost: number; method: string; notices: string[] }>(
      'POST',
      '/api/calculate-shipping',
      { shippingAddress: sydney },
    )
    expect(preview.body).toMatchObject({ cost: 749 + 195 + 6998, method: 'Flat Rate', notices: [] })
    const payment = await shopper.startsPayment(sydney)
    expect(payment.body.shipping_cost).toBe(preview.body.cost)
    expect(startedOf(payment.body).summary.shippingMethod).toBe('Flat Rate')
    expect(callsTo(world, RATES).length - before).toBe(1)
    const { rows } = await world.shop.database.pool.query<{ id: string }>(
      'select catalog_variant_id as id from variant',
    )
    expect(rows.map(({ id }) => Number(id))).toContain(lastAsked(world)[0]?.variant_id)

    await shopper.confirms(payment.body)
    await shopper.returnsToShop(payment.body.payment_intent)
    const booked = await world.audit<{ account: string; amount_cents: string }>('ledger')
    expect(booked).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ account: 'revenue:shipping', amount_cents: '-944' }),
        expect.objectContaining({ account: 'revenue:surcharge', amount_cents: '-6998' }),
      ]),
    )
  })

  test('requests a hundred items at most, and charges each further one its share', async () => {
    const shopper = world.shopper()
    await shopper.adds('mug', 99)
    await shopper.adds('mouse pad', 51)
    const { body } = await shopper.send<{ cost: number }>('POST', '/api/calculate-shipping', { destination: newYork })
    expect(lastAsked(world).map(({ quantity }) => quantity)).toEqual([99, 1])
    expect(body.cost).toBe(Math.round(((475 + 160 * 99) * 150) / 100))
  })

  test('refuses an address the printer refuses, beside its field, and starts no payment', async () => {
    const shopper = world.shopper()
    await shopper.adds('hat')
    const nowhere = { ...berlin, postal_code: '00000' }
    expect(await shopper.send('POST', '/api/calculate-shipping', { shippingAddress: nowhere })).toMatchObject({
      status: 422,
      body: { code: 'address_refused', fields: { 'shippingAddress.postal_code': expect.any(String) } },
    })
    expect((await shopper.startsPayment(nowhere)).status).toBe(422)
  })

  test('never sells at a made-up rate while the printer rejects its requests', async () => {
    const shopper = world.shopper()
    await shopper.adds('hat', 3)
    const error = { reason: 'Unauthorized', message: 'The access token provided is invalid.' }
    failing(world, 'printful', RATES, { status: 401, body: { code: 401, result: error.message, error } })
    expect(await shopper.startsPayment(berlin)).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
  })
})

test.each([['fails', { status: 503 }], ['hangs', 'hang'] as const])(
  'a rate is 5.99, and the page says so, while the printer %s; the surcharge stays (F31)',
  async (_, how) => {
    await using world = await openWorld({ env: { SHIPPING: 'partner' } })
    const shopper = world.shopper()
    await shopper.adds('pillow')
    failing(world, 'printful', RATES, how)
    const began = Date.now()
    const { status, body } = await shopper.startsPayment(sydney)
    expect(Date.now() - began).toBeLessThan(TIMEOUT_MS)
    expect(status).toBe(200)
    expect(startedOf(body)).toMatchObject({
      shipping_cost: 599 + 3499,
      summary: { shippingMethod: 'Standard shipping', notices: [ESTIMATED_SHIPPING_NOTICE] },
    })
    const preview = await shopper.send('POST', '/api/calculate-shipping', { shippingAddress: sydney })
    expect(preview.body).toMatchObject({
      cost: 599 + 3499,
      method: 'Standard shipping',
      notices: [ESTIMATED_SHIPPING_NOTICE],
    })
  },
)

describe('an age-restricted product', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('can be bought only by confirming the age, by card and by wallet', async () => {
    const shopper = world.shopper()
    const { rows } = await world.shop.database.pool.query<{ name: string; age: number }>(
      `select name, (metadata->'restrictions'->>'minimumAge')::int as age from product
       where metadata->'restrictions'->>'minimumAge' is not null`,
    )
    const [{ name, age } = { name: '', age: 0 }] = rows
    await shopper.adds(name)
    await shopper.adds('mug')
    const message = `${name} is only for people ${age} and over. Please confirm your age.`
    for (const answer of [
      await shopper.startsPayment(),
      await shopper.startsPayment(newYork, { ageConfirmed: false }),
      await shopper.startsWallet(),
    ])
      expect(answer).toMatchObject({ status: 422, body: { code: 'age_unconfirmed', message } })
    expect(await world.audit('checkouts')).toEqual([])

    const start = await shopper.startsPayment(newYork, { ageConfirmed: true })
    expect(startedOf(start.body).summary).toMatchObject({ minimumAge: age })
    expect((await shopper.startsPayment()).status).toBe(422)
    expect((await shopper.startsWallet(newYork, { ageConfirmed: true })).status).toBe(200)
  })

  test('says so before payment; other products ask for no age', async () => {
    const shopper = world.shopper()
    await shopper.adds('mug')
    const ask = () => shopper.send('POST', '/api/calculate-shipping', { shippingAddress: newYork })
    expect((await ask()).body).toMatchObject({ minimum_age: null, notices: [] })
    expect(startedOf((await shopper.startsPayment()).body).summary.minimumAge).toBeNull()
  })

  test('a product that takes longer to reach a country says so there', async () => {
    const { rows } = await world.shop.database.pool.query<{ name: string; region: string }>(
      `select name, metadata->'restrictions'->'delayRegions'->>0 as region from product
       where jsonb_array_length(coalesce(metadata->'restrictions'->'delayRegions', '[]')) > 0`,
    )
    const [{ name, region } = { name: '', region: '' }] = rows
    expect(region).toBe('AU')
    const shopper = world.shopper()
    await shopper.adds(name)
    expect(startedOf((await shopper.startsPayment(sydney)).body).summary.notices).toEqual([
      `${name} takes longer than usual to reach Australia.`,
    ])
    expect(startedOf((await shopper.startsPayment(berlin)).body).summary.notices).toEqual([])
  })
})

test('pieces of one variant at two prices are taxed as two lines', async () => {
  await using world = await openWorld()
  const hat = ((await world.shopper().firstVariant(await world.shopper().find('hat'))) ?? 0) as VariantId
  const lines = [
    { variantId: hat, unitPrice: cents(3000), quantity: 1 },
    { variantId: hat, unitPrice: cents(2000), quantity: 1 },
  ]
  const { line1, city, state, postal_code: postalCode, country } = newYork
  const to = { line1, line2: null, city, state, postalCode, country }
  const both = await world.shop.stripe.calculateTax(lines, ZERO, to)
  const alone = await Promise.all(lines.map((line) => world.shop.stripe.calculateTax([line], ZERO, to)))
  expect(both.amount).toBe(sum(alone.map(({ amount }) => amount)))
})

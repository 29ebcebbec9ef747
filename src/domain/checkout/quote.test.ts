import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents, sum, times, ZERO } from '#shared/money.ts'
import { mainCountries } from './countries.ts'
import {
  ageLimitOf,
  needsVatProtection,
  ESTIMATED_SHIPPING_NOTICE,
  ESTIMATED_TAX_NOTICE,
  noticesFor,
  quoteFor,
  restrictionFor,
  shippingTo,
  STANDARD_SHIPPING,
  taxLabelOf,
  taxRowsOf,
  type PricedLine,
  type Quote,
  type TaxAnswer,
} from './quote.ts'

const line = (
  productName: string,
  unitPrice: number,
  quantity: number,
  metadata: ProductMetadata = {},
): PricedLine => ({
  productId: 1 as ProductId,
  variantId: 2 as VariantId,
  productName,
  variantName: null,
  imageUrl: null,
  collection: 'rudy',
  unitPrice: cents(unitPrice),
  quantity,
  metadata,
})

const pillowMetadata: ProductMetadata = {
  shippingSurcharge: {
    amount: cents(3499),
    regions: ['BR', 'JP', 'AU', 'NZ'],
    description: 'Pillows travel alone: $34.99 each to this country.',
    enabled: true,
  },
}
const hat = (quantity = 1) => line('Vented Hat', 3495, quantity)
const pillow = (quantity = 1) => line('Ingots Pillow', 4250, quantity, pillowMetadata)

const taxed = (amount: number): TaxAnswer => ({
  amount: cents(amount),
  breakdown: [],
  calculationId: 'taxcalc_1',
  estimated: false,
  reasons: ['standard_rated'],
})
const untaxed = { ...taxed(0), reasons: ['not_collecting'] }
const unavailable: TaxAnswer = { ...untaxed, calculationId: null, estimated: true }

/** Every case ends with it: what is shown is what is charged. */
function expectQuoteAddsUp(quote: Quote, lines: readonly PricedLine[]): void {
  expect(quote.subtotal).toBe(sum(lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity))))
  expect(quote.total).toBe(sum([quote.subtotal, quote.shipping, quote.tax, quote.vatProtection]))
  expect(sum(quote.shippingSurcharges.map(({ amount }) => amount))).toBe(quote.surcharge)
  expect(quote.surcharge).toBeLessThanOrEqual(quote.shipping)
  expect(quote.surcharge > 0).toBe(quote.surchargeDisclosures.length > 0)
}

describe('a quote', () => {
  test.each([
    ['a hat to San Francisco', 'US', [hat()], 253, { subtotal: 3495, shipping: 0, tax: 253, total: 3748 }],
    ['two hats to Berlin', 'DE', [hat(2)], 1328, { subtotal: 6990, shipping: 0, tax: 1328, total: 8318 }],
    ['a pillow to New York', 'US', [pillow()], 0, { subtotal: 4250, shipping: 0, tax: 0, total: 4250 }],
    ['a pillow to Sydney', 'AU', [pillow()], 775, { subtotal: 4250, shipping: 3499, tax: 775, total: 8524 }],
    ['two pillows and a hat to Tokyo', 'JP', [pillow(2), hat()], 0, { subtotal: 11995, shipping: 6998, total: 18993 }],
  ] as const)('for %s', (_, country, lines, tax, expected) => {
    const quote = quoteFor(country, lines, taxed(tax))
    expect(quote).toMatchObject(expected)
    expectQuoteAddsUp(quote, lines)
  })

  test('says so if tax is missing because its source was unavailable', () => {
    const quote = quoteFor('US', [hat()], unavailable)
    expect(quote.notices).toEqual([ESTIMATED_TAX_NOTICE])
    expectQuoteAddsUp(quote, [hat()])
  })

  test('charges Printful’s consumption tax separately from tax', () => {
    const quote = quoteFor('BR', [hat()], untaxed, { vatProtection: { amount: cents(412), estimated: false } })
    expect(quote).toMatchObject({ tax: 0, vatProtection: 412, total: 3495 + 412, notices: [] })
    expectQuoteAddsUp(quote, [hat()])
  })

  test('says so if Printful’s consumption tax was unavailable', () => {
    const quote = quoteFor('BR', [hat()], untaxed, { vatProtection: { amount: ZERO, estimated: true } })
    expect(quote).toMatchObject({ vatProtection: 0, notices: [ESTIMATED_TAX_NOTICE] })
  })

  test('charges a carrier’s rate plus surcharges', () => {
    const rate = { cost: cents(749), method: 'Flat Rate', estimated: false }
    const quote = quoteFor('AU', [pillow(2)], taxed(100), { rate })
    expect(quote).toMatchObject({ shipping: 749 + 6998, surcharge: 6998, shippingMethod: 'Flat Rate', notices: [] })
    expectQuoteAddsUp(quote, [pillow(2)])
  })

  test('falls back to the standard rate with a notice, and still adds surcharges', () => {
    const quote = quoteFor('AU', [pillow()], unavailable, { rate: STANDARD_SHIPPING })
    expect(quote).toMatchObject({ shipping: 599 + 3499, surcharge: 3499, tax: 0, shippingMethod: 'Standard shipping' })
    expect(quote.notices).toEqual([ESTIMATED_SHIPPING_NOTICE, ESTIMATED_TAX_NOTICE])
    expectQuoteAddsUp(quote, [pillow()])
  })

  const anyCart = fc.array(
    fc.record({
      isPillow: fc.boolean(),
      price: fc.integer({ min: 1, max: 1_000_000 }),
      quantity: fc.integer({ min: 1, max: QUANTITY_MAX }),
    }),
    { minLength: 1, maxLength: 20 },
  )
  type Wanted = { isPillow: boolean; price: number; quantity: number }
  const priced = (wanted: readonly Wanted[]) =>
    wanted.map(({ isPillow, price, quantity }) =>
      line(isPillow ? 'Pillow' : 'Hat', price, quantity, isPillow ? pillowMetadata : {}),
    )
  const amount = fc.nat(10_000_000)
  const anyRate = fc.record({ cost: fc.nat(100_000).map(cents), method: fc.constant('Rate'), estimated: fc.boolean() })

  test('adds up for any cart and country, with every surcharge', () => {
    const countries = fc.constantFrom(...mainCountries)
    fc.assert(
      fc.property(anyCart, countries, amount, amount, anyRate, (wanted, country, tax, vat, rate) => {
        const lines = priced(wanted)
        const vatProtection = { amount: cents(vat), estimated: false }
        const quote = quoteFor(country, lines, taxed(tax), { rate, vatProtection })
        expectQuoteAddsUp(quote, lines)

        const pillows = wanted.filter(({ isPillow }) => isPillow).reduce((count, { quantity }) => count + quantity, 0)
        const isSurcharged = ['BR', 'JP', 'AU', 'NZ'].includes(country)
        expect(quote.surcharge).toBe(isSurcharged ? pillows * 3499 : 0)
        expect(quote.shipping).toBe(quote.surcharge + rate.cost)
      }),
    )
  })

  test('never falls when a piece is added', () => {
    fc.assert(
      fc.property(anyCart, fc.constantFrom(...mainCountries), fc.nat(19), (wanted, country, which) => {
        const more = wanted.map((one, index) =>
          index === which % wanted.length ? { ...one, quantity: one.quantity + 1 } : one,
        )
        const [before, after] = [wanted, more].map((cart) => quoteFor(country, priced(cart), untaxed))
        for (const part of ['subtotal', 'shipping', 'surcharge', 'total'] as const)
          expect(after?.[part]).toBeGreaterThanOrEqual(before?.[part] ?? Infinity)
        expect(after?.total).toBeGreaterThan(before?.total ?? Infinity)
      }),
    )
  })
})

describe('Printful’s consumption tax is requested', () => {
  test.each([
    ['abroad, where the tax source charges none', 'BR', untaxed, true],
    ['not at home', 'US', untaxed, false],
    ['never beside a tax', 'DE', taxed(1), false],
    ['never where the tax source could not be asked: 0 stands in', 'BR', unavailable, false],
  ])('%s', (_, country, tax, expected) => expect(needsVatProtection(country, tax)).toBe(expected))
})

describe('shipping', () => {
  test('is free by default', () => {
    expect(shippingTo('US', [hat(3), pillow()])).toEqual({
      cost: 0,
      surcharge: 0,
      method: 'Free Worldwide Shipping',
      surcharges: [],
      disclosures: [],
    })
  })

  test('lists each surcharged line, and each sentence once', () => {
    const shipping = shippingTo('NZ', [pillow(2), hat(), { ...pillow(), productName: 'Nightcap Pillow' }])
    expect(shipping.surcharges).toEqual([
      { productName: 'Ingots Pillow', amount: 6998 },
      { productName: 'Nightcap Pillow', amount: 3499 },
    ])
    expect(shipping.disclosures).toHaveLength(1)
  })

  test('adds no surcharge that is switched off', () => {
    const { shippingSurcharge } = pillowMetadata
    const off = line(
      'Pillow',
      4250,
      1,
      shippingSurcharge && { shippingSurcharge: { ...shippingSurcharge, enabled: false } },
    )
    expect(shippingTo('AU', [off]).cost).toBe(0)
  })
})

describe('restrictions', () => {
  const restricted = line('Can Cooler', 1495, 1, {
    restrictions: { blockedCountries: ['NO'], delayRegions: ['AU'], minimumAge: 18 },
  })

  test('name the product and its blocked country', () => {
    expect(restrictionFor('NO', [hat(), restricted])).toEqual({
      kind: 'blocked',
      product: 'Can Cooler',
      country: 'Norway',
    })
    expect(restrictionFor('SE', [hat(), restricted])).toBeUndefined()
  })

  test('name the cart’s highest age limit', () => {
    const elder = line('Cigar Mat', 995, 1, {
      restrictions: { blockedCountries: [], delayRegions: [], minimumAge: 21 },
    })
    expect(ageLimitOf([hat(), restricted, elder])).toEqual({ product: 'Cigar Mat', age: 21 })
    expect(quoteFor('US', [hat(), restricted], untaxed).minimumAge).toBe(18)
    expect(ageLimitOf([hat()])).toBeUndefined()
    expect(quoteFor('US', [hat()], untaxed).minimumAge).toBeNull()
  })

  test('are listed once each, with delays only where they apply', () => {
    expect(noticesFor('AU', [restricted, restricted])).toEqual([
      'Can Cooler takes longer than usual to reach Australia.',
      'Can Cooler is only for people 18 and over.',
    ])
    expect(noticesFor('US', [restricted])).toEqual(['Can Cooler is only for people 18 and over.'])
    expect(noticesFor('US', [hat()])).toEqual([])
  })
})

describe('the taxes that people see are', () => {
  const seen = (tax: number, vatProtection: number, taxLabel = 'Country Consumption Tax') =>
    taxRowsOf({ tax: cents(tax), taxLabel, vatProtection: cents(vatProtection) }).map(({ label, amount }) => [
      label,
      amount,
    ])

  test.each([
    ['the tax', seen(253, 0, 'Sales Tax'), [['Sales Tax', 253]]],
    ['none, by its name', seen(0, 0), [['Country Consumption Tax', 0]]],
    ['the partner’s instead of none', seen(0, 412), [['Country Consumption Tax', 412]]],
    ['not the partner’s single cent', seen(0, 1), [['Country Consumption Tax', 0]]],
    [
      'both, should there ever be both',
      seen(1, 2, 'Sales Tax'),
      [
        ['Sales Tax', 1],
        ['Country Consumption Tax', 2],
      ],
    ],
  ])('%s', (_, rows, expected) => expect(rows).toEqual(expected))
})

test.each([
  ['US', 'Sales Tax'],
  ['DE', 'Country Consumption Tax'],
  ['AU', 'Country Consumption Tax'],
])('tax in %s is labeled %s', (country, name) => expect(taxLabelOf(country)).toBe(name))

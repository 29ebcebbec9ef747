import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, share } from '#shared/money.ts'
import { marginOfSale, marginsOf, paymentFees, suggestPrice, type MarginBasis, type Sale } from './margin.ts'

const basisOf = (more: Partial<MarginBasis> = {}): MarginBasis => ({
  cost: cents(1295),
  destinations: [
    { country: 'US', shipping: cents(475) },
    { country: 'DE', shipping: cents(479) },
    { country: 'BR', shipping: cents(899) },
  ],
  shippingPaidBy: 'partner',
  partnerShares: { usual: 1200, highest: 1500 },
  floor: cents(0),
  metadata: {},
  ...more,
})

describe('the margin of a piece, to the cent:', () => {
  test('shoppers who pay for shipping leave the price minus cost, fee and the partner’s share', () => {
    // Paid in the US: 29.95 + 4.75 + 10 % tax = 38.17. The card's fee: 1.11 + 0.30. The partner's 12 %: 3.59.
    expect(marginsOf(cents(2995), basisOf()).usual).toEqual({
      margin: 2995 - 1295 - 141 - 359,
      country: 'US',
      paidBy: 'card',
      share: 1200,
    })
  })

  test('the worst is the dearest country, paid by PayPal, with the highest agreed share', () => {
    // Paid in Brazil: 29.95 + 8.99 + 17 % = 45.56. PayPal's fee: 1.59 + 0.49. The partner's 15 %: 4.49.
    expect(marginsOf(cents(2995), basisOf()).worst).toEqual({
      margin: 2995 - 1295 - 208 - 449,
      country: 'BR',
      paidBy: 'PayPal',
      share: 1500,
    })
  })

  test('a shop that ships for free pays for it, and a surcharge to that country helps', () => {
    const free = basisOf({ shippingPaidBy: 'free' })
    // In Brazil: 29.95 + 17 % = 35.04, PayPal 1.22 + 0.49.
    expect(marginsOf(cents(2995), free).worst).toMatchObject({ margin: 2995 - 1295 - 899 - 171 - 449, country: 'BR' })
    const surcharged = basisOf({
      shippingPaidBy: 'free',
      metadata: { shippingSurcharge: { amount: cents(900), regions: ['BR'], description: 'Far', enabled: true } },
    })
    expect(marginsOf(cents(2995), surcharged).worst.country).toBe('DE')
  })

  test('a country that the product is not shipped to does not count', () => {
    const blocked = basisOf({ metadata: { restrictions: { blockedCountries: ['BR'], delayRegions: [] } } })
    expect(marginsOf(cents(2995), blocked).worst.country).toBe('DE')
  })
})

describe('what is left of a sale, to the cent:', () => {
  const sale: Sale = {
    ...{ price: cents(2000), surcharge: cents(0), shippingCharged: cents(0), tax: cents(0), fee: paymentFees.stripe },
    ...{ printCost: cents(800), shippingPaid: cents(500), commission: cents(0) },
  }
  test.each<[string, Partial<Sale>, number]>([
    ['price less print, shipping and fee', {}, 2000 - 800 - 500 - 88],
    ['a wallet keeps more', { fee: paymentFees.paypal }, 2000 - 800 - 500 - 119],
    ['the fee is taken of the tax too', { tax: cents(400) }, 2000 - 800 - 500 - 100],
    ['a surcharge is income', { surcharge: cents(1000) }, 3000 - 800 - 500 - 117],
    ['shipping that the shopper pays is income', { shippingCharged: cents(500) }, 2500 - 800 - 500 - 103],
    [
      'VAT protection pays the printer’s tax',
      { vatProtection: cents(260), printerTax: cents(260) },
      2000 - 800 - 500 - 96,
    ],
    ['a partner’s commission is a cost', { commission: cents(240) }, 2000 - 800 - 500 - 88 - 240],
    ['a discount is less income and less fee', { discount: cents(1200) }, 800 - 800 - 500 - 53],
  ])('%s', (_, more, expected) => {
    expect(marginOfSale({ ...sale, ...more })).toBe(expected)
  })
})

const amount = (max: number) => fc.integer({ min: 0, max }).map(cents)
const bases = fc.record({
  cost: amount(20_000),
  destinations: fc.array(
    fc.record({ country: fc.constantFrom('US', 'DE', 'HU', 'BR', 'JP', 'HK'), shipping: amount(5000) }),
    { minLength: 1, maxLength: 6 },
  ),
  shippingPaidBy: fc.constantFrom('free' as const, 'partner' as const),
  floor: fc.constant(cents(0)),
  partnerShares: fc.record({ usual: fc.constantFrom(0, 1200), highest: fc.constantFrom(1200, 1500) }),
  metadata: fc.constant({}),
})

test('no sale leaves less than the worst, and a higher price never leaves less', () => {
  fc.assert(
    fc.property(bases, amount(50_000), (basis, price) => {
      const { usual, worst } = marginsOf(price, basis)
      expect(worst.margin).toBeLessThanOrEqual(usual.margin)
      expect(marginsOf(cents(price + 100), basis).worst.margin).toBeGreaterThan(worst.margin)
    }),
  )
})

test('a suggested price reaches its target, loses nowhere, ends as prices end, and no lower one does', () => {
  fc.assert(
    fc.property(bases, fc.integer({ min: 0, max: 5000 }), (basis, target) => {
      const price = suggestPrice(basis, target)
      if (price === undefined) return
      const reaches = (candidate: number) => {
        const { usual, worst } = marginsOf(cents(candidate), basis)
        return usual.margin >= share(cents(candidate), target) && worst.margin >= 0
      }
      expect([95, 99]).toContain(price % 100)
      expect(reaches(price)).toBe(true)
      const below = price % 100 === 99 ? price - 4 : price - 96
      if (below > 0) expect(reaches(below)).toBe(false)
    }),
    { numRuns: 60 },
  )
})

test('a target that no price can reach is not suggested', () => {
  expect(suggestPrice(basisOf(), 9000)).toBeUndefined()
})

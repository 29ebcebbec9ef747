import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, share } from '#shared/money.ts'
import { marginBeforeShipping, marginsOf, objectionToPrice, suggestPrice, type MarginBasis } from './margin.ts'

const basisOf = (more: Partial<MarginBasis> = {}): MarginBasis => ({
  cost: cents(1295),
  destinations: [
    { country: 'US', shipping: cents(475) },
    { country: 'DE', shipping: cents(479) },
    { country: 'BR', shipping: cents(899) },
  ],
  shippingPaidBy: 'partner',
  partnerShares: { usual: 1200, highest: 1500 },
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
    })
  })

  test('the worst is the dearest country, paid by PayPal, with the highest agreed share', () => {
    // Paid in Brazil: 29.95 + 8.99 + 17 % = 45.56. PayPal's fee: 1.59 + 0.49. The partner's 15 %: 4.49.
    expect(marginsOf(cents(2995), basisOf()).worst).toEqual({
      margin: 2995 - 1295 - 208 - 449,
      country: 'BR',
      paidBy: 'PayPal',
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

  test('changed costs are compared without shipping', () => {
    // 29.95 + 10 % tax = 32.95 (rounded up), fee 0.96 + 0.30, share 3.59.
    expect(marginBeforeShipping(cents(2995), cents(1295))).toBe(2995 - 1295 - 126 - 359)
  })
})

test('a price that sells at a loss says so, with the amount', () => {
  // Paid: 13.95 + 4.75 + 10 % = 20.57. The card's fee: 0.60 + 0.30. The partner's 12 %: 1.67.
  expect(objectionToPrice(cents(1395), basisOf())).toBe(
    'Sells at a loss: at $13.95 the shop pays $1.57 for each piece sold in the usual way.',
  )
  expect(objectionToPrice(cents(2995), basisOf())).toBeUndefined()
})

const amount = (max: number) => fc.integer({ min: 0, max }).map(cents)
const bases = fc.record({
  cost: amount(20_000),
  destinations: fc.array(
    fc.record({ country: fc.constantFrom('US', 'DE', 'HU', 'BR', 'JP', 'HK'), shipping: amount(5000) }),
    { minLength: 1, maxLength: 6 },
  ),
  shippingPaidBy: fc.constantFrom('free' as const, 'partner' as const),
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

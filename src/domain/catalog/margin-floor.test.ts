import { describe, expect, test } from 'vitest'
import { cents } from '#shared/money.ts'
import { floorSentence, productsBelowFloor, salesMadeWorse } from './margin-floor.ts'
import type { MarginBasis } from './margin.ts'

const basisOf = (more: Partial<MarginBasis> = {}): MarginBasis => ({
  cost: cents(745),
  destinations: [
    { country: 'US', shipping: cents(475) },
    { country: 'BR', shipping: cents(899) },
  ],
  shippingPaidBy: 'free',
  partnerShares: { usual: 1200, highest: 1200 },
  floor: cents(0),
  metadata: {},
  ...more,
})
const mug = (price: number, more: Partial<MarginBasis> = {}) => ({ price: cents(price), basis: basisOf(more) })
const MUG = 'Mug'

const countriesWhere = (before: ReturnType<typeof mug> | undefined, after: ReturnType<typeof mug>) => [
  ...new Set(salesMadeWorse({ product: MUG, before, after }).map(({ country }) => country)),
]

describe('the owner is asked about', () => {
  test.each([
    ['a new product that loses in one country', undefined, mug(1695), ['BR']],
    ['nothing where every sale leaves something', undefined, mug(2195), []],
    ['a price that goes down below the floor', mug(2195), mug(1695), ['BR']],
    ['nothing where the price goes up, although it still loses', mug(1500), mug(1695), []],
    ['a cost that goes up', mug(2095), mug(2095, { cost: cents(1300) }), ['US', 'BR']],
    ['a higher share', mug(2050), mug(2050, { partnerShares: { usual: 1200, highest: 1500 } }), ['BR']],
    ['free shipping', mug(1695, { shippingPaidBy: 'partner' }), mug(1695), ['BR']],
    ['a floor that a new product misses', undefined, mug(2095, { floor: cents(300) }), ['BR']],
    ['nothing where only the floor is raised', mug(2095), mug(2095, { floor: cents(300) }), []],
  ])('%s', (_, before, after, countries) => {
    expect(countriesWhere(before, after)).toEqual(countries)
  })
})

test('the question names the worst product first, its sale, the floor and the countries', () => {
  const found = productsBelowFloor([
    { product: 'Mug', after: mug(1995, { floor: cents(100) }) },
    { product: 'Cooler', after: mug(1695, { floor: cents(100) }) },
  ])
  expect(found.map(({ product }) => product)).toEqual(['Cooler', 'Mug'])
  // Paid in Brazil: 16.95 + 17 % = 19.83. PayPal's fee: 0.69 + 0.49. The partner's 12 %: 2.03.
  expect(found[0]).toMatchObject({ worst: { margin: 1695 - 745 - 899 - 118 - 203, country: 'BR' }, countries: ['BR'] })
  expect(floorSentence(found, cents(100))).toBe(
    'With this, one Cooler loses $2.70 when sent to Brazil, paid by PayPal, with a partner’s 12%. ' +
      'You want at least $1.00 to be left. It concerns Brazil, and 1 more product.',
  )
})

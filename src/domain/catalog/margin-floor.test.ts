import { describe, expect, test } from 'vitest'
import type { ProductId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { addBelowFloor, floorSentence, NONE_BELOW_FLOOR, productsBelowFloor, salesMadeWorse } from './margin-floor.ts'
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
const MUG = { productId: 1 as ProductId, product: 'Mug' }
const COOLER = { productId: 2 as ProductId, product: 'Cooler' }

const countriesWhere = (before: ReturnType<typeof mug> | undefined, after: ReturnType<typeof mug>) => [
  ...new Set(salesMadeWorse({ ...MUG, before, after }).map(({ country }) => country)),
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
  const found = [
    { ...MUG, after: mug(1995, { floor: cents(100) }) },
    { ...COOLER, after: mug(1695, { floor: cents(100) }) },
  ].reduce((before, change) => addBelowFloor(before, [change]), NONE_BELOW_FLOOR)
  expect(found.products.map(({ product }) => product)).toEqual(['Cooler', 'Mug'])
  // Paid in Brazil: 16.95 + 17 % = 19.83. PayPal's fee: 0.69 + 0.49. The partner's 12 %: 2.03.
  expect(found.products[0]).toMatchObject({
    worst: { margin: 1695 - 745 - 899 - 118 - 203, country: 'BR' },
    countries: ['BR'],
  })
  expect(floorSentence(found)).toBe(
    'With this, one Cooler loses $2.70 when sent to Brazil, paid by PayPal, with a partner’s 12%. ' +
      'You want at least $1.00 to be left. It concerns Brazil, and 1 more product.',
  )
})

test('two products of one name are two', () => {
  const after = mug(1695)
  const found = productsBelowFloor([MUG, { ...MUG, productId: 2 as ProductId }].map((one) => ({ ...one, after })))
  expect(found.map(({ productId }) => productId)).toEqual([1, 2])
})

test('of many products the worst twenty are named, and all are counted', () => {
  const batches = Array.from({ length: 7 }, (_, batch) =>
    Array.from({ length: 5 }, (__, at) => ({
      ...{ productId: (batch * 5 + at) as ProductId, product: 'Mug' },
      after: mug(1695 - (batch * 5 + at) * 10),
    })),
  )
  const { products, count } = batches.reduce(addBelowFloor, NONE_BELOW_FLOOR)
  expect(count).toBe(35)
  expect(products.map(({ productId }) => productId)).toEqual(Array.from({ length: 20 }, (_, at) => 34 - at))
})

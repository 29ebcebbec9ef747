import { expect, test } from 'vitest'
import { rateAt, formatRate, RATE_DEFAULT } from './rates.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const rates = [
  { id: 1, productId: null, basisPoints: 1300, startsAt: day(5) },
  { id: 2, productId: null, basisPoints: 1500, startsAt: day(20) },
  { id: 3, productId: 8, basisPoints: 500, startsAt: day(10) },
  { id: 4, productId: 8, basisPoints: 600, startsAt: day(10) },
]

test.each([
  ['before anything was agreed', 1, 4, RATE_DEFAULT],
  ['from its first moment on', 1, 5, 1300],
  ['until a newer one begins', 1, 19, 1300],
  ['when a newer one has begun', 1, 20, 1500],
  ['of a product with a rate that has not begun', 8, 9, 1300],
  ['of a product of its own, the last one said', 8, 10, 600],
  ['of a product, whatever the partner has from later on', 8, 25, 600],
])('the rate %s', (_, product, at, expected) => expect(rateAt(rates, product, day(at))).toBe(expected))

test.each([
  [1200, '12%'],
  [1250, '12.5%'],
  [1205, '12.05%'],
  [50, '0.5%'],
  [0, '0%'],
])('%i basis points are shown as %s', (points, words) => expect(formatRate(points)).toBe(words))

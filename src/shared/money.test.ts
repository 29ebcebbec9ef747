import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  cents,
  centsFromDecimal,
  decimalFromCents,
  formatUsd,
  negate,
  share,
  spread,
  sum,
  times,
  ZERO,
} from './money.ts'

test.each([
  ['24.95', 2495],
  ['24.5', 2450],
  ['24', 2400],
  ['0.01', 1],
  ['1.005', 101], // Math.round(1.005 * 100) is 100
  ['1.00499', 100],
  ['34.99', 3499],
  ['-3.10', -310],
  ['-0.00', 0],
])('%s is %i cents', (text, expected) => expect(centsFromDecimal(text)).toBe(expected))

test.each(['', 'abc', '1,5', '1.', '.5', '1e3', '0x10', '--1', '99999999999999'])('%j is no amount', (text) =>
  expect(centsFromDecimal(text)).toBeUndefined(),
)

test.each([
  [1, '$0.01'],
  [99, '$0.99'],
  [100, '$1.00'],
  [101, '$1.01'],
  [9_999, '$99.99'],
  [10_000, '$100.00'],
  [123_450, '$1,234.50'],
  [100_000_000, '$1,000,000.00'],
  [-5, '-$0.05'],
])('%i cents read %s', (amount, text) => expect(formatUsd(cents(amount))).toBe(text))

test('an amount survives the way to a provider and back', () =>
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (n) => centsFromDecimal(decimalFromCents(cents(n))) === n),
  ))

test('a share and the rest are the whole, and a share of a refund undoes the share of the sale', () =>
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e10 }), fc.integer({ min: 0, max: 10_000 }), (n, rate) => {
      const part = share(cents(n), rate)
      expect(part).toBeGreaterThanOrEqual(0)
      expect(part).toBeLessThanOrEqual(n)
      expect(share(negate(cents(n)), rate)).toBe(negate(part))
    }),
  ))

test('12 % of $10.05 is $1.21: half a cent is rounded up', () => expect(share(cents(1005), 1200)).toBe(121))

test('an amount that is spread is whole again, and no share is larger than what it came from', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 8 }),
      fc.double({ min: 0, max: 1 }),
      (all, of) => {
        const whole = sum(all.map(cents))
        const amount = cents(Math.floor(whole * (Number.isNaN(of) ? 1 : of)))
        const shares = spread(amount, all.map(cents))
        expect(sum(shares)).toBe(amount)
        expect(shares.every((share, at) => share >= 0 && share <= (all[at] ?? 0))).toBe(true)
      },
    ),
  ))

test('a cent that is left over goes to the largest remainder', () =>
  expect(spread(cents(100), [cents(1), cents(1), cents(1)])).toEqual([34, 33, 33]))

test('nothing but whole cents is money', () => {
  expect(() => cents(0.5)).toThrow('not an amount')
  expect(() => cents(Number.NaN)).toThrow('not an amount')
  expect(() => times(cents(100), 1.5)).toThrow('not a whole quantity')
  expect(sum([])).toBe(ZERO)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents, plus } from '#shared/money.ts'
import { formatGiftCardCode, giftCardCodeFrom, giftCardCodeIn, payableBy, toPayOf } from './gift-card.ts'

test('every code can be typed as people type it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 32 }), (bytes) => {
      const code = giftCardCodeFrom(bytes)
      expect(giftCardCodeIn(formatGiftCardCode(code))).toBe(code)
      expect(giftCardCodeIn(` ${code.toLowerCase()} `)).toBe(code)
      expect(giftCardCodeIn(code.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(code)
    }),
  )
})

test.each(['', 'RUDY10', '7K2M-Q9XW-D04H-RTN', '7K2M-Q9XW-D04H-RTNB5', '7K2M-Q9XW-D04H-RTNU', '7K2M_Q9XW_D04H_RTNB'])(
  '%j is no code of a gift card',
  (typed) => expect(giftCardCodeIn(typed)).toBeUndefined(),
)

test.each([
  { balance: 2000, total: 4298, pays: 2000 },
  { balance: 4298, total: 4298, pays: 4248 },
  { balance: 4297, total: 4298, pays: 4248 },
  { balance: 4248, total: 4298, pays: 4248 },
  { balance: 9000, total: 4298, pays: 4248 },
  { balance: 0, total: 4298, pays: 0 },
  { balance: 9000, total: 50, pays: 0 },
  { balance: 9000, total: 0, pays: 0 },
])('a balance of $balance pays $pays of $total', ({ balance, total, pays }) =>
  expect(payableBy(cents(balance), cents(total))).toBe(pays),
)

test('gift card and payment add up to the total, and a payment is never below what a card can be charged', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000 }).map(cents)
  fc.assert(
    fc.property(amount, amount, (balance, total) => {
      const pays = payableBy(balance, total)
      const toPay = toPayOf({ total, giftCard: { amount: pays } })
      expect(plus(pays, toPay)).toBe(total)
      expect(pays).toBeLessThanOrEqual(balance)
      expect(toPay).toBeGreaterThanOrEqual(Math.min(total, 50))
    }),
  )
})

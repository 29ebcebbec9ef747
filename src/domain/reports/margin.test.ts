import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  entriesOfCommission,
  entriesOfDecision,
  entriesOfDispute,
  entriesOfFee,
  entriesOfPrinterCost,
  entriesOfRefund,
  entriesOfSale,
  type Entry,
  type PostingKind,
} from '#domain/ledger/ledger.ts'
import { partsOfAmount } from '#domain/payments/returns.ts'
import { cents, sum, ZERO } from '#shared/money.ts'
import { allocateToLines, resultOf, resultOfLines, type OrderResult } from './margin.ts'

const booked = (kind: PostingKind, entries: readonly Entry[]) => entries.map((entry) => ({ kind, ...entry }))

const quote = {
  subtotal: cents(5000),
  shipping: cents(3499),
  surcharge: cents(3499),
  tax: cents(400),
  vatProtection: cents(150),
  total: cents(9049),
}

test('an order’s margin is its payment without tax, minus refunds, fees, costs and commission', () => {
  const parts = { merchandise: cents(1000), shipping: ZERO, surcharge: ZERO, tax: cents(80), vatProtection: ZERO }
  const result = resultOf([
    ...booked('sale', entriesOfSale('stripe', quote)),
    ...booked('refund', entriesOfRefund('stripe', parts)),
    ...booked('fee', entriesOfFee('stripe', cents(292))),
    ...booked('partner_cost', entriesOfPrinterCost(cents(2600), true)),
    ...booked('commission', entriesOfCommission(cents(480))),
  ])
  expect(result).toMatchObject({ paid: 9049, tax: 400, refunded: 1000, refundedTax: 80, providerFees: 292 })
  expect(result.margin).toBe(9049 - 400 - 1000 - 292 - 2600 - 480)
})

test('a dispute costs its fee immediately, and its amount when it is lost', () => {
  const open = [
    ...booked('sale', entriesOfSale('stripe', quote)),
    ...booked('dispute', entriesOfDispute('stripe', quote.total, cents(1500))),
  ]
  expect(resultOf(open)).toMatchObject({ disputed: 0, providerFees: 1500, margin: 9049 - 400 - 1500 })
  const lost = [...open, ...booked('dispute', entriesOfDecision('stripe', quote.total, false))]
  expect(resultOf(lost)).toMatchObject({ disputed: 9049, margin: 9049 - 400 - 1500 - 9049 })
})

test('allocated amounts add up, each within a cent of its share', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), weights, (amount, heavy) => {
      const shares = allocateToLines(cents(amount), heavy)
      expect(sum(shares)).toBe(amount)
      const weight = heavy.reduce((total, one) => total + one, 0)
      if (weight > 0)
        for (const [index, share] of shares.entries())
          expect(Math.abs(share - (amount * (heavy[index] ?? 0)) / weight)).toBeLessThan(1)
    }),
  )
})

test('every column of an order’s lines adds up, and every line’s margin matches its columns', () => {
  const prices = fc.array(fc.integer({ min: 101, max: 9_999 }).map(cents), { minLength: 1, maxLength: 6 })
  const extra = fc.integer({ min: 0, max: 5_000 }).map(cents)
  fc.assert(
    fc.property(
      prices,
      extra,
      extra,
      extra,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (lines, tax, fee, cost, back) => {
        const subtotal = sum(lines)
        const total = sum([subtotal, tax])
        const parts = { merchandise: subtotal, shipping: ZERO, surcharge: ZERO, tax, vatProtection: ZERO }
        const whole = resultOf([
          ...booked('sale', entriesOfSale('paypal', { ...quote, ...parts, shipping: ZERO, subtotal, total })),
          ...booked('refund', entriesOfRefund('paypal', partsOfAmount(parts, cents(Math.floor(total * back))))),
          ...booked('fee', entriesOfFee('paypal', fee)),
          ...booked('partner_cost', entriesOfPrinterCost(cost, true)),
        ])
        const results = resultOfLines(whole, lines)
        for (const name of Object.keys(whole) as (keyof OrderResult)[])
          expect([name, sum(results.map((one) => one[name]))]).toEqual([name, whole[name]])
      },
    ),
  )
})

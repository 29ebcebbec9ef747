import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cents, sum, times, ZERO, type Cents } from '#shared/money.ts'
import {
  fitPartsToAmount,
  NO_PARTS,
  partsOfAmount,
  partsOfLines,
  partsOfShipping,
  paymentStatusFor,
  remainingParts,
  totalOf,
  type RefundParts,
} from './returns.ts'

const amount = fc.integer({ min: 0, max: 2_000_000 }).map(cents)
const anyParts: fc.Arbitrary<RefundParts> = fc.record({
  merchandise: amount,
  shipping: amount,
  surcharge: amount,
  tax: amount,
  vatProtection: amount,
})
const values = (parts: RefundParts): Cents[] => Object.values(parts)

describe('a refunded amount', () => {
  test('is split to the cent, and never exceeds what remains', () => {
    fc.assert(
      fc.property(anyParts, fc.double({ min: 0, max: 1, noNaN: true }), (rest, share) => {
        const wanted = cents(Math.floor(totalOf(rest) * share))
        const parts = partsOfAmount(rest, wanted)
        expect(totalOf(parts)).toBe(wanted)
        expect(values(remainingParts(rest, [parts])).every((left) => left >= 0)).toBe(true)
      }),
    )
  })

  test('leaves nothing of any part after a full refund in any number of steps', () => {
    fc.assert(
      fc.property(anyParts, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }), (whole, shares) => {
        const returned: RefundParts[] = []
        for (const share of [...shares, 1]) {
          const rest = remainingParts(whole, returned)
          returned.push(partsOfAmount(rest, cents(Math.floor(totalOf(rest) * share))))
        }
        expect(remainingParts(whole, returned)).toEqual(NO_PARTS)
        expect(sum(returned.map(totalOf))).toBe(totalOf(whole))
      }),
    )
  })
})

describe('refunded pieces', () => {
  const order: RefundParts = {
    merchandise: cents(7990),
    shipping: ZERO,
    surcharge: cents(3499),
    tax: cents(1034),
    vatProtection: ZERO,
  }

  test('include their own tax, and no surcharge', () => {
    expect(partsOfLines(order, order, [{ unitPrice: cents(3995), quantity: 1 }])).toEqual({
      ...NO_PARTS,
      merchandise: 3995,
      tax: 360, // 1034 × 3995 / 11489
    })
  })

  test('are followed by shipping, its surcharge and their tax, only once', () => {
    const shipping = partsOfShipping(order, order)
    expect(shipping).toEqual({ ...NO_PARTS, surcharge: 3499, tax: 315 }) // 1034 × 3499 / 11489
    expect(partsOfShipping(order, remainingParts(order, [shipping]))).toEqual(NO_PARTS)
  })

  test('add up to all of the tax when refunded one by one, then shipping', () => {
    const quantity = fc.integer({ min: 1, max: 9 })
    fc.assert(
      fc.property(anyParts, amount, quantity, (parts, price, count) => {
        const unitPrice = cents(price + 1)
        const whole = { ...parts, merchandise: times(unitPrice, count) }
        const returned: RefundParts[] = []
        for (let piece = 0; piece < count; piece += 1)
          returned.push(partsOfLines(whole, remainingParts(whole, returned), [{ unitPrice, quantity: 1 }]))
        returned.push(partsOfShipping(whole, remainingParts(whole, returned)))
        expect(remainingParts(whole, returned)).toEqual(NO_PARTS)
      }),
    )
  })

  test('never exceed what remains', () => {
    const pieces = [{ unitPrice: cents(3995), quantity: 2 }]
    expect(partsOfLines(order, { ...order, tax: cents(100) }, pieces).tax).toBe(100)
    // Half of everything went back as an amount: what both cost is there, and made up of the surcharge as well.
    const rest = remainingParts(order, [partsOfAmount(order, cents(6261))])
    const back = fitPartsToAmount(rest, { ...NO_PARTS, merchandise: cents(4500) })
    expect(totalOf(back)).toBe(4500)
    expect(values(remainingParts(rest, [back])).every((left) => left >= 0)).toBe(true)
  })
})

test.each([
  [0, [], 'paid'],
  [1, [], 'partially_refunded'],
  [100, [], 'refunded'],
  [0, [['inquiry', 100]], 'paid'],
  [0, [['open', 100]], 'disputed'],
  [100, [['open', 100]], 'disputed'],
  [0, [['won', 100]], 'paid'],
  [0, [['lost', 100]], 'refunded'],
  [40, [['lost', 60]], 'refunded'],
  [40, [['lost', 30]], 'partially_refunded'],
] as const)('an order of 100 with %i refunded and disputes %j is %s', (returned, disputes, status) => {
  const asked = disputes.map(([state, of]) => ({ status: state, amount: cents(of) }))
  expect(paymentStatusFor(cents(100), cents(returned), asked)).toBe(status)
})

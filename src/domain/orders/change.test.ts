import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalOf, type RefundParts } from '#domain/payments/returns.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents, minus, negate, plus, ZERO } from '#shared/money.ts'
import {
  changedLines,
  cheaperLines,
  isWaived,
  moneyOfChange,
  whyNotChange,
  type CatalogPiece,
  type OrderedLine,
} from './change.ts'
import { fulfillmentStatuses } from './status.ts'

const id = (number: number) => number as VariantId
const piece = (variantId: number, unitPrice: number, more: Partial<CatalogPiece> = {}): CatalogPiece => ({
  productId: Math.floor(variantId / 10) as ProductId,
  variantId: id(variantId),
  productName: 'Tee',
  variantName: `V${variantId}`,
  imageUrl: null,
  collection: 'rudy',
  unitPrice: cents(unitPrice),
  metadata: {},
  isBuyable: true,
  ...more,
})
/** Medium was paid with 20.00. Today medium and large cost 25.00, XXL 28.00; small is sold out; a mug is 12.00. */
const today = new Map(
  [piece(11, 2500), piece(12, 2500), piece(13, 2800), piece(14, 2500, { isBuyable: false }), piece(21, 1200)].map(
    (one) => [one.variantId, one],
  ),
)
const { metadata: _metadata, isBuyable: _isBuyable, ...paid } = piece(11, 2000)
const lines: OrderedLine[] = [{ ...paid, position: 0, quantity: 2 }]
const change = (position: number, variantId: number, quantity: number) =>
  changedLines(lines, { changed: [{ position, variantId: id(variantId), quantity }], added: [] }, today, 1)

describe('the lines after a change', () => {
  test.each([
    ['a piece less keeps its price', change(0, 11, 1), [[11, 1, 2000]]],
    ['another size that costs the same today keeps the price that was paid', change(0, 12, 2), [[12, 2, 2000]]],
    ['a size that costs more today costs today’s price', change(0, 13, 2), [[13, 2, 2800]]],
    [
      'one more piece costs today’s price, so it has a line of its own',
      change(0, 11, 3),
      [
        [11, 2, 2000],
        [11, 1, 2500],
      ],
    ],
    [
      'more pieces at the price that was paid join their line',
      changedLines(
        [{ ...paid, position: 0, quantity: 2, unitPrice: cents(2500) }],
        { changed: [{ position: 0, variantId: id(11), quantity: 3 }], added: [{ variantId: id(11), quantity: 2 }] },
        today,
        1,
      ),
      [[11, 5, 2500]],
    ],
    [
      'an added piece costs today’s price, on a line of its own',
      changedLines(lines, { changed: [], added: [{ variantId: id(11), quantity: 1 }] }, today, 4),
      [
        [11, 2, 2000],
        [11, 1, 2500],
      ],
    ],
  ])('%s', (_, result, expected) => {
    const after = 'lines' in result ? result.lines : []
    expect(after.map(({ variantId, quantity, unitPrice }) => [variantId, quantity, unitPrice])).toEqual(expected)
  })

  test.each([
    ['a line that the order lacks', change(3, 11, 1), 'doesn’t have this line'],
    ['more pieces than a line can have', change(0, 13, 102), '1 to 99 pieces'],
    ['a sold-out size', change(0, 14, 1), 'sold out in V14'],
    ['a variant of another product', change(0, 21, 1), 'doesn’t come in that color and size'],
    ['nothing left', change(0, 11, 0), 'Cancel the order instead'],
    [
      'an added piece that is unknown',
      changedLines(lines, { changed: [], added: [{ variantId: id(99), quantity: 1 }] }, today, 1),
      'doesn’t come in that color and size',
    ],
  ])('%s is refused with a sentence', (_, { objection }, sentence) => {
    expect(objection).toContain(sentence)
  })
})

const amount = fc.integer({ min: 0, max: 100_000 }).map(cents)
const parts: fc.Arbitrary<RefundParts> = fc.record({
  ...{ merchandise: amount, shipping: amount, surcharge: amount, tax: amount, vatProtection: amount },
})
const names = ['merchandise', 'shipping', 'surcharge', 'tax', 'vatProtection'] as const

test('whatever changes, what is refunded and what moves make the new amounts to the cent', () => {
  fc.assert(
    fc.property(parts, parts, (before, after) => {
      const { difference, refund, moved } = moneyOfChange(before, after)
      expect(difference).toBe(minus(totalOf(after), totalOf(before)))
      for (const name of names) {
        expect(refund[name]).toBeGreaterThanOrEqual(0)
        expect(refund[name]).toBeLessThanOrEqual(before[name])
        expect(minus(plus(before[name], moved[name]), refund[name])).toBe(after[name])
      }
      expect(totalOf(refund)).toBe(difference < 0 ? negate(difference) : ZERO)
      expect(totalOf(moved)).toBe(difference < 0 ? ZERO : difference)
    }),
  )
})

test('the shop bears a difference that no card can pay, by a lower price of what changed', () => {
  expect([-1, 0, 1, 49, 50].map((one) => isWaived(cents(one)))).toEqual([false, false, true, true, false])
  const after = [...lines, { ...paid, variantId: id(21), position: 1, quantity: 3, unitPrice: cents(1200) }]
  expect(cheaperLines(after, lines, cents(40))?.map(({ unitPrice }) => unitPrice)).toEqual([2000, 1186])
  expect(cheaperLines(lines, lines, cents(41))?.map(({ unitPrice }) => unitPrice)).toEqual([1979])
  expect(cheaperLines(lines, lines, cents(4000))).toBeUndefined()
})

test('an order is changed until it is made, and says afterward what can be done instead', () => {
  const open = { payment: 'paid', isErased: false, isAwaitingPayment: false } as const
  const changeable = fulfillmentStatuses.filter((fulfillment) => whyNotChange({ ...open, fulfillment }) === null)
  expect(changeable).toEqual(['waiting', 'submitted', 'on_hold', 'needs_attention'])
  expect(whyNotChange({ ...open, fulfillment: 'shipped' })).toContain('replaced or refunded')
  expect(whyNotChange({ ...open, fulfillment: 'waiting', payment: 'refunded' })).toContain('A new order')
  expect(whyNotChange({ ...open, fulfillment: 'waiting', payment: 'disputed' })).toContain('until the bank')
  expect(whyNotChange({ ...open, fulfillment: 'waiting', isErased: true })).toContain('erased')
  expect(whyNotChange({ ...open, fulfillment: 'waiting', isAwaitingPayment: true })).toContain('paid or dropped')
})

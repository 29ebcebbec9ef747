import { expect, test } from 'vitest'
import { piecesLeft, whyNotReplace } from './replacement.ts'

test.each([
  ['shipped', 1, null],
  ['delivered', 2, null],
  ['returned', 1, null],
  ['in_production', 2, 'Nothing of it has shipped yet.'],
  ['cancelled', 2, 'The order was canceled.'],
  ['delivered', 0, 'Every piece of it already has a replacement.'],
] as const)('an order that is %s with %i pieces left can be replaced, or says why not', (fulfillment, left, reason) =>
  expect(whyNotReplace({ fulfillment, isErased: false, left })).toBe(reason),
)

test('an erased customer gets no replacement', () =>
  expect(whyNotReplace({ fulfillment: 'delivered', isErased: true, left: 1 })).toBe('The customer’s data was erased.'))

test('pieces are counted by line, over all replacements', () =>
  expect(
    piecesLeft(
      [
        { position: 0, quantity: 3 },
        { position: 1, quantity: 1 },
      ],
      [
        { position: 0, quantity: 1 },
        { position: 0, quantity: 1 },
      ],
    ),
  ).toEqual([
    { position: 0, quantity: 1 },
    { position: 1, quantity: 1 },
  ]))

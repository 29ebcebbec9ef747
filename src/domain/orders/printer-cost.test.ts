import { expect, test } from 'vitest'
import type { VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { chargeOf, costOfLine } from './printer-cost.ts'

test.each([
  ['draft', 1795, 0, null],
  ['pending', 1795, 0, 1795],
  ['onhold', null, 0, null],
  ['inprocess', -1, 0, null],
  ['failed', 1795, 0, 0],
  ['canceled', 1795, 0, 0],
  ['canceled', 600, 1, 600],
  ['fulfilled', 1795, 2, 1795],
] as const)(
  'for an order that is %s, says %s and has %i parcels, the partner takes %s',
  (status, says, parcels, taken) => {
    const costTotal = says === null ? null : cents(says)
    expect(chargeOf({ status, costTotal, shipments: Array.from({ length: parcels }) })).toBe(taken)
  },
)

test('a line costs its pieces if Printful reports a plausible price', () => {
  const line = { variantId: 7 as VariantId, quantity: 3 }
  const at = (unitCost: number | null) => [
    { variantId: line.variantId, unitCost: unitCost === null ? null : cents(unitCost) },
  ]
  expect([at(995), at(null), at(-5), []].map((theirs) => costOfLine(line, theirs))).toEqual([2985, null, null, null])
})

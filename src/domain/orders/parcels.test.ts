import { expect, test } from 'vitest'
import type { VariantId } from '#shared/ids.ts'
import { parcelName, unsentOf } from './parcels.ts'

const hat = 1 as VariantId
const mug = 2 as VariantId
const parcel = (quantity: number, reshipment = false) => ({ items: [{ variantId: hat, quantity }], reshipment })
const lines = [
  { variantId: hat, quantity: 2 },
  { variantId: mug, quantity: 1 },
]

test('pieces without a parcel are still to ship', () => {
  expect(unsentOf(lines, [])).toEqual(lines)
  expect(unsentOf(lines, [parcel(1)])).toEqual([
    { variantId: hat, quantity: 1 },
    { variantId: mug, quantity: 1 },
  ])
  expect(unsentOf(lines, [parcel(2), { items: [{ variantId: mug, quantity: 1 }], reshipment: false }])).toEqual([])
})

test('a replacement does not count toward the rest of the order', () =>
  expect(unsentOf(lines, [parcel(1), parcel(1, true)])).toContainEqual({ variantId: hat, quantity: 1 }))

test.each<[number, number | null, boolean, string]>([
  [1, null, false, 'Parcel 1'],
  [1, 2, false, 'Parcel 1 of 2'],
  [1, 1, false, 'Parcel'],
  [3, 2, true, 'Replacement parcel'],
])('parcel %i of %s, replacement: %s, is labeled %s', (number, total, again, name) =>
  expect(parcelName(number, total, again)).toBe(name),
)

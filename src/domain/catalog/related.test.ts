import { expect, test } from 'vitest'
import { relatedProducts } from './related.ts'

const shop = [
  { id: 1, collection: 'rudy', type: 'hat', available: true },
  { id: 2, collection: 'rudy', type: 'hat', available: true },
  { id: 3, collection: 'rudy', type: 'mug', available: true },
  { id: 4, collection: 'rudy', type: 'mug', available: true },
  { id: 5, collection: 'rudy', type: 'tote', available: false },
  { id: 6, collection: 'pip', type: 'hat', available: true },
  { id: 7, collection: 'pip', type: 'mug', available: true },
]
const ids = (id: number, count: number) => {
  const product = shop.find((one) => one.id === id)
  return product && relatedProducts(product, shop, count).map((one) => one.id)
}

test.each([
  ['another kind with the same pet comes first, then the rest of the pet, then the kind', 1, 9, [3, 2, 4, 6]],
  ['no more than asked', 1, 2, [3, 2]],
  ['a small collection is filled up with the same kind', 7, 9, [6, 3, 4]],
])('%s', (_, id, count, expected) => expect(ids(id, count)).toEqual(expected))

test('of many kinds those are taken that lie far apart in the list, and not the same for every product', () => {
  const kinds = ['hat', 'visor', 'shirt', 'polo', 'mug', 'bottle', 'pillow', 'throw', 'tote', 'cooler', 'pad']
  const others = kinds.map((type, id) => ({ id, collection: 'rudy', type, available: true }))
  const offeredWith = (id: number) =>
    relatedProducts({ id, collection: 'rudy', type: 'cap', available: true }, others, 4).map(({ type }) => type)
  expect(offeredWith(22)).toEqual(['shirt', 'mug', 'pillow', 'tote'])
  expect(offeredWith(23)).toEqual(['polo', 'bottle', 'throw', 'cooler'])
})

test('a product never recommends itself or sold-out products', () => {
  for (const { id } of shop) {
    expect(ids(id, 9)).not.toContain(id)
    expect(ids(id, 9)).not.toContain(5)
  }
})

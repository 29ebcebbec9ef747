import { expect, test } from 'vitest'
import { bestSellers } from './best-sellers.ts'

const piece = (id: number, type: string, badge: string | null = null, reviewCount = 0, available = true) => ({
  ...{ id, type, badge, reviewCount, available },
  collection: 'rudy',
})
const idsOf = (products: readonly ReturnType<typeof piece>[]) => bestSellers(products).map(({ id }) => id)

test('first what the owner calls so, then by reviews, one of each type', () => {
  const hat = piece(1, 'hat', 'BEST SELLER', 2)
  const otherHat = piece(2, 'hat', 'BEST SELLER', 9)
  expect(
    idsOf([piece(3, 'mug', null, 5), hat, piece(4, 'tote'), otherHat, piece(5, 'polo', 'NEW ARRIVAL', 7)]),
  ).toEqual([2, 5, 3, 4])
})

test('each collection has one while there is another, though what it sells has fewer reviews', () => {
  const ofSherlock = { ...piece(4, 'hat', null, 2), collection: 'sherlock' }
  expect(idsOf([piece(1, 'hat', null, 9), piece(2, 'mug', null, 8), piece(3, 'tote', null, 7), ofSherlock])).toEqual([
    1, 2, 3, 4,
  ])
  const ofPip = { ...piece(5, 'polo', null, 1), collection: 'example' }
  expect(idsOf([piece(1, 'hat', null, 9), piece(2, 'mug', null, 8), piece(3, 'tote', null, 7), ofPip])).toEqual([
    1, 5, 2, 3,
  ])
})

test('without enough types a type may come again, and a sold-out product never comes', () => {
  expect(idsOf([piece(1, 'hat', 'BEST SELLER'), piece(2, 'hat'), piece(3, 'mug', 'BEST SELLER', 9, false)])).toEqual([
    1, 2,
  ])
})

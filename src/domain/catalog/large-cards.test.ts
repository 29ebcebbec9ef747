import { expect, test } from 'vitest'
import { isLargeCard } from './large-cards.ts'

const COLUMNS = 3
const largeOf = (count: number) =>
  Array.from({ length: count }, (_, index) => index).filter((index) => isLargeCard(index, count))

/** Places cards in three columns as a browser does, in order, without going back: large ones take two columns and two rows. */
function emptyPlaces(count: number): number {
  const taken = new Set<number>()
  let next = 0
  for (let index = 0; index < count; index++) {
    const isLarge = isLargeCard(index, count)
    const fits = (place: number) => !taken.has(place) && !(isLarge && place % COLUMNS === COLUMNS - 1)
    while (!fits(next)) next++
    const places = isLarge ? [next, next + 1, next + COLUMNS, next + COLUMNS + 1] : [next]
    for (const place of places) taken.add(place)
    next += isLarge ? 2 : 1
  }
  return Math.max(...taken) + 1 - taken.size
}

test('36 products have three large cards, left, right and left', () => {
  const large = largeOf(36)
  expect(large).toHaveLength(3)
  expect(large.map((index) => index % COLUMNS)).toEqual([0, 1, 0])
})

test('a few products have none, and no number of them leaves a gap between cards', () => {
  expect(largeOf(5)).toEqual([])
  for (let count = 1; count <= 60; count++) expect(emptyPlaces(count), `${count} products`).toBe(0)
})

import { expect, test } from 'vitest'
import { isLargeCard, shortSentenceOf, type CardList } from './large-cards.ts'

const COLUMNS = 3
const largeOf = (count: number, list: CardList = 'all') =>
  Array.from({ length: count }, (_, index) => index).filter((index) => isLargeCard(index, count, list))

/** How many places the cards before it take: a large one takes two. */
const placesBefore = (index: number, count: number, list: CardList = 'all') =>
  index + largeOf(count, list).filter((large) => large < index).length

test('36 products have three large cards, right, left and right, and fill the last row', () => {
  expect(largeOf(36).map((index) => placesBefore(index, 36) % COLUMNS)).toEqual([1, 0, 1])
  expect(placesBefore(36, 36) % COLUMNS).toBe(0)
})

test('a few products have none, and no number of them leaves a gap between cards', () => {
  expect(largeOf(5)).toEqual([])
  for (let count = 1; count <= 80; count++)
    for (const index of largeOf(count))
      expect(placesBefore(index, count) % COLUMNS, `${count} products`).toBeLessThan(2)
})

test('a collection of 24 has four large cards, which fill rows of four; a smaller one has none', () => {
  expect(largeOf(23, 'collection')).toEqual([])
  expect(largeOf(24, 'collection').map((index) => placesBefore(index, 24, 'collection') % 4)).toEqual([2, 0, 2, 0])
  expect(placesBefore(24, 24, 'collection') % 4).toBe(0)
})

test.each([
  ['All brim and no crown. Adjustable.', 'All brim and no crown.'],
  ['Holds 0.33 liters! Not more.', 'Holds 0.33 liters!'],
  ['Woof?', 'Woof?'],
  [`${'a'.repeat(110)}. More.`, `${'a'.repeat(110)}.`],
  [`${'a'.repeat(111)}. More.`, undefined],
  ['A title without a sign\nThen a sentence.', undefined],
  ['', undefined],
])('a large card says the first sentence of “%s” if it is short', (description, sentence) => {
  expect(shortSentenceOf(description)).toBe(sentence)
})

import { expect, test } from 'vitest'
import { isLargeCard, shortSentenceOf } from './large-cards.ts'

const COLUMNS = 3
const largeOf = (count: number) =>
  Array.from({ length: count }, (_, index) => index).filter((index) => isLargeCard(index, count))

/** How many places of three columns the cards before it take: a large one takes two. */
const placesBefore = (index: number, count: number) => index + largeOf(count).filter((large) => large < index).length

test('36 products have three large cards, left, right and left, and fill the last row', () => {
  expect(largeOf(36).map((index) => placesBefore(index, 36) % COLUMNS)).toEqual([0, 1, 0])
  expect(placesBefore(36, 36) % COLUMNS).toBe(0)
})

test('a few products have none, and no number of them leaves a gap between cards', () => {
  expect(largeOf(5)).toEqual([])
  for (let count = 1; count <= 80; count++)
    for (const index of largeOf(count))
      expect(placesBefore(index, count) % COLUMNS, `${count} products`).toBeLessThan(2)
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

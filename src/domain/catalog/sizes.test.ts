import { expect, test } from 'vitest'
import { bySize, sizeKey } from './sizes.ts'

test('sizes are sorted as a shop hangs them, whatever they are called', () => {
  const sorted = [
    ...['2XS', 'XS', 'S', 'M', 'L', 'XL', '2XL', '3XL', '6XL'],
    ...['Newborn', '0-3m', '3-6m', '12-18m', '2T', '5T', '6', '10', '14', '18″×24″'],
    ...['iPhone 9', 'iPhone 15', 'iPhone 15 Pro', 'Samsung S24', 'One size'],
  ]
  expect(sorted.toReversed().toSorted(bySize)).toEqual(sorted)
})

test.each([
  ['2XL', 'xxl'],
  ['3XL', 'XXX-Large'],
  ['XL', 'extra large'],
  ['XL', 'x-large'],
  ['S', 'Small'],
  ['18″×24″', '18x24'],
  ['11 oz', '11oz'],
  ['iPhone 15 Pro', 'iphone 15 pro'],
])('%s is also written %s', (size, typed) => expect(sizeKey(typed)).toBe(sizeKey(size)))

test.each([
  ['XL', 'L'],
  ['2XL', 'XL'],
  ['M', '6-12m'],
  ['small talk', 'S'],
])('%s is not %s', (size, other) => expect(sizeKey(size)).not.toBe(sizeKey(other)))

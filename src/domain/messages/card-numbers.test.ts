import { expect, test } from 'vitest'
import { maskCardNumbers } from './card-numbers.ts'

test.each([
  ['in one piece', 'My card is 4242424242424242.', 'My card is •••• 4242.'],
  ['in fours', '4242 4242 4242 4242', '•••• 4242'],
  ['with dashes', '5555-5555-5555-4444', '•••• 4444'],
  ['with long dashes and blanks', '5555 – 5555 – 5555 – 4444', '•••• 4444'],
  ['over two lines', '4242 4242\n4242 4242', '•••• 4242'],
  ['of fifteen digits', 'Amex 3782 822463 10005, thanks', 'Amex •••• 0005, thanks'],
  ['of thirteen digits', '4222222222222', '•••• 2222'],
  ['of nineteen digits', '6304000000000000000', '•••• 0000'],
  ['behind another number', 'order 12 4242 4242 4242 4242', 'order 12 •••• 4242'],
  ['before its expiry date', '4242 4242 4242 4242 12/34', '•••• 4242 12/34'],
  ['twice', '4242424242424242 and 4000000000000002', '•••• 4242 and •••• 0002'],
  ['twice in a row', '4242424242424242 4000000000000002', '•••• 4242 •••• 0002'],
])('a card number %s is masked', (_, written, kept) => {
  expect(maskCardNumbers(written)).toBe(kept)
})

test.each([
  ['a number with a wrong check digit', '4242424242424241'],
  ['a telephone number', '+1 (415) 555-2671'],
  ['an order number', 'PFK7QM-4T2X'],
  ['twelve digits', '424242424242'],
  ['a longer row of digits', '42424242424242424242'],
  ['a date', '2026-11-21 09:30'],
  ['nothing', ''],
])('%s is left unchanged', (_, written) => {
  expect(maskCardNumbers(written)).toBe(written)
})

test('a long run of digits is processed quickly', () => {
  const begun = performance.now()
  maskCardNumbers('1 '.repeat(2500))
  expect(performance.now() - begun).toBeLessThan(500)
})

import { expect, test } from 'vitest'
import { expressSentence, isInCart } from './express.ts'

const hat = { productId: 1, variantId: 11, quantity: 1 }
const socks = { productId: 2, variantId: 21, quantity: 2 }

test.each([
  [[], 1, 11, 'You see tax and total before you pay.'],
  [[hat], 1, 11, 'Buys the item in your cart.'],
  [[hat], 1, 12, 'Buys this and the item in your cart.'],
  [[hat, socks], 1, null, 'Buys the 3 items in your cart.'],
  [[hat, socks], 3, 31, 'Buys this and the 3 items in your cart.'],
])('an express button says what it buys: %j, product %i, variant %j', (lines, product, variant, sentence) => {
  expect(expressSentence(lines, isInCart(lines, product, variant))).toBe(sentence)
})

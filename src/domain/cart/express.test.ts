import { expect, test } from 'vitest'
import { expressSentence, missingPieces } from './express.ts'

const hat = { productId: 1, variantId: 11, quantity: 1 }
const socks = { productId: 2, variantId: 21, quantity: 2 }

test.each([
  [[], 1, 11, 1, 1, 'You’ll see tax and the total before you pay.'],
  [[], 1, 11, 3, 3, 'You’ll see tax and the total before you pay.'],
  [[hat], 1, 11, 1, 0, 'Pays for everything in your cart.'],
  [[hat], 1, 12, 1, 1, 'Pays for this and everything in your cart.'],
  [[hat, socks], 1, null, 1, 0, 'Pays for everything in your cart.'],
  [[hat, socks], 2, 21, 1, 0, 'Pays for everything in your cart.'],
  [[hat, socks], 2, 21, 3, 1, 'Pays for this and everything in your cart.'],
  [[hat, socks], 3, 31, 4, 4, 'Pays for 4 of this and everything in your cart.'],
])(
  'an express button adds what the cart lacks and says what it pays for: %j, product %i, variant %j, %i of it',
  (lines, productId, variantId, quantity, missing, sentence) => {
    expect(missingPieces(lines, { productId, variantId, quantity })).toBe(missing)
    expect(expressSentence(lines, missing)).toBe(sentence)
  },
)

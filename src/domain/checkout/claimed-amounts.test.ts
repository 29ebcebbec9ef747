import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { differsFromQuote, type ClaimedAmounts } from './claimed-amounts.ts'
import { quoteFor, type PricedLine } from './quote.ts'

const HAT: PricedLine = {
  productId: 3 as ProductId,
  variantId: 4_900_003_001 as VariantId,
  productName: 'Vented Hat',
  variantName: 'Charcoal',
  imageUrl: null,
  collection: 'rudy',
  unitPrice: cents(3495),
  quantity: 2,
  metadata: {},
}
const MUG: PricedLine = {
  ...HAT,
  productId: 5 as ProductId,
  variantId: 9 as VariantId,
  productName: 'Mug',
  variantName: null,
  unitPrice: cents(1895),
  quantity: 1,
}
const lines = [HAT, MUG]
const quote = quoteFor('US', lines, { amount: cents(644), breakdown: [], estimated: false })

const hatItem = { productId: '3', variantId: '4900003001', quantity: 2, unitPrice: 3495 }
const mugItem = { productId: 5, productName: 'Mug', variantName: null, quantity: 1, unitPrice: 1895 }

describe('the browser’s amounts match the quote', () => {
  test.each<[string, ClaimedAmounts]>([
    ['when it says nothing', {}],
    ['by subtotal and shipping', { subtotal: 8885, shippingCost: 0 }],
    ['by amount', { amount: 9529 }],
    [
      'by the whole summary',
      { orderSummary: { subtotal: 8885, shipping: 0, tax: 644, vatProtection: 0, total: 9529 } },
    ],
    ['by its lines', { cartItems: [hatItem, mugItem] }],
    ['by its lines in another order', { cartItems: [mugItem, hatItem] }],
    ['by ids as numbers', { cartItems: [{ ...hatItem, productId: 3, variantId: 4_900_003_001 }, mugItem] }],
    [
      'by names alone',
      {
        cartItems: [{ productName: 'Vented Hat', variantName: 'Charcoal', quantity: 2, unitPrice: undefined }, mugItem],
      },
    ],
    [
      'without prices',
      {
        cartItems: [
          { productId: 3, quantity: 2, unitPrice: undefined },
          { productId: 5, quantity: 1, unitPrice: undefined },
        ],
      },
    ],
  ])('%s', (_, believed) => expect(differsFromQuote(believed, quote, lines)).toBe(false))
})

describe('the browser’s amounts differ from the quote', () => {
  test.each<[string, ClaimedAmounts]>([
    ['another subtotal', { subtotal: 8884 }],
    ['another shipping', { subtotal: 8885, shippingCost: 599 }],
    ['another amount', { amount: 95.29 }],
    ['another tax', { orderSummary: { tax: 0 } }],
    ['another total', { orderSummary: { total: 9528 } }],
    ['consumption tax of the partner', { orderSummary: { vatProtection: 100 } }],
    ['a line less', { cartItems: [hatItem] }],
    ['a line more', { cartItems: [hatItem, mugItem, { ...mugItem, productId: 6 }] }],
    ['another quantity', { cartItems: [{ ...hatItem, quantity: 1 }, mugItem] }],
    ['another price', { cartItems: [{ ...hatItem, unitPrice: 3295 }, mugItem] }],
    ['another variant', { cartItems: [{ ...hatItem, variantId: 4_900_003_002 }, mugItem] }],
    [
      'another color',
      { cartItems: [{ productId: 3, variantName: 'Navy', quantity: 2, unitPrice: undefined }, mugItem] },
    ],
  ])('%s', (_, believed) => expect(differsFromQuote(believed, quote, lines)).toBe(true))

  test('by a single cent in any amount', () => {
    const amounts = ['subtotal', 'shipping', 'tax', 'vatProtection', 'total'] as const
    fc.assert(
      fc.property(fc.constantFrom(...amounts), fc.integer({ min: -5000, max: 5000 }), (name, difference) => {
        const believed = { orderSummary: { [name]: quote[name] + difference } }
        expect(differsFromQuote(believed, quote, lines)).toBe(difference !== 0)
      }),
    )
  })
})

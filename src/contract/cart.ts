import * as z from 'zod/mini'
import type { CartLineId, ProductId, VariantId } from '#shared/ids.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { call } from './call.ts'
import { branded, centsAnswer, pathId, wireId } from './wire.ts'

const VARIANT_SENTENCE = 'Please choose a variant of the product'
const quantitySentence = `Quantity must be a whole number from 1 to ${QUANTITY_MAX}`

/** A line as the browser sends it; its name, price and picture are ignored in favor of the catalog's. */
export const LineToAdd = z.object({
  productId: wireId<ProductId>('Please choose a product'),
  /** The Printful sync variant id; null selects the only variant. */
  variantId: z._default(z.nullable(wireId<VariantId>(VARIANT_SENTENCE)), null),
  quantity: z._default(
    z.int(quantitySentence).check(z.gte(1, quantitySentence), z.lte(QUANTITY_MAX, quantitySentence)),
    1,
  ),
})
export type LineToAdd = z.output<typeof LineToAdd>

const changeSentence = `Quantity must be a whole number from 0 to ${QUANTITY_MAX}`

/** A line as the cart shows it; `price` is today's unit price in cents. */
export const CartLine = z.object({
  id: branded<CartLineId>(),
  productId: branded<ProductId>(),
  variantId: branded<VariantId>(),
  productName: z.string(),
  variantName: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  price: centsAnswer,
  /** The unit price when the shopper added it, if it has changed since; otherwise null. */
  previousPrice: z.nullable(centsAnswer),
  quantity: z.int(),
  /** False if the variant is no longer for sale; the line stays until the shopper removes it. */
  available: z.boolean(),
  /** Whether another color or size of its product is for sale, to change to. */
  hasOtherVariants: z.boolean(),
})
export type CartLine = z.output<typeof CartLine>

/** What is left out stays. */
export const LineChange = z
  .object({
    quantity: z.optional(z.int(changeSentence).check(z.gte(0, changeSentence), z.lte(QUANTITY_MAX, changeSentence))),
    /** Another variant of the line's product, by its Printful sync variant id. */
    variantId: z.optional(wireId<VariantId>(VARIANT_SENTENCE)),
  })
  .check(
    z.refine(({ quantity, variantId }) => quantity !== undefined || variantId !== undefined, {
      error: changeSentence,
      path: ['quantity'],
    }),
  )
export type LineChange = z.output<typeof LineChange>

const oneLine = z.object({ id: pathId<CartLineId>() })

export const cartCalls = {
  list: call({
    method: 'GET',
    path: '/api/cart',
    access: 'anyone',
    summary: 'The lines of this session’s cart.',
    answer: z.array(CartLine),
    refusals: [],
  }),
  add: call({
    method: 'POST',
    path: '/api/cart',
    access: 'anyone',
    summary: 'Adds a variant, or raises its quantity.',
    body: LineToAdd,
    answer: CartLine,
    refusals: ['unknown_product', 'unknown_variant', 'variant_required', 'sold_out'],
  }),
  change: call({
    method: 'PUT',
    path: '/api/cart/:id',
    access: 'anyone',
    summary:
      'Sets a line’s quantity (0 removes the line), its variant, or both. If another line has that variant, both become one, which is the answer.',
    params: oneLine,
    body: LineChange,
    answer: CartLine,
    refusals: ['unknown_line', 'unknown_product', 'unknown_variant', 'sold_out'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/cart/:id',
    access: 'anyone',
    summary: 'Removes one line.',
    params: oneLine,
    answer: 'none',
    refusals: ['unknown_line'],
  }),
  clear: call({
    method: 'DELETE',
    path: '/api/cart',
    access: 'anyone',
    summary: 'Empties the cart.',
    answer: 'none',
    refusals: [],
  }),
}

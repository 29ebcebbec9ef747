import * as z from 'zod/mini'
import type { CartLineId, ProductId, VariantId } from '#shared/ids.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { call } from './call.ts'
import { centsAnswer, pathId, wireId } from './wire.ts'

const quantitySentence = `Quantity must be a whole number from 1 to ${QUANTITY_MAX}`

/** What a browser may say of a line; name, price and picture in it are ignored: the catalog's hold. */
export const LineToAdd = z.object({
  productId: wireId<ProductId>('Please name a product'),
  /** The partner's sync variant id; null takes the only variant. */
  variantId: z._default(z.nullable(wireId<VariantId>('Please name a variant of the product')), null),
  quantity: z._default(
    z.int(quantitySentence).check(z.gte(1, quantitySentence), z.lte(QUANTITY_MAX, quantitySentence)),
    1,
  ),
})
export type LineToAdd = z.output<typeof LineToAdd>

const changeSentence = `Quantity must be a whole number from 0 to ${QUANTITY_MAX}`

/** A line as the cart shows it; `price` is today's price of one piece in cents. */
export const CartLine = z.object({
  id: z.int() as unknown as z.ZodMiniType<CartLineId, CartLineId>,
  productId: z.int() as unknown as z.ZodMiniType<ProductId, ProductId>,
  variantId: z.int() as unknown as z.ZodMiniType<VariantId, VariantId>,
  productName: z.string(),
  variantName: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  price: centsAnswer,
  /** What one piece cost when the shopper added it, where that is no longer so; null where nothing changed. */
  previousPrice: z.nullable(centsAnswer),
  quantity: z.int(),
  /** False when the variant can no longer be bought; the line stays until the shopper removes it. */
  available: z.boolean(),
})
export type CartLine = z.output<typeof CartLine>

const oneLine = z.object({ id: pathId<CartLineId>() })

export const cartCalls = {
  list: call({
    method: 'GET',
    path: '/api/cart',
    access: 'anyone',
    summary: 'The lines of this browser session’s cart.',
    answer: z.array(CartLine),
    refusals: [],
  }),
  add: call({
    method: 'POST',
    path: '/api/cart',
    access: 'anyone',
    summary: 'Adds a variant; one that is in the cart already has its quantity raised.',
    body: LineToAdd,
    answer: CartLine,
    refusals: ['unknown_product', 'unknown_variant', 'variant_required', 'sold_out'],
  }),
  change: call({
    method: 'PUT',
    path: '/api/cart/:id',
    access: 'anyone',
    summary: 'Sets a line’s quantity; 0 removes the line.',
    params: oneLine,
    body: z.object({
      quantity: z.int(changeSentence).check(z.gte(0, changeSentence), z.lte(QUANTITY_MAX, changeSentence)),
    }),
    answer: CartLine,
    refusals: ['unknown_line'],
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

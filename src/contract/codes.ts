import * as z from 'zod/mini'
import { call } from './call.ts'
import { quotedCountry, quoteRefusals, WireQuote } from './quote.ts'
import { centsAnswer, singleLineText } from './wire.ts'

const CartCodes = z.object({
  codes: z.array(
    z.object({
      code: z.string(),
      /** Off the goods. */
      amount: centsAnswer,
      isShippingFree: z.boolean(),
      /** Nobody typed it, and nobody removes it. */
      isAutomatic: z.boolean(),
      /** Why it takes nothing off this cart. */
      objection: z.nullable(z.string()),
    }),
  ),
  /** The cart's goods after discounts. */
  subtotal: centsAnswer,
  /** What can be paid with it now; missing without one. */
  giftCard: z.optional(z.object({ lastFour: z.string(), balance: centsAnswer })),
  /** What the cart costs to the door of the country that was named. */
  quote: z.optional(WireQuote),
})
export type CartCodes = z.output<typeof CartCodes>

const typed = singleLineText(40, 'Please enter a code')

export const CodeToApply = z.object({ code: typed })

export const codeCalls = {
  show: call({
    method: 'GET',
    path: '/api/cart/code',
    access: 'anyone',
    summary:
      'The codes of this session’s cart, what they take off, and why others don’t. With a country, what the cart costs to its door.',
    query: z.object({ country: z.optional(quotedCountry) }),
    answer: CartCodes,
    refusals: [...quoteRefusals, 'cart_empty'],
  }),
  apply: call({
    method: 'POST',
    path: '/api/cart/code',
    access: 'anyone',
    summary:
      'Adds a code or gift card to the cart. One that never existed and one that has ended or is empty are refused alike.',
    body: CodeToApply,
    answer: CartCodes,
    refusals: ['code_unusable', 'code_alone', 'too_many'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/cart/code',
    access: 'anyone',
    summary: 'Removes a code from the cart, or all of them.',
    query: z.object({ code: z.optional(typed) }),
    answer: CartCodes,
    refusals: [],
  }),
  removeGiftCard: call({
    method: 'DELETE',
    path: '/api/cart/gift-card',
    access: 'anyone',
    summary: 'Takes the gift card out of the cart.',
    answer: CartCodes,
    refusals: [],
  }),
}

import * as z from 'zod/mini'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { call } from './call.ts'
import { CodeToApply } from './codes.ts'
import { centsAnswer, providerPathId } from './wire.ts'

/** A quote for a country, before an address is known: tax and total are estimated. Total = goods - discount + shipping + tax + VAT protection. */
export const ToDoor = z.object({
  currency: z.literal('USD'),
  /** At the catalog's prices. */
  goods: centsAnswer,
  /** What codes and automatic discounts take off the goods. */
  discount: centsAnswer,
  /** With the surcharge. */
  shipping: centsAnswer,
  surcharge: centsAnswer,
  tax: centsAnswer,
  taxLabel: z.string(),
  /** Such as `German VAT 19%`; null without tax. */
  taxName: z.nullable(z.string()),
  /** The printer's consumption tax. */
  vatProtection: centsAnswer,
  total: centsAnswer,
  /** Both days included. */
  arrival: z.object({ from: z.iso.date(), to: z.iso.date() }),
  /** Whether nothing is collected now, so that customs may ask. */
  collectedAtDelivery: z.boolean(),
  /** What the total does not contain, as a sentence; missing if it contains everything. */
  left: z.optional(z.string()),
  /** The total in the country's currency: `about 29 EUR, charged in US dollars`; missing without a rate of the last days. */
  about: z.optional(z.string()),
})
export type ToDoor = z.output<typeof ToDoor>

const COUNTRY_SENTENCE = 'Please choose a country'
const country = z.string(COUNTRY_SENTENCE).check(z.regex(/^[A-Z]{2}$/, COUNTRY_SENTENCE))

const QUANTITY_SENTENCE = `Quantity must be a whole number from 1 to ${QUANTITY_MAX}`
const quantity = z.pipe(
  z.string(QUANTITY_SENTENCE).check(z.regex(/^[1-9]\d?$/, QUANTITY_SENTENCE)),
  z.transform(Number),
)

const refusals = [
  'country_unsupported',
  'country_blocked',
  'provider_unavailable',
  'unknown_variant',
  'sold_out',
] as const

export const toDoorCalls = {
  pieces: call({
    method: 'GET',
    path: '/api/door',
    access: 'anyone',
    summary:
      'What pieces of one kind cost to the door of a country, with a code if one is named, and when they arrive.',
    query: z.object({
      productId: z.optional(providerPathId<ProductId>()),
      variantId: providerPathId<VariantId>(),
      country,
      quantity: z._default(quantity, 1),
      code: z.optional(CodeToApply.shape.code),
    }),
    answer: ToDoor,
    refusals: [...refusals, 'code_unusable'],
    shared: true,
  }),
  cart: call({
    method: 'GET',
    path: '/api/cart/door',
    access: 'anyone',
    summary: 'The same for this session’s cart after its codes.',
    query: z.object({ country }),
    answer: ToDoor,
    refusals: [...refusals, 'cart_empty'],
  }),
}

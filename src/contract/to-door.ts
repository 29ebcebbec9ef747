import * as z from 'zod/mini'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { QUANTITY_MAX } from '#domain/cart/cart.ts'
import { call } from './call.ts'
import { CodeToApply } from './codes.ts'
import { ArrivalDates, quotedCountry, quoteRefusals, WireQuote } from './quote.ts'
import { providerPathId } from './wire.ts'

const QUANTITY_SENTENCE = `Quantity must be a whole number from 1 to ${QUANTITY_MAX}`
const quantity = z.pipe(
  z.string(QUANTITY_SENTENCE).check(z.regex(/^[1-9]\d?$/, QUANTITY_SENTENCE)),
  z.transform(Number),
)

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
      country: quotedCountry,
      quantity: z._default(quantity, 1),
      code: z.optional(CodeToApply.shape.code),
    }),
    answer: WireQuote,
    refusals: [...quoteRefusals, 'code_unusable'],
    shared: true,
  }),
  arrival: call({
    method: 'GET',
    path: '/api/arrival',
    access: 'anyone',
    summary: 'The days on which what is ordered now arrives in a country.',
    query: z.object({ country: quotedCountry }),
    answer: ArrivalDates,
    refusals: [],
    shared: true,
  }),
}

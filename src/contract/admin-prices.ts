import * as z from 'zod/mini'
import type { Cents } from '#shared/money.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { MarginFacts } from './admin-studio.ts'
import { Acceptance } from './below-floor.ts'
import { call } from './call.ts'
import { branded, centsAnswer, isoMoment, pathId } from './wire.ts'

const ofProduct = z.object({ id: pathId<ProductId>() })
const variantId = branded<VariantId>()
const price = branded<Cents>(
  z
    .int('Please enter a price, such as 34.95')
    .check(z.gte(1, 'Please enter a price, such as 34.95'), z.lte(1_000_000, 'Please enter at most $10,000')),
)

/** A variant and its price; `cost` is what the printer charges for the piece as it is printed, null if unknown. */
const PricedVariant = z.object({
  id: variantId,
  name: z.string(),
  color: z.nullable(z.string()),
  size: z.nullable(z.string()),
  price: centsAnswer,
  cost: z.nullable(centsAnswer),
})
export type PricedVariant = z.output<typeof PricedVariant>

/** What the printer's store has: these prices, older ones for now, or older ones because it refused a price. */
const PrinterPrices = z.object({
  state: z.enum(['none', 'written', 'waiting', 'refused']),
  /** What it refused and why. */
  refusals: z.array(z.string()),
})

const ProductPrices = z.object({
  variants: z.array(PricedVariant),
  /** Null where the shop cannot know them: without a blank, or while the printer does not respond. */
  facts: z.nullable(MarginFacts),
  printer: PrinterPrices,
})
export type ProductPrices = z.output<typeof ProductPrices>

const PriceVersion = z.object({
  version: z.int(),
  by: z.string(),
  at: isoMoment,
  prices: z.array(z.object({ variantId, price: centsAnswer })),
})
export type PriceVersion = z.output<typeof PriceVersion>

export const adminPriceCalls = {
  productPrices: call({
    method: 'GET',
    path: '/api/admin/products/:id/prices',
    access: 'read_catalog',
    summary: 'The prices of a product’s variants, with what their margins depend on.',
    params: ofProduct,
    answer: ProductPrices,
    refusals: ['unknown_product'],
  }),
  savePrices: call({
    method: 'PUT',
    path: '/api/admin/products/:id/prices',
    access: 'owner',
    summary:
      'Changes prices at once, and at the printer by a job. Refused when a price is no longer `from`. Without changes, refused prices are sent again.',
    params: ofProduct,
    query: Acceptance,
    body: z.object({ changes: z.array(z.object({ variantId, from: price, to: price })).check(z.maxLength(1000)) }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_product', 'unknown_variant', 'product_changed', 'below_floor'],
  }),
  priceHistory: call({
    method: 'GET',
    path: '/api/admin/products/:id/prices/history',
    access: 'read_catalog',
    summary: 'The latest hundred prices that the owner set, newest first; the last are those from before.',
    params: ofProduct,
    answer: z.object({ versions: z.array(PriceVersion) }),
    refusals: [],
  }),
}

import { boolean, integer, json, pgView, text } from 'drizzle-orm/pg-core'
import { bigId, moment, money } from '#server/db/columns.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'

/** The catalog's variants for areas that sell them: every variant, `available` where it may be bought (`isBuyable`). */
export const variantAsSold = pgView('variant_as_sold', {
  id: bigId<VariantId>().notNull(),
  productId: integer().notNull().$type<ProductId>(),
  productName: text().notNull(),
  color: text(),
  size: text(),
  unitPrice: money('unit_price_cents').notNull(),
  goneAt: moment(),
  available: boolean().notNull(),
  /** The picture in the variant's color, otherwise the product's first. */
  picture: json().$type<{ file: string; widths: number[] }>(),
}).existing()

import { sql } from 'drizzle-orm'
import { bigserial, check, index, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { session } from '#server/accounts/schema.ts'
import { variant } from '#server/catalog/schema.ts'
import { bigId, namedMoment, money } from '#server/db/columns.ts'
import type { CartLineId, SessionId, VariantId } from '#shared/ids.ts'

export const cartLine = pgTable(
  'cart_line',
  {
    id: bigserial({ mode: 'number' }).primaryKey().$type<CartLineId>(),
    sessionId: text()
      .notNull()
      .$type<SessionId>()
      .references(() => session.id, { onDelete: 'cascade' }),
    variantId: bigId<VariantId>()
      .notNull()
      .references(() => variant.id),
    quantity: smallint().notNull(),
    /** The price when the shopper last added a piece; null where it is unknown. */
    unitPriceWhenAdded: money('unit_price_when_added_cents'),
    createdAt: namedMoment(),
  },
  (t) => [
    unique().on(t.sessionId, t.variantId),
    index().on(t.variantId),
    check('cart_quantity_in_range', sql`${t.quantity} between 1 and 99`),
  ],
)

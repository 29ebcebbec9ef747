import { bigint, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import type { OrderId, VariantId } from '#shared/ids.ts'

export const shipment = pgTable(
  'shipment',
  {
    /** The printer's shipment id; rows are added, never replaced. */
    id: bigint({ mode: 'number' }).primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    carrier: text().notNull(),
    service: text().notNull(),
    trackingNumber: text(),
    trackingUrl: text(),
    reshipment: boolean().notNull().default(false),
    items: jsonb().notNull().$type<{ variantId: VariantId; quantity: number }[]>(),
    shippedAt: moment().notNull(),
    deliveredAt: moment(),
    /** When the return to the sender was reported. */
    returnedAt: moment(),
  },
  (t) => [index().on(t.orderId)],
)

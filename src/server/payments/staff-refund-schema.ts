import { sql } from 'drizzle-orm'
import { bigserial, check, index, integer, pgTable } from 'drizzle-orm/pg-core'
import { appUser } from '#server/accounts/schema.ts'
import { moment, money } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import type { OrderId, UserId } from '#shared/ids.ts'

/** Refunds by people whose role has limits, which count them. */
export const staffRefund = pgTable(
  'staff_refund',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    amountCents: money().notNull(),
    madeAt: moment().notNull(),
  },
  (t) => [
    index().on(t.userId, t.madeAt),
    index().on(t.orderId),
    check('staff_refund_amount_positive', sql`${t.amountCents} > 0`),
  ],
)

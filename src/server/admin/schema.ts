import { index, integer, pgTable, primaryKey, serial, text } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import type { OrderId } from '#shared/ids.ts'

/**
 * Counted violations of the pages' content security policy, without any trace of who reported them. At most `REPORTS_MAX` rows
 * (`server/admin/policy-reports.ts`).
 */
export const policyReport = pgTable(
  'policy_report',
  {
    directive: text().notNull(),
    /** An origin, or a keyword of the browser such as `inline`. */
    blocked: text().notNull(),
    page: text().notNull(),
    count: integer().notNull().default(1),
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.directive, table.blocked, table.page] })],
)

export const orderNote = pgTable(
  'order_note',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    author: text().notNull(),
    words: text().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [index().on(t.orderId)],
)

import { bigint, index, pgTable, text } from 'drizzle-orm/pg-core'
import { moment, money, notNegative } from '#server/db/columns.ts'

/** The printer's orders as last read, since it offers no list of its charges. */
export const printerOrder = pgTable(
  'partner_order',
  {
    id: bigint({ mode: 'number' }).primaryKey(),
    /** Null for orders made in the printer's dashboard. */
    externalId: text(),
    /** The printer's status. */
    status: text().notNull(),
    /** The printer's cost; null while it is being calculated. */
    costCents: money(),
    createdAt: moment().notNull(),
    readAt: moment().notNull(),
  },
  (t) => [index().on(t.externalId), index().on(t.createdAt), notNegative('partner_order_cost', t.costCents)],
)

/** What the printer's orders cost that it charges for, by quarter of an hour in which they were created. Triggers keep it. */
export const printerSum = pgTable('partner_order_sum', {
  at: moment().primaryKey(),
  costCents: money().notNull(),
})

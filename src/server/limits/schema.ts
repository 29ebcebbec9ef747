import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'

/**
 * What was done too often, counted for all instances together: only what came near its limit, by a hash of what is counted.
 * Unlogged, because a count that a crash of the server loses is no loss.
 */
export const rateCount = pgTable(
  'rate_count',
  {
    name: text().primaryKey(),
    count: integer().notNull(),
    until: moment().notNull(),
  },
  (t) => [index().on(t.until)],
)

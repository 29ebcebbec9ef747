import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Bookkeeping } from '#domain/ledger/journals.ts'
import { moment } from '#server/db/columns.ts'

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

/** How the owner's own bookkeeping calls the ledger's accounts; a single row, none before the first change. */
export const bookkeeping = pgTable(
  'bookkeeping',
  {
    id: integer().primaryKey(),
    settings: jsonb().notNull().$type<Bookkeeping>(),
    /** Grows with every change. */
    version: integer().notNull(),
  },
  (table) => [check('bookkeeping_single', sql`${table.id} = 1`)],
)

import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, primaryKey, serial, text, unique } from 'drizzle-orm/pg-core'
import type { Bookkeeping } from '#domain/ledger/journals.ts'
import type { SavedFilter } from '#contract/saved-views.ts'
import { appUser } from '#server/accounts/schema.ts'
import { moment } from '#server/db/columns.ts'
import type { UserId } from '#shared/ids.ts'

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

/** A filter of the order list under a name of its own, for one person of the admin. */
export const savedView = pgTable(
  'saved_view',
  {
    id: serial().primaryKey(),
    userId: integer()
      .notNull()
      .$type<UserId>()
      .references(() => appUser.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Without the text of a search, which could be a customer's name or address. */
    filter: jsonb().notNull().$type<SavedFilter>(),
    createdAt: moment().notNull(),
  },
  (table) => [unique('saved_view_name').on(table.userId, table.name)],
)

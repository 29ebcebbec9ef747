import { bigserial, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'
import type { StaffRole } from '#domain/accounts/roles.ts'
import type { UserId } from '#shared/ids.ts'

/**
 * The audit log of owners' actions. Append-only (a trigger enforces it), so it must not contain personal data: things are named by
 * their numbers.
 */
export const ownerAction = pgTable(
  'owner_action',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    /** Null for a command on the machine. No foreign key: entries outlive the account. */
    userId: integer().$type<UserId>(),
    userName: text().notNull(),
    /** The role at that time; null for a command, and before there were roles. */
    userRole: text().$type<StaffRole>(),
    /** The internet address; empty for a command. */
    address: text().notNull(),
    /** In the past tense, such as `put on hold`. */
    what: text().notNull(),
    /** The kind and number of the affected thing. */
    aboutKind: text().notNull(),
    aboutId: text().notNull(),
    before: jsonb().$type<ActionFacts>(),
    after: jsonb().$type<ActionFacts>(),
    takenAt: moment().notNull(),
  },
  (t) => [index().on(t.aboutKind, t.aboutId)],
)

/** Changed values by name. */
export type ActionFacts = Record<string, string | number | boolean | null>

import { sql } from 'drizzle-orm'
import { date, foreignKey, index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, money } from '#server/db/columns.ts'
import { providerPayout } from '#server/payments/outcome-schema.ts'
import type { PaymentProvider } from '#shared/ids.ts'

/** An uploaded file of the owner's bank. */
export const bankStatement = pgTable('bank_statement', {
  id: serial().primaryKey(),
  /** SHA-256 of the file, hex: the same file is stored once. */
  fileHash: text().notNull().unique(),
  name: text().notNull(),
  account: text().notNull(),
  fromDay: date({ mode: 'string' }).notNull(),
  toDay: date({ mode: 'string' }).notNull(),
  /** In the file, others than deposits included. */
  lines: integer().notNull(),
  uploadedAt: moment().notNull(),
})

/** A deposit of a statement, or what a provider took; other lines are not kept. */
export const bankLine = pgTable(
  'bank_line',
  {
    id: serial().primaryKey(),
    statementId: integer()
      .notNull()
      .references(() => bankStatement.id),
    /** The same line in two statements has the same key. */
    lineKey: text().notNull().unique(),
    day: date({ mode: 'string' }).notNull(),
    /** In cents of `currency`; positive when it came to the account. */
    amountCents: money().notNull(),
    currency: text().notNull(),
    text: text().notNull(),
  },
  (t) => [index().on(t.day)],
)

/** Which payout a line is. A pair that was taken apart stays, so that no rule makes it again. */
export const bankMatch = pgTable(
  'bank_match',
  {
    id: serial().primaryKey(),
    lineId: integer()
      .notNull()
      .references(() => bankLine.id),
    provider: text().notNull().$type<PaymentProvider>(),
    payoutId: text().notNull(),
    /** `rule`, or the name of who matched it. */
    matchedBy: text().notNull(),
    matchedAt: moment().notNull(),
    undoneAt: moment(),
  },
  (t) => [
    foreignKey({
      name: 'bank_match_of_payout',
      columns: [t.provider, t.payoutId],
      foreignColumns: [providerPayout.provider, providerPayout.payoutId],
    }),
    uniqueIndex('bank_match_line_once')
      .on(t.lineId)
      .where(sql`${t.undoneAt} is null`),
    uniqueIndex('bank_match_payout_once')
      .on(t.provider, t.payoutId)
      .where(sql`${t.undoneAt} is null`),
  ],
)

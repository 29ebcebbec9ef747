import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { knownLanguage, language, moment } from '#server/db/columns.ts'

/** A person to erase once none of their orders is open; then the row is deleted too. */
export const erasure = pgTable('erasure', {
  /** In lower case. */
  email: text().primaryKey(),
  askedAt: moment().notNull(),
})

/** An emailed link to the data that the shop has about a person. */
export const dataRequest = pgTable(
  'data_request',
  {
    /** SHA-256 of the link's token, hex; only the email has the token. */
    tokenHash: text().primaryKey(),
    email: text().notNull(),
    language: language(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (t) => [knownLanguage('data_request_language_known', t.language), index().on(t.email), index().on(t.expiresAt)],
)

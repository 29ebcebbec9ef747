import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'

/** The shop's own state, such as the hash of the imported catalog file. */
export const setting = pgTable('setting', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/** Published texts of legal pages, kept forever; version 1 of each is the house's. Versions count for all pages together. */
export const legalVersion = pgTable('legal_version', {
  version: integer().primaryKey(),
  page: text().notNull(),
  text: text().notNull(),
  publishedAt: moment().notNull(),
})

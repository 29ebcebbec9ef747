import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { LegalFacts } from '#domain/legal/legal-text.ts'
import { moment } from '#server/db/columns.ts'

/** The shop's own state, such as the hash of the imported catalog file. */
export const setting = pgTable('setting', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/** What the placeholders of legal pages stood for from a version on, kept forever; empty if nobody kept it. */
export const legalFigures = pgTable('legal_figures', {
  version: integer().primaryKey(),
  figures: jsonb().notNull().$type<LegalFacts>(),
  since: moment().notNull(),
})

/** Published texts of legal pages, kept forever; version 1 of each is the house's. Versions count for all pages together. */
export const legalVersion = pgTable('legal_version', {
  version: integer().primaryKey(),
  page: text().notNull(),
  text: text().notNull(),
  publishedAt: moment().notNull(),
})

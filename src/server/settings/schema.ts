import { boolean, check, date, index, integer, jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core'
import type { LegalFacts, LegalPageName } from '#domain/legal/legal-text.ts'
import { languages, type OtherLanguage } from '#shared/language.ts'
import { moment, oneOf } from '#server/db/columns.ts'

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

/**
 * Signed translations of legal pages, each of one version, kept forever. The last one of a page and language counts; withdrawing adds it once
 * more, as withdrawn.
 */
export const legalTranslation = pgTable(
  'legal_translation',
  {
    id: serial().primaryKey(),
    page: text().notNull().$type<LegalPageName>(),
    language: text().notNull().$type<OtherLanguage>(),
    /** The number of the English text's version. */
    ofVersion: integer().notNull(),
    text: text().notNull(),
    signedBy: text().notNull(),
    signedOn: date().notNull(),
    withdrawn: boolean().notNull(),
    publishedAt: moment().notNull(),
  },
  (t) => [
    index().on(t.page, t.language, t.id),
    check(
      'legal_translation_language_known',
      oneOf(
        t.language,
        languages.filter((language) => language !== 'en'),
      ),
    ),
  ],
)

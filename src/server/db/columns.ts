import { sql } from 'drizzle-orm'
import { type AnyPgColumn, bigint, check, customType, text, timestamp } from 'drizzle-orm/pg-core'
import type { Branded } from '#shared/branded.ts'
import { languages, type Language } from '#shared/language.ts'
import type { Cents } from '#shared/money.ts'

// Columns are snake_case in the database (casing option); amounts end in _cents, times in _at.

export const moment = () => timestamp({ withTimezone: true, mode: 'date' })
const requiredMoment = () => moment().notNull()
/**
 * For times that every insert names, by the shop's clock; it does not compile without. The database keeps a default, its own time, for the
 * release before.
 */
export const namedMoment = () => requiredMoment().defaultNow() as unknown as ReturnType<typeof requiredMoment>
export const bigId = <Id extends Branded<number, string>>() => bigint({ mode: 'number' }).$type<Id>()
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** An amount in whole cents. */
export const money = (column = '') => bigint(column, { mode: 'number' }).$type<Cents>()
export const notNegative = (name: string, ...columns: AnyPgColumn[]) =>
  check(
    name,
    sql.join(
      columns.map((column) => sql`${column} >= 0`),
      sql` and `,
    ),
  )

/** The language of somebody's pages and emails. */
export const language = () => text().notNull().default('en').$type<Language>()
export const knownLanguage = (name: string, column: AnyPgColumn) => check(name, oneOf(column, languages))

/** Text that sorts by code points, as in JavaScript. */
export const plainText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

export const oneOf = (column: AnyPgColumn, words: readonly string[]) =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`

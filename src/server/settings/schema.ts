import { pgTable, text } from 'drizzle-orm/pg-core'

/** The shop's own state, such as the hash of the imported catalog file. */
export const setting = pgTable('setting', {
  name: text().primaryKey(),
  value: text().notNull(),
})

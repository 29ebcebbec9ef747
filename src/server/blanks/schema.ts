import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Blank } from '#contract/admin-blanks.ts'
import { moment, money } from '#server/db/columns.ts'

// Our copy of the printer's catalog. Rows stay when the printer discontinues something: products that are made of it refer to them.

/** What is read of a blank when it is opened: one value, because nothing asks for its parts alone. */
export type BlankDetails = Pick<
  Blank,
  'description' | 'originCountry' | 'fulfillmentDays' | 'variants' | 'sizeTables' | 'printAreas' | 'options'
>

export const blankCategory = pgTable('blank_category', {
  id: integer().primaryKey(),
  parentId: integer(),
  title: text().notNull(),
})

export const blank = pgTable(
  'blank',
  {
    /** Printful's catalog number. */
    id: integer().primaryKey(),
    title: text().notNull(),
    brand: text(),
    model: text(),
    kind: text().notNull(),
    categoryId: integer(),
    techniques: jsonb().notNull().$type<Blank['techniques']>(),
    variantCount: integer().notNull(),
    /** On the printer's file host. */
    imageUrl: text(),
    /** Of the variants that are made, in US dollars; null until they were read, or where the printer says none. */
    costFromCents: money('cost_from_cents'),
    costToCents: money('cost_to_cents'),
    costsReadAt: moment(),
    /** When we first saw that the printer no longer makes it. */
    discontinuedAt: moment(),
    /** Null until it was opened once, as the columns after it. */
    details: jsonb().$type<BlankDetails>(),
    costChangedAt: moment(),
    fetchedAt: moment(),
  },
  (t) => [index().on(t.categoryId)],
)

/** What the printer charges for sending one piece; a country stands for its price region. */
export const blankShipping = pgTable(
  'blank_shipping',
  {
    blankId: integer().notNull(),
    country: text().notNull(),
    /** Null where the printer does not send it. */
    shippingCents: money('shipping_cents'),
    readAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.blankId, t.country] })],
)

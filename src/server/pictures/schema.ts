import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { type Drawing, pictureKinds } from '#contract/admin-pictures.ts'
import type { CompositionRequest } from '#domain/pictures/composition.ts'
import { bytes, moment, oneOf } from '#server/db/columns.ts'

const formats = ['webp', 'avif', 'png', 'jpg', 'svg'] as const

/** Those of the admin's library, and photos by customers: they are deleted with the person, and in no file of the catalog. */
export const storedKinds = [...pictureKinds, 'customer'] as const

/** A picture in our own sizes, each as WebP and AVIF. Its content never changes: the name contains a hash of it. */
export const picture = pgTable(
  'picture',
  {
    /** Name without width and extension. */
    file: text().primaryKey(),
    kind: text().notNull().$type<(typeof storedKinds)[number]>(),
    alt: text().notNull(),
    /** In pixels, the widest first; `width` and `height` are the widest file's. */
    widths: integer().array().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    drawing: jsonb().$type<Drawing>(),
    /** Where the printer has it. */
    sourceUrl: text().unique(),
    createdAt: moment().notNull(),
    /** Since when nothing refers to it, as far as the daily look found. */
    unusedSince: moment(),
  },
  (t) => [index().on(t.createdAt, t.file), check('picture_kind_known', oneOf(t.kind, storedKinds))],
)

/** A picture's bytes. A drawing also has its original, `png`, `jpg` or `svg`: what is printed, and never served to shoppers. */
export const pictureFile = pgTable(
  'picture_file',
  {
    file: text()
      .notNull()
      .references(() => picture.file, { onDelete: 'cascade' }),
    width: integer().notNull(),
    format: text().notNull().$type<(typeof formats)[number]>(),
    body: bytes().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.file, t.width, t.format] }),
    check('picture_file_format_known', oneOf(t.format, formats)),
  ],
)

/** The pictures of a drawing on a product. Which of them are made follows from `picture`: their names are computed. */
export const composition = pgTable('composition', {
  /** A hash of the request: the same request is the same work. */
  id: text().primaryKey(),
  request: jsonb().notNull().$type<CompositionRequest>(),
  /** Set when the pictures cannot be made. */
  failure: text(),
  createdAt: moment().notNull(),
})

import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  serial,
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { fits, type Fit } from '#domain/orders/fit.ts'
import { reviewStates, type ReviewState } from '#domain/reviews/review.ts'
import type { OrderId, ProductId } from '#shared/ids.ts'
import { product } from '#server/catalog/schema.ts'
import { moment, oneOf } from '#server/db/columns.ts'
import { orderLine } from '#server/orders/schema.ts'
import { picture } from '#server/pictures/schema.ts'

/** A product's rating is computed from these rows alone: see view `product_rating`. */
export const review = pgTable(
  'review',
  {
    id: serial().primaryKey(),
    productId: integer()
      .notNull()
      .$type<ProductId>()
      .references(() => product.id),
    /** The line that was bought, one review each; null for demo reviews. */
    orderId: integer().$type<OrderId>(),
    line: smallint(),
    state: text().notNull().$type<ReviewState>(),
    stars: smallint().notNull(),
    fit: text().$type<Fit>(),
    words: text().notNull(),
    /** As its writer wants to be called. */
    name: text().notNull(),
    /** Color and size as bought. */
    variantName: text(),
    /** The shop's public answer. */
    answer: text(),
    /** Why it is hidden; for the owner alone. */
    hiddenReason: text(),
    /** Written for the demo shop. */
    isDemo: boolean().notNull().default(false),
    /** Counts changes by its writer and the owner. */
    version: integer().notNull().default(1),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (t) => [
    unique('review_of_line').on(t.orderId, t.line),
    foreignKey({ columns: [t.orderId, t.line], foreignColumns: [orderLine.orderId, orderLine.position] }),
    // A product's page, and the counts of all its reviews from the index alone.
    index('review_shown')
      .on(t.productId, t.id)
      .where(sql`${t.state} = 'published'`),
    index('review_counted')
      .on(t.productId, t.stars, t.id, t.fit, t.isDemo)
      .where(sql`${t.state} = 'published'`),
    index('review_by_state').on(t.state, t.id),
    index('review_by_product').on(t.productId, t.id),
    check('review_state_known', oneOf(t.state, reviewStates)),
    check('review_stars_in_scale', sql`${t.stars} between 1 and 5`),
    check('review_fit_known', oneOf(t.fit, fits)),
    check('review_is_demo_or_bought', sql`${t.isDemo} = (${t.orderId} is null) and ${t.isDemo} = (${t.line} is null)`),
  ],
)

/** A photo that a buyer uploaded for a line; those of no review are deleted after a day. */
export const reviewPhoto = pgTable(
  'review_photo',
  {
    file: text()
      .primaryKey()
      .references(() => picture.file),
    orderId: integer().notNull().$type<OrderId>(),
    line: smallint().notNull(),
    /** Null until the review is saved. */
    reviewId: integer().references(() => review.id, { onDelete: 'set null' }),
    /** In its review, from 0. */
    position: smallint().notNull(),
    createdAt: moment().notNull(),
  },
  (t) => [
    foreignKey({ columns: [t.orderId, t.line], foreignColumns: [orderLine.orderId, orderLine.position] }),
    index().on(t.orderId, t.line),
    index().on(t.reviewId),
    index('review_photo_unused')
      .on(t.createdAt)
      .where(sql`${t.reviewId} is null`),
  ],
)

/** People who do not want to be asked for reviews. */
export const reviewOptOut = pgTable('review_opt_out', {
  /** In lower case. */
  email: text().primaryKey(),
  createdAt: moment().notNull(),
})

import { and, asc, count, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Fit } from '#domain/orders/fit.ts'
import type { ReviewState } from '#domain/reviews/review.ts'
import type { OrderId, ProductId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { review, reviewOptOut, reviewPhoto } from './schema.ts'

export type StoredReview = typeof review.$inferSelect
type StoredPhoto = typeof reviewPhoto.$inferSelect

const isPublished = eq(review.state, 'published')

/** Of a product's published reviews. */
export type Counted = { stars: number; fit: Fit | null; isDemo: boolean; count: number }

/** From an index alone: at most 40 groups, however many reviews. */
export const countPublished = (db: Reader, productId: ProductId): Promise<Counted[]> =>
  db
    .select({ stars: review.stars, fit: review.fit, isDemo: review.isDemo, count: count() })
    .from(review)
    .where(and(eq(review.productId, productId), isPublished))
    .groupBy(review.stars, review.fit, review.isDemo)

/** Latest first. */
export const listPublished = (
  db: Reader,
  productId: ProductId,
  { stars, after, limit }: { stars: number | undefined; after: number | undefined; limit: number },
): Promise<StoredReview[]> =>
  db
    .select()
    .from(review)
    .where(
      and(
        eq(review.productId, productId),
        isPublished,
        stars === undefined ? undefined : eq(review.stars, stars),
        after === undefined ? undefined : lt(review.id, after),
      ),
    )
    .orderBy(desc(review.id))
    .limit(limit)

type ReviewFilter = {
  state: ReviewState | undefined
  productId: ProductId | undefined
  stars: number | undefined
  older: number | undefined
}

/** In any state, latest first. */
export const listReviews = (
  db: Reader,
  { state, productId, stars, older }: ReviewFilter,
  limit: number,
): Promise<StoredReview[]> =>
  db
    .select()
    .from(review)
    .where(
      and(
        state && eq(review.state, state),
        productId && eq(review.productId, productId),
        stars === undefined ? undefined : eq(review.stars, stars),
        older === undefined ? undefined : lt(review.id, older),
      ),
    )
    .orderBy(desc(review.id))
    .limit(limit)

export async function countByState(db: Reader, state: ReviewState): Promise<number> {
  const [counted] = await db.select({ count: count() }).from(review).where(eq(review.state, state))
  return counted?.count ?? 0
}

/** Jumps along the index from product to product. */
export async function listReviewedProducts(db: Reader): Promise<ProductId[]> {
  const { rows } = await db.execute<{ id: ProductId }>(sql`
    with recursive known (id) as (
      select min(product_id) from review
      union all
      select (select min(r.product_id) from review r where r.product_id > known.id) from known where known.id is not null)
    select id from known where id is not null`)
  return rows.map(({ id }) => id)
}

export const findReview = async (db: Reader, id: number): Promise<StoredReview | undefined> =>
  (await db.select().from(review).where(eq(review.id, id)))[0]

/** Waits for a concurrent change of the review. */
export const lockReview = async (tx: Tx, id: number): Promise<StoredReview | undefined> =>
  (await tx.select().from(review).where(eq(review.id, id)).for('update'))[0]

export const listReviewsOfOrder = (db: Reader, orderId: OrderId): Promise<StoredReview[]> =>
  db.select().from(review).where(eq(review.orderId, orderId)).orderBy(asc(review.line))

/** @returns undefined if the line has a review */
export const insertReview = async (tx: Tx, row: typeof review.$inferInsert): Promise<StoredReview | undefined> =>
  (await tx.insert(review).values(row).onConflictDoNothing().returning())[0]

export const insertDemoReviews = (tx: Tx, rows: (typeof review.$inferInsert)[]) => tx.insert(review).values(rows)

export const deleteDemoReviews = (tx: Tx) => tx.delete(review).where(eq(review.isDemo, true))

/** Counts as a change. */
export async function updateReview(tx: Tx, id: number, values: Partial<typeof review.$inferInsert>): Promise<void> {
  await tx
    .update(review)
    .set({ ...values, version: sql`${review.version} + 1` })
    .where(eq(review.id, id))
}

export const deleteReview = (tx: Tx, id: number) => tx.delete(review).where(eq(review.id, id))

// ---- photos

/** In the order of their review. */
export const listPhotos = (db: Reader, reviewIds: readonly number[]): Promise<StoredPhoto[]> =>
  reviewIds.length > 0
    ? db
        .select()
        .from(reviewPhoto)
        .where(inArray(reviewPhoto.reviewId, [...reviewIds]))
        .orderBy(asc(reviewPhoto.reviewId), asc(reviewPhoto.position))
    : Promise.resolve([])

export const listPhotosOfLine = (db: Reader, orderId: OrderId, line: number): Promise<StoredPhoto[]> =>
  db
    .select()
    .from(reviewPhoto)
    .where(and(eq(reviewPhoto.orderId, orderId), eq(reviewPhoto.line, line)))

export const insertPhoto = (tx: Tx, row: typeof reviewPhoto.$inferInsert) => tx.insert(reviewPhoto).values(row)

export async function attachPhotos(tx: Tx, reviewId: number, files: readonly string[]): Promise<void> {
  for (const [position, file] of files.entries())
    await tx.update(reviewPhoto).set({ reviewId, position }).where(eq(reviewPhoto.file, file))
}

/** Their pictures can then be deleted. */
export const deletePhotos = (tx: Tx, files: readonly string[]) =>
  tx.delete(reviewPhoto).where(inArray(reviewPhoto.file, [...files]))

/** Uploaded before `moment`, for a review that was never saved. */
export const listUnusedPhotos = (db: Reader, moment: Date, limit: number): Promise<StoredPhoto[]> =>
  db
    .select()
    .from(reviewPhoto)
    .where(and(isNull(reviewPhoto.reviewId), lt(reviewPhoto.createdAt, moment)))
    .limit(limit)

// ---- people who do not want to be asked

export const hasOptedOut = async (db: Reader, email: string): Promise<boolean> =>
  (await db.select().from(reviewOptOut).where(eq(reviewOptOut.email, email))).length > 0

export const addOptOut = (tx: Tx, email: string, createdAt: Date) =>
  tx.insert(reviewOptOut).values({ email, createdAt }).onConflictDoNothing()

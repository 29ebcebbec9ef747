import { eq, inArray } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Email, Fates, PersonalData } from '#server/db/personal-data.ts'
import type { LaterFile } from '#server/files/json-file.ts'
import { deleteCustomerPhotos, readCustomerPhoto } from '#server/pictures/pictures.ts'
import { review, reviewOptOut, reviewPhoto } from './schema.ts'
import type * as schema from './schema.ts'
import { deletePhotos, listPhotos, listUnusedPhotos } from './store.ts'

export const personalData = {
  fates: {
    // Those of orders; demo reviews are nobody's.
    review: 'deleted',
    reviewPhoto: 'deleted',
    reviewOptOut: 'deleted',
  } satisfies Fates<typeof schema>,

  /** Reviews with their photos as WebP. */
  async export(db: Reader, email: Email, orderIds: readonly OrderId[]) {
    const reviews = orderIds.length
      ? await db
          .select()
          .from(review)
          .where(inArray(review.orderId, [...orderIds]))
      : []
    const photos = await listPhotos(
      db,
      reviews.map(({ id }) => id),
    )
    const [optOut] = await db.select().from(reviewOptOut).where(eq(reviewOptOut.email, email))
    return {
      reviews: reviews.map(({ id, productId, state, stars, fit, words, name, answer, createdAt, updatedAt }) => ({
        ...{ productId, state, stars, fit, words, name, answer, createdAt, updatedAt },
        photos: photos
          .filter(({ reviewId }) => reviewId === id)
          .map(
            ({ file }): LaterFile =>
              () =>
                readCustomerPhoto(db, file),
          ),
      })),
      wantsNoReviewEmails: optOut !== undefined,
    }
  },

  async eraseOrders(tx, orders) {
    const ids = orders.map(({ id }) => id)
    const photos = await tx
      .delete(reviewPhoto)
      .where(inArray(reviewPhoto.orderId, ids))
      .returning({ file: reviewPhoto.file })
    await deleteCustomerPhotos(
      tx,
      photos.map(({ file }) => file),
    )
    await tx.delete(review).where(inArray(review.orderId, ids))
  },

  async erasePerson(tx, { email }) {
    await tx.delete(reviewOptOut).where(eq(reviewOptOut.email, email))
  },

  /** Photos that were uploaded before `before` for a review that was never saved. @returns how many were deleted */
  async deleteUnusedPhotos(tx: Tx, before: Date, limit: number): Promise<number> {
    const files = (await listUnusedPhotos(tx, before, limit)).map(({ file }) => file)
    if (files.length > 0) await deletePhotos(tx, files)
    await deleteCustomerPhotos(tx, files)
    return files.length
  },
} satisfies PersonalData

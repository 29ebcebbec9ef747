import type { OrderKey } from '#contract/orders.ts'
import type {
  OwnReview,
  ReviewableLine,
  ReviewPage,
  ReviewPhoto,
  ShownReview,
  WrittenReview,
} from '#contract/reviews.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { canReview, PHOTOS_MAX, STARS_MAX, stateAfterWriting } from '#domain/reviews/review.ts'
import type { ProductId } from '#shared/ids.ts'
import { assert } from '#shared/assert.ts'
import { CUSTOMER, recordAction } from '#server/audit-log/audit-log.ts'
import { findWorn } from '#server/catalog/catalog.ts'
import { findProductView } from '#server/catalog/listing.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { authorizeOrderCustomer } from '#server/orders/access.ts'
import { listOrderLines, lockOrder, type Order, type OrderLine } from '#server/orders/orders.ts'
import { listShipments } from '#server/orders/production.ts'
import {
  deleteCustomerPhotos,
  findCustomerPhotos,
  storeCustomerPhoto,
  type CustomerPhoto,
} from '#server/pictures/pictures.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import {
  attachPhotos,
  countPublished,
  deletePhotos,
  deleteReview,
  insertPhoto,
  insertReview,
  listPhotos,
  listPhotosOfLine,
  listPublished,
  listReviewsOfOrder,
  updateReview,
  type Counted,
  type StoredReview,
} from './store.ts'

const REVIEWS_A_PAGE = 8
/** Uploads for one review, with those that were taken out again. */
const UPLOADS_MAX = 3 * PHOTOS_MAX

/** @throws Refusal `unknown_product`, also for a product that is not on sale */
export async function readReviewPage(
  db: Db,
  productId: ProductId,
  { stars, after }: { stars: number | undefined; after: number | undefined },
): Promise<ReviewPage> {
  if (!(await findProductView(db, String(productId)))) throw new Refusal('unknown_product')
  const counted = await countPublished(db, productId)
  const rows = await listPublished(db, productId, { stars, after, limit: REVIEWS_A_PAGE + 1 })
  const shown = rows.slice(0, REVIEWS_A_PAGE)
  const sumWhere = (holds: (group: Counted) => boolean) =>
    counted.reduce((sum, group) => sum + (holds(group) ? group.count : 0), 0)
  return {
    all: averageOf(counted),
    real: averageOf(counted.filter(({ isDemo }) => !isDemo)),
    byStars: Array.from({ length: STARS_MAX }, (_, index) => sumWhere((group) => group.stars === index + 1)),
    fits: {
      small: sumWhere(({ fit }) => fit === 'small'),
      true: sumWhere(({ fit }) => fit === 'true'),
      large: sumWhere(({ fit }) => fit === 'large'),
    },
    reviews: await toShownReviews(db, shown),
    next: rows.length > REVIEWS_A_PAGE ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** Rounded as view `product_rating` does. */
function averageOf(counted: readonly Counted[]): ReviewPage['all'] {
  const count = counted.reduce((sum, group) => sum + group.count, 0)
  const stars = counted.reduce((sum, group) => sum + group.stars * group.count, 0)
  return count > 0 ? { rating: Math.round((stars * 10) / count) / 10, count } : null
}

async function photosOf(db: Reader, reviews: readonly { id: number }[]): Promise<Map<number, ReviewPhoto[]>> {
  const photos = await listPhotos(
    db,
    reviews.map(({ id }) => id),
  )
  const stored = await findCustomerPhotos(
    db,
    photos.map(({ file }) => file),
  )
  const byReview = Map.groupBy(photos, ({ reviewId }) => reviewId ?? 0)
  return new Map([...byReview].map(([id, own]) => [id, own.flatMap(({ file }) => stored.get(file) ?? [])]))
}

export async function toShownReviews(db: Reader, rows: readonly StoredReview[]): Promise<ShownReview[]> {
  const photos = await photosOf(db, rows)
  return rows.map((row) => ({
    id: row.id,
    stars: row.stars,
    fit: row.fit,
    words: row.words,
    name: row.name,
    variantName: row.variantName,
    photos: photos.get(row.id) ?? [],
    writtenAt: row.createdAt.toISOString(),
    isDemo: row.isDemo,
    answer: row.answer,
  }))
}

// ---- by buyers

type WritingNeeds = Needs<'db' | 'clock'>
type Visitor = Pick<Context, 'session'>

/** @throws Refusal `order_not_shown`, `link_expired` */
const openOrder = async (shop: WritingNeeds, visitor: Visitor, key: OrderKey): Promise<Order> =>
  (await authorizeOrderCustomer(shop, visitor, key)).order

/** The lines that can be reviewed, and those that have a review. */
export async function readReviewsOfOrder(
  shop: WritingNeeds,
  visitor: Visitor,
  key: OrderKey,
): Promise<ReviewableLine[]> {
  const { db } = shop
  const order = await openOrder(shop, visitor, key)
  const lines = await listOrderLines(db, order.id)
  const reviews = await listReviewsOfOrder(db, order.id)
  const photos = await photosOf(db, reviews)
  const isReviewable = await reviewableLines(db, order)
  const worn = await findWorn(
    db,
    lines.map(({ productId }) => productId),
  )
  return lines.flatMap((line) => {
    const own = reviews.find((review) => review.line === line.position)
    if (!own && !isReviewable(line)) return []
    return {
      line: line.position,
      productId: line.productId,
      productName: line.productName,
      variantName: line.variantName,
      imageUrl: line.imageUrl,
      isWorn: worn.has(line.productId),
      review: own ? toOwnReview(own, photos.get(own.id) ?? []) : null,
    }
  })
}

const toOwnReview = (
  { version, state, stars, fit, words, name, answer }: StoredReview,
  photos: ReviewPhoto[],
): OwnReview => ({ version, state, stars, fit, words, name, photos, answer })

async function reviewableLines(db: Reader, order: Order): Promise<(line: OrderLine) => boolean> {
  const { kind, fulfillmentStatus: fulfillment, paymentStatus: payment } = order
  const arrived = new Set(
    (await listShipments(db, order.id))
      .filter(({ deliveredAt, returnedAt }) => deliveredAt && !returnedAt)
      .flatMap(({ items }) => items.map(({ variantId }) => variantId)),
  )
  return ({ variantId }) => canReview({ kind, fulfillment, payment }, arrived.has(variantId))
}

/**
 * Finds a line with its review, while the order cannot change.
 * @throws Refusal `review_not_possible` for a line without a review that cannot get one
 */
async function lockLine(
  tx: Tx,
  { id }: Order,
  position: number,
): Promise<{ order: Order; line: OrderLine; before: StoredReview | undefined }> {
  const order = await lockOrder(tx, id)
  if (order.erasedAt) throw new Refusal('order_not_shown')
  const line = (await listOrderLines(tx, id)).find((candidate) => candidate.position === position)
  const before = (await listReviewsOfOrder(tx, id)).find((candidate) => candidate.line === position)
  if (!line || (!before && !(await reviewableLines(tx, order))(line))) throw new Refusal('review_not_possible')
  return { order, line, before }
}

/**
 * Writes or changes the review of a line; photos that it no longer has are deleted.
 * @throws Refusal `review_changed` when it was changed elsewhere, `unknown_picture` for a photo of something else
 */
export async function writeReview(
  shop: WritingNeeds,
  visitor: Visitor,
  position: number,
  written: WrittenReview & OrderKey,
): Promise<{ done: string }> {
  const { db, clock } = shop
  const opened = await openOrder(shop, visitor, written)
  const state = await db.transaction(async (tx) => {
    const { order, line, before } = await lockLine(tx, opened, position)
    if ((before?.version ?? 0) !== written.version) throw new Refusal('review_changed')
    const uploads = (await listPhotosOfLine(tx, order.id, position)).map(({ file }) => file)
    if (written.photos.some((file) => !uploads.includes(file))) throw new Refusal('unknown_picture')
    const { reviewsAppear } = await readSiteSettings(tx)
    const now = clock.now()
    const values = {
      state: stateAfterWriting(before?.state, reviewsAppear),
      stars: written.stars,
      fit: written.fit,
      words: maskCardNumbers(written.words),
      name: maskCardNumbers(written.name),
      updatedAt: now,
    }
    const { productId, variantName } = line
    const row = { ...values, productId, orderId: order.id, line: position, variantName, createdAt: now }
    const id = before ? before.id : (await insertReview(tx, row))?.id
    assert(id !== undefined, 'a locked order got a review')
    if (before) await updateReview(tx, id, { ...values, hiddenReason: null })
    const kept = [...new Set(written.photos)]
    await attachPhotos(tx, id, kept)
    await dropPhotos(
      tx,
      uploads.filter((file) => !kept.includes(file)),
    )
    await recordAction(tx, {
      by: CUSTOMER,
      what: before ? 'changed a review' : 'wrote a review',
      about: { kind: 'review', id },
      ...(before && { before: { stars: before.stars, state: before.state } }),
      after: { stars: values.stars, state: values.state },
      at: now,
    })
    return values.state
  })
  clearListingCache(db)
  return {
    done:
      state === 'published'
        ? 'Thank you. Your review is on the product’s page.'
        : 'Thank you. We read every review before it appears on the product’s page.',
  }
}

async function dropPhotos(tx: Tx, files: readonly string[]): Promise<void> {
  if (files.length === 0) return
  await deletePhotos(tx, files)
  await deleteCustomerPhotos(tx, files)
}

/** Deletes the review of a line with its photos; without one, nothing happens. */
export async function removeReview(
  shop: WritingNeeds,
  visitor: Visitor,
  position: number,
  key: OrderKey,
): Promise<{ done: string }> {
  const { db, clock } = shop
  const opened = await openOrder(shop, visitor, key)
  await db.transaction(async (tx) => {
    const { order, before } = await lockLine(tx, opened, position)
    await deleteReviewWithPhotos(tx, order.id, position, before)
    if (before)
      await recordAction(tx, {
        by: CUSTOMER,
        what: 'deleted a review',
        about: { kind: 'review', id: before.id },
        at: clock.now(),
      })
  })
  clearListingCache(db)
  return { done: 'Your review is deleted.' }
}

async function deleteReviewWithPhotos(
  tx: Tx,
  orderId: Order['id'],
  line: number,
  review: Pick<StoredReview, 'id'> | undefined,
): Promise<void> {
  await dropPhotos(
    tx,
    (await listPhotosOfLine(tx, orderId, line)).map(({ file }) => file),
  )
  if (review) await deleteReview(tx, review.id)
}

/**
 * Stores a photo for the review of a line.
 * @throws Refusal `review_photos_full`; like `storeCustomerPhoto` for a file that is no picture
 */
export async function addReviewPhoto(
  shop: WritingNeeds & Needs<'pictureProcess'>,
  visitor: Visitor,
  { line: position, key }: { line: number; key: OrderKey },
  receive: (store: (bytes: Buffer) => Promise<CustomerPhoto>) => Promise<CustomerPhoto>,
): Promise<ReviewPhoto> {
  const { db, clock } = shop
  const opened = await openOrder(shop, visitor, key)
  const check = (tx: Tx) => lockLineForPhoto(tx, opened, position)
  await db.transaction(check)
  const photo = await receive((bytes) => storeCustomerPhoto(shop, bytes))
  try {
    await db.transaction(async (tx) => {
      const { id } = await check(tx)
      const createdAt = clock.now()
      await insertPhoto(tx, { file: photo.file, orderId: id, line: position, position: 0, createdAt })
    })
  } catch (error) {
    await db.transaction((tx) => deleteCustomerPhotos(tx, [photo.file]))
    throw error
  }
  return photo
}

async function lockLineForPhoto(tx: Tx, opened: Order, position: number): Promise<Order> {
  const { order } = await lockLine(tx, opened, position)
  if ((await listPhotosOfLine(tx, order.id, position)).length >= UPLOADS_MAX) throw new Refusal('review_photos_full')
  return order
}

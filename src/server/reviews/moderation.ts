import type { AdminReview } from '#contract/admin-reviews.ts'
import { reviewCanBecome, type ReviewState } from '#domain/reviews/review.ts'
import type { ProductId } from '#shared/ids.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { findProductNames } from '#server/catalog/catalog.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { orderNumbersOf } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { toShownReviews } from './reviews.ts'
import {
  countByState,
  findReview,
  listReviewedProducts,
  listReviews,
  lockReview,
  updateReview,
  type StoredReview,
} from './store.ts'

// What the owner sees and decides.

const A_PAGE = 30

type Wanted = {
  state?: ReviewState | undefined
  product?: string | undefined
  stars?: string | undefined
  older?: string | undefined
}

const numberIn = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** How many reviews wait for a decision. */
export const countWaitingReviews = (db: Reader): Promise<number> => countByState(db, 'waiting')

export async function readAdminReviews(db: Reader, { state, product, stars, older }: Wanted) {
  const filter = {
    state,
    productId: numberIn(product) as ProductId | undefined,
    stars: numberIn(stars),
    older: numberIn(older),
  }
  const rows = await listReviews(db, filter, A_PAGE + 1)
  const products = await listReviewedProducts(db)
  const names = await findProductNames(db, products)
  return {
    reviews: await toAdminReviews(db, rows.slice(0, A_PAGE), names),
    hasMore: rows.length > A_PAGE,
    waiting: await countWaitingReviews(db),
    products: products
      .map((id) => ({ id, name: names.get(id) ?? '' }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
  }
}

async function toAdminReviews(
  db: Reader,
  rows: readonly StoredReview[],
  names: ReadonlyMap<number, string>,
): Promise<AdminReview[]> {
  const shown = await toShownReviews(db, rows)
  const numbers = await orderNumbersOf(
    db,
    rows.flatMap(({ orderId }) => orderId ?? []),
  )
  return rows.flatMap(({ id, version, state, hiddenReason, productId, orderId }, index) => {
    const review = shown[index]
    if (!review) return []
    return {
      ...review,
      ...{ id, version, state, hiddenReason },
      product: { id: productId, name: names.get(productId) ?? '' },
      orderNumber: orderId === null ? null : (numbers.get(orderId) ?? null),
    }
  })
}

/** @throws Refusal `unknown_review` */
export async function requireReview(db: Reader, id: number): Promise<void> {
  if (!(await findReview(db, id))) throw new Refusal('unknown_review')
}

type Deciding = Needs<'db' | 'clock'>
/** `version`: the one that the owner saw. */
type Decision = { id: number; version: number; by: Actor }

/** @throws Refusal `unknown_review`, `review_changed`, `review_state_refused` */
const decide = (shop: Deciding, { to, reason, ...decision }: Decision & { to: ReviewState; reason: string | null }) =>
  change(shop, decision, ({ state }) => {
    if (!reviewCanBecome(state, to)) throw new Refusal('review_state_refused', { state })
    return {
      values: { state: to, hiddenReason: reason },
      what: to === 'published' ? 'published a review' : 'hid a review',
      before: { state },
      after: { state: to, ...(reason !== null && { reason }) },
    }
  })

export const publishReview = (shop: Deciding, decision: Decision) =>
  decide(shop, { ...decision, to: 'published', reason: null })

export const hideReview = (shop: Deciding, decision: Decision & { reason: string }) =>
  decide(shop, { ...decision, to: 'hidden' })

/** @param decision `text`: empty removes the answer @throws Refusal `unknown_review`, `review_changed` */
export const answerReview = (shop: Deciding, { text, ...decision }: Decision & { text: string }) =>
  change(shop, decision, ({ answer }) => ({
    values: { answer: text || null },
    what: text ? (answer === null ? 'answered a review' : 'changed an answer') : 'removed an answer',
    before: null,
    after: null,
  }))

type Facts = Record<string, string | number> | null
type ReviewChange = { values: Partial<StoredReview>; what: string; before: Facts; after: Facts }

async function change(
  { db, clock }: Deciding,
  { id, version, by }: Decision,
  changeOf: (review: StoredReview) => ReviewChange,
): Promise<void> {
  await db.transaction(async (tx) => {
    const review = await lockReview(tx, id)
    if (!review) throw new Refusal('unknown_review')
    if (review.version !== version) throw new Refusal('review_changed')
    const { values, what, before, after } = changeOf(review)
    const at = clock.now()
    await updateReview(tx, id, { ...values, updatedAt: at })
    await recordAction(tx, {
      ...{ by, what, about: { kind: 'review', id }, at },
      ...(before && { before }),
      ...(after && { after }),
    })
  })
  clearListingCache(db)
}

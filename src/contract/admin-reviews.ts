import * as z from 'zod/mini'
import { ANSWER_MAX, reviewStates } from '#domain/reviews/review.ts'
import type { ProductId } from '#shared/ids.ts'
import { AuditLogEntry } from './admin.ts'
import { call } from './call.ts'
import { ShownReview } from './reviews.ts'
import { branded, multilineText, pathId, shortText } from './wire.ts'

/** A review in the admin. */
export const AdminReview = z.extend(ShownReview, {
  version: z.int(),
  state: z.enum(reviewStates),
  /** Why it is hidden; for the owner alone. */
  hiddenReason: z.nullable(z.string()),
  product: z.object({ id: branded<ProductId>(), name: z.string() }),
  /** Null for demo reviews. */
  orderNumber: z.nullable(z.string()),
})
export type AdminReview = z.output<typeof AdminReview>

const ofReview = z.object({ id: pathId<number>() })
const version = z.int().check(z.gte(1))
const answer = z.object({ done: z.string() })
const refusals = ['unknown_review', 'review_changed', 'review_state_refused'] as const
const numberTyped = z.optional(z.string().check(z.regex(/^[1-9]\d{0,8}$/)))

export const adminReviewCalls = {
  reviews: call({
    method: 'GET',
    path: '/api/admin/reviews',
    access: 'read_reviews',
    summary: 'Reviews by state, product and stars, latest first; `older` continues after that review.',
    query: z.object({
      state: z.optional(z.enum(reviewStates)),
      product: numberTyped,
      stars: z.optional(z.string().check(z.regex(/^[1-5]$/))),
      older: numberTyped,
    }),
    answer: z.object({
      reviews: z.array(AdminReview),
      hasMore: z.boolean(),
      /** Those that wait for a decision. */
      waiting: z.int(),
      /** The products that have reviews, by name. */
      products: z.array(z.object({ id: branded<ProductId>(), name: z.string() })),
    }),
    refusals: [],
  }),
  history: call({
    method: 'GET',
    path: '/api/admin/reviews/:id/history',
    access: 'read_reviews',
    summary: 'What the log has about a review, latest first.',
    params: ofReview,
    answer: z.object({ actions: z.array(AuditLogEntry) }),
    refusals: ['unknown_review'],
  }),
  publish: call({
    method: 'POST',
    path: '/api/admin/reviews/:id/publish',
    access: 'moderate_reviews',
    summary: 'Shows a review to shoppers.',
    params: ofReview,
    body: z.object({ version }),
    answer,
    refusals,
  }),
  hide: call({
    method: 'POST',
    path: '/api/admin/reviews/:id/hide',
    access: 'moderate_reviews',
    summary: 'Hides a review, and says why in the admin.',
    params: ofReview,
    body: z.object({ version, reason: shortText(3, 200, 'Please say why') }),
    answer,
    refusals,
  }),
  answer: call({
    method: 'POST',
    path: '/api/admin/reviews/:id/answer',
    access: 'moderate_reviews',
    summary: 'Answers a review publicly; an empty text removes the answer.',
    params: ofReview,
    body: z.object({ version, text: multilineText(0, ANSWER_MAX, '') }),
    answer,
    refusals,
  }),
}

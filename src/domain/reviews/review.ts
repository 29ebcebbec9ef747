import type { SiteSettings } from '#site/shop-rules.ts'
import { fits, type Fit } from '#domain/orders/fit.ts'
import type { OrderKind } from '#domain/orders/kind.ts'
import type { FulfillmentStatus, PaymentStatus } from '#domain/orders/status.ts'
import { say } from '#words/say.ts'

/** `waiting`: not shown before the owner published it. */
export const reviewStates = ['waiting', 'published', 'hidden'] as const
export type ReviewState = (typeof reviewStates)[number]

export const STARS_MAX = 5

export const REVIEW_WORDS_MAX = 2000
export const REVIEW_NAME_MAX = 40
export const ANSWER_MAX = 1000
export const PHOTOS_MAX = 4

/** What a review becomes when its writer saves it. Words that the owner has hidden are not shown again unseen. */
export function stateAfterWriting(before: ReviewState | undefined, appear: SiteSettings['reviewsAppear']): ReviewState {
  return appear === 'at_once' && before !== 'hidden' ? 'published' : 'waiting'
}

const decisions: Readonly<Record<ReviewState, readonly ReviewState[]>> = {
  waiting: ['published', 'hidden'],
  published: ['hidden'],
  hidden: ['published'],
}

/** Whether the owner may decide so. */
export const reviewCanBecome = (from: ReviewState, to: ReviewState): boolean => decisions[from].includes(to)

type ReviewedOrder = { kind: OrderKind; fulfillment: FulfillmentStatus; payment: PaymentStatus }

/**
 * Whether pieces of an order can get a new review: they were bought and have arrived, and not the whole order was refunded. A partial refund does not
 * matter, because most are for something that was kept. Reviews that were written before can always be changed or deleted.
 * @param isArrived whether a parcel with the piece was delivered, of an order whose other parcels are still to come
 */
export const canReview = ({ kind, fulfillment, payment }: ReviewedOrder, isArrived: boolean): boolean =>
  kind === 'sale' &&
  payment !== 'refunded' &&
  (fulfillment === 'delivered' || (fulfillment !== 'cancelled' && isArrived))

type FitCounts = Readonly<Record<Fit, number>>

/** @returns a sentence about what most say of the fit; undefined with fewer than three opinions, or without a majority */
export function fitSentence(counts: FitCounts): string | undefined {
  const total = fits.reduce((sum, fit) => sum + counts[fit], 0)
  const most = fits.find((fit) => counts[fit] * 2 > total)
  if (total < 3 || most === undefined) return undefined
  const values = { count: counts[most], total }
  if (most === 'small') return say('{count} of {total} say it runs small.', values)
  if (most === 'large') return say('{count} of {total} say it runs large.', values)
  return say('{count} of {total} say it fits true to size.', values)
}

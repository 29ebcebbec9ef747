import * as z from 'zod/mini'
import { fits } from '#domain/orders/fit.ts'
import { PHOTOS_MAX, REVIEW_NAME_MAX, REVIEW_WORDS_MAX, reviewStates, STARS_MAX } from '#domain/reviews/review.ts'
import type { ProductId } from '#shared/ids.ts'
import { call } from './call.ts'
import { OrderKey } from './orders.ts'
import { branded, isoMoment, multilineText, pathId, ROW_ID_MAX, singleLineText } from './wire.ts'

/** A photo in our own sizes; `src` is the widest. */
const ReviewPhoto = z.object({
  file: z.string(),
  src: z.string(),
  srcSet: z.string(),
  width: z.int(),
  height: z.int(),
})
export type ReviewPhoto = z.output<typeof ReviewPhoto>

export const ShownReview = z.object({
  id: z.int(),
  stars: z.int(),
  /** Of something worn, if its writer said so. */
  fit: z.nullable(z.enum(fits)),
  words: z.string(),
  /** As its writer wants to be called. */
  name: z.string(),
  /** Color and size that were bought. */
  variantName: z.nullable(z.string()),
  photos: z.array(ReviewPhoto),
  writtenAt: isoMoment,
  /** Written for the demo shop; every other one is by somebody who bought the product here. */
  isDemo: z.boolean(),
  /** The shop's public answer. */
  answer: z.nullable(z.string()),
})
export type ShownReview = z.output<typeof ShownReview>

const starsTyped = z.optional(
  z.pipe(
    z.string().check(z.regex(/^[1-5]$/)),
    z.transform((text) => Number(text)),
  ),
)
/** Continues after the review with this number. */
const reviewMark = z.optional(
  z.pipe(
    z.string().check(z.regex(/^[1-9]\d{0,9}$/)),
    z.transform((text) => Math.min(Number(text), ROW_ID_MAX)),
  ),
)

const Average = z.object({ rating: z.number(), count: z.int() })

export const ReviewPage = z.object({
  /** Of all published reviews; null without one. */
  all: z.nullable(Average),
  /** Without demo reviews: what search engines may be told. */
  real: z.nullable(Average),
  /** How many have one star, two, and so on to five. */
  byStars: z.array(z.int()),
  fits: z.object({ small: z.int(), true: z.int(), large: z.int() }),
  /** Latest first. */
  reviews: z.array(ShownReview),
  /** The value for `after`; null on the last page. */
  next: z.nullable(z.int()),
})
export type ReviewPage = z.output<typeof ReviewPage>

/** A writer's own review. `version` counts its changes. */
const OwnReview = z.object({
  version: z.int(),
  state: z.enum(reviewStates),
  stars: z.int(),
  fit: z.nullable(z.enum(fits)),
  words: z.string(),
  name: z.string(),
  photos: z.array(ReviewPhoto),
  answer: z.nullable(z.string()),
})
export type OwnReview = z.output<typeof OwnReview>

const ReviewableLine = z.object({
  /** Its place in the order. */
  line: z.int(),
  productId: branded<ProductId>(),
  productName: z.string(),
  variantName: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  /** Whether the form asks how it fits. */
  isWorn: z.boolean(),
  review: z.nullable(OwnReview),
})
export type ReviewableLine = z.output<typeof ReviewableLine>

const CHOOSE_STARS = 'Please choose one to five stars'

/** What a buyer writes. `version`: of the review that it replaces; 0 for a new one. */
export const WrittenReview = z.object({
  version: z.int().check(z.gte(0)),
  stars: z.int(CHOOSE_STARS).check(z.gte(1, CHOOSE_STARS), z.lte(STARS_MAX, CHOOSE_STARS)),
  fit: z.nullable(z.enum(fits)),
  words: multilineText(3, REVIEW_WORDS_MAX, 'Please write a few words'),
  name: singleLineText(REVIEW_NAME_MAX, 'Please enter the name to show'),
  photos: z
    .array(z.string().check(z.maxLength(120)))
    .check(z.maxLength(PHOTOS_MAX, `Please use at most ${PHOTOS_MAX} photos`)),
})
export type WrittenReview = z.output<typeof WrittenReview>

/** A line of an order: its number from 0. */
const ofLine = z.object({
  line: z.pipe(
    z.string().check(z.regex(/^\d{1,3}$/)),
    z.transform((text) => Number(text)),
  ),
})
const accessRefusals = ['order_not_shown', 'link_expired', 'review_not_possible'] as const

/** Reviews on product pages, and those of one's own order. */
export const reviewCalls = {
  ofProduct: call({
    method: 'GET',
    path: '/api/products/:id/reviews',
    access: 'anyone',
    summary: 'A product’s published reviews, latest first, with their average and counts.',
    params: z.object({ id: pathId<ProductId>() }),
    query: z.object({ stars: starsTyped, after: reviewMark }),
    answer: ReviewPage,
    refusals: ['unknown_product'],
    shared: true,
  }),
  ofOrder: call({
    method: 'GET',
    path: '/api/order/reviews',
    access: 'anyone',
    summary: 'What can be reviewed of an order, and what was written; for who paid or has an emailed link.',
    query: OrderKey,
    answer: z.object({ lines: z.array(ReviewableLine) }),
    refusals: ['order_not_shown', 'link_expired'],
  }),
  write: call({
    method: 'PUT',
    path: '/api/order/reviews/:line',
    access: 'anyone',
    summary: 'Writes or changes the review of a line of an order.',
    params: ofLine,
    body: z.extend(WrittenReview, OrderKey.shape),
    answer: z.object({ done: z.string() }),
    refusals: [...accessRefusals, 'review_changed', 'unknown_picture'],
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/order/reviews/:line',
    access: 'anyone',
    summary: 'Deletes the review of a line of an order, with its photos.',
    params: ofLine,
    query: OrderKey,
    answer: z.object({ done: z.string() }),
    refusals: accessRefusals,
  }),
}

/** Its body is no JSON. */
export const reviewPhotoCalls = {
  addPhoto: call({
    method: 'POST',
    path: '/api/order/reviews/:line/photos',
    access: 'anyone',
    summary: 'Stores a photo for the review of a line. The body is the file itself: PNG, JPEG, WebP or AVIF.',
    params: ofLine,
    query: OrderKey,
    body: 'bytes',
    answer: ReviewPhoto,
    refusals: [
      ...accessRefusals,
      ...(['review_photos_full', 'picture_too_large', 'picture_type', 'picture_damaged'] as const),
      ...(['picture_too_many_pixels', 'picture_too_small', 'picture_too_complex'] as const),
    ],
  }),
}

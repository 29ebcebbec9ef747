import { fits } from '#domain/orders/fit.ts'
import * as z from 'zod/mini'
import {
  CLAIM_PHOTOS_MAX,
  CLAIM_WORDS_MAX,
  claimKinds,
  claimOutcomes,
  claimReasons,
  claimStates,
  shopperReasons,
} from '#domain/claims/claim.ts'
import { claimObjections } from '#domain/claims/claim-window.ts'
import { call } from './call.ts'
import { OrderKey } from './orders.ts'
import { centsAnswer, isoMoment, multilineText, pathId, singleLineText } from './wire.ts'

/** A photo's name: nobody can guess it, and only those who may see the claim may load it. */
const photoId = z.uuid()

/** What somebody wrote about a claim. */
export const ClaimMessage = z.object({
  author: z.enum(['shopper', 'owner']),
  words: z.string(),
  at: isoMoment,
})

/** Pieces of an order's lines, by the line's position. */
const pieces = z
  .array(z.object({ position: z.int().check(z.gte(0)), quantity: z.int().check(z.gte(1), z.lte(99)) }))
  .check(z.minLength(1, 'Please choose at least one item'), z.maxLength(200))

const photos = z
  .array(photoId)
  .check(z.maxLength(CLAIM_PHOTOS_MAX, `Please send at most ${CLAIM_PHOTOS_MAX} photos at once`))

const words = multilineText(3, CLAIM_WORDS_MAX, 'Please write what happened')

/** Chosen by the browser: the same one sent again, such as after a lost answer, is the same claim. */
const submission = z.uuid()

export const NewClaim = z.object({
  submission,
  reason: z.enum(shopperReasons, 'Please choose what is wrong'),
  pieces,
  words,
  photos,
  fit: z.nullable(z.enum(fits)),
})
export type NewClaim = z.output<typeof NewClaim>

export const NewWithdrawal = z.object({
  submission,
  name: singleLineText(100, 'Please enter your name'),
  pieces,
  fit: z.nullable(z.enum(fits)),
})
export type NewWithdrawal = z.output<typeof NewWithdrawal>

const OwnClaim = z.object({
  id: z.int(),
  kind: z.enum(claimKinds),
  reason: z.nullable(z.enum(claimReasons)),
  state: z.enum(claimStates),
  outcome: z.nullable(z.enum(claimOutcomes)),
  openedAt: isoMoment,
  amount: z.nullable(centsAnswer),
  items: z.array(z.object({ productName: z.string(), variantName: z.nullable(z.string()), quantity: z.int() })),
  messages: z.array(ClaimMessage),
  photos: z.array(photoId),
})
export type OwnClaim = z.output<typeof OwnClaim>

/** Why something can't be claimed, for `claimSentence`; null if it can. */
const objection = z.nullable(
  z.object({ why: z.enum(claimObjections), day: z.optional(z.string()), days: z.optional(z.int()) }),
)

const ClaimLine = z.object({
  position: z.int(),
  productName: z.string(),
  variantName: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  /** Whether the forms ask how it fits. */
  isWorn: z.boolean(),
  /** Not in another claim, and not refunded. */
  left: z.int(),
  /** By reason. */
  objections: z.object({ wrong: objection, faulty: objection, damaged: objection, lost: objection }),
})
export type ClaimLine = z.output<typeof ClaimLine>

/** What can be claimed of an order and taken back, and what has been. */
export const OrderClaims = z.object({
  orderNumber: z.string(),
  collection: z.string(),
  /** The full email only for the session that paid. */
  email: z.string(),
  lines: z.array(ClaimLine),
  claims: z.array(OwnClaim),
  withdrawal: z.object({
    /** Why the shopper can't withdraw, and what to do instead; null if they can. */
    objection: z.nullable(z.string()),
    /** The law's name for the shopper; empty where it is not offered. */
    basis: z.string(),
    /** The last day, as `2026-12-01`; null before everything has arrived. */
    until: z.nullable(z.string()),
    /** Nothing is made yet: the order is canceled and refunded at once. */
    cancels: z.boolean(),
  }),
})
export type OrderClaims = z.output<typeof OrderClaims>

const seen = ['order_not_shown', 'link_expired'] as const
const ofClaim = z.object({ id: pathId<number>() })
const done = z.object({ done: z.string() })

/** Its body is no JSON. */
export const claimPhotoCalls = {
  upload: call({
    method: 'POST',
    path: '/api/order/claim-photos',
    access: 'anyone',
    summary:
      'Stores a photo for a claim, without its metadata. The body is the file itself: PNG, JPEG, WebP or AVIF, at most 20 MB. Unused, it is deleted after a day.',
    query: OrderKey,
    body: 'bytes',
    answer: z.object({ id: photoId }),
    refusals: [
      ...seen,
      ...([
        'photo_too_large',
        'picture_too_large',
        'upload_too_slow',
        'picture_type',
        'picture_damaged',
        'picture_too_many_pixels',
      ] as const),
      ...(['picture_too_small', 'picture_too_complex', 'too_many_photos'] as const),
    ],
  }),
}

export const claimCalls = {
  show: call({
    method: 'GET',
    path: '/api/order/claims',
    access: 'anyone',
    summary: 'What can be claimed of an order or taken back, and its claims.',
    query: OrderKey,
    answer: OrderClaims,
    refusals: seen,
  }),
  photo: call({
    method: 'GET',
    path: '/api/order/claim-photos/:photo',
    access: 'anyone',
    summary: 'A photo of one of the order’s claims, as WebP.',
    params: z.object({ photo: photoId }),
    query: OrderKey,
    answer: 'file',
    refusals: [...seen, 'unknown_picture'],
  }),
  claim: call({
    method: 'POST',
    path: '/api/order/claims',
    access: 'anyone',
    summary: 'Reports a problem with pieces of an order. Idempotent by `submission`.',
    body: z.extend(NewClaim, OrderKey.shape),
    answer: done,
    refusals: [...seen, 'claim_refused', 'already_claimed', 'photo_missing'],
  }),
  answer: call({
    method: 'POST',
    path: '/api/order/claims/:id/answer',
    access: 'anyone',
    summary: 'Adds words and photos to an open claim.',
    params: ofClaim,
    body: z.extend(z.object({ words, photos }), OrderKey.shape),
    answer: done,
    refusals: [...seen, 'unknown_claim', 'claim_closed', 'photo_missing'],
  }),
  withdraw: call({
    method: 'POST',
    path: '/api/order/withdrawals',
    access: 'anyone',
    summary:
      'Confirms the withdrawal from the purchase of pieces, where it is offered; the receipt goes to the order’s email. Idempotent by `submission`.',
    body: z.extend(NewWithdrawal, OrderKey.shape),
    answer: done,
    refusals: [...seen, 'withdrawal_refused', 'already_claimed'],
  }),
}

import { fits } from '#domain/orders/fit.ts'
import * as z from 'zod/mini'
import { claimKinds, claimOutcomes, claimReasons, claimStates, CLAIM_WORDS_MAX } from '#domain/claims/claim.ts'
import { withdrawalGroups } from '#domain/claims/withdrawal-law.ts'
import { asCredit, RefundRequest } from './admin-orders.ts'
import { call } from './call.ts'
import { ClaimMessage } from './claims.ts'
import { queuePage, queueQuery } from './queue-page.ts'
import { branded, centsAnswer, centsInput, isoMoment, multilineText, pathId } from './wire.ts'
import type { Cents } from '#shared/money.ts'

/** A claim or withdrawal, with what decides about it. */
export const AdminClaim = z.object({
  id: z.int(),
  orderNumber: z.string(),
  kind: z.enum(claimKinds),
  reason: z.nullable(z.enum(claimReasons)),
  fit: z.nullable(z.enum(fits)),
  state: z.enum(claimStates),
  outcome: z.nullable(z.enum(claimOutcomes)),
  amount: z.nullable(centsAnswer),
  openedAt: isoMoment,
  resolvedAt: z.nullable(isoMoment),
  customer: z.object({ name: z.string(), email: z.string(), country: z.string() }),
  order: z.object({
    placedAt: isoMoment,
    status: z.string(),
    deliveredAt: z.nullable(isoMoment),
    total: centsAnswer,
    refunded: centsAnswer,
  }),
  items: z.array(
    z.object({
      position: z.int(),
      productName: z.string(),
      variantName: z.nullable(z.string()),
      imageUrl: z.nullable(z.string()),
      quantity: z.int(),
      /** Claims about this product in the last 90 days, this one included. */
      claims: z.int(),
      /** The same about its blank in this size, whatever is printed on it; null if our copy of the printer's catalog does not have it. */
      ofBlank: z.nullable(z.object({ blank: z.string(), size: z.nullable(z.string()), claims: z.int() })),
    }),
  ),
  messages: z.array(ClaimMessage),
  photos: z.array(z.uuid()),
  /** Claims of the same email or the same postal address, this one included. */
  claimsOfAddress: z.int(),
  /** When the money must be back after a withdrawal. */
  refundBy: z.nullable(isoMoment),
  /** What to send to the printer; null for a withdrawal, or where nothing was made. */
  printer: z.nullable(
    z.object({
      subject: z.string(),
      text: z.string(),
      deadline: isoMoment,
      isPast: z.boolean(),
      toldAt: z.nullable(isoMoment),
      /** Booked for the order since the printer was told, less than before by this much. */
      credited: centsAnswer,
      /** False once the printer has refused, or made the pieces again itself. */
      isCreditExpected: z.boolean(),
    }),
  ),
})
export type AdminClaim = z.output<typeof AdminClaim>

/** What was claimed of one size of a product, or of a blank. */
const ClaimFigures = z.object({
  name: z.string(),
  size: z.nullable(z.string()),
  /** What a product is printed on; null if our copy of the printer's catalog does not have it. */
  blank: z.nullable(z.string()),
  /** Pieces ever sold. */
  sold: z.int(),
  ...{ wrong: z.int(), faulty: z.int(), damaged: z.int(), lost: z.int(), withdrawn: z.int() },
  ...{ small: z.int(), large: z.int() },
})
export type ClaimFigures = z.output<typeof ClaimFigures>

/** Blanks count what is claimed of all products that are printed on them. */
export const claimGroups = ['product', 'blank'] as const

const withdrawalChoice = z.enum(['offered', 'exception'])
const WithdrawalChoices = z.object({
  eea: withdrawalChoice,
  uk: withdrawalChoice,
  brazil: withdrawalChoice,
  korea: withdrawalChoice,
  elsewhere: withdrawalChoice,
})

const ofClaim = z.object({ id: pathId<number>() })
const done = z.object({ done: z.string() })
const words = z.object({ words: multilineText(3, CLAIM_WORDS_MAX, 'Please write something') })
const amountIn = branded<Cents>(centsInput)
const decided = ['unknown_claim', 'claim_closed'] as const

export const adminClaimCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/claims',
    access: 'read_claims',
    summary: 'Claims and withdrawals: those that wait come first, the longest waiting on top.',
    query: z.extend(queueQuery, {
      kind: z.optional(z.enum(['', ...claimKinds])),
      state: z.optional(z.enum(['', ...claimStates])),
    }),
    answer: z.object({ claims: z.array(AdminClaim), ...queuePage }),
    refusals: [],
  }),
  photo: call({
    method: 'GET',
    path: '/api/admin/claim-photos/:photo',
    access: 'read_claims',
    summary: 'A photo of a claim, as WebP.',
    params: z.object({ photo: z.uuid() }),
    answer: 'file',
    refusals: ['unknown_picture'],
  }),
  ask: call({
    method: 'POST',
    path: '/api/admin/claims/:id/ask',
    access: 'decide_claims',
    summary: 'Asks the shopper something about a claim, by an email whose link leads to the answer.',
    params: ofClaim,
    body: words,
    answer: done,
    refusals: decided,
  }),
  refuse: call({
    method: 'POST',
    path: '/api/admin/claims/:id/refuse',
    access: 'decide_claims',
    summary: 'Refuses a claim, with words for the shopper.',
    params: ofClaim,
    body: words,
    answer: done,
    refusals: decided,
  }),
  settle: call({
    method: 'POST',
    path: '/api/admin/claims/:id/settle',
    access: 'decide_claims',
    summary:
      'Closes a claim that was settled another way, such as by a refund from the order’s page, with words for the shopper.',
    params: ofClaim,
    body: words,
    answer: done,
    refusals: decided,
  }),
  refund: call({
    method: 'POST',
    path: '/api/admin/claims/:id/refund',
    access: 'decide_claims_fresh',
    summary: 'Resolves a claim by a refund, as previewed by the order’s refund preview.',
    params: ofClaim,
    body: z.object({ wanted: RefundRequest, amount: amountIn, limit: amountIn, asCredit }),
    answer: done,
    refusals: [...decided, 'unknown_order', 'nothing_to_refund', 'refund_changed', 'over_refund_limit'],
  }),
  replace: call({
    method: 'POST',
    path: '/api/admin/claims/:id/replace',
    access: 'decide_claims',
    summary: 'Resolves a claim by making its pieces again, without a payment.',
    params: ofClaim,
    answer: done,
    refusals: [...decided, 'cannot_replace'],
  }),
  tellPrinter: call({
    method: 'POST',
    path: '/api/admin/claims/:id/printer-told',
    access: 'decide_claims',
    summary: 'Records that the prepared message was sent to the printer, whose credit is expected from then on.',
    params: ofClaim,
    answer: done,
    refusals: ['unknown_claim'],
  }),
  expectNoCredit: call({
    method: 'POST',
    path: '/api/admin/claims/:id/no-credit',
    access: 'decide_claims',
    summary: 'Records that the printer gives no credit for a claim: it refused, or made the pieces again itself.',
    params: ofClaim,
    answer: done,
    refusals: ['unknown_claim'],
  }),
  figures: call({
    method: 'GET',
    path: '/api/admin/claim-figures',
    access: 'read_claims',
    summary: 'Pieces claimed of each product, or blank, and size, the most claimed first; at most 100 rows.',
    query: z.object({ by: z.optional(z.enum(claimGroups)) }),
    answer: z.object({ rows: z.array(ClaimFigures) }),
    refusals: [],
  }),
  withdrawalRights: call({
    method: 'GET',
    path: '/api/admin/withdrawal-rights',
    access: 'read_settings',
    summary: 'Where the shop offers withdrawal, with the law of each group of countries.',
    answer: z.object({
      choices: WithdrawalChoices,
      laws: z.array(
        z.object({
          group: z.enum(withdrawalGroups),
          ...{ name: z.string(), days: z.int(), law: z.string(), exception: z.nullable(z.string()) },
          ...{ reading: z.string(), source: z.string(), compared: z.string() },
        }),
      ),
    }),
    refusals: [],
  }),
  saveWithdrawalRights: call({
    method: 'PUT',
    path: '/api/admin/withdrawal-rights',
    access: 'owner',
    summary: 'Sets where the shop offers withdrawal; refused when somebody else saved it since `was`.',
    body: z.object({ was: WithdrawalChoices, choices: WithdrawalChoices }),
    answer: done,
    refusals: ['setting_changed'],
  }),
}

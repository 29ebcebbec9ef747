import * as z from 'zod/mini'
import { RATE_MAX } from '#domain/partners/rates.ts'
import type { ProductId, UserId } from '#shared/ids.ts'
import { call } from './call.ts'
import { centsInput, centsAnswer, pathId, wireRowId } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()

const AmountDue = z.object({
  partnerId: z.int(),
  displayName: z.string(),
  code: z.string(),
  pending: centsAnswer,
  /** Negative where more was taken back after a payout than was earned since: it is carried over. */
  approved: centsAnswer,
  payable: centsAnswer,
  /** Under which the next payout goes out, so that a file for the bank and the books name it alike. */
  reference: z.string(),
  /** Where it goes, masked, and since when; null where the partner has not said. */
  account: z.nullable(z.object({ masked: z.string(), changedAt: moment })),
})
export type AmountDue = z.output<typeof AmountDue>

const Payout = z.object({
  id: z.int(),
  reference: z.string(),
  displayName: z.string(),
  amount: centsAnswer,
  /** Where it went, masked. */
  destination: z.nullable(z.string()),
  madeAt: moment,
  returnedAt: z.nullable(moment),
})
export type Payout = z.output<typeof Payout>

const PartnerRates = z.object({
  partnerId: z.int(),
  displayName: z.string(),
  /** Of everything that has no rate of its own, today; in hundredths of a percent. */
  rate: z.int(),
  agreed: z.array(
    z.object({
      id: z.int(),
      productName: z.nullable(z.string()),
      rate: z.int(),
      startsAt: moment,
      hasBegun: z.boolean(),
    }),
  ),
})
export type PartnerRates = z.output<typeof PartnerRates>

const RATE_SENTENCE = 'A rate is from 0 % to 15 %'

const RateChange = z.object({
  partnerId: wireRowId<UserId>(),
  /** Null: everything that has no rate of its own. */
  productId: z.nullable(wireRowId<ProductId>('Please choose a product')),
  /** In hundredths of a percent. */
  rate: z.int(RATE_SENTENCE).check(z.gte(0, RATE_SENTENCE), z.lte(RATE_MAX, RATE_SENTENCE)),
  /** The first day on which it holds: today or later. */
  startsOn: z.string('Required').check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Please give a day such as 2026-11-21')),
})
export type RateChange = z.output<typeof RateChange>

const dayQuery = z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Please give a day such as 2026-11-21')))

/** The owner's side of what partners earn. */
export const payoutCalls = {
  payouts: call({
    method: 'GET',
    path: '/api/admin/payouts',
    access: 'owner',
    summary:
      'What each partner can be paid, and payouts, the latest first; `older` is the id after which a page goes on.',
    query: z.object({ older: z.optional(pathId<number>()) }),
    answer: z.object({ due: z.array(AmountDue), payouts: z.array(Payout), hasMore: z.boolean() }),
    refusals: [],
  }),
  list: call({
    method: 'GET',
    path: '/api/admin/payouts/list',
    access: 'owner_fresh',
    summary: 'Payouts with their references as CSV, the earliest first; all of them unless days are asked for.',
    query: z.object({ from: dayQuery, to: dayQuery }),
    answer: 'file',
    refusals: [],
  }),
  pay: call({
    method: 'POST',
    path: '/api/admin/payouts',
    access: 'owner_fresh',
    summary: 'Books that a partner was paid everything that can be paid; the amount is compared with it.',
    body: z.object({ partnerId: wireRowId<UserId>(), amount: centsInput }),
    answer: z.object({ reference: z.string() }),
    refusals: ['unknown_partner', 'nothing_to_pay', 'payout_changed'],
  }),
  takeBack: call({
    method: 'POST',
    path: '/api/admin/payouts/:id/return',
    access: 'owner_fresh',
    summary: 'Books that the bank sent a payout back; what it paid can be paid again.',
    params: z.object({ id: pathId<number>() }),
    answer: 'none',
    refusals: ['unknown_payout', 'payout_changed'],
  }),
  rates: call({
    method: 'GET',
    path: '/api/admin/partner-rates',
    access: 'owner',
    summary: 'What was agreed with each partner.',
    answer: z.array(PartnerRates),
    refusals: [],
  }),
  agree: call({
    method: 'POST',
    path: '/api/admin/partner-rates',
    access: 'owner_fresh',
    summary: 'Sets a rate from a day on, of everything or of one product; orders that were paid before keep theirs.',
    body: RateChange,
    answer: 'none',
    refusals: ['unknown_partner', 'unknown_product'],
  }),
}

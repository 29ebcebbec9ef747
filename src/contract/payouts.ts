import * as z from 'zod/mini'
import { RATE_MAX } from '#domain/partners/rates.ts'
import type { ProductId, UserId } from '#shared/ids.ts'
import { Acceptance } from './below-floor.ts'
import { call } from './call.ts'
import { centsInput, centsAnswer, pathId, wireRowId } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()

const AmountDue = z.object({
  partnerId: z.int(),
  displayName: z.string(),
  code: z.string(),
  pending: centsAnswer,
  /** Negative if deductions after a payout exceed earnings since: it carries over. */
  approved: centsAnswer,
  payable: centsAnswer,
  /** The next payout's reference, the same in the bank file and in the books. */
  reference: z.string(),
  /** The payout account, masked, and since when; null before it is entered. */
  account: z.nullable(z.object({ masked: z.string(), changedAt: moment })),
})
export type AmountDue = z.output<typeof AmountDue>

const Payout = z.object({
  id: z.int(),
  reference: z.string(),
  displayName: z.string(),
  amount: centsAnswer,
  /** Where it was paid, masked. */
  destination: z.nullable(z.string()),
  madeAt: moment,
  returnedAt: z.nullable(moment),
})
export type Payout = z.output<typeof Payout>

const PartnerRates = z.object({
  partnerId: z.int(),
  displayName: z.string(),
  /** The current default rate, in basis points. */
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

const RATE_SENTENCE = 'A rate is from 0% to 15%'

const RateChange = z.object({
  partnerId: wireRowId<UserId>(),
  /** Null: every product without a rate of its own. */
  productId: z.nullable(wireRowId<ProductId>('Please choose a product')),
  /** In basis points. */
  rate: z.int(RATE_SENTENCE).check(z.gte(0, RATE_SENTENCE), z.lte(RATE_MAX, RATE_SENTENCE)),
  /** The first day it applies: today or later. */
  startsOn: z.string('Required').check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Please enter a date, such as 2026-11-21')),
})
export type RateChange = z.output<typeof RateChange>

const dayQuery = z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Please enter a date, such as 2026-11-21')))

/** The owner's side of partner earnings. */
export const payoutCalls = {
  payouts: call({
    method: 'GET',
    path: '/api/admin/payouts',
    access: 'read_figures',
    summary: 'Payable balances, and payouts, latest first; `older` continues after this id.',
    query: z.object({ older: z.optional(pathId<number>()) }),
    answer: z.object({ due: z.array(AmountDue), payouts: z.array(Payout), hasMore: z.boolean() }),
    refusals: [],
  }),
  list: call({
    method: 'GET',
    path: '/api/admin/payouts/list',
    access: 'owner_fresh',
    summary: 'Payouts with their references as CSV, earliest first; all unless dates are given.',
    query: z.object({ from: dayQuery, to: dayQuery }),
    answer: 'file',
    refusals: [],
  }),
  pay: call({
    method: 'POST',
    path: '/api/admin/payouts',
    access: 'owner_fresh',
    summary: 'Records the payout of a partner’s whole payable balance; the amount must match it.',
    body: z.object({ partnerId: wireRowId<UserId>(), amount: centsInput }),
    answer: z.object({ reference: z.string() }),
    refusals: ['unknown_partner', 'nothing_to_pay', 'payout_changed'],
  }),
  takeBack: call({
    method: 'POST',
    path: '/api/admin/payouts/:id/return',
    access: 'owner_fresh',
    summary: 'Records that the bank returned a payout; its amount becomes payable again.',
    params: z.object({ id: pathId<number>() }),
    answer: 'none',
    refusals: ['unknown_payout', 'payout_changed'],
  }),
  rates: call({
    method: 'GET',
    path: '/api/admin/partner-rates',
    access: 'read_partners',
    summary: 'Each partner’s rates.',
    answer: z.array(PartnerRates),
    refusals: [],
  }),
  agree: call({
    method: 'POST',
    path: '/api/admin/partner-rates',
    access: 'owner_fresh',
    summary: 'Sets a rate from a date on, for everything or one product; earlier orders keep theirs.',
    query: Acceptance,
    body: RateChange,
    answer: 'none',
    refusals: ['unknown_partner', 'unknown_product', 'below_floor'],
  }),
}

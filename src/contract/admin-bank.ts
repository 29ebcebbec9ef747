import * as z from 'zod/mini'
import { call } from './call.ts'
import { centsAnswer, isoMoment, pathId } from './wire.ts'

/** Twenty thousand lines of CAMT.053 with all their details. */
export const STATEMENT_MAX_BYTES = 20 * 1024 * 1024

const provider = z.enum(['stripe', 'paypal'])

const Payout = z.object({
  provider,
  id: z.string(),
  amount: centsAnswer,
  /** When it left the provider. */
  at: isoMoment,
})
export type BankPayout = z.output<typeof Payout>

const lineFields = {
  id: z.int(),
  /** `2026-11-21`. */
  day: z.string(),
  /** In cents of `currency`. */
  amount: centsAnswer,
  currency: z.string(),
  text: z.string(),
}

export const BankOverview = z.object({
  /** Uploaded files, the latest first. */
  statements: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      account: z.string(),
      from: z.string(),
      to: z.string(),
      lines: z.int(),
      uploadedAt: isoMoment,
    }),
  ),
  /** Deposits without a payout; `candidates`: payouts that may be theirs. */
  unmatched: z.array(z.object({ ...lineFields, candidates: z.array(Payout) })),
  /** Payouts that should have arrived by what the statements cover, and those that still may. */
  missing: z.array(Payout),
  expected: z.array(Payout),
  /** The latest first, at most 200. `by`: `rule`, or who matched it. */
  matched: z.array(z.object({ ...lineFields, payout: Payout, by: z.string() })),
})
export type BankOverview = z.output<typeof BankOverview>

export const PayoutContent = z.object({
  payout: Payout,
  /** The bank's line; null until there is one. */
  line: z.nullable(z.object(lineFields)),
  /** `provider`: the provider says what it holds. `time`: everything since the payout before it. */
  source: z.enum(['provider', 'time']),
  lines: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      amount: centsAnswer,
      fee: centsAnswer,
      at: isoMoment,
      orderNumber: z.nullable(z.string()),
    }),
  ),
  /** What the lines leave after fees. */
  net: centsAnswer,
  /** The payout less `net`: taken from, or left in, the balance. */
  rest: centsAnswer,
})
export type PayoutContent = z.output<typeof PayoutContent>

const done = z.object({ done: z.string() })
const ofLine = z.object({ id: pathId<number>() })

export const adminBankCalls = {
  show: call({
    method: 'GET',
    path: '/api/admin/bank',
    access: 'read_figures',
    summary: 'Deposits of bank statements, the providers’ payouts they are, and what is missing.',
    answer: BankOverview,
    refusals: [],
  }),
  match: call({
    method: 'POST',
    path: '/api/admin/bank/lines/:id/match',
    access: 'owner',
    summary: 'Says which payout a line is.',
    params: ofLine,
    body: z.object({
      provider,
      payoutId: z.string().check(z.minLength(1, 'Please choose a payout'), z.maxLength(100)),
    }),
    answer: done,
    refusals: ['unknown_bank_line', 'bank_match_taken'],
  }),
  unmatch: call({
    method: 'POST',
    path: '/api/admin/bank/lines/:id/unmatch',
    access: 'owner',
    summary: 'Takes a line and its payout apart; they are not matched again by rule.',
    params: ofLine,
    answer: done,
    refusals: ['unknown_bank_line'],
  }),
  payout: call({
    method: 'GET',
    path: '/api/admin/bank/payouts/:provider/:id',
    access: 'read_figures',
    summary: 'What a payout consists of, down to the orders.',
    params: z.object({ provider, id: z.string().check(z.maxLength(100)) }),
    answer: PayoutContent,
    refusals: ['unknown_payout'],
  }),
}

/** The file is the request's body, so this is bound apart from calls with JSON. */
export const bankUploadCalls = {
  upload: call({
    method: 'POST',
    path: '/api/admin/bank/statements',
    access: 'owner',
    summary:
      'Adds a bank statement, CAMT.053 or CSV, all or nothing, and matches its deposits. Lines that came before change nothing.',
    query: z.object({ name: z.optional(z.string().check(z.maxLength(200))) }),
    body: 'bytes',
    answer: z.object({ done: z.string(), added: z.int(), known: z.int(), matched: z.int() }),
    refusals: ['statement_refused', 'statement_too_large'],
  }),
}

import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Answer } from '#sandbox/kit/types.ts'
import type { TestCard } from './cards.ts'

/** The API version of this project's `stripe` package, and the only one supported here. */
export const API_VERSION = '2026-10-28.endive'

/** The simulated provider's database. Objects refer to each other by id, as in the real API without `expand`. */
export type Books = {
  intents: Map<string, Stripe.PaymentIntent>
  methods: Map<string, Stripe.PaymentMethod>
  charges: Map<string, Stripe.Charge>
  balanceTransactions: Map<string, Stripe.BalanceTransaction>
  refunds: Map<string, Stripe.Refund>
  disputes: Map<string, Stripe.Dispute>
  /** Uploaded files with their number of pages and digest; their bytes are not kept. */
  files: Map<string, { stored: Stripe.File; pages: number; sha256: string }>
  payouts: Map<string, Stripe.Payout>
  /** The automatic payout that each balance transaction went out with. */
  paidOutWith: Map<string, string>
  warnings: Map<string, Stripe.Radar.EarlyFraudWarning>
  calculations: Map<string, Stripe.Tax.Calculation & { id: string }>
  taxTransactions: Map<string, Stripe.Tax.Transaction>
  events: Map<string, SentEvent>
  endpoints: Map<string, Stripe.WebhookEndpoint>
  domains: Map<string, Stripe.PaymentMethodDomain>
  /** The test card of each payment method. */
  cards: Map<string, TestCard>
  /** First responses by idempotency key. */
  repeats: Map<string, IdempotentCall>
  /** Failures set by the control page, in order of use. */
  troubles: PlannedFailure[]
  /** Intents whose next confirmation stays in `processing`. */
  slowIntents: Set<string>
  /** For how many of the next payments the fee is known only a minute later. */
  lateFees: number
}

/** An event on the wire; the package's own type is a union of hundreds that all have this shape. */
export type SentEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> }
  livemode: boolean
  pending_webhooks: number
  request: { id: string; idempotency_key: string | null } | null
  type: string
}

/** `answer` is missing while the first call is running. */
export type IdempotentCall = { path: string; parameters: string; at: number; requestId: string; answer?: Answer }

/** `fail`: the work is done, but the response is a 500 that the idempotency key stores. `slow`: real milliseconds before the work. */
type PlannedFailure = { kind: 'fail' } | { kind: 'slow'; ms: number }

export const openBooks = (): Books => ({
  intents: new Map(),
  methods: new Map(),
  charges: new Map(),
  balanceTransactions: new Map(),
  refunds: new Map(),
  disputes: new Map(),
  files: new Map(),
  payouts: new Map(),
  paidOutWith: new Map(),
  warnings: new Map(),
  calculations: new Map(),
  taxTransactions: new Map(),
  events: new Map(),
  endpoints: new Map(),
  domains: new Map(),
  cards: new Map(),
  repeats: new Map(),
  troubles: [],
  slowIntents: new Set(),
  lateFees: 0,
})

/** What outlives the process: the account's history, without what belongs to a shop's start or to the next minutes. */
export function lastingBooks(books: Books): Partial<Books> {
  const { intents, methods, cards, charges, balanceTransactions, refunds, disputes, files, payouts } = books
  const { paidOutWith, warnings, taxTransactions } = books
  return {
    ...{ intents, methods, cards, charges, balanceTransactions, refunds, disputes, files, payouts },
    ...{ paidOutWith, warnings, taxTransactions },
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `pi_3f…`: the prefix and 24 letters and digits, as long as Stripe's own. */
export const newId = (prefix: string, length = 24): string =>
  `${prefix}_${[...randomBytes(length)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('')}`

/** Stripe's times are in seconds. */
export const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

export const idOf = (reference: string | { id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id

import * as z from 'zod/mini'
import { call } from './call.ts'
import { centsAnswer, pathId } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()

const Provider = z.enum(['stripe', 'paypal', 'printful'])

/** Something that waits for somebody, or did. */
export const Exception = z.object({
  id: z.int(),
  kind: z.string(),
  title: z.string(),
  /** What it is about, where that is no order: a payment's or payout's id. */
  about: z.string(),
  orderNumber: z.nullable(z.string()),
  cause: z.string(),
  /** The money at stake. */
  amount: centsAnswer,
  /** What helps: the words of the button where `canRepair`, advice otherwise. */
  step: z.string(),
  canRepair: z.boolean(),
  deadline: z.nullable(moment),
  openedAt: moment,
  resolvedAt: z.nullable(moment),
})
export type Exception = z.output<typeof Exception>

const Comparison = z.object({
  trigger: z.enum(['watch', 'schedule', 'owner']),
  since: moment,
  at: moment,
  payments: z.int(),
  partnerOrders: z.int(),
  differences: z.int(),
})

/** What another's book and ours say that it holds for us; less than nothing where we owe it. */
const Balance = z.object({
  provider: Provider,
  theirs: centsAnswer,
  ours: centsAnswer,
  /** When its book was last read to the end; null: never. */
  readAt: z.nullable(moment),
  /** Since when it cannot be read. */
  failingSince: z.nullable(moment),
})
export type Balance = z.output<typeof Balance>

/** One day of one book: what moved in it, before fees, and what was kept. */
const BookDay = z.object({
  /** `2026-11-21`, in New York. */
  day: z.string(),
  provider: Provider,
  theirs: centsAnswer,
  ours: centsAnswer,
})
export type BookDay = z.output<typeof BookDay>

const Page = z.object({ older: z.optional(pathId<number>()), healed: z.optional(z.literal('1')) })

/** The owner's calls about what is wrong and where the books differ. */
export const reconciliationCalls = {
  exceptions: call({
    method: 'GET',
    path: '/api/admin/exceptions',
    access: 'owner',
    summary:
      'What waits for somebody, the latest first; with `healed` what did. `older` is the id after which a page goes on.',
    query: Page,
    answer: z.object({ exceptions: z.array(Exception), hasMore: z.boolean(), open: z.int(), atStake: centsAnswer }),
    refusals: [],
  }),
  repair: call({
    method: 'POST',
    path: '/api/admin/exceptions/:id/repair',
    access: 'owner_fresh',
    summary: 'Does the one thing that heals it. A second time changes nothing more.',
    params: z.object({ id: pathId<number>() }),
    answer: z.object({ wasOpen: z.boolean(), isHealed: z.boolean() }),
    refusals: ['no_repair', 'unknown_payment', 'payment_not_captured', 'nothing_to_refund'],
  }),
  reconciliation: call({
    method: 'GET',
    path: '/api/admin/reconciliation',
    access: 'owner',
    summary: 'The books of Stripe, PayPal and the printer beside ours, in all and by day.',
    answer: z.object({
      balances: z.array(Balance),
      days: z.array(BookDay),
      differences: z.array(Exception),
      last: z.nullable(Comparison),
    }),
    refusals: [],
  }),
  reconcile: call({
    method: 'POST',
    path: '/api/admin/reconciliation',
    access: 'owner',
    summary: 'Has the books read on and compared, by a job; a second one while it runs adds nothing.',
    answer: z.object({ isAsked: z.boolean() }),
    refusals: [],
  }),
}

import * as z from 'zod/mini'
import { queueNames } from '#domain/reconciliation/queue.ts'
import { call } from './call.ts'
import { centsAnswer, pathId } from './wire.ts'

/** ISO 8601, UTC. */
const moment = z.string()

const Provider = z.enum(['stripe', 'paypal', 'printful'])

/** An open or resolved problem. */
export const Exception = z.object({
  id: z.int(),
  kind: z.string(),
  title: z.string(),
  /** A payment's or payout's id, if it is not about an order. */
  about: z.string(),
  orderNumber: z.nullable(z.string()),
  cause: z.string(),
  /** The money at stake. */
  amount: centsAnswer,
  /** What helps: the button's label if `canRepair`, otherwise advice. */
  step: z.string(),
  canRepair: z.boolean(),
  deadline: z.nullable(moment),
  openedAt: moment,
  resolvedAt: z.nullable(moment),
})
export type Exception = z.output<typeof Exception>

/** More open problems of one kind than anybody reads one by one. */
const ExceptionCrowd = z.object({
  kind: z.string(),
  title: z.string(),
  /** What helps. */
  step: z.string(),
  count: z.int(),
  amount: centsAnswer,
  /** When the oldest was found. */
  since: moment,
})
export type ExceptionCrowd = z.output<typeof ExceptionCrowd>

/** A line in which a crowd waits; nothing is wrong with it. */
export const Queue = z.object({
  name: z.enum(queueNames),
  waiting: z.int(),
  since: moment,
  /** When the last one is through at today's pace; null while nothing moves. */
  doneAt: z.nullable(moment),
})
export type Queue = z.output<typeof Queue>

const Comparison = z.object({
  trigger: z.enum(['watch', 'schedule', 'owner']),
  since: moment,
  at: moment,
  payments: z.int(),
  partnerOrders: z.int(),
  differences: z.int(),
})

/** The balance held for us in the other book and in ours; negative if we owe it. */
const Balance = z.object({
  provider: Provider,
  theirs: centsAnswer,
  ours: centsAnswer,
  /** When its book was last read completely; null: never. */
  readAt: z.nullable(moment),
  /** Since when it cannot be read. */
  failingSince: z.nullable(moment),
})
export type Balance = z.output<typeof Balance>

/** One day of one book: movements before fees, and fees. */
const BookDay = z.object({
  /** `2026-11-21`, in New York. */
  day: z.string(),
  provider: Provider,
  theirs: centsAnswer,
  ours: centsAnswer,
})
export type BookDay = z.output<typeof BookDay>

const Page = z.object({
  older: z.optional(pathId<number>()),
  healed: z.optional(z.literal('1')),
  /** Only this kind. */
  kind: z.optional(z.string().check(z.regex(/^[a-z_]{3,40}$/))),
})

/** The owner's calls about problems and differences between the books. */
export const reconciliationCalls = {
  exceptions: call({
    method: 'GET',
    path: '/api/admin/exceptions',
    access: 'read_figures',
    summary:
      'Open problems, latest first; with `healed`, resolved ones. `older` continues after this id. Kinds of which many are open are counted as `crowds` and listed with `kind` only. `queues`: where many wait without anything being wrong.',
    query: Page,
    answer: z.object({
      exceptions: z.array(Exception),
      crowds: z.array(ExceptionCrowd),
      queues: z.array(Queue),
      hasMore: z.boolean(),
      open: z.int(),
      atStake: centsAnswer,
    }),
    refusals: [],
  }),
  repair: call({
    method: 'POST',
    path: '/api/admin/exceptions/:id/repair',
    access: 'owner_fresh',
    summary: 'Runs an exception’s repair. Idempotent.',
    params: z.object({ id: pathId<number>() }),
    answer: z.object({ wasOpen: z.boolean(), isHealed: z.boolean() }),
    refusals: ['no_repair', 'unknown_payment', 'payment_not_captured', 'nothing_to_refund'],
  }),
  reconciliation: call({
    method: 'GET',
    path: '/api/admin/reconciliation',
    access: 'read_figures',
    summary: 'The books of Stripe, PayPal and Printful compared with ours, in total and by day.',
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
    access: 'close_months',
    summary: 'Starts a job that reads and compares the books; does nothing while one is running.',
    answer: z.object({ isAsked: z.boolean() }),
    refusals: [],
  }),
}

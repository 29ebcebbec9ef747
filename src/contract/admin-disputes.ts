import * as z from 'zod/mini'
import { answerKinds, answerStates } from '#domain/payments/dispute-answer.ts'
import { call } from './call.ts'
import { centsAnswer, isoMoment, pathId } from './wire.ts'

const ofDispute = z.object({
  provider: z.enum(['stripe', 'paypal']),
  id: z.string().check(z.regex(/^[\w-]{1,255}$/, 'This is not the id of a dispute')),
})

export const AdminDispute = z.object({
  provider: z.enum(['stripe', 'paypal']),
  id: z.string(),
  amount: centsAnswer,
  fee: centsAnswer,
  status: z.enum(['inquiry', 'open', 'won', 'lost']),
  /** The provider's word for why. */
  reason: z.nullable(z.string()),
  openedAt: isoMoment,
  decidedAt: z.nullable(isoMoment),
  /** Deadline for evidence, and whole hours until then, negative once it has passed; null without one. */
  respondBy: z.nullable(z.object({ at: isoMoment, hours: z.int() })),
  answer: z.nullable(
    z.object({
      kind: z.enum(answerKinds),
      state: z.enum(answerStates),
      requestedAt: isoMoment,
      sentAt: z.nullable(isoMoment),
      failure: z.nullable(z.string()),
    }),
  ),
  /** Why it can't be answered now; null if it can. */
  objection: z.nullable(z.string()),
  /** What a bank will miss in the pack. */
  gaps: z.array(z.string()),
})
export type AdminDispute = z.output<typeof AdminDispute>

const done = z.object({ done: z.string() })

export const adminDisputeCalls = {
  ofOrder: call({
    method: 'GET',
    path: '/api/admin/orders/:number/disputes',
    access: 'read_orders',
    summary: 'The disputes of an order’s payments, what was answered, and what can be.',
    params: z.object({ number: z.string().check(z.maxLength(40)) }),
    answer: z.object({ disputes: z.array(AdminDispute) }),
    refusals: ['unknown_order'],
  }),
  ofGiftCard: call({
    method: 'GET',
    path: '/api/admin/gift-cards/:id/disputes',
    access: 'read_orders',
    summary: 'The disputes of the payment that a gift card was bought with.',
    params: z.object({ id: pathId<number>() }),
    answer: z.object({ disputes: z.array(AdminDispute) }),
    refusals: ['unknown_gift_card'],
  }),
  pack: call({
    method: 'GET',
    path: '/api/admin/disputes/:provider/:id/pack',
    access: 'read_orders',
    summary: 'The evidence as a PDF: as it was sent, otherwise as it would be sent now.',
    params: ofDispute,
    answer: 'file',
    refusals: ['unknown_dispute', 'dispute_without_order', 'dispute_facts_missing'],
  }),
  send: call({
    method: 'POST',
    path: '/api/admin/disputes/:provider/:id/evidence',
    access: 'owner_fresh',
    summary: 'Gathers the evidence and sends it to the payment provider, which takes it once.',
    params: ofDispute,
    answer: done,
    refusals: ['unknown_dispute', 'dispute_without_order', 'dispute_not_answerable', 'dispute_facts_missing'],
  }),
  accept: call({
    method: 'POST',
    path: '/api/admin/disputes/:provider/:id/acceptance',
    access: 'owner_fresh',
    summary: 'Accepts a dispute: the customer keeps the money.',
    params: ofDispute,
    answer: done,
    refusals: ['unknown_dispute', 'dispute_not_answerable'],
  }),
}

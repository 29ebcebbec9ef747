import { and, eq, inArray, sql } from 'drizzle-orm'
import {
  objectionToAnswer,
  standingSentence,
  stateBySight,
  type AnswerKind,
  type AnswerState,
} from '#domain/payments/dispute-answer.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId, PaymentProvider } from '#shared/ids.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { autocommitWrite, type Reader, type Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findOrderOfPayment } from '#server/orders/orders.ts'
import type { Evidence } from '#server/providers/payments.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { dispute, disputeAnswer } from './outcome-schema.ts'
import { followReturns } from './returns.ts'

export type DisputeName = { provider: PaymentProvider; disputeId: string }
export type Dispute = typeof dispute.$inferSelect
type DisputeAnswer = typeof disputeAnswer.$inferSelect

type AnswerNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'payments'>

const isDispute = ({ provider, disputeId }: DisputeName) =>
  and(eq(dispute.provider, provider), eq(dispute.disputeId, disputeId))
const isAnswer = ({ provider, disputeId }: DisputeName) =>
  and(eq(disputeAnswer.provider, provider), eq(disputeAnswer.disputeId, disputeId))

/** The file that the provider gets; its name has the reference, by which PayPal's list of documents shows it. */
export const fileNameOf = (reference: string): string => `dispute-${reference}.pdf`

/** @throws Refusal `unknown_dispute` */
export async function getDispute(db: Reader, name: DisputeName): Promise<Dispute> {
  const [row] = await db.select().from(dispute).where(isDispute(name))
  if (!row) throw new Refusal('unknown_dispute')
  return row
}

export const findAnswer = async (db: Reader, name: DisputeName): Promise<DisputeAnswer | undefined> =>
  (await db.select().from(disputeAnswer).where(isAnswer(name)))[0]

/**
 * Stores the owner's answer and queues it. A second press finds the first.
 * @param evidence unset to give in
 * @throws Refusal `unknown_dispute`, `dispute_not_answerable`
 */
export async function queueAnswer(
  { db, clock, jobs }: AnswerNeeds,
  name: DisputeName,
  evidence: Evidence | undefined,
  by: Actor,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.select().from(dispute).where(isDispute(name)).for('update')
    if (!row) throw new Refusal('unknown_dispute')
    const now = clock.now()
    const objection = objectionToAnswer({ ...row, answer: await findAnswer(tx, name) }, now)
    if (objection) throw new Refusal('dispute_not_answerable', { reason: objection })
    const kind: AnswerKind = evidence ? 'evidence' : 'acceptance'
    const values = {
      ...{ kind, state: 'queued' as const, attempts: 0, requestedAt: now, sentAt: null, failure: null },
      reference: evidence?.reference ?? kind,
      file: evidence?.file ?? null,
      content: evidence ? { texts: evidence.texts, parts: evidence.parts } : null,
    }
    const { provider, disputeId } = name
    await tx
      .insert(disputeAnswer)
      .values({ provider, disputeId, ...values })
      .onConflictDoUpdate({ target: [disputeAnswer.provider, disputeAnswer.disputeId], set: values })
    await jobs.enqueue(tx, 'answer-dispute', { provider, disputeId })
    const order = await findOrderOfPayment(tx, row.paymentKey)
    await recordAction(tx, {
      ...{ by, what: evidence ? 'answered a dispute with evidence' : 'accepted a dispute', at: now },
      about: order ? { kind: 'order', id: order.orderNumber } : { kind: 'payment', id: row.paymentKey },
      after: { dispute: disputeId },
    })
  })
}

/**
 * Gives a queued answer to the provider, once: it looks there first, because an earlier attempt may have arrived without our seeing its
 * response. Safe to repeat at any time.
 * @throws ProviderUnavailable the answer stays queued; try again later
 */
export async function sendAnswer(shop: AnswerNeeds, name: DisputeName): Promise<void> {
  const answer = await countAttempt(shop, name)
  if (!answer) return
  const { kind, reference } = answer
  const outcome = await attempt(shop, name, answer)
  if (outcome.failure) shop.log.error({ ...name, failure: outcome.failure }, 'The provider did not take our answer.')
  await settleAnswer(shop, name, outcome)
  if (outcome.state === 'sent') shop.log.info({ ...name, kind, reference }, 'A dispute was answered.')
  // Giving in decides it; evidence may end the deadline.
  await followReturns(shop, (await getDispute(shop.db, name)).paymentKey)
}

/** Counted before the call: a call that may have happened is never sent with the same key. */
async function countAttempt({ db }: AnswerNeeds, name: DisputeName): Promise<DisputeAnswer | undefined> {
  const [row] = await autocommitWrite(db, (tx) =>
    tx
      .update(disputeAnswer)
      .set({ attempts: sql`${disputeAnswer.attempts} + 1` })
      .where(and(isAnswer(name), eq(disputeAnswer.state, 'queued')))
      .returning(),
  )
  return row
}

type Outcome = { state: Exclude<AnswerState, 'queued'>; failure: string | null }

async function attempt(shop: AnswerNeeds, name: DisputeName, answer: DisputeAnswer): Promise<Outcome> {
  const before = await look(shop, name, answer)
  if (before) return before
  try {
    if (answer.kind === 'acceptance') await shop.payments.acceptDispute(name)
    else await shop.payments.submitEvidence(name, evidenceOf(answer), answer.attempts)
    return { state: 'sent', failure: null }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    // It also refuses what it has already.
    return (await look(shop, name, answer)) ?? { state: 'refused', failure: error.message }
  }
}

async function look({ payments }: AnswerNeeds, name: DisputeName, { kind, reference }: DisputeAnswer) {
  const standing = await payments.readDisputeStanding(name, reference)
  const state = stateBySight(standing, kind)
  if (!state) return undefined
  return { state, failure: state === 'refused' ? standingSentence(standing, name.provider) : null }
}

function evidenceOf({ file, content, reference }: DisputeAnswer): Evidence {
  // Orders in dispute are not erased.
  assert(file && content, 'evidence without its content')
  return { file, fileName: fileNameOf(reference), reference, ...content }
}

const settleAnswer = ({ db, clock }: AnswerNeeds, name: DisputeName, { state, failure }: Outcome) =>
  autocommitWrite(db, (tx) =>
    tx
      .update(disputeAnswer)
      .set({ state, failure, sentAt: state === 'sent' ? clock.now() : null })
      .where(and(isAnswer(name), eq(disputeAnswer.state, 'queued'))),
  )

/** What was sent about these orders; that it was sent stays. */
export async function eraseAnswers(tx: Tx, ids: readonly OrderId[]): Promise<void> {
  const names = await tx
    .select({ provider: dispute.provider, disputeId: dispute.disputeId })
    .from(dispute)
    .where(inArray(dispute.orderId, [...ids]))
  for (const name of names) await tx.update(disputeAnswer).set({ file: null, content: null }).where(isAnswer(name))
}

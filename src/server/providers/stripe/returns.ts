import type { Stripe } from 'stripe'
import type { AnswerStanding } from '#domain/payments/dispute-answer.ts'
import type { DisputeStatus, ProviderDispute, ProviderRefund } from '#domain/payments/returns.ts'
import { type ReportUnknownValue, knownValueOrReport } from '#server/providers/unknown-values.ts'
import { wordOf } from '../responses.ts'
import { ZERO, cents } from '#shared/money.ts'
import { SECOND_MS } from '#shared/time.ts'

const refundStatuses: Readonly<Record<string, ProviderRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
  pending: 'pending',
  requires_action: 'pending',
}

const disputeStatuses: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  prevented: 'won',
  warning_closed: 'won',
  lost: 'lost',
}

/** Stripe keeps its fee on refunds. */
export const asRefund = (
  { id, amount, status, metadata, created }: Stripe.Refund,
  report: ReportUnknownValue,
): ProviderRefund => ({
  id,
  amount: cents(amount),
  at: new Date(created * SECOND_MS),
  feeReturned: ZERO,
  status: knownValueOrReport(refundStatuses, status ?? 'pending', 'pending', (value) => report('refund status', value)),
  ours: /^\d{1,15}$/.test(metadata?.['refund'] ?? '') ? Number(metadata?.['refund']) : null,
})

const decided = ['won', 'lost', 'warning_closed', 'prevented']

/** Where Stripe is with our answer. @param reference that we stored with it */
export function standingOf(
  { status, metadata, evidence_details: evidence }: Stripe.Dispute,
  reference: string,
): AnswerStanding {
  if (metadata[ANSWER_MARK] === reference && evidence.submission_count > 0) return 'ours'
  if (decided.includes(status)) return 'decided'
  if (evidence.submission_count > 0) return 'answered'
  return evidence.past_due ? 'late' : 'waiting'
}

/** The name of our reference in a dispute's metadata. */
export const ANSWER_MARK = 'evidence'

/** An inquiry moves no money; otherwise the balance transactions show the amount and fee. */
export function asDispute(
  { id, amount, status, created, reason, balance_transactions: moves, evidence_details: evidence }: Stripe.Dispute,
  report: ReportUnknownValue,
): ProviderDispute {
  return {
    id,
    amount: cents(amount),
    at: new Date(created * SECOND_MS),
    fee: cents(moves.reduce((total, move) => total + move.fee, 0)),
    hasMoved: moves.length > 0,
    reason: wordOf(reason),
    respondBy: evidence.due_by === null ? null : new Date(evidence.due_by * SECOND_MS),
    status: knownValueOrReport(disputeStatuses, status, 'open', (value) => report('dispute status', value)),
  }
}

import type { ProviderDispute, ProviderRefund } from '#domain/payments/returns.ts'
import { type ReportUnknownValue, knownValueOrReport } from '#server/providers/unknown-values.ts'
import type { AnswerStanding } from '#domain/payments/dispute-answer.ts'
import { wordOf } from '../responses.ts'
import { ZERO } from '#shared/money.ts'
import type { Dispute, Refund } from './shapes.ts'

const refundStatuses: Readonly<Record<string, ProviderRefund['status']>> = {
  COMPLETED: 'succeeded',
  PENDING: 'pending',
  CANCELLED: 'failed',
  FAILED: 'failed',
}

const disputeStatuses: Readonly<Record<string, 'open' | 'resolved'>> = {
  OPEN: 'open',
  WAITING_FOR_BUYER_RESPONSE: 'open',
  WAITING_FOR_SELLER_RESPONSE: 'open',
  UNDER_REVIEW: 'open',
  OTHER: 'open',
  RESOLVED: 'resolved',
}

const disputeOutcomes: Readonly<Record<string, 'won' | 'lost' | 'open'>> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  NONE: 'won',
}

export const OUR_REFUND = 'refund-'

/** @param text in whole seconds; null becomes 1970 */
export const momentOf = (text: string | null | undefined): Date => new Date(Date.parse(text ?? '') || 0)

export const asRefund = (
  { id, status, amount, custom_id: mark, ...more }: Refund,
  report: ReportUnknownValue,
): ProviderRefund => ({
  id,
  amount: amount.amount,
  at: momentOf(more.create_time),
  feeReturned: more.seller_payable_breakdown?.paypal_fee?.amount ?? ZERO,
  status: knownValueOrReport(refundStatuses, status, 'pending', (value) => report('refund status', value)),
  ours: /^refund-\d{1,15}$/.test(mark ?? '') ? Number(mark?.slice(OUR_REFUND.length)) : null,
})

/** Where PayPal is with our answer: its file has our reference in its name. */
export function standingOf(
  { status, evidences, links, seller_response_due_date: due }: Dispute,
  reference: string,
  now: Date,
): AnswerStanding {
  const sent = evidences ?? []
  if (sent.some(({ documents }) => documents?.some(({ name }) => name?.includes(reference)))) return 'ours'
  if (status === 'RESOLVED') return 'decided'
  if (links?.some(({ rel }) => rel === 'provide-evidence' || rel === 'provide_evidence')) return 'waiting'
  if (status === 'UNDER_REVIEW' || sent.some(({ source }) => source === 'SUBMITTED_BY_SELLER')) return 'answered'
  return due && Date.parse(due) <= now.getTime() ? 'late' : 'idle'
}

export function asDispute(dispute: Dispute, report: ReportUnknownValue): ProviderDispute {
  const {
    dispute_id: id,
    status,
    dispute_amount: amount,
    dispute_life_cycle_stage: stage,
    dispute_outcome: end,
  } = dispute
  const due = Date.parse(dispute.seller_response_due_date ?? '')
  const respondBy = Number.isNaN(due) ? null : new Date(due)
  const about = {
    id,
    amount: amount.amount,
    at: momentOf(dispute.create_time),
    fee: ZERO,
    respondBy,
    reason: wordOf(dispute.reason),
  }
  const hasMoved = stage !== 'INQUIRY'
  const course = knownValueOrReport(disputeStatuses, status, 'open', (value) => report('dispute status', value))
  const outcome =
    course === 'open'
      ? course
      : knownValueOrReport(disputeOutcomes, end?.outcome_code ?? 'NONE', 'open', (value) =>
          report('dispute outcome', value),
        )
  if (outcome === 'open') return { ...about, hasMoved, status: hasMoved ? 'open' : 'inquiry' }
  return outcome === 'lost' ? { ...about, hasMoved: true, status: 'lost' } : { ...about, hasMoved, status: 'won' }
}

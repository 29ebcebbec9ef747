import { timeText, type Needs, type StoredDispute } from './books.ts'
import { link, payer, usd } from './shapes.ts'

type Base = Pick<Needs, 'base' | 'books'>

const ANSWER_WITHIN_MS = 10 * 86_400_000

const answerBy = ({ createdAt }: StoredDispute) => new Date(createdAt.getTime() + ANSWER_WITHIN_MS)

/** A dispute as the list returns it. */
export const shortDispute = ({ base }: Base, dispute: StoredDispute) => ({
  dispute_id: dispute.id,
  create_time: timeText(dispute.createdAt),
  update_time: timeText(dispute.updatedAt),
  reason: dispute.reason,
  status: dispute.status,
  dispute_amount: usd(dispute.amount),
  dispute_life_cycle_stage: dispute.stage,
  dispute_channel: 'INTERNAL',
  ...(dispute.outcome === undefined && { seller_response_due_date: timeText(answerBy(dispute)) }),
  links: [link(base(), `/v1/customer/disputes/${dispute.id}`, 'self')],
})

/** A dispute's links say what the seller may do now. */
export const mayProvide = ({ kit }: Pick<Needs, 'kit'>, dispute: StoredDispute): boolean =>
  dispute.status === 'WAITING_FOR_SELLER_RESPONSE' && answerBy(dispute) > kit.clock.now()

export const mayAccept = ({ status }: StoredDispute): boolean => status !== 'RESOLVED' && status !== 'UNDER_REVIEW'

export function disputeShape(needs: Base & Pick<Needs, 'kit'>, dispute: StoredDispute) {
  const path = `/v1/customer/disputes/${dispute.id}`
  const capture = needs.books.captures.get(dispute.captureId)
  return {
    ...shortDispute(needs, dispute),
    disputed_transactions: [
      {
        seller_transaction_id: dispute.captureId,
        ...(capture && {
          create_time: timeText(capture.createdAt),
          gross_amount: usd(capture.amount),
          ...(capture.invoiceId !== undefined && { invoice_number: capture.invoiceId }),
          ...(capture.customId !== undefined && { custom: capture.customId }),
        }),
        transaction_status: 'COMPLETED',
        buyer: { name: `${payer.given} ${payer.surname}` },
      },
    ],
    ...(dispute.outcome && { dispute_outcome: { outcome_code: dispute.outcome } }),
    ...(dispute.evidences.length > 0 && {
      evidences: dispute.evidences.map((evidence) => ({
        ...evidence,
        source: 'SUBMITTED_BY_SELLER',
        dispute_life_cycle_stage: dispute.stage,
      })),
    }),
    ...(mayAccept(dispute) && { allowed_response_options: { accept_claim: { accept_claim_types: ['REFUND'] } } }),
    links: [
      link(needs.base(), path, 'self'),
      ...(mayProvide(needs, dispute)
        ? [link(needs.base(), `${path}/provide-evidence`, 'provide-evidence', 'POST')]
        : []),
      ...(mayAccept(dispute) ? [link(needs.base(), `${path}/accept-claim`, 'accept-claim', 'POST')] : []),
    ],
  }
}

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

export function disputeShape(needs: Base, dispute: StoredDispute) {
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
  }
}

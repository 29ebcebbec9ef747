import type Stripe from 'stripe'
import { idOf } from './books.ts'
import type { TestCard } from './cards.ts'
import type { Needs } from './needs.ts'
import { newBalanceTransaction, newDispute, newWarning } from './objects.ts'
import type { z } from 'zod'
import type { updateDispute as parameters } from './parameters.ts'
import { seconds } from './books.ts'
import { badRequest, resourceMissing, invalidState } from './errors.ts'
import { getFile } from './files.ts'

const LATER_MS = 60_000
const DISPUTE_FEE = 1500 // cents, Stripe's list price in the United States

/** What a test card triggers a minute of sandbox time after it paid. */
export function disputeLater(needs: Needs, charge: Stripe.Charge, what: NonNullable<TestCard['later']>): void {
  needs.later(LATER_MS, `stripe ${what} of ${charge.id}`, () => {
    if (what === 'fraud_warning') warnOfFraud(needs, charge)
    else if (!charge.disputed) openDispute(needs, charge, reasons[what], { isInquiry: what === 'inquiry' })
  })
}

const reasons = {
  dispute_fraudulent: 'fraudulent',
  dispute_not_received: 'product_not_received',
  inquiry: 'fraudulent',
} as const

/** @throws StripeError when the charge is already disputed or fully refunded */
export function openDispute(
  needs: Needs,
  charge: Stripe.Charge,
  reason: string,
  { isInquiry = false } = {},
): Stripe.Dispute {
  const { books, kit, sendEvent } = needs
  if (charge.disputed)
    throw invalidState('This charge is disputed already.', { code: 'charge_disputed', charge: charge.id })
  const dispute = newDispute(kit.clock.now(), charge, { reason, isInquiry })
  charge.disputed = true
  books.disputes.set(dispute.id, dispute)
  sendEvent('charge.dispute.created', dispute)
  if (!isInquiry) moveFunds(needs, dispute, 'withdrawn')
  return dispute
}

/** The shop accepts the dispute. */
export function closeDispute(needs: Needs, id: string): Stripe.Dispute {
  const dispute = getDispute(needs, id)
  if (!dispute.status.endsWith('needs_response')) throw invalidState(`This dispute can’t be closed: ${dispute.status}.`)
  if (dispute.status.startsWith('warning_')) return decideDispute(needs, id, 'warning_closed')
  return decideDispute(needs, id, 'lost')
}

/** The bank's decision. @param returnsFee in some countries a dispute that was won costs nothing */
export function decideDispute(
  needs: Needs,
  id: string,
  outcome: 'won' | 'lost' | 'warning_closed',
  { returnsFee = false } = {},
): Stripe.Dispute {
  const dispute = getDispute(needs, id)
  if (['won', 'lost', 'warning_closed', 'prevented'].includes(dispute.status)) {
    throw invalidState(`This dispute is already closed: ${dispute.status}.`)
  }
  const before = dispute.status
  dispute.status = outcome
  needs.sendEvent('charge.dispute.closed', dispute, { status: before })
  if (outcome === 'won') moveFunds(needs, dispute, 'reinstated', returnsFee)
  return dispute
}

export function getDispute({ books, kit }: Needs, id: string): Stripe.Dispute {
  const dispute = books.disputes.get(id)
  if (!dispute) throw resourceMissing('dispute', id)
  const { evidence_details: details } = dispute
  details.past_due = details.due_by !== null && details.due_by < seconds(kit.clock.now()) && !details.submission_count
  return dispute
}

/** Visa's; Mastercard's is 19 (docs.stripe.com/disputes/best-practices). */
const PAGES_MAX = 50
/** Of all texts together. */
const CHARACTERS_MAX = 150_000

/** Evidence is submitted once, before the deadline. `submit` is true unless told otherwise. */
export function updateDispute(needs: Needs, id: string, wanted: z.output<typeof parameters>): Stripe.Dispute {
  const dispute = getDispute(needs, id)
  const { evidence = {}, submit = true, metadata } = wanted
  const { evidence_details: details } = dispute
  if (['won', 'lost', 'warning_closed', 'prevented'].includes(dispute.status))
    throw invalidState(`This dispute is already closed: ${dispute.status}.`)
  if (details.submission_count > 0) throw invalidState('Evidence was already submitted for this dispute.')
  if (details.past_due) throw invalidState('The due date for evidence has passed.')
  const characters = Object.values(evidence).reduce((sum, value) => sum + (value?.length ?? 0), 0)
  if (characters > CHARACTERS_MAX)
    throw badRequest('The evidence has more than 150,000 characters.', { param: 'evidence' })
  const { uncategorized_file: file } = evidence
  if (file !== undefined) getFile(needs, file, 'evidence[uncategorized_file]')
  if ((needs.books.files.get(file ?? '')?.pages ?? 0) > PAGES_MAX)
    throw badRequest('The evidence has more pages than the card network accepts.', {
      code: 'dispute_evidence_page_limit_exceeded',
    })
  Object.assign(dispute.evidence, evidence)
  Object.assign(dispute.metadata, metadata)
  details.has_evidence = true
  if (submit) {
    const before = dispute.status
    dispute.status = before === 'warning_needs_response' ? 'warning_under_review' : 'under_review'
    details.submission_count = 1
    details.submission_method = 'manual'
    needs.sendEvent('charge.dispute.updated', dispute, { status: before })
  }
  return dispute
}

export function getCharge({ books }: Needs, id: string, param?: string): Stripe.Charge {
  const charge = books.charges.get(id)
  if (!charge) throw resourceMissing('charge', id, param)
  return charge
}

function moveFunds(
  { books, kit, sendEvent }: Needs,
  dispute: Stripe.Dispute,
  way: 'withdrawn' | 'reinstated',
  returnsFee = false,
): void {
  const leaves = way === 'withdrawn'
  const moved = newBalanceTransaction(kit.clock.now(), {
    amount: leaves ? -dispute.amount : dispute.amount,
    currency: dispute.currency,
    fee: leaves ? DISPUTE_FEE : returnsFee ? -DISPUTE_FEE : 0,
    type: 'adjustment',
    category: leaves ? 'dispute' : 'dispute_reversal',
    source: dispute.id,
    description: `Chargeback ${way} for ${idOf(dispute.charge) ?? ''}`,
    availableAtOnce: true,
  })
  books.balanceTransactions.set(moved.id, moved)
  dispute.balance_transactions.push(moved)
  sendEvent(`charge.dispute.funds_${way}`, dispute)
}

function warnOfFraud({ books, kit, sendEvent }: Needs, charge: Stripe.Charge): void {
  const warning = newWarning(kit.clock.now(), charge)
  books.warnings.set(warning.id, warning)
  sendEvent('radar.early_fraud_warning.created', warning)
}

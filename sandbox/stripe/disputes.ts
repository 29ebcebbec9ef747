import type Stripe from 'stripe'
import { idOf } from './books.ts'
import type { TestCard } from './cards.ts'
import type { Needs } from './needs.ts'
import { newBalanceTransaction, newDispute, newWarning } from './objects.ts'
import { resourceMissing, invalidState } from './errors.ts'

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

export function getDispute({ books }: Needs, id: string): Stripe.Dispute {
  const dispute = books.disputes.get(id)
  if (!dispute) throw resourceMissing('dispute', id)
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

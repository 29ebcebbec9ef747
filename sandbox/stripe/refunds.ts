import type Stripe from 'stripe'
import type { z } from 'zod'
import { idOf } from './books.ts'
import { getCharge } from './disputes.ts'
import type { Needs } from './needs.ts'
import { newBalanceTransaction, newRefund } from './objects.ts'
import type { createRefund as createRefundSchema } from './parameters.ts'
import { mergedMetadata } from './payments.ts'
import { badRequest, resourceMissing, invalidState } from './errors.ts'

const LATER_MS = 60_000

export function createRefund(needs: Needs, wanted: z.output<typeof createRefundSchema>): Stripe.Refund {
  const { books, kit, sendEvent } = needs
  const charge = chargeToRefund(needs, wanted)
  if (charge.disputed && isLostToDispute(needs, charge)) {
    throw invalidState(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' })
  }
  const rest = charge.amount - charge.amount_refunded
  if (rest === 0) {
    throw invalidState(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const amount = wanted.amount ?? rest
  if (amount < 1) {
    throw badRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  }
  if (amount > rest) {
    throw invalidState(
      `Refund amount ($${dollars(amount)}) is greater than unrefunded amount on charge ($${dollars(rest)})`,
      { param: 'amount' },
    )
  }
  const course = books.cards.get(charge.payment_method ?? '')?.refund
  const refund = newRefund(kit.clock.now(), charge, {
    amount,
    reason: wanted.reason ?? null,
    metadata: mergedMetadata({}, wanted.metadata ?? null),
    pending: course === 'pending_then_succeeded',
  })
  refund.balance_transaction = book(needs, refund, 'refund')
  books.refunds.set(refund.id, refund)
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  kit.witness('stripe', 'refunded', { refund: refund.id, charge: charge.id, amount })
  sendEvent('refund.created', refund)
  sendEvent('charge.refunded', charge)
  if (course === 'pending_then_succeeded') {
    needs.later(LATER_MS, `stripe refund ${refund.id} succeeds`, () => settleRefund(needs, refund))
  }
  if (course === 'succeeded_then_failed') {
    needs.later(LATER_MS, `stripe refund ${refund.id} fails`, () => {
      if (refund.status === 'succeeded') failRefund(needs, refund.id)
    })
  }
  return refund
}

/** The bank returns a refund, late: the shop has the money again, and the shopper did not receive it. */
export function failRefund(needs: Needs, id: string): Stripe.Refund {
  const { books, sendEvent } = needs
  const refund = getRefund(needs, id)
  if (refund.status === 'failed') throw invalidState(`Refund ${id} has failed already.`)
  const before = refund.status
  refund.status = 'failed'
  refund.failure_reason = 'expired_or_canceled_card'
  refund.failure_balance_transaction = book(needs, refund, 'refund_failure')
  delete refund.pending_reason
  const charge = books.charges.get(idOf(refund.charge) ?? '')
  if (charge) {
    charge.amount_refunded -= refund.amount
    charge.refunded = false
  }
  sendEvent('refund.failed', refund, { status: before })
  sendEvent('refund.updated', refund, { status: before })
  return refund
}

export function getRefund({ books }: Needs, id: string): Stripe.Refund {
  const refund = books.refunds.get(id)
  if (!refund) throw resourceMissing('refund', id)
  return refund
}

function settleRefund({ sendEvent }: Needs, refund: Stripe.Refund): void {
  if (refund.status !== 'pending') return
  refund.status = 'succeeded'
  delete refund.pending_reason
  sendEvent('refund.updated', refund, { status: 'pending' })
}

function chargeToRefund(
  needs: Needs,
  { payment_intent: payment, charge }: { payment_intent?: string | undefined; charge?: string | undefined },
) {
  if (charge !== undefined) return requireSucceeded(getCharge(needs, charge, 'charge'))
  if (payment === undefined) {
    throw badRequest('One of the following params should be provided for this request: payment_intent or charge.', {
      code: 'parameter_missing',
    })
  }
  const intent = needs.books.intents.get(payment)
  if (!intent) throw resourceMissing('payment_intent', payment, 'payment_intent')
  const latest = needs.books.charges.get(idOf(intent.latest_charge) ?? '')
  if (!latest || intent.status !== 'succeeded') {
    throw invalidState(`This PaymentIntent (${payment}) does not have a successful charge to refund.`, {
      code: 'payment_intent_unexpected_state',
    })
  }
  return latest
}

function requireSucceeded(charge: Stripe.Charge): Stripe.Charge {
  if (charge.status !== 'succeeded') throw invalidState(`Charge ${charge.id} has not succeeded; it cannot be refunded.`)
  return charge
}

const isLostToDispute = ({ books }: Needs, charge: Stripe.Charge): boolean =>
  [...books.disputes.values()].some(
    (dispute) => dispute.charge === charge.id && !dispute.is_charge_refundable && dispute.status !== 'won',
  )

/** Stripe keeps the fee of the charge: refunds cost none and bring none back. */
function book({ books, kit }: Needs, refund: Stripe.Refund, type: 'refund' | 'refund_failure'): string {
  const booked = newBalanceTransaction(kit.clock.now(), {
    amount: type === 'refund' ? -refund.amount : refund.amount,
    currency: refund.currency,
    fee: 0,
    type,
    category: type,
    source: refund.id,
    description: type === 'refund' ? 'REFUND FOR CHARGE' : 'REFUND FAILURE',
    availableAtOnce: true,
  })
  books.balanceTransactions.set(booked.id, booked)
  return booked.id
}

const dollars = (cents: number) => (cents / 100).toFixed(2)

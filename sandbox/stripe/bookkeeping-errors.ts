import { idOf } from './books.ts'
import { getCharge } from './disputes.ts'
import type { Needs } from './needs.ts'
import { newBalanceTransaction } from './objects.ts'
import { getIntent } from './payments.ts'

// How Stripe's books can differ from the shop's: the reconciliation must find it.

function chargeOf(needs: Needs, intentId: string) {
  const intent = getIntent(needs, intentId)
  return { intent, charge: getCharge(needs, idOf(intent.latest_charge) ?? '', 'payment_intent') }
}

/** Stripe loses a payment. */
export function removePayment(needs: Needs, intentId: string): { forgotten: string } {
  const { intent, charge } = chargeOf(needs, intentId)
  needs.books.balanceTransactions.delete(idOf(charge.balance_transaction) ?? '')
  needs.books.charges.delete(charge.id)
  needs.books.intents.delete(intent.id)
  return { forgotten: intentId }
}

/** A payment's entry has another amount, fee or currency. */
export function rewriteBookLine(
  needs: Needs,
  intentId: string,
  to: { amount?: number; fee?: number; currency?: string },
): { rebooked: string } {
  const { charge } = chargeOf(needs, intentId)
  const line = needs.books.balanceTransactions.get(idOf(charge.balance_transaction) ?? '')
  if (!line) throw new Error(`The payment ${intentId} is not booked yet.`)
  Object.assign(line, to)
  line.net = line.amount - line.fee
  return { rebooked: line.id }
}

/** Stripe charges a fee that belongs to no payment. @param amount cents */
export function takeFee(needs: Needs, amount: number): { line: string } {
  const line = newBalanceTransaction(needs.kit.clock.now(), {
    amount: -amount,
    currency: 'usd',
    fee: 0,
    type: 'adjustment',
    category: 'fee',
    source: '',
    description: 'Radar (2026-10-01 - 2026-10-31)',
    availableAtOnce: true,
  })
  line.type = 'stripe_fee'
  line.source = null
  needs.books.balanceTransactions.set(line.id, line)
  return { line: line.id }
}

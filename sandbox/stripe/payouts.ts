import type Stripe from 'stripe'
import { balanceOf } from './account.ts'
import { newId, seconds } from './books.ts'
import type { Needs } from './needs.ts'
import { newBalanceTransaction } from './objects.ts'
import { resourceMissing, invalidState } from './errors.ts'

const DAY_S = 86_400

/**
 * Sends money to the bank. The real Stripe does so automatically, every business day.
 * @param wanted in cents; the whole available balance by default
 */
export function sendPayout(needs: Needs, wanted?: number): Stripe.Payout {
  const { books, kit, sendEvent } = needs
  const now = kit.clock.now()
  const amount = wanted ?? balanceOf(needs).available[0]?.amount ?? 0
  if (amount <= 0) throw invalidState('You have insufficient funds in your Stripe account for this transfer.')
  const payout: Stripe.Payout = {
    id: newId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: seconds(now) + 2 * DAY_S,
    automatic: wanted === undefined,
    balance_transaction: null,
    created: seconds(now),
    currency: 'usd',
    description: 'STRIPE PAYOUT',
    destination: 'ba_1SandboxBank',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  }
  if (payout.automatic)
    for (const { id, available_on: availableOn } of books.balanceTransactions.values())
      if (availableOn <= seconds(now) && !books.paidOutWith.has(id)) books.paidOutWith.set(id, payout.id)
  payout.balance_transaction = book(needs, payout, 'payout')
  books.paidOutWith.set(payout.balance_transaction, payout.id)
  books.payouts.set(payout.id, payout)
  kit.witness('stripe', 'payout', { id: payout.id, amount })
  sendEvent('payout.created', payout)
  return payout
}

/** It has reached the bank. */
export function landPayout(needs: Needs, id: string): Stripe.Payout {
  const payout = getPayout(needs, id)
  if (payout.status !== 'in_transit') throw invalidState(`This payout is ${payout.status}.`)
  payout.status = 'paid'
  needs.sendEvent('payout.paid', payout, { status: 'in_transit' })
  return payout
}

/** The bank returns it, possibly days after it was paid. */
export function failPayout(needs: Needs, id: string): Stripe.Payout {
  const payout = getPayout(needs, id)
  if (payout.status === 'failed') throw invalidState('This payout has failed already.')
  const before = payout.status
  payout.status = 'failed'
  payout.failure_code = 'account_closed'
  payout.failure_message = 'The bank account has been closed'
  payout.failure_balance_transaction = book(needs, payout, 'payout_failure')
  needs.sendEvent('payout.failed', payout, { status: before })
  return payout
}

export function getPayout({ books }: Pick<Needs, 'books'>, id: string, param?: string): Stripe.Payout {
  const payout = books.payouts.get(id)
  if (!payout) throw resourceMissing('payout', id, param)
  return payout
}

function book(
  { books, kit }: Needs,
  { id, amount, currency }: Stripe.Payout,
  type: 'payout' | 'payout_failure',
): string {
  const booked = newBalanceTransaction(kit.clock.now(), {
    amount: type === 'payout' ? -amount : amount,
    currency,
    fee: 0,
    type,
    category: type === 'payout' ? 'payout' : 'payout_reversal',
    source: id,
    description: type === 'payout' ? 'STRIPE PAYOUT' : 'STRIPE PAYOUT FAILURE',
    availableAtOnce: true,
  })
  books.balanceTransactions.set(booked.id, booked)
  return booked.id
}

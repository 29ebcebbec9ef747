import type { Stripe } from 'stripe'
import type { PayoutStatus, ProviderPayout } from '#domain/payments/payouts.ts'
import type { Movement, MovementKind } from '#domain/reconciliation/movements.ts'
import { type ReportUnknownValue, knownValueOrReport } from '#server/providers/unknown-values.ts'
import { type CheckoutId, paymentKey } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { SECOND_MS } from '#shared/time.ts'
import { uuid } from './intents.ts'

const movementKinds: Readonly<Record<string, MovementKind>> = {
  charge: 'charge',
  charge_failure: 'charge',
  refund: 'refund',
  refund_failure: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  fee: 'fee',
  payout: 'payout',
  payout_reversal: 'payout',
  // Published categories that concern no payment here (docs.stripe.com/reports/reporting-categories).
  ...Object.fromEntries(
    [
      'advance',
      'advance_funding',
      'anticipation_repayment',
      'climate_order_purchase',
      'climate_order_refund',
      'connect_collection_transfer',
      'connect_reserved_funds',
      'contribution',
      'fee_credit_funding',
      'issuing_authorization_hold',
      'issuing_authorization_release',
      'issuing_dispute',
      'issuing_transaction',
      'other_adjustment',
      'partial_capture_reversal',
      'platform_earning',
      'platform_earning_refund',
      'risk_reserved_funds',
      'tax',
      'topup',
      'topup_reversal',
      'transfer',
      'transfer_reversal',
      'unreconciled_customer_funds',
    ].map((category) => [category, 'adjustment' as const]),
  ),
}

/** A line's source object names its payment; some lines, such as a monthly fee, have none. */
export function asMovement(line: Stripe.BalanceTransaction, report: ReportUnknownValue): Movement {
  const { id, amount, fee, currency, created, source } = line
  const sourceObject = (typeof source === 'object' ? source : null) as {
    payment_intent?: string | { id: string } | null
    metadata?: Stripe.Metadata | null
  } | null
  const intent = sourceObject?.payment_intent
  const intentId = typeof intent === 'object' ? intent?.id : intent
  const named = sourceObject?.metadata?.['checkout_id'] ?? ''
  return {
    provider: 'stripe',
    id,
    kind: knownValueOrReport(movementKinds, line.reporting_category, 'adjustment', (value) =>
      report('balance transaction', value),
    ),
    amount: cents(amount),
    fee: cents(fee),
    currency,
    paymentKey: intentId ? paymentKey('stripe', intentId) : null,
    sourceId: (typeof source === 'string' ? source : source?.id) ?? null,
    checkoutId: uuid.test(named) ? (named as CheckoutId) : null,
    occurredAt: new Date(created * SECOND_MS),
  }
}

const payoutStatuses: Readonly<Record<string, PayoutStatus>> = {
  paid: 'paid',
  failed: 'failed',
  canceled: 'failed',
  pending: 'under_way',
  in_transit: 'under_way',
}

export const asPayout = (
  { id, amount, status, created }: Stripe.Payout,
  report: ReportUnknownValue,
): ProviderPayout => ({
  provider: 'stripe',
  id,
  amount: cents(amount),
  status: knownValueOrReport(payoutStatuses, status, 'under_way', (value) => report('payout status', value)),
  createdAt: new Date(created * SECOND_MS),
})

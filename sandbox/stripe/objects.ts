import type Stripe from 'stripe'
import { newId, seconds } from './books.ts'
import type { TestCard } from './cards.ts'

/** New objects in Stripe's shape, with every field of its responses. */

const DAY_S = 24 * 60 * 60

type Billing = Stripe.PaymentMethod.BillingDetails

/** An address as Stripe returns it: missing or empty values are null. */
export const addressOf = (given: {
  [Field in keyof Stripe.Address]?: string | null | undefined
}): Stripe.Address => ({
  city: given.city || null,
  country: given.country || null,
  line1: given.line1 || null,
  line2: given.line2 || null,
  postal_code: given.postal_code || null,
  state: given.state || null,
})

export const NO_BILLING = (): Billing => ({
  address: addressOf({}),
  email: null,
  name: null,
  phone: null,
  tax_id: null,
})

export const newIntent = (
  now: Date,
  { amount, currency, redirects }: { amount: number; currency: string; redirects: 'always' | 'never' | undefined },
): Stripe.PaymentIntent => {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { enabled: true, allow_redirects: redirects ?? 'always' },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_${newId('secret', 25)}`,
    confirmation_method: 'automatic',
    created: seconds(now),
    currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: redirects === 'never' ? ['card'] : ['card', 'amazon_pay'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  }
}

export const newMethod = (
  now: Date,
  card: TestCard,
  { expMonth, expYear, billing }: { expMonth: number; expYear: number; billing: Billing },
): Stripe.PaymentMethod => ({
  id: newId('pm'),
  object: 'payment_method',
  allow_redisplay: 'unspecified',
  billing_details: billing,
  ...(card.redirects
    ? { amazon_pay: {} }
    : {
        card: {
          brand: card.brand,
          checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: null },
          country: 'US',
          display_brand: displayBrands[card.brand],
          exp_month: expMonth,
          exp_year: expYear,
          // Everybody pays with the same few numbers: another expiration date is another card.
          fingerprint: `test${card.number.slice(-12)}${expMonth}${expYear}`,
          funding: 'credit',
          generated_from: null,
          last4: card.number.slice(-4),
          networks: { available: [card.brand], preferred: null },
          regulated_status: 'unregulated',
          three_d_secure_usage: { supported: true },
          wallet: null,
        },
      }),
  created: seconds(now),
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
  type: card.redirects ? 'amazon_pay' : 'card',
})

const displayBrands = { visa: 'visa', mastercard: 'mastercard', amex: 'american_express' } as const

export const newCharge = (
  now: Date,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  card: TestCard,
  { declined, challenged }: { declined: boolean; challenged: boolean },
): Stripe.Charge => {
  const id = newId('ch')
  const decline = declined ? card.decline : undefined
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: structuredClone(method.billing_details),
    calculated_statement_descriptor: 'SANDBOX',
    captured: !decline,
    created: seconds(now),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: outcomeOf(card, decline !== undefined),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: card.redirects
      ? { type: 'amazon_pay', amazon_pay: { transaction_id: `P01-${id.slice(3, 10)}` } }
      : {
          type: 'card',
          card: {
            amount_authorized: decline ? null : intent.amount,
            authorization_code: decline ? null : id.slice(-6).toUpperCase(),
            brand: card.brand,
            checks: {
              address_line1_check: null,
              address_postal_code_check: method.billing_details.address?.postal_code ? 'pass' : null,
              cvc_check: card.decline?.code === 'incorrect_cvc' ? 'fail' : 'pass',
            },
            country: 'US',
            electronic_commerce_indicator: challenged ? '05' : null,
            exp_month: method.card?.exp_month ?? 0,
            exp_year: method.card?.exp_year ?? 0,
            extended_authorization: { status: 'disabled' },
            fingerprint: method.card?.fingerprint ?? null,
            funding: 'credit',
            incremental_authorization: { status: 'unavailable' },
            installments: null,
            last4: card.number.slice(-4),
            mandate: null,
            multicapture: { status: 'unavailable' },
            network: card.brand,
            network_token: { used: false },
            network_transaction_id: decline ? null : String(seconds(now)) + card.number.slice(-4),
            overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
            regulated_status: 'unregulated',
            three_d_secure: challenged
              ? {
                  authentication_flow: 'challenge',
                  electronic_commerce_indicator: '05',
                  exemption_indicator: null,
                  result: 'authenticated',
                  result_reason: null,
                  transaction_id: `tds${id.slice(3, 15)}`,
                  version: '2.2.0',
                }
              : null,
            transaction_link_id: null,
            wallet: null,
          },
        },
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: decline ? null : `https://pay.stripe.com/receipts/payment/${id}`,
    refunded: false,
    review: null,
    shipping: structuredClone(intent.shipping),
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  }
}

function outcomeOf(card: TestCard, declined: boolean): Stripe.Charge.Outcome {
  const common = { network_advice_code: null, network_decline_code: null, advice_code: null }
  if (!declined) {
    return {
      ...common,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: card.risk?.level ?? 'normal',
      risk_score: card.risk?.score ?? 21,
      seller_message: 'Payment complete.',
      type: 'authorized',
    }
  }
  if (card.blocked) {
    return {
      ...common,
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      risk_level: card.risk?.level ?? 'highest',
      risk_score: card.risk?.score ?? 99,
      seller_message: 'Stripe blocked this payment as too risky.',
      type: 'blocked',
    }
  }
  return {
    ...common,
    advice_code: card.decline?.code === 'processing_error' ? 'try_again_later' : null,
    network_decline_code: card.decline?.networkCode ?? null,
    network_status: 'declined_by_network',
    reason: card.decline?.declineCode ?? card.decline?.code ?? null,
    risk_level: 'normal',
    risk_score: 34,
    seller_message: 'The bank did not approve this payment.',
    type: 'issuer_declined',
  }
}

/**
 * Stripe's list price in the United States: 2.9 % and 30 cents of the amount charged.
 * @param amount cents
 */
export const feeOf = (amount: number): number => Math.round((amount * 29) / 1000 + 30)

/** @param amount cents, negative when money leaves */
export const newBalanceTransaction = (
  now: Date,
  about: {
    amount: number
    currency: string
    fee: number
    type: 'charge' | 'refund' | 'refund_failure' | 'adjustment' | 'payout' | 'payout_failure'
    category: string
    source: string
    description: string | null
    availableAtOnce: boolean
  },
): Stripe.BalanceTransaction => ({
  id: newId('txn'),
  object: 'balance_transaction',
  amount: about.amount,
  available_on: seconds(now) + (about.availableAtOnce ? 0 : 2 * DAY_S),
  balance_type: 'payments',
  created: seconds(now),
  currency: about.currency,
  description: about.description,
  exchange_rate: null,
  fee: about.fee,
  fee_details:
    about.fee === 0
      ? []
      : [
          {
            amount: about.fee,
            application: null,
            currency: about.currency,
            description: about.type === 'adjustment' ? 'Dispute fee' : 'Stripe processing fees',
            type: 'stripe_fee',
          },
        ],
  net: about.amount - about.fee,
  reporting_category: about.category,
  source: about.source,
  status: about.availableAtOnce ? 'available' : 'pending',
  type: about.type,
})

export const newRefund = (
  now: Date,
  charge: Stripe.Charge,
  about: {
    amount: number
    reason: Stripe.Refund.Reason | null
    metadata: Stripe.Metadata
    pending: boolean
  },
): Stripe.Refund => ({
  id: newId('re'),
  object: 'refund',
  amount: about.amount,
  balance_transaction: null,
  charge: charge.id,
  created: seconds(now),
  currency: charge.currency,
  customer: null,
  customer_account: null,
  destination_details: {
    card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
    type: 'card',
  },
  metadata: about.metadata,
  payment_intent: charge.payment_intent,
  payment_method: charge.payment_method,
  ...(about.pending && { pending_reason: 'processing' as const }),
  reason: about.reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: about.pending ? 'pending' : 'succeeded',
  transfer_reversal: null,
})

/** @param isInquiry the bank only inquires; no money moves yet */
export const newDispute = (
  now: Date,
  charge: Stripe.Charge,
  { reason, isInquiry }: { reason: string; isInquiry: boolean },
): Stripe.Dispute => ({
  id: newId('du'),
  object: 'dispute',
  amount: charge.amount,
  balance_transactions: [],
  charge: charge.id,
  created: seconds(now),
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: charge.billing_details.email,
    customer_name: charge.billing_details.name,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  },
  evidence_details: {
    due_by: seconds(now) + 9 * DAY_S,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: 'not_submitted',
  },
  intended_submission_method: null,
  is_charge_refundable: isInquiry,
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  payment_method_details: {
    card: {
      brand: charge.payment_method_details?.card?.brand ?? 'visa',
      case_type: isInquiry ? 'inquiry' : 'chargeback',
      network: 'visa',
      network_reason_code: reason === 'fraudulent' ? '10.4' : '13.1',
    },
    type: 'card',
  },
  reason,
  status: isInquiry ? 'warning_needs_response' : 'needs_response',
})

export const newWarning = (now: Date, charge: Stripe.Charge): Stripe.Radar.EarlyFraudWarning => ({
  id: newId('issfr'),
  object: 'radar.early_fraud_warning',
  actionable: true,
  charge: charge.id,
  created: seconds(now),
  fraud_type: 'made_with_stolen_card',
  livemode: false,
  payment_intent: charge.payment_intent ?? '',
})

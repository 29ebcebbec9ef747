import { Stripe } from 'stripe'
import * as z from 'zod/mini'
import { label } from '#site/label.ts'
import type { Address } from '#domain/checkout/address.ts'
import type { PricedLine, TaxAnswer } from '#domain/checkout/quote.ts'
import type { Endpoint } from '#domain/doctor/findings.ts'
import type { Movement, MovementKind } from '#domain/reconciliation/movements.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import type { PayoutStatus, ProviderPayout } from '#domain/payments/payouts.ts'
import type { DisputeStatus, ProviderDispute, ProviderRefund, Returns } from '#domain/payments/returns.ts'
import { Bug } from '#shared/assert.ts'
import { formatOrderNumber, paymentKey, type CheckoutId, type OrderNumber } from '#shared/ids.ts'
import { cents, negate, plus, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { SECOND_MS } from '#shared/time.ts'
import type { Config } from '#server/config/config.ts'
import type { BookPage, Period } from '#server/providers/books.ts'
import { ProviderRefusal, ProviderUnavailable, UnusableResponse } from '#server/providers/provider-errors.ts'
import { AHEAD_MAX_MS, isEventName, type Verdict } from '#server/providers/verdict.ts'
import { knownValueOrReport, type ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { cappedFetch } from '../responses.ts'
import { calculationShape, listShape, shapes } from './shapes.ts'

/** Creates or updates an intent. Its metadata holds only ids, because values are limited to 500 characters. */
export type IntentRequest = {
  checkoutId: CheckoutId
  quoteHash: string
  orderNumber: OrderNumber
  amount: Cents
  name: string
  phone: string | null
  address: Address
  /** Stripe returns the same result for the same key for a day. */
  idempotencyKey: string
}

/** A verified event. Handlers read the object again instead of trusting the payload, because events can arrive out of order. */
export type StripeEvent = {
  id: string
  type: string
  paymentIntent: string | null
  /** The payout's id, for payout events. */
  payout: string | null
  /** The charge that the bank or Stripe declined. */
  declined: string | null
}

/** Refund, dispute and payout events. Stripe's event list takes no patterns, and at most twenty types. */
export const RETURN_EVENTS: readonly string[] = [
  'charge.refunded',
  ...['created', 'updated', 'failed'].map((action) => `refund.${action}`),
  ...['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'].map(
    (action) => `charge.dispute.${action}`,
  ),
  ...['created', 'updated', 'paid', 'failed', 'canceled'].map((action) => `payout.${action}`),
]

export type StripeGateway = ReturnType<typeof createStripe>

/** A shopper waits: with one retry, a call must finish or time out within 8 s. */
const TIMEOUT_MS = 2500
/** Shorter, because a payment may be started in the same 8 s. */
const TAX_TIMEOUT_MS = 2000
/** Nobody waits, and a page has a hundred expanded objects. */
const BOOKS_TIMEOUT_MS = 20 * SECOND_MS
/** General tangible goods (Stripe's product tax codes). */
const TAX_CODE = 'txcd_99999999'
const PAGE = 100

/** Its calls throw `ProviderRefusal` when Stripe refuses, or `ProviderUnavailable` without a usable response. */
export function createStripe({
  stripe: settings,
  reportUnknownValue: report = () => undefined,
}: Pick<Config, 'stripe'> & { reportUnknownValue?: ReportUnknownValue }) {
  const base = new URL(settings.apiBase)
  const client = new Stripe(settings.secretKey.reveal(), {
    host: base.hostname,
    port: base.port || (base.protocol === 'https:' ? '443' : '80'),
    protocol: base.protocol === 'https:' ? 'https' : 'http',
    maxNetworkRetries: 1,
    timeout: TIMEOUT_MS,
    // The SDK's own client does not limit the size of responses.
    httpClient: Stripe.createFetchHttpClient(cappedFetch),
    // Otherwise the SDK writes an id file into the home folder and sends platform data.
    telemetry: false,
    appInfo: { name: label.name },
  })

  return {
    async createIntent(request: IntentRequest): Promise<{ id: string; clientSecret: string }> {
      const intent = await checkedCall('payment_intent', () =>
        client.paymentIntents.create(
          { ...intentFields(request), currency: 'usd', automatic_payment_methods: { enabled: true } },
          { idempotencyKey: request.idempotencyKey },
        ),
      )
      if (!intent.client_secret) throw new ProviderUnavailable('stripe', new Error('an intent without a client secret'))
      return { id: intent.id, clientSecret: intent.client_secret }
    },

    /** @throws ProviderRefusal with code `payment_intent_unexpected_state` when it is paid or canceled */
    async updateIntent(id: string, request: IntentRequest): Promise<void> {
      await checkedCall('payment_intent', () =>
        client.paymentIntents.update(id, intentFields(request), { idempotencyKey: request.idempotencyKey }),
      )
    },

    /** @throws ProviderRefusal when it is paid or already canceled */
    async cancelIntent(id: string): Promise<void> {
      await checkedCall('payment_intent', () => client.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }))
    },

    /** @throws ProviderRefusal with code `resource_missing` when Stripe does not know it */
    async readIntent(id: string): Promise<ProviderPayment> {
      const intent = await checkedCall('payment_intent', () =>
        client.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] }),
      )
      if (intent.id !== id) throw new ProviderUnavailable('stripe', new Error('The response is about another payment.'))
      return asPayment(intent, report)
    },

    /** Newest first; pages are fetched as needed. */
    async *listIntents(since: Date): AsyncGenerator<ProviderPayment> {
      const created = { gte: secondsOf(since) }
      const intents = pages((after) => client.paymentIntents.list({ limit: PAGE, created, ...after }))
      for await (const intent of intents) yield asPayment(intent, report)
    },

    /**
     * @param amount at most what is left of the payment
     * @param ours our refund's id, stored with Stripe's to recognize the refund after a lost response
     */
    async refund(id: string, amount: Cents, ours: number, idempotencyKey: string): Promise<ProviderRefund> {
      const refund = await checkedCall('refund', () =>
        client.refunds.create({ payment_intent: id, amount, metadata: { refund: String(ours) } }, { idempotencyKey }),
      )
      return asRefund(refund, report)
    },

    /** A payment's refunds and disputes, at most a hundred of each. */
    async listReturns(id: string): Promise<Returns> {
      const [refunds, disputes] = await Promise.all([
        checkedCall('list', () => client.refunds.list({ payment_intent: id, limit: PAGE })),
        checkedCall('list', () => client.disputes.list({ payment_intent: id, limit: PAGE })),
      ])
      return {
        refunds: refunds.data.map((refund) => asRefund(refund, report)),
        disputes: disputes.data.map((dispute) => asDispute(dispute, report)),
      }
    },

    /** Events since a given time, newest first, whether or not they reached us. Stripe keeps them for 30 days. */
    async *listEvents(since: Date, types: readonly string[]): AsyncGenerator<StripeEvent> {
      const created = { gte: secondsOf(since) }
      const events = pages((after) => client.events.list({ limit: PAGE, created, types: [...types], ...after }))
      for await (const stripeEvent of events) {
        const event = asEvent(stripeEvent)
        if (event) yield event
      }
    },

    /** The ids of a payment's declined charges. Failures before the bank was contacted make no charge. */
    async listDeclines(id: string): Promise<string[]> {
      const { data } = await checkedCall('list', () => client.charges.list({ payment_intent: id, limit: PAGE }))
      return data.filter(({ status }) => status === 'failed').map((charge) => charge.id)
    },

    async readPayout(id: string): Promise<ProviderPayout> {
      return asPayout(await checkedCall('payout', () => client.payouts.retrieve(id)), report)
    },

    /**
     * A page of the account's books, newest first: all payments, refunds, fees and payouts.
     * @param mark `next` of the previous page; null for the first
     */
    async listMovements({ since, until }: Period, mark: string | null): Promise<BookPage<Movement>> {
      const created = { gte: secondsOf(since), lt: secondsOf(until) }
      const page = await checkedCall('list', () =>
        client.balanceTransactions.list(
          { limit: PAGE, created, expand: ['data.source'], ...(mark !== null && { starting_after: mark }) },
          { timeout: BOOKS_TIMEOUT_MS },
        ),
      )
      return {
        rows: page.data.map((line) => asMovement(line, report)),
        next: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
      }
    },

    /** Reverses part of a recorded sale at Stripe Tax. @param gross tax included @returns the reversal's id */
    async reverseTax(transaction: string, gross: Cents, reference: string): Promise<string> {
      const reversal = await checkedCall('tax.transaction', () =>
        client.tax.transactions.createReversal(
          { mode: 'partial', original_transaction: transaction, reference, flat_amount: negate(gross) },
          { idempotencyKey: `tax-reverse:${reference}` },
        ),
      )
      return reversal.id
    },

    /**
     * The tax on lines and shipping at an address.
     * @throws ProviderRefusal with code `customer_tax_location_invalid` for an address that cannot be taxed
     */
    async calculateTax(
      lines: readonly Pick<PricedLine, 'variantId' | 'unitPrice' | 'quantity'>[],
      shipping: Cents,
      address: Address,
    ): Promise<TaxAnswer> {
      const answer = await checkedCall('tax.calculation', () =>
        client.tax.calculations.create(
          {
            currency: 'usd',
            line_items: lines.map(({ variantId, unitPrice, quantity }) => ({
              reference: String(variantId),
              amount: times(unitPrice, quantity),
              quantity,
              tax_behavior: 'exclusive',
              tax_code: TAX_CODE,
            })),
            ...(shipping > 0 && { shipping_cost: { amount: shipping, tax_behavior: 'exclusive' } }),
            customer_details: { address: stripeAddress(address), address_source: 'shipping' },
          },
          { timeout: TAX_TIMEOUT_MS, maxNetworkRetries: 0 },
        ),
      )
      const calculation = readAs(calculationShape, answer)
      const { tax_amount_exclusive: tax } = calculation
      // No sales or consumption tax anywhere reaches 100%.
      if (tax > plus(shipping, sum(lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity)))))
        throw new UnusableResponse('stripe', `a tax of ${tax}`)
      return {
        amount: tax,
        breakdown: calculation.tax_breakdown.flatMap(({ amount, tax_rate_details: rate }) =>
          amount > 0
            ? [
                {
                  jurisdiction: [rate.country, rate.state].filter(Boolean).join('-'),
                  type: rate.tax_type ?? 'tax',
                  percentage: rate.percentage_decimal,
                  amount,
                },
              ]
            : [],
        ),
        calculationId: calculation.id,
        estimated: false,
        reasons: [...new Set(calculation.tax_breakdown.map(({ taxability_reason: reason }) => reason))],
      }
    },

    /**
     * Records a calculation as a sale at Stripe Tax, for filing returns. Safe to repeat.
     * @param reference unique there forever
     * @returns the transaction's id; null when the reference was recorded before and its id is unknown
     * @throws ProviderRefusal with code `resource_missing` for an unknown or expired calculation
     */
    async recordTax(calculation: string, reference: string): Promise<string | null> {
      try {
        const transaction = await checkedCall('tax.transaction', () =>
          client.tax.transactions.createFromCalculation(
            { calculation, reference },
            { idempotencyKey: `tax-record:${reference}` },
          ),
        )
        return transaction.id
      } catch (error) {
        if (error instanceof ProviderRefusal && /already exists/i.test(error.message)) return null
        throw error
      }
    },

    /** The account's status; `at`: Stripe's clock. */
    async describeAccount(): Promise<{ canCharge: boolean; canPayOut: boolean; at: Date | undefined }> {
      const account = await checkedCall('account', () => client.accounts.retrieveCurrent())
      // Typed as an object, but with a custom fetch it is Headers.
      const at = new Date(new Headers(account.lastResponse.headers).get('date') ?? '')
      return {
        canCharge: account.charges_enabled,
        canPayOut: account.payouts_enabled,
        at: Number.isNaN(at.getTime()) ? undefined : at,
      }
    },

    /** Whether tax can be calculated; otherwise no payment can start. */
    async isTaxActive(): Promise<boolean> {
      return (await checkedCall('tax.settings', () => client.tax.settings.retrieve())).status === 'active'
    },

    /**
     * Registers the shop's domain for Apple Pay, Google Pay and Link, or validates a registered one again.
     * @param domain a host name without scheme or port
     * @returns `active`, or Stripe's error, per payment method
     */
    async registerDomain(domain: string): Promise<Record<'applePay' | 'googlePay' | 'link', string>> {
      const { data } = await checkedCall('list', () => client.paymentMethodDomains.list({ domain_name: domain }))
      const [known] = data
      const registered = await checkedCall('payment_method_domain', () =>
        known
          ? client.paymentMethodDomains.validate(known.id)
          : client.paymentMethodDomains.create({ domain_name: domain }),
      )
      if (!registered.enabled)
        await checkedCall('payment_method_domain', () =>
          client.paymentMethodDomains.update(registered.id, { enabled: true }),
        )
      const statusOf = ({ status, status_details: details }: Stripe.PaymentMethodDomain.ApplePay) =>
        status === 'active' ? status : (details?.error_message ?? status)
      const { apple_pay: apple, google_pay: google, link } = registered
      return { applePay: statusOf(apple), googlePay: statusOf(google), link: statusOf(link) }
    },

    /** The webhook endpoints. Stripe does not return their signing secrets. */
    async listEndpoints(): Promise<Endpoint[]> {
      const { data } = await checkedCall('list', () => client.webhookEndpoints.list({ limit: PAGE }))
      return data.map(({ url, enabled_events: events, status }) => ({ url, events, isOn: status === 'enabled' }))
    },

    /** Checks a signature header's form and date only. @returns what is wrong */
    wrongInHeader: (signature: unknown): string | undefined => wrongInHeader(signature),

    /** @param body exactly as delivered @param signature the header, valid for five minutes either way */
    verifyEvent(body: string, signature: string): Verdict<StripeEvent> {
      const wrong = wrongInHeader(signature)
      if (wrong) return { wrong }
      if (!settings.webhookSecrets.some((secret) => isSignedWith(secret.reveal(), body, signature)))
        return { wrong: 'wrong signature' }
      const event = asEvent(jsonOf(body))
      return event ? { event } : { wrong: 'unreadable event', isGenuine: true }
    },
  }

  function isSignedWith(secret: string, body: string, signature: string): boolean {
    try {
      client.webhooks.signature?.verifyHeader(body, signature, secret, SIGNED_MAX_S)
      return client.webhooks.signature !== null
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
      throw error
    }
  }
}

const SIGNED_MAX_S = 300

/** The SDK rejects old signatures, but accepts any date in the future. */
function wrongInHeader(signature: unknown): string | undefined {
  const isShaped = typeof signature === 'string' && /^t=\d{1,11},(?:v\d=[\da-f]{64},?){1,16}$/.test(signature)
  if (!isShaped) return 'missing or malformed header'
  const age = Date.now() - Number(/^t=(\d+)/.exec(signature)?.[1]) * SECOND_MS
  return age < -AHEAD_MAX_MS || age > (SIGNED_MAX_S + 1) * SECOND_MS ? 'implausible date' : undefined
}

/** The fields of an intent that depend on the checkout. */
export function intentFields({ checkoutId, quoteHash, orderNumber, amount, name, phone, address }: IntentRequest) {
  return {
    amount,
    description: `${label.name} order ${formatOrderNumber(orderNumber)}`,
    metadata: { checkout_id: checkoutId, quote_hash: quoteHash, order_number: orderNumber },
    shipping: { name, ...(phone && { phone }), address: stripeAddress(address) },
  }
}

const stripeAddress = ({ line1, line2, city, state, postalCode, country }: Address) => ({
  line1,
  ...(line2 && { line2 }),
  city,
  ...(state && { state }),
  ...(postalCode && { postal_code: postalCode }),
  country,
})

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / SECOND_MS)

/** Walks a list to its end, page by page. */
async function* pages<T extends { id: string }>(
  list: (after: { starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T> {
  for (let after: { starting_after?: string } = {}; ;) {
    const page = await checkedCall('list', () => list(after))
    yield* page.data
    const last = page.data.at(-1)
    if (!page.has_more || !last) return
    after = { starting_after: last.id }
  }
}

const refundStatuses: Readonly<Record<string, ProviderRefund['status']>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
  pending: 'pending',
  requires_action: 'pending',
}

const disputeStatuses: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'open',
  won: 'won',
  prevented: 'won',
  warning_closed: 'won',
  lost: 'lost',
}

/** Stripe keeps its fee on refunds. */
const asRefund = (
  { id, amount, status, metadata, created }: Stripe.Refund,
  report: ReportUnknownValue,
): ProviderRefund => ({
  id,
  amount: cents(amount),
  at: new Date(created * SECOND_MS),
  feeReturned: ZERO,
  status: knownValueOrReport(refundStatuses, status ?? 'pending', 'pending', (value) => report('refund status', value)),
  ours: /^\d{1,15}$/.test(metadata?.['refund'] ?? '') ? Number(metadata?.['refund']) : null,
})

/** An inquiry moves no money; otherwise the balance transactions show the amount and fee. */
function asDispute(
  { id, amount, status, created, balance_transactions: moves, evidence_details: evidence }: Stripe.Dispute,
  report: ReportUnknownValue,
): ProviderDispute {
  return {
    id,
    amount: cents(amount),
    at: new Date(created * SECOND_MS),
    fee: cents(moves.reduce((total, move) => total + move.fee, 0)),
    hasMoved: moves.length > 0,
    respondBy: evidence.due_by === null ? null : new Date(evidence.due_by * SECOND_MS),
    status: knownValueOrReport(disputeStatuses, status, 'open', (value) => report('dispute status', value)),
  }
}

const statuses: Readonly<Record<string, ProviderPayment['status']>> = {
  succeeded: 'captured',
  processing: 'processing',
  requires_capture: 'held',
  canceled: 'cancelled',
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
}

/** Other programs with the same account may store anything in metadata. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** A refunded or disputed intent stays succeeded; only its charge shows it. */
const isReturned = (charge: Stripe.PaymentIntent['latest_charge']): boolean =>
  typeof charge === 'object' && charge !== null && (charge.amount_refunded > 0 || charge.disputed)

/** Null until Stripe has booked the payment, a moment after it succeeded. */
function feeOf(charge: Stripe.PaymentIntent['latest_charge']): Cents | null {
  const booked = typeof charge === 'object' ? charge?.balance_transaction : null
  return typeof booked === 'object' && booked !== null ? cents(booked.fee) : null
}

/** Stripe's fingerprint is the same for all payments with a card number. Other payment methods may have none. */
function payerOf(charge: Stripe.PaymentIntent['latest_charge']): ProviderPayment['payer'] {
  const details = typeof charge === 'object' ? charge?.payment_method_details : null
  const id = details?.card?.fingerprint ?? details?.us_bank_account?.fingerprint
  return id ? { kind: 'card', id, email: null } : null
}

const asPayment = (intent: Stripe.PaymentIntent, report: ReportUnknownValue): ProviderPayment => ({
  provider: 'stripe',
  id: intent.id,
  status: knownValueOrReport(statuses, intent.status, 'processing', (value) => report('payment status', value)),
  amount: cents(intent.amount_received),
  currency: intent.currency,
  live: intent.livemode,
  checkoutId: uuid.test(intent.metadata['checkout_id'] ?? '') ? (intent.metadata['checkout_id'] as CheckoutId) : null,
  isReturned: isReturned(intent.latest_charge),
  fee: feeOf(intent.latest_charge),
  payer: payerOf(intent.latest_charge),
  quoteHash: intent.metadata['quote_hash'] ?? null,
})

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
function asMovement(line: Stripe.BalanceTransaction, report: ReportUnknownValue): Movement {
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

const asPayout = ({ id, amount, status, created }: Stripe.Payout, report: ReportUnknownValue): ProviderPayout => ({
  provider: 'stripe',
  id,
  amount: cents(amount),
  status: knownValueOrReport(payoutStatuses, status, 'under_way', (value) => report('payout status', value)),
  createdAt: new Date(created * SECOND_MS),
})

/** The parts of an event that we read. */
const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({
    object: z.object({
      object: z.nullish(z.string()),
      id: z.nullish(z.string()),
      payment_intent: z.nullish(z.unknown()),
      latest_charge: z.nullish(z.unknown()),
    }),
  }),
})

const DECLINED = 'payment_intent.payment_failed'

/** @returns undefined for an unreadable event, or ids that cannot be stored */
function asEvent(json: unknown): StripeEvent | undefined {
  const parsed = eventShape.safeParse(json)
  if (!parsed.success) return undefined
  const { id, type, data } = parsed.data
  const { object: kind, id: about = null, payment_intent: named, latest_charge: latest } = data.object
  const intent = typeof named === 'string' ? named : null
  const event = {
    id,
    type,
    // The object is the intent, or refers to it.
    paymentIntent: kind === 'payment_intent' ? about : intent,
    payout: kind === 'payout' ? about : null,
    declined: type === 'charge.failed' ? about : type === DECLINED && typeof latest === 'string' ? latest : null,
  }
  return [id, type, event.paymentIntent ?? '-', event.payout ?? '-', event.declined ?? '-'].every(isEventName)
    ? event
    : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether Stripe is down, rather than rejecting us for a wrong key or a rate limit. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof Stripe.errors.StripeError) || error.statusCode === undefined || error.statusCode >= 500

/** @param kind the expected `object`: the SDK passes on any JSON it gets, even a proxy's */
async function checkedCall<T extends { object: string }>(kind: T['object'], ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask()
    if (answer.object !== kind) throw new Error(`not a ${kind}`)
    requireValidAnswer(answer)
    return answer
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new ProviderRefusal('stripe', error.message, error.code)
    // A response that the SDK cannot handle is unusable too.
    throw error instanceof Bug || error instanceof UnusableResponse
      ? error
      : new ProviderUnavailable('stripe', error, isOutage(error))
  }
}

/** @throws UnusableResponse when an object, or one in a list, does not match its shape */
function requireValidAnswer(answer: { object: string }): void {
  if (answer.object === 'list') for (const element of readAs(listShape, answer).data) requireValidAnswer(element)
  else if (hasShape(answer.object)) readAs(shapes[answer.object], answer)
}

const hasShape = (kind: string): kind is keyof typeof shapes => Object.hasOwn(shapes, kind)

function readAs<Shape extends z.ZodMiniType>(shape: Shape, answer: unknown): z.output<Shape> {
  const parsed = shape.safeParse(answer)
  if (!parsed.success) throw new UnusableResponse('stripe', z.prettifyError(parsed.error))
  return parsed.data
}

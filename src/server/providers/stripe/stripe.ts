import { Stripe } from 'stripe'
import type { Address } from '#domain/checkout/address.ts'
import type { PricedLine, TaxAnswer } from '#domain/checkout/quote.ts'
import type { Endpoint } from '#domain/doctor/findings.ts'
import { cardText } from '#domain/payments/card.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import type { ProviderPayout } from '#domain/payments/payouts.ts'
import type { ProviderRefund, Returns } from '#domain/payments/returns.ts'
import type { Movement } from '#domain/reconciliation/movements.ts'
import type { RecordedLine } from '#domain/tax/bookings.ts'
import type { Config } from '#server/config/config.ts'
import type { BookPage, Period } from '#server/providers/books.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import type { Verdict } from '#server/providers/verdict.ts'
import type { VariantId } from '#shared/ids.ts'
import { type Cents, negate, plus, sum, times } from '#shared/money.ts'
import { SECOND_MS, type Clock } from '#shared/time.ts'
import { label } from '#site/label.ts'
import { cappedFetch } from '../responses.ts'
import { SIGNED_MAX_S, type StripeEvent, asEvent, jsonOf, wrongInHeader } from './events.ts'
import { type IntentRequest, asPayment, intentFields, stripeAddress } from './intents.ts'
import { asMovement, asPayout } from './movements.ts'
import type { AnswerStanding } from '#domain/payments/dispute-answer.ts'
import type { Evidence, PaymentCheck } from '#server/providers/payments.ts'
import { ANSWER_MARK, asDispute, asRefund, standingOf } from './returns.ts'
import { cardChecksShape } from './shapes.ts'
import { SHIPPING_LINE, taxAnswerOf, taxTransactionOf, type TaxTransaction } from './tax.ts'
import { checkedCall, pages, readAs } from './wire.ts'

export type StripeGateway = ReturnType<typeof createStripe>

/** A shopper waits: with one retry, a call must finish or time out within 8 s. */
const TIMEOUT_MS = 2500
/** Shorter, because a payment may be started in the same 8 s. */
const TAX_TIMEOUT_MS = 2000
/** Nobody waits, and a page has a hundred expanded objects. */
const BOOKS_TIMEOUT_MS = 20 * SECOND_MS
/** Stripe wants each line's own: a discount or a change may have split the lines of a variant. */
const referenceOf = (variantId: VariantId, before: readonly { variantId: VariantId }[]): string => {
  const earlier = before.filter((line) => line.variantId === variantId).length
  return earlier === 0 ? String(variantId) : `${variantId}-${earlier + 1}`
}

/** Nobody waits, and the file has a megabyte. */
const EVIDENCE_TIMEOUT_MS = 20 * SECOND_MS

/** General tangible goods (Stripe's product tax codes). */
const TAX_CODE = 'txcd_99999999'
const PAGE = 100
const TAX_LINES = ['line_items']

/** Its calls throw `ProviderRefusal` when Stripe refuses, or `ProviderUnavailable` without a usable response. */
export function createStripe({
  stripe: settings,
  clock,
  reportUnknownValue: report = () => undefined,
}: Pick<Config, 'stripe'> & { clock: Clock; reportUnknownValue?: ReportUnknownValue }) {
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

  /** With all lines: an expanded list has the first of them. */
  async function asTaxTransaction(answer: Stripe.Tax.Transaction): Promise<TaxTransaction> {
    const { line_items: first } = answer
    if (!first?.has_more) return taxTransactionOf(answer, first?.data ?? [])
    const all = pages((after) => client.tax.transactions.listLineItems(answer.id, { limit: PAGE, ...after }))
    return taxTransactionOf(answer, await Array.fromAsync(all))
  }

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

    /** @param reference of our answer @throws ProviderRefusal for an unknown dispute */
    async readDisputeStanding(id: string, reference: string): Promise<AnswerStanding> {
      return standingOf(await checkedCall('dispute', () => client.disputes.retrieve(id)), reference)
    },

    /**
     * Uploads the file and submits it with its texts; Stripe takes evidence once. Look with `readDisputeStanding` before a repeat.
     * @param attempt Stripe repeats its response to the same one, also a failure
     * @throws ProviderRefusal with code `dispute_evidence_page_limit_exceeded` and others
     */
    async submitEvidence(id: string, evidence: Evidence, attempt: number): Promise<void> {
      const { file, fileName, reference, texts } = evidence
      const key = `${id}:${reference}:${attempt}`
      const { id: uploaded } = await checkedCall('file', () =>
        client.files.create(
          { purpose: 'dispute_evidence', file: { data: file, name: fileName, type: 'application/pdf' } },
          { idempotencyKey: `dispute-file:${key}`, timeout: EVIDENCE_TIMEOUT_MS },
        ),
      )
      await checkedCall('dispute', () =>
        client.disputes.update(
          id,
          {
            evidence: { ...texts, uncategorized_file: uploaded },
            submit: true,
            metadata: { [ANSWER_MARK]: reference },
          },
          { idempotencyKey: `dispute-evidence:${key}`, timeout: EVIDENCE_TIMEOUT_MS },
        ),
      )
    },

    /** Gives in: the dispute is lost. @throws ProviderRefusal when it is decided or under review */
    async closeDispute(id: string): Promise<void> {
      await checkedCall('dispute', () => client.disputes.close(id))
    },

    /** Whether the key may read disputes and files of evidence. @throws NotPermitted */
    async readEvidencePermission(): Promise<void> {
      await checkedCall('list', () => client.disputes.list({ limit: 1 }))
      await checkedCall('list', () => client.files.list({ limit: 1, purpose: 'dispute_evidence' }))
    },

    /** What Stripe and the card's bank checked when a payment was made. */
    async readChecks(id: string): Promise<PaymentCheck[]> {
      const intent = await checkedCall('payment_intent', () =>
        client.paymentIntents.retrieve(id, { expand: ['latest_charge'] }),
      )
      const { latest_charge: charge } = readAs(cardChecksShape, intent)
      const card = charge?.payment_method_details?.card
      const results = {
        Card: card?.brand && card.last4 ? cardText({ brand: card.brand, lastFour: card.last4 }) : undefined,
        'Security code': card?.checks?.cvc_check,
        'Street of the bill': card?.checks?.address_line1_check,
        'Postal code of the bill': card?.checks?.address_postal_code_check,
        '3D Secure': card?.three_d_secure?.result,
        'Card network': charge?.outcome?.network_status,
        'Risk, by Stripe': charge?.outcome?.risk_level,
      }
      return Object.entries(results).flatMap(([name, result]) =>
        result ? [{ name, result: result.replaceAll('_', ' ') }] : [],
      )
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

    /** What an automatic payout holds, itself included. @throws ProviderRefusal for one that the owner made by hand */
    async listPayoutLines(id: string): Promise<Movement[]> {
      const lines = pages((after) =>
        client.balanceTransactions.list(
          { payout: id, limit: PAGE, expand: ['data.source'], ...after },
          { timeout: BOOKS_TIMEOUT_MS },
        ),
      )
      return (await Array.fromAsync(lines)).map((line) => asMovement(line, report))
    },

    /** Reverses lines of a recorded sale at Stripe Tax. @param lines positive amounts. Safe to repeat. */
    reverseTax: async (
      original: string,
      lines: readonly RecordedLine[],
      reference: string,
    ): Promise<TaxTransaction> => {
      const shipping = lines.find(({ id }) => id === SHIPPING_LINE)
      const goods = lines.filter((line) => line !== shipping)
      return asTaxTransaction(
        await checkedCall('tax.transaction', () =>
          client.tax.transactions.createReversal(
            {
              ...{ mode: 'partial', original_transaction: original, reference, expand: TAX_LINES },
              ...(goods.length > 0 && {
                line_items: goods.map(({ id, amount, tax }, index) => ({
                  ...{ original_line_item: id, reference: `${reference}-${index + 1}` },
                  ...{ amount: negate(amount), amount_tax: negate(tax) },
                })),
              }),
              ...(shipping && {
                shipping_cost: { amount: negate(shipping.amount), amount_tax: negate(shipping.tax) },
              }),
            },
            { idempotencyKey: `tax-reverse:${reference}` },
          ),
        ),
      )
    },

    /** Reverses a recorded sale at Stripe Tax as a whole. Safe to repeat. */
    reverseAllTax: async (original: string, reference: string): Promise<TaxTransaction> =>
      asTaxTransaction(
        await checkedCall('tax.transaction', () =>
          client.tax.transactions.createReversal(
            { mode: 'full', original_transaction: original, reference, expand: TAX_LINES },
            { idempotencyKey: `tax-reverse:${reference}` },
          ),
        ),
      ),

    /** A sale or reversal that Stripe Tax has recorded. */
    readTax: async (id: string): Promise<TaxTransaction> =>
      asTaxTransaction(
        await checkedCall('tax.transaction', () => client.tax.transactions.retrieve(id, { expand: TAX_LINES })),
      ),

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
            line_items: lines.map(({ variantId, unitPrice, quantity }, index) => ({
              reference: referenceOf(variantId, lines.slice(0, index)),
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
      return taxAnswerOf(
        answer,
        plus(shipping, sum(lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity)))),
      )
    },

    /**
     * Records a calculation as a sale at Stripe Tax, for filing returns. Safe to repeat.
     * @param reference unique there forever
     * @returns null when the reference was recorded before and its id is unknown
     * @throws ProviderRefusal with code `resource_missing` for an unknown or expired calculation
     */
    async recordTax(calculation: string, reference: string): Promise<TaxTransaction | null> {
      try {
        const transaction = await checkedCall('tax.transaction', () =>
          client.tax.transactions.createFromCalculation(
            { calculation, reference, expand: TAX_LINES },
            { idempotencyKey: `tax-record:${reference}` },
          ),
        )
        return await asTaxTransaction(transaction)
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
     * @param domain a host name without scheme or port
     * @returns each wallet's status on a domain as `registerDomain`, without changing it; undefined when it is not registered or not enabled
     */
    async readDomain(domain: string): Promise<DomainStatus | undefined> {
      const { data } = await checkedCall('list', () => client.paymentMethodDomains.list({ domain_name: domain }))
      return data[0]?.enabled ? statusOnDomain(data[0]) : undefined
    },

    /**
     * Registers the shop's domain for Apple Pay, Google Pay and Link, or validates a registered one again.
     * @param domain a host name without scheme or port
     * @returns `active`, or Stripe's error, per payment method
     */
    async registerDomain(domain: string): Promise<DomainStatus> {
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
      return statusOnDomain(registered)
    },

    /** The webhook endpoints. Stripe does not return their signing secrets. */
    async listEndpoints(): Promise<Endpoint[]> {
      const { data } = await checkedCall('list', () => client.webhookEndpoints.list({ limit: PAGE }))
      return data.map(({ url, enabled_events: events, status }) => ({ url, events, isOn: status === 'enabled' }))
    },

    /** Checks a signature header's form and date only. @returns what is wrong */
    wrongInHeader: (signature: unknown): string | undefined => wrongInHeader(signature, clock.now()),

    /** @param body exactly as delivered @param signature the header, valid for five minutes either way */
    verifyEvent(body: string, signature: string): Verdict<StripeEvent> {
      const wrong = wrongInHeader(signature, clock.now())
      if (wrong) return { wrong }
      if (!settings.webhookSecrets.some((secret) => isSignedWith(secret.reveal(), body, signature)))
        return { wrong: 'wrong signature' }
      const event = asEvent(jsonOf(body))
      return event ? { event } : { wrong: 'unreadable event', isGenuine: true }
    },
  }

  function isSignedWith(secret: string, body: string, signature: string): boolean {
    try {
      client.webhooks.signature?.verifyHeader(body, signature, secret, SIGNED_MAX_S, undefined, clock.now().getTime())
      return client.webhooks.signature !== null
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
      throw error
    }
  }
}

/** `active`, or Stripe's error, per payment method. */
type DomainStatus = Record<'applePay' | 'googlePay' | 'link', string>

function statusOnDomain({ apple_pay: apple, google_pay: google, link }: Stripe.PaymentMethodDomain): DomainStatus {
  const statusOf = ({ status, status_details: details }: Stripe.PaymentMethodDomain.ApplePay) =>
    status === 'active' ? status : (details?.error_message ?? status)
  return { applePay: statusOf(apple), googlePay: statusOf(google), link: statusOf(link) }
}

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / SECOND_MS)

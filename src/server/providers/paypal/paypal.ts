import * as z from 'zod/mini'
import { label } from '#site/label.ts'
import type { Address } from '#domain/checkout/address.ts'
import type { FrozenCustomer } from '#domain/checkout/checkout.ts'
import type { PricedLine, Quote } from '#domain/checkout/quote.ts'
import type { Endpoint } from '#domain/doctor/findings.ts'
import type { Movement, MovementKind } from '#domain/reconciliation/movements.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import type { ProviderDispute, ProviderRefund, Returns } from '#domain/payments/returns.ts'
import { assert } from '#shared/assert.ts'
import { paymentKey, type CheckoutId, type OrderNumber } from '#shared/ids.ts'
import { decimalFromCents, minus, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'
import { after, DAY_MS, MINUTE_MS, SECOND_MS, type Clock } from '#shared/time.ts'
import type { Config } from '#server/config/config.ts'
import type { BookPage, Period } from '#server/providers/books.ts'
import {
  NotPermitted,
  ProviderRefusal,
  ProviderUnavailable,
  RequestInProgress,
  UnusableResponse,
} from '#server/providers/provider-errors.ts'
import { isEventName, type Verdict } from '#server/providers/verdict.ts'
import { knownValueOrReport, type ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { bytesOf } from '../responses.ts'
import { finalRefusals, isInProgress, alreadyCapturedIssues } from './capture-issues.ts'
import { publicAuthorities } from './certificates.ts'
import {
  captureOriginShape,
  createdShape,
  disputeShape,
  disputesShape,
  eventShape,
  eventsShape,
  orderShape,
  refundShape,
  refusalShape,
  tokenShape,
  transactionsShape,
  verificationShape,
  webhookShape,
  type Capture,
  type Dispute,
  type Order,
  type Refund,
} from './shapes.ts'
import { createSignatures, type Headers, type Transmission } from './signatures.ts'

/** The frozen checkout, and where the payer returns to. */
export type WalletOrderRequest = {
  checkoutId: CheckoutId
  quoteHash: string
  orderNumber: OrderNumber
  /** From 1. Each attempt has its own invoice id, because PayPal captures each invoice id only once. */
  attempt: number
  lines: readonly Pick<PricedLine, 'variantId' | 'productName' | 'variantName' | 'unitPrice' | 'quantity'>[]
  amounts: Pick<Quote, 'subtotal' | 'shipping' | 'surcharge' | 'tax' | 'vatProtection' | 'total'>
  customer: Pick<FrozenCustomer, 'name'>
  address: Address
  returnUrl: string
  cancelUrl: string
}

/** A wallet order as the shop sees it; its payment id is PayPal's order id. */
export type WalletPayment = ProviderPayment & {
  /** The payer approved and nothing was captured yet: it can be captured without the browser. */
  approved: boolean
  /** Needed for refunds; null until captured. */
  captureId: string | null
}

/** A verified event. Handlers read the order again instead of trusting the payload, because events can arrive out of order. */
export type PaypalEvent = {
  id: string
  type: string
  /** PayPal's order id, if the event contains it. */
  paymentId: string | null
  /** The capture that the event is about; `orderIdOfCapture` finds its order. */
  captureId: string | null
  /** The URL of the signing certificate. */
  certificate: string
}

/** One line of the account's history. Outgoing amounts and fees are negative. */
export type WalletTransaction = {
  id: string
  kind: 'payment' | 'refund' | 'other'
  /** PayPal's event code, such as `T0006` or `T1201`. */
  code: string
  /** S: done, P: pending, D: denied, V: reversed. */
  status: string
  at: Date
  amount: Cents
  fee: Cents
  currency: string
  paymentId: string | null
  captureId: string | null
  invoiceId: string | null
  checkoutId: CheckoutId | null
}

/** A line of the account's books. Lines other than payments refer to a capture, not to its order. */
export type WalletMovement = Movement & { captureId: string | null }

export type PaypalGateway = ReturnType<typeof createPaypal>

type RequestOptions = {
  query?: URLSearchParams
  /** JSON text. */
  body?: string
  /** PayPal's idempotency key, remembered for 6 hours with orders and 45 days with refunds. */
  requestId?: string
  /** Otherwise PayPal returns only id and status. */
  fullResponse?: boolean
  timeoutMs?: number
}

type Token = { value: Promise<string>; until: Date }

/** A shopper waits: fetching a token and then this call must finish or time out within 8 s. */
const TIMEOUT_MS = 3500
/** For jobs and webhooks. */
const LONG_TIMEOUT_MS = 8 * SECOND_MS
/** The browser gives up after 30 s (specification, section 9); the shop must respond before that. */
const CAPTURE_TIMEOUT_MS = 20 * SECOND_MS
/** A certificate chain is a few thousand bytes. */
const CERTIFICATES_BYTES_MAX = 64 * 1024
const NAME_MAX = 127
const REPORT_DAYS_MAX = 31
const REPORT_PAGE = 500

/** Its calls throw `ProviderRefusal` with PayPal's issue as code, or `ProviderUnavailable` without a usable response. */
export function createPaypal({
  paypal: settings,
  clock,
  reportUnknownValue: report = () => undefined,
}: Pick<Config, 'paypal'> & { clock?: Clock; reportUnknownValue?: ReportUnknownValue }) {
  const base = settings.apiBase.replace(/\/+$/, '')
  const { live } = settings
  const now = () => clock?.now() ?? new Date()
  let token: Token | undefined

  /** One shared token, renewed a minute before it expires. */
  function accessToken(): Promise<string> {
    if (!token || token.until <= now()) token = renewedToken()
    return token.value
  }

  /** Concurrent callers wait for the same one. */
  function renewedToken(): Token {
    const fetched = newToken()
    const renewed: Token = { value: fetched.then(({ value }) => value), until: after(now(), MINUTE_MS) }
    fetched.then(
      ({ lifeS }) => {
        renewed.until = after(now(), lifeS * SECOND_MS - MINUTE_MS)
      },
      () => {
        if (token === renewed) token = undefined
      },
    )
    return renewed
  }

  async function newToken(parameters: Record<string, string> = {}): Promise<{ value: string; lifeS: number }> {
    const credentials = Buffer.from(`${settings.clientId}:${settings.clientSecret.reveal()}`).toString('base64')
    const { status, json } = await send(`${base}/v1/oauth2/token`, TIMEOUT_MS, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }),
    })
    // Only the owner can fix wrong keys; to a shopper, the wallet is unavailable.
    if (status !== 200) throw new ProviderUnavailable('paypal', new Error(`No token: the response was ${status}.`))
    const { access_token: value, expires_in: lifeS } = readAs(tokenShape, json)
    return { value, lifeS }
  }

  async function call(method: 'GET' | 'POST', path: string, options: RequestOptions) {
    const bearer = await accessToken()
    const answer = await send(
      `${base}${path}${options.query ? `?${options.query.toString()}` : ''}`,
      options.timeoutMs ?? TIMEOUT_MS,
      {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          accept: 'application/json',
          ...(method === 'POST' && { 'content-type': 'application/json' }),
          ...(options.requestId !== undefined && { 'paypal-request-id': options.requestId }),
          ...(options.fullResponse && { prefer: 'return=representation' }),
        },
        ...(options.body !== undefined && { body: options.body }),
      },
    )
    if (answer.status === 401) token = undefined
    return answer
  }

  async function ask<Shape extends z.ZodMiniType>(
    method: 'GET' | 'POST',
    path: string,
    shape: Shape,
    options: RequestOptions = {},
  ): Promise<z.output<Shape>> {
    let answer = await call(method, path, options)
    // PayPal may revoke a token early. Nothing was done, so a retry is safe.
    if (answer.status === 401) answer = await call(method, path, options)
    if (answer.status >= 400) throw toProviderError(answer)
    return readAs(shape, answer.json)
  }

  const orderPath = (id: string) => `/v2/checkout/orders/${encodeURIComponent(id)}`
  const capturePath = (id: string) => `/v2/payments/captures/${encodeURIComponent(id)}`

  /** @throws ProviderRefusal with code `RESOURCE_NOT_FOUND` for an unknown or expired order */
  const readOrder = async (id: string): Promise<WalletPayment> => {
    const order = await ask('GET', orderPath(id), orderShape)
    if (order.id !== id) throw new ProviderUnavailable('paypal', new Error('The response is about another order.'))
    return asPayment(order, live, report)
  }

  /** One page of the account's history: both ends included, in whole seconds, at most 31 days. */
  const transactions = (from: Date, until: Date, page: number) => {
    const query = new URLSearchParams({
      start_date: from.toISOString(),
      end_date: until.toISOString(),
      fields: 'transaction_info',
      page_size: String(REPORT_PAGE),
      page: String(page),
    })
    return ask('GET', '/v1/reporting/transactions', transactionsShape, { query, timeoutMs: LONG_TIMEOUT_MS })
  }
  const signatures = createSignatures(
    {
      webhookId: settings.webhookId,
      certificateOrigins: certificateOriginsOf(base),
      authorities: settings.certificateAuthority ? [settings.certificateAuthority] : publicAuthorities,
    },
    {
      fetchText: (url) => get(url, TIMEOUT_MS, { method: 'GET' }, CERTIFICATES_BYTES_MAX),
      isConfirmedByPaypal,
    },
  )

  /** Lets PayPal check a signature (verify-webhook-signature). */
  async function isConfirmedByPaypal(sent: Transmission, rawBody: string): Promise<boolean> {
    if (jsonOf(rawBody) === undefined) return false
    const fields = JSON.stringify({ ...sent, webhook_id: settings.webhookId })
    // The delivered bytes are inserted unchanged: parsed and serialized again, they would fail the check. They are a single JSON value,
    // as checked above, so nothing can be smuggled in.
    const body = `${fields.slice(0, -1)},"webhook_event":${rawBody}}`
    const path = '/v1/notifications/verify-webhook-signature'
    try {
      const answer = await ask('POST', path, verificationShape, { body, timeoutMs: LONG_TIMEOUT_MS })
      return answer.verification_status === 'SUCCESS'
    } catch (error) {
      if (error instanceof ProviderRefusal) return false
      throw error
    }
  }

  const readDispute = (id: string) => ask('GET', `/v1/customer/disputes/${encodeURIComponent(id)}`, disputeShape)

  return {
    /** A token for the browser's wallet, valid for about 15 minutes. */
    clientToken: async (): Promise<string> =>
      (await newToken({ response_type: 'client_token', intent: 'sdk_init' })).value,

    /**
     * @throws ProviderRefusal with code `DUPLICATE_INVOICE_ID` when this order number was paid by an earlier wallet order, and with
     * `SHIPPING_ADDRESS_INVALID`, `POSTAL_CODE_REQUIRED` or `CITY_REQUIRED` for an address that PayPal rejects
     */
    async createOrder(request: WalletOrderRequest): Promise<{ id: string }> {
      const { checkoutId, attempt, quoteHash } = request
      const { id } = await ask('POST', '/v2/checkout/orders', createdShape, {
        body: JSON.stringify(orderBody(request)),
        // Includes the quote, so a changed cart does not get the old cart's order.
        requestId: `pp-create:${checkoutId}:${attempt}:${quoteHash.slice(0, 32)}`,
      })
      return { id }
    },

    readOrder,

    /**
     * Captures an approved order. Safe to repeat: PayPal captures an order only once.
     * @param attempt from 2 after a refusal and a new approval: PayPal may repeat its response to the same attempt
     * @returns `processing` while PayPal has not decided, or refused with an issue not known to be final: repeat the same attempt later
     * @throws ProviderRefusal only for a final refusal: `INSTRUMENT_DECLINED` when the payer must choose another way to pay, `ORDER_NOT_APPROVED` and others
     * @throws ProviderUnavailable also when the money may have been taken: `readOrder` shows later
     */
    async capture(id: string, attempt = 1): Promise<WalletPayment> {
      try {
        const order = await ask('POST', `${orderPath(id)}/capture`, orderShape, {
          requestId: attempt > 1 ? `pp-capture:${id}:${attempt}` : `pp-capture:${id}`,
          fullResponse: true,
          timeoutMs: CAPTURE_TIMEOUT_MS,
        })
        const payment = asPayment(order, live, report)
        return payment.captureId === null ? await readOrder(id) : payment
      } catch (error) {
        const isUnavailable = error instanceof ProviderUnavailable && !(error instanceof RequestInProgress)
        if (isUnavailable || (error instanceof ProviderRefusal && finalRefusals.has(error.code ?? ''))) throw error
        if (error instanceof ProviderRefusal && !alreadyCapturedIssues.has(error.code ?? ''))
          report('capture issue', error.code ?? error.message)
        // For any other error, only the order shows whether money was taken.
        const payment = await readOrder(id)
        if (payment.captureId !== null || payment.status === 'cancelled') return payment
        // Another wallet order with this number was paid, and not this one.
        if (error instanceof ProviderRefusal && error.code === 'DUPLICATE_INVOICE_ID') throw error
        return { ...payment, status: 'processing' }
      }
    },

    /**
     * @param amount at most what is left of the capture
     * @param requestId the same one refunds only once within 45 days
     * @param ours our refund's id, stored with PayPal's to recognize the refund after a lost response
     * @throws ProviderRefusal with code `CAPTURE_FULLY_REFUNDED`, `REFUND_AMOUNT_EXCEEDED`, `PENDING_CAPTURE`, `TRANSACTION_DISPUTED` and others
     */
    async refund(captureId: string, amount: Cents, ours: number, requestId: string): Promise<ProviderRefund> {
      const refund = await ask('POST', `${capturePath(captureId)}/refund`, refundShape, {
        body: JSON.stringify({ amount: usd(amount), custom_id: `${OUR_REFUND}${ours}` }),
        requestId,
        timeoutMs: LONG_TIMEOUT_MS,
        fullResponse: true,
      })
      return asRefund(refund, report)
    },

    /** An order's refunds and disputes. PayPal's disputes do not include their fee. */
    async listReturns(id: string): Promise<Returns> {
      const payments = (await ask('GET', orderPath(id), orderShape)).purchase_units?.[0]?.payments
      const captureId = decisiveOf(payments?.captures ?? [])?.id
      const query = new URLSearchParams({ disputed_transaction_id: captureId ?? '' })
      const disputes: ProviderDispute[] = []
      try {
        const listed = captureId ? await ask('GET', '/v1/customer/disputes', disputesShape, { query }) : undefined
        for (const { dispute_id: dispute } of listed?.items ?? [])
          disputes.push(asDispute(await readDispute(dispute), report))
      } catch (error) {
        // Without the disputes feature, refunds are still booked, and the doctor reports what is missing.
        if (!(error instanceof NotPermitted)) throw error
      }
      return { refunds: (payments?.refunds ?? []).map((refund) => asRefund(refund, report)), disputes }
    },

    /** Recently updated disputes, at most fifty. @throws NotPermitted for an app without the disputes feature */
    async *listDisputesSince(since: Date): AsyncGenerator<{ captureId: string; about: ProviderDispute }> {
      const query = new URLSearchParams({ update_time_after: since.toISOString(), page_size: '50' })
      const { items } = await ask('GET', '/v1/customer/disputes', disputesShape, { query })
      for (const { dispute_id: id } of items ?? []) {
        const dispute = await readDispute(id)
        const captureId = dispute.disputed_transactions?.[0]?.seller_transaction_id
        if (captureId) yield { captureId, about: asDispute(dispute, report) }
      }
    },

    /**
     * A capture's order id: events about refunds and disputes contain only the capture.
     * @returns null for another program's capture, or one too old to look up
     */
    async orderIdOfCapture(captureId: string): Promise<string | null> {
      try {
        const capture = await ask('GET', capturePath(captureId), captureOriginShape)
        return capture.supplementary_data?.related_ids?.order_id ?? null
      } catch (error) {
        if (error instanceof ProviderRefusal) return null
        throw error
      }
    },

    /** Checks an event's headers without any call. @returns what is wrong */
    wrongInHeaders(headers: Headers): string | undefined {
      const sent = signatures.read(headers)
      return 'wrong' in sent ? sent.wrong : undefined
    },

    /**
     * Verifies an event's signature.
     * @param rawBody exactly as delivered
     * @param mayFetch called before an unknown certificate is fetched
     * @throws ProviderUnavailable PayPal retries later
     */
    async verifyEvent(headers: Headers, rawBody: string, mayFetch = () => true): Promise<Verdict<PaypalEvent>> {
      const sent = signatures.read(headers)
      if ('wrong' in sent) return sent
      const wrong = await signatures.findProblem(sent, rawBody, mayFetch)
      if (wrong) return { wrong }
      const event = eventShape.safeParse(jsonOf(rawBody))
      const read = event.success ? asEvent(event.data, sent.cert_url) : undefined
      return read && isReadable(read) ? { event: read } : { wrong: 'unreadable event', isGenuine: true }
    },

    /** @throws ProviderUnavailable */
    checkCertificate: (url: string) => signatures.judge(url),

    /** The app's latest events, newest first; at most a hundred. */
    async listEvents(since: Date): Promise<{ id: string; type: string; at: Date }[]> {
      const query = new URLSearchParams({ start_time: since.toISOString(), page_size: '100' })
      const { events } = await ask('GET', '/v1/notifications/webhooks-events', eventsShape, {
        query,
        timeoutMs: LONG_TIMEOUT_MS,
      })
      return (events ?? []).map(({ id, event_type: type, create_time: at }) => ({ id, type, at: momentOf(at) }))
    },

    /**
     * The endpoint registered under our webhook id, which signatures depend on.
     * @throws ProviderRefusal with code `INVALID_RESOURCE_ID` or `RESOURCE_NOT_FOUND` for an unknown id
     */
    async readWebhook(): Promise<Endpoint> {
      const path = `/v1/notifications/webhooks/${encodeURIComponent(settings.webhookId)}`
      const { url, event_types: types } = await ask('GET', path, webhookShape)
      return { url, events: types.filter(({ status }) => status !== 'DISABLED').map(({ name }) => name), isOn: true }
    },

    /** The account's history, oldest first. The last three hours may be incomplete. */
    async *listTransactions(since: Date): AsyncGenerator<WalletTransaction> {
      const end = now()
      // PayPal uses whole seconds, so consecutive ranges must start on one.
      const start = new Date(Math.floor(since.getTime() / SECOND_MS) * SECOND_MS)
      for (let from = start; from < end; from = after(from, REPORT_DAYS_MAX * DAY_MS)) {
        const until = after(from, REPORT_DAYS_MAX * DAY_MS - SECOND_MS)
        for (let page = 1, pages = 1; page <= pages; page += 1) {
          const answer = await transactions(from, until < end ? until : end, page)
          pages = answer.total_pages ?? 1
          for (const { transaction_info: info } of answer.transaction_details ?? []) {
            const transaction = asTransaction(info, report)
            if (transaction) yield transaction
          }
        }
      }
    },

    /**
     * A page of the account's books, oldest first: all completed payments, refunds, fees and payouts. The last three hours may be
     * incomplete.
     * @param mark `next` of the previous page; null for the first
     */
    async listMovements({ since, until }: Period, mark: string | null): Promise<BookPage<WalletMovement>> {
      const [start, number = '1'] = mark?.split('|') ?? []
      const from = new Date(start ?? Math.floor(since.getTime() / SECOND_MS) * SECOND_MS)
      const last = after(from, REPORT_DAYS_MAX * DAY_MS - SECOND_MS)
      const isLastRange = last >= until
      const page = Number(number)
      const answer = await transactions(from, isLastRange ? until : last, page)
      const rows = (answer.transaction_details ?? []).flatMap(({ transaction_info: info }) => {
        const transaction = asTransaction(info, report)
        return transaction && isDone(transaction) ? [asMovement(transaction)] : []
      })
      if (page < (answer.total_pages ?? 1)) return { rows, next: `${from.toISOString()}|${page + 1}` }
      return { rows, next: isLastRange ? null : `${after(last, SECOND_MS).toISOString()}|1` }
    },
  }
}

const usd = (amount: Cents) => ({ currency_code: 'USD', value: decimalFromCents(amount) })

/** A checkout in PayPal's format. */
export function orderBody(request: WalletOrderRequest): object {
  const { subtotal, shipping, surcharge, tax, vatProtection, total } = request.amounts
  const parts = {
    item_total: subtotal,
    shipping: minus(shipping, surcharge),
    handling: surcharge,
    tax_total: plus(tax, vatProtection),
  }
  assert(sum(Object.values(parts)) === total, `the parts of checkout ${request.checkoutId} do not add up to its total`)
  const { orderNumber, attempt } = request
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: `${request.checkoutId}:${request.quoteHash}`,
        invoice_id: attempt > 1 ? `${orderNumber}-${attempt}` : orderNumber,
        amount: {
          ...usd(total),
          breakdown: Object.fromEntries(Object.entries(parts).map(([name, amount]) => [name, usd(amount)])),
        },
        items: request.lines.map(({ variantId, productName, variantName, unitPrice, quantity }) => ({
          name: (variantName ? `${productName} (${variantName})` : productName).slice(0, NAME_MAX).toWellFormed(),
          sku: String(variantId),
          quantity: String(quantity),
          unit_amount: usd(unitPrice),
          category: 'PHYSICAL_GOODS',
        })),
        shipping: { name: { full_name: request.customer.name }, address: paypalAddress(request.address) },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: label.name,
          // Keeps the address that tax and shipping were quoted for; otherwise the payer could change it.
          shipping_preference: 'SET_PROVIDED_ADDRESS',
          user_action: 'PAY_NOW',
          return_url: request.returnUrl,
          cancel_url: request.cancelUrl,
        },
      },
    },
  }
}

const paypalAddress = ({ line1, line2, city, state, postalCode, country }: Address) => ({
  address_line_1: line1,
  ...(line2 && { address_line_2: line2 }),
  admin_area_2: city,
  ...(state && { admin_area_1: state }),
  ...(postalCode && { postal_code: postalCode }),
  country_code: country,
})

/** Refunded captures count too: the sale was paid, and refunds are booked separately. */
const CAPTURED_STATUSES = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']

const captureStatuses: Readonly<Record<string, ProviderPayment['status']>> = {
  ...Object.fromEntries(CAPTURED_STATUSES.map((status) => [status, 'captured' as const])),
  PENDING: 'held',
  DECLINED: 'cancelled',
  FAILED: 'cancelled',
}

const refundStatuses: Readonly<Record<string, ProviderRefund['status']>> = {
  COMPLETED: 'succeeded',
  PENDING: 'pending',
  CANCELLED: 'failed',
  FAILED: 'failed',
}

/** For orders without a capture. */
const orderStatuses: Readonly<Record<string, ProviderPayment['status']>> = {
  CREATED: 'open',
  SAVED: 'open',
  APPROVED: 'open',
  PAYER_ACTION_REQUIRED: 'open',
  VOIDED: 'cancelled',
  COMPLETED: 'processing',
}

const disputeStatuses: Readonly<Record<string, 'open' | 'resolved'>> = {
  OPEN: 'open',
  WAITING_FOR_BUYER_RESPONSE: 'open',
  WAITING_FOR_SELLER_RESPONSE: 'open',
  UNDER_REVIEW: 'open',
  OTHER: 'open',
  RESOLVED: 'resolved',
}

const disputeOutcomes: Readonly<Record<string, 'won' | 'lost' | 'open'>> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  NONE: 'won',
}

const OUR_REFUND = 'refund-'

/** @param text in whole seconds; null becomes 1970 */
const momentOf = (text: string | null | undefined): Date => new Date(Date.parse(text ?? '') || 0)

const asRefund = (
  { id, status, amount, custom_id: mark, ...more }: Refund,
  report: ReportUnknownValue,
): ProviderRefund => ({
  id,
  amount: amount.amount,
  at: momentOf(more.create_time),
  feeReturned: more.seller_payable_breakdown?.paypal_fee?.amount ?? ZERO,
  status: knownValueOrReport(refundStatuses, status, 'pending', (value) => report('refund status', value)),
  ours: /^refund-\d{1,15}$/.test(mark ?? '') ? Number(mark?.slice(OUR_REFUND.length)) : null,
})

function asDispute(dispute: Dispute, report: ReportUnknownValue): ProviderDispute {
  const {
    dispute_id: id,
    status,
    dispute_amount: amount,
    dispute_life_cycle_stage: stage,
    dispute_outcome: end,
  } = dispute
  const due = Date.parse(dispute.seller_response_due_date ?? '')
  const respondBy = Number.isNaN(due) ? null : new Date(due)
  const about = { id, amount: amount.amount, at: momentOf(dispute.create_time), fee: ZERO, respondBy }
  const hasMoved = stage !== 'INQUIRY'
  const course = knownValueOrReport(disputeStatuses, status, 'open', (value) => report('dispute status', value))
  const outcome =
    course === 'open'
      ? course
      : knownValueOrReport(disputeOutcomes, end?.outcome_code ?? 'NONE', 'open', (value) =>
          report('dispute outcome', value),
        )
  if (outcome === 'open') return { ...about, hasMoved, status: hasMoved ? 'open' : 'inquiry' }
  return outcome === 'lost' ? { ...about, hasMoved: true, status: 'lost' } : { ...about, hasMoved, status: 'won' }
}

function asPayment(
  { id, status, purchase_units: units, payer }: Order,
  live: boolean,
  report: ReportUnknownValue,
): WalletPayment {
  const unit = units?.[0]
  // A COMPLETED order can have a capture that is under review or denied, so the capture decides.
  const capture = decisiveOf(unit?.payments?.captures ?? [])
  const { checkoutId, quoteHash } = originOf(unit?.custom_id)
  return {
    provider: 'paypal',
    id,
    status: capture
      ? knownValueOrReport(captureStatuses, capture.status, 'processing', (value) => report('capture status', value))
      : knownValueOrReport(orderStatuses, status, 'processing', (value) => report('order status', value)),
    amount: receivedBy(capture),
    currency: capture?.amount.currency ?? 'usd',
    live,
    isReturned: capture !== undefined && isReturned(capture),
    fee: capture?.seller_receivable_breakdown?.paypal_fee?.amount ?? null,
    payer: payer?.payer_id ? { kind: 'wallet', id: payer.payer_id, email: payer.email_address ?? null } : null,
    checkoutId,
    quoteHash,
    approved: !capture && status === 'APPROVED',
    captureId: capture?.id ?? null,
  }
}

/** The capture that took the money, if any: an earlier one may have been declined. */
const decisiveOf = (captures: readonly Capture[]): Capture | undefined =>
  captures.find(({ status }) => CAPTURED_STATUSES.includes(status)) ?? captures.at(-1)

const receivedBy = (capture: Capture | undefined): Cents =>
  capture && CAPTURED_STATUSES.includes(capture.status) ? capture.amount.amount : ZERO

const isReturned = ({ status, status_details: details }: Capture): boolean =>
  status === 'PARTIALLY_REFUNDED' ||
  status === 'REFUNDED' ||
  details?.reason === 'CHARGEBACK' ||
  details?.reason === 'BUYER_COMPLAINT'

/** Other programs with the same account may store anything there. */
const ourOrigin = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):([\w-]+)$/

/** @param customId `<checkout id>:<quote hash>`, as `createOrder` set it; anything else is another program's */
function originOf(customId: string | null | undefined): { checkoutId: CheckoutId | null; quoteHash: string | null } {
  const [, checkoutId, quoteHash] = ourOrigin.exec(customId ?? '') ?? []
  return { checkoutId: (checkoutId ?? null) as CheckoutId | null, quoteHash: quoteHash ?? null }
}

function asEvent(
  { id, event_type: type, resource_type: kind, resource }: z.output<typeof eventShape>,
  certificate: string,
): PaypalEvent {
  const isOrder = kind === 'checkout-order'
  const isCapture = kind === 'capture'
  return {
    id,
    type,
    paymentId: (isOrder ? resource?.id : resource?.supplementary_data?.related_ids?.order_id) ?? null,
    captureId: (isCapture ? resource?.id : captureNamedBy(resource)) ?? null,
    certificate,
  }
}

const isReadable = ({ id, type, paymentId, captureId }: PaypalEvent): boolean =>
  [id, type, paymentId ?? '-', captureId ?? '-'].every(isEventName)

/** Refunds link to their capture, disputes list it. */
function captureNamedBy(resource: z.output<typeof eventShape>['resource']): string | undefined {
  const up = resource?.links?.find(({ rel }) => rel === 'up')?.href
  const linked = /\/v2\/payments\/captures\/([^/?]+)/.exec(up ?? '')?.[1]
  return linked ?? resource?.disputed_transactions?.[0]?.seller_transaction_id ?? undefined
}

type TransactionInfo = NonNullable<
  z.output<typeof transactionsShape>['transaction_details']
>[number]['transaction_info']

/** @returns undefined for lines without an amount, such as a hold */
function asTransaction(info: TransactionInfo, report: ReportUnknownValue): WalletTransaction | undefined {
  const { transaction_event_code: code, transaction_amount: money, transaction_initiation_date: at } = info
  if (!money || !at || Number.isNaN(Date.parse(at))) return undefined
  if (!KNOWN_CODES.test(code ?? '')) report('transaction code', code ?? '')
  if (!'SPDV'.includes(info.transaction_status ?? 'S')) report('transaction status', info.transaction_status ?? '')
  const kind = code === 'T0006' ? 'payment' : code === 'T1107' ? 'refund' : 'other'
  const reference = info.paypal_reference_id ?? null
  return {
    id: info.transaction_id,
    kind,
    code: code ?? '',
    status: info.transaction_status ?? '',
    at: new Date(at),
    amount: money.amount,
    fee: info.fee_amount?.amount ?? ZERO,
    currency: money.currency,
    paymentId: info.paypal_reference_id_type === 'ODR' ? reference : null,
    captureId: kind === 'payment' ? info.transaction_id : info.paypal_reference_id_type === 'TXN' ? reference : null,
    invoiceId: info.invoice_id ?? null,
    checkoutId: originOf(info.custom_field).checkoutId,
  }
}

/** Pending transactions may still be denied; they are listed again once done. */
const isDone = ({ status }: WalletTransaction): boolean => status === 'S' || status === 'V'

/** The event code groups that PayPal has published. */
const KNOWN_CODES = /^T(?:0\d|1\d|2[0-2]|30|50|9[6-9])\d\d$/

/** PayPal's event codes by prefix (developer.paypal.com/docs/reports/reference/tcodes). */
const movementKinds: readonly [code: RegExp, kind: MovementKind][] = [
  [/^T00/, 'charge'],
  [/^T01/, 'fee'],
  [/^T04/, 'payout'],
  [/^T110[67]/, 'refund'],
  [/^T11(?:10|11)|^T120/, 'dispute'],
]

function asMovement({ id, code, at, amount, fee, currency, captureId, ...named }: WalletTransaction): WalletMovement {
  const kind = movementKinds.find(([pattern]) => pattern.test(code))?.[1] ?? 'adjustment'
  return {
    provider: 'paypal',
    id,
    // An outgoing payment is not a sale.
    kind: kind === 'charge' && amount < 0 ? 'adjustment' : kind,
    amount,
    fee: negate(fee),
    currency,
    paymentKey: named.paymentId === null ? null : paymentKey('paypal', named.paymentId),
    sourceId: code === 'T1107' ? id : captureId,
    checkoutId: named.checkoutId,
    occurredAt: at,
    captureId,
  }
}

/** PayPal's certificates are on its API hosts, live or sandbox. */
function certificateOriginsOf(base: string): string[] {
  const { origin, hostname } = new URL(base)
  const domain = /^api(?:-m)?\.((?:[a-z]+\.)?paypal\.com)$/.exec(hostname)?.[1]
  return domain === undefined ? [origin] : [`https://api.${domain}`, `https://api-m.${domain}`]
}

type RawAnswer = { status: number; json: unknown; debugId: string }

async function send(url: string, timeoutMs: number, init: RequestInit): Promise<RawAnswer> {
  const { status, text, debugId } = await get(url, timeoutMs, init)
  return { status, json: jsonOf(text), debugId }
}

async function get(url: string, timeoutMs: number, init: RequestInit, bytesMax?: number) {
  try {
    const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const debugId = answer.headers.get('paypal-debug-id') ?? ''
    return { status: answer.status, text: (await bytesOf(answer, bytesMax)).toString('utf8'), debugId }
  } catch (error) {
    throw new ProviderUnavailable('paypal', error)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readAs<Shape extends z.ZodMiniType>(shape: Shape, json: unknown): z.output<Shape> {
  const parsed = shape.safeParse(json)
  if (parsed.success) return parsed.data
  throw new UnusableResponse('paypal', z.prettifyError(parsed.error))
}

/** An HTML page, a bad token, a missing permission or a rate limit is not a refusal of the request. */
function toProviderError({ status, json, debugId }: RawAnswer): ProviderRefusal | ProviderUnavailable {
  const parsed = refusalShape.safeParse(json)
  if (status === 403)
    return new NotPermitted('paypal', new Error(`The response was 403, not permitted (debug id ${debugId || 'none'}).`))
  if (!parsed.success || status >= 500 || [401, 408, 429].includes(status))
    return new ProviderUnavailable('paypal', new Error(`The response was ${status} (debug id ${debugId || 'none'}).`))

  const { name, message, details } = parsed.data
  const first = details?.[0]
  if (status === 409 || isInProgress(first?.issue ?? name))
    return new RequestInProgress(
      'paypal',
      new Error(`The response was ${first?.issue ?? name} (debug id ${debugId || 'none'}).`),
    )
  const sentence = first?.description || message || name
  return new ProviderRefusal('paypal', sentence, status === 404 ? 'RESOURCE_NOT_FOUND' : (first?.issue ?? name))
}

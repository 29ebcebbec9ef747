import type * as z from 'zod/mini'
import type { Endpoint } from '#domain/doctor/findings.ts'
import type { AnswerStanding } from '#domain/payments/dispute-answer.ts'
import type { ProviderDispute, ProviderRefund, Returns } from '#domain/payments/returns.ts'
import type { Config } from '#server/config/config.ts'
import type { BookPage, Period } from '#server/providers/books.ts'
import {
  NotPermitted,
  ProviderRefusal,
  ProviderUnavailable,
  RequestInProgress,
} from '#server/providers/provider-errors.ts'
import type { Evidence, PaymentCheck } from '#server/providers/payments.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import type { Verdict } from '#server/providers/verdict.ts'
import type { Cents } from '#shared/money.ts'
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS, after } from '#shared/time.ts'
import { alreadyCapturedIssues, finalRefusals } from './capture-issues.ts'
import { publicAuthorities } from './certificates.ts'
import { type PaypalEvent, asEvent, certificateOriginsOf, isReadable } from './events.ts'
import {
  type ExpressOrderRequest,
  type WalletOrderRequest,
  type WalletPayer,
  type WalletPayment,
  asPayment,
  decisiveOf,
  expressBody,
  orderBody,
  payerOf,
  purchaseUnit,
  usd,
} from './orders.ts'
import { OUR_REFUND, asDispute, asRefund, momentOf, standingOf } from './returns.ts'
import {
  answeredShape,
  approvedShape,
  captureOriginShape,
  createdShape,
  disputeShape,
  disputesShape,
  eventShape,
  eventsShape,
  expressShape,
  orderShape,
  refundShape,
  tokenShape,
  transactionsShape,
  verificationShape,
  webhookShape,
} from './shapes.ts'
import { type Headers, type Transmission, createSignatures } from './signatures.ts'
import { type WalletMovement, type WalletTransaction, asMovement, asTransaction, isDone } from './transactions.ts'
import { get, jsonOf, readAs, send, toProviderError } from './wire.ts'

export type PaypalGateway = ReturnType<typeof createPaypal>

type RequestOptions = {
  query?: URLSearchParams
  /** JSON text, or parts. */
  body?: string | FormData
  /** PayPal's idempotency key, remembered for 6 hours with orders and 45 days with refunds. */
  requestId?: string
  /** Otherwise PayPal returns only id and status. */
  fullResponse?: boolean
  timeoutMs?: number
}

type Method = 'GET' | 'POST' | 'PATCH'

type Token = { value: Promise<string>; until: Date }

/** A shopper waits: fetching a token and then this call must finish or time out within 8 s. */
const TIMEOUT_MS = 3500
/** For jobs and webhooks. */
const LONG_TIMEOUT_MS = 8 * SECOND_MS
/** The browser gives up after 30 s (specification, section 9); the shop must respond before that. */
const CAPTURE_TIMEOUT_MS = 20 * SECOND_MS
/** With a file of a megabyte. */
const EVIDENCE_TIMEOUT_MS = 20 * SECOND_MS
/** A certificate chain is a few thousand bytes. */
const CERTIFICATES_BYTES_MAX = 64 * 1024
const REPORT_DAYS_MAX = 31
const REPORT_PAGE = 500

/** Its calls throw `ProviderRefusal` with PayPal's issue as code, or `ProviderUnavailable` without a usable response. */
export function createPaypal({
  paypal: settings,
  clock,
  reportUnknownValue: report = () => undefined,
}: Pick<Config, 'paypal'> & { clock: Clock; reportUnknownValue?: ReportUnknownValue }) {
  const base = settings.apiBase.replace(/\/+$/, '')
  const { live } = settings
  let token: Token | undefined

  /** One shared token, renewed a minute before it expires. */
  function accessToken(): Promise<string> {
    if (!token || token.until <= clock.now()) token = renewedToken()
    return token.value
  }

  /** Concurrent callers wait for the same one. */
  function renewedToken(): Token {
    const fetched = newToken()
    const renewed: Token = { value: fetched.then(({ value }) => value), until: after(clock.now(), MINUTE_MS) }
    fetched.then(
      ({ lifeS }) => {
        renewed.until = after(clock.now(), lifeS * SECOND_MS - MINUTE_MS)
      },
      () => {
        if (token === renewed) token = undefined
      },
    )
    return renewed
  }

  async function newToken(
    parameters: Record<string, string> = {},
  ): Promise<{ value: string; lifeS: number; scopes: string[] }> {
    const credentials = Buffer.from(`${settings.clientId}:${settings.clientSecret.reveal()}`).toString('base64')
    const { status, json } = await send(`${base}/v1/oauth2/token`, TIMEOUT_MS, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }),
    })
    // Only the owner can fix wrong keys; to a shopper, the wallet is unavailable.
    if (status !== 200) throw new ProviderUnavailable('paypal', new Error(`No token: the response was ${status}.`))
    const { access_token: value, expires_in: lifeS, scope } = readAs(tokenShape, json)
    return { value, lifeS, scopes: scope?.split(' ') ?? [] }
  }

  async function call(method: Method, path: string, options: RequestOptions) {
    const bearer = await accessToken()
    const answer = await send(
      `${base}${path}${options.query ? `?${options.query.toString()}` : ''}`,
      options.timeoutMs ?? TIMEOUT_MS,
      {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          accept: 'application/json',
          // Parts get theirs from `fetch`, with the boundary.
          ...(method !== 'GET' && !(options.body instanceof FormData) && { 'content-type': 'application/json' }),
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
    method: Method,
    path: string,
    shape: Shape,
    options: RequestOptions = {},
  ): Promise<z.output<Shape>> {
    return readAs(shape, (await answerTo(method, path, options)).json)
  }

  async function answerTo(method: Method, path: string, options: RequestOptions) {
    let answer = await call(method, path, options)
    // PayPal may revoke a token early. Nothing was done, so a retry is safe.
    if (answer.status === 401) answer = await call(method, path, options)
    if (answer.status >= 400) throw toProviderError(answer)
    return answer
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
      now: () => clock.now(),
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

  const disputePath = (id: string) => `/v1/customer/disputes/${encodeURIComponent(id)}`
  const readDispute = (id: string) => ask('GET', disputePath(id), disputeShape)

  /** A dispute's calls take parts: `input` is JSON, the others are files. */
  const partsOf = (input: object, file?: { content: Buffer; name: string }): FormData => {
    const parts = new FormData()
    parts.append('input', new Blob([JSON.stringify(input)], { type: 'application/json' }))
    if (file)
      parts.append('evidence-file', new Blob([new Uint8Array(file.content)], { type: 'application/pdf' }), file.name)
    return parts
  }

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

    /**
     * An order that the payer approves with an address of their own.
     * @returns its id, and PayPal's page where the payer approves it
     */
    async createExpressOrder(request: ExpressOrderRequest, requestId: string): Promise<{ id: string; page: string }> {
      const { id, links } = await ask('POST', '/v2/checkout/orders', expressShape, {
        body: JSON.stringify(expressBody(request)),
        requestId,
      })
      const page = links.find(({ rel }) => rel === 'payer-action')?.href
      if (page === undefined) throw new ProviderUnavailable('paypal', new Error('The order has no page for the payer.'))
      return { id, page }
    },

    /**
     * An express order with its payer, and its mark until it belongs to a checkout.
     * @throws ProviderRefusal with code `RESOURCE_NOT_FOUND` for an unknown or expired order
     */
    async readExpressOrder(id: string): Promise<{ payment: WalletPayment; mark: string; payer: WalletPayer }> {
      const order = await ask('GET', orderPath(id), approvedShape)
      if (order.id !== id) throw new ProviderUnavailable('paypal', new Error('The response is about another order.'))
      const mark = order.purchase_units?.[0]?.custom_id ?? ''
      return { payment: asPayment(order, live, report), mark, payer: payerOf(order) }
    },

    /**
     * Makes an approved express order the checkout's: its amounts, number and address are then those of the checkout. Safe to repeat.
     * @throws ProviderRefusal as `createOrder`
     */
    async giveToCheckout(id: string, request: WalletOrderRequest): Promise<void> {
      const path = "/purchase_units/@reference_id=='default'"
      await answerTo('PATCH', orderPath(id), {
        body: JSON.stringify([{ op: 'replace', path, value: purchaseUnit(request) }]),
      })
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

    /** @param reference of our answer @throws ProviderRefusal for an unknown dispute */
    readDisputeStanding: async (id: string, reference: string): Promise<AnswerStanding> =>
      standingOf(await readDispute(id), reference, clock.now()),

    /**
     * Sends evidence; PayPal takes it once, while it waits for the seller. It has no idempotency key: look with `readDisputeStanding`
     * before a repeat.
     */
    async submitEvidence(id: string, { parts, file, fileName }: Evidence): Promise<void> {
      await ask('POST', `${disputePath(id)}/provide-evidence`, answeredShape, {
        body: partsOf({ evidences: parts }, { content: file, name: fileName }),
        timeoutMs: EVIDENCE_TIMEOUT_MS,
      })
    },

    /** Gives in: PayPal refunds the payer. */
    async acceptClaim(id: string, note: string): Promise<void> {
      await ask('POST', `${disputePath(id)}/accept-claim`, answeredShape, {
        body: partsOf({ note, accept_claim_type: 'REFUND' }),
        timeoutMs: LONG_TIMEOUT_MS,
      })
    },

    /** Whether PayPal protects us against disputes of this payment. */
    async readChecks(id: string): Promise<PaymentCheck[]> {
      const order = await ask('GET', orderPath(id), orderShape)
      const protection = decisiveOf(order.purchase_units?.[0]?.payments?.captures ?? [])?.seller_protection
      const covered = (protection?.dispute_categories ?? []).map((name) => name.toLowerCase().replaceAll('_', ' '))
      return protection?.status
        ? [
            {
              name: 'PayPal’s seller protection',
              result: [protection.status.toLowerCase().replaceAll('_', ' '), ...covered].join(', '),
            },
          ]
        : []
    },

    /** What the app may do, by PayPal's URLs. */
    listScopes: async (): Promise<string[]> => (await newToken()).scopes,

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
      const end = clock.now()
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

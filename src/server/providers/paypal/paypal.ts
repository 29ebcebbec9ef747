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
  StillUnderWay,
  UnusableAnswer,
} from '#server/providers/provider-errors.ts'
import { isName, type Verdict } from '#server/providers/verdict.ts'
import { knownValueOrReport, type ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { bytesOf } from '../answers.ts'
import { finalRefusals, isUnderWay, alreadyCapturedIssues } from './capture-issues.ts'
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

/** What a wallet order is made of: the frozen checkout and where the payer returns to. */
export type WalletOrderRequest = {
  checkoutId: CheckoutId
  quoteHash: string
  orderNumber: OrderNumber
  /** 1 at first. A further one has an invoice id of its own, because PayPal takes money for each once only. */
  attempt: number
  lines: readonly Pick<PricedLine, 'variantId' | 'productName' | 'variantName' | 'unitPrice' | 'quantity'>[]
  amounts: Pick<Quote, 'subtotal' | 'shipping' | 'surcharge' | 'tax' | 'vatProtection' | 'total'>
  customer: Pick<FrozenCustomer, 'name'>
  address: Address
  returnUrl: string
  cancelUrl: string
}

/** A wallet order in our words; its payment id is PayPal's order id. */
export type WalletPayment = ProviderPayment & {
  /** The payer agreed and nothing was captured yet: also without the browser the money can be taken. */
  approved: boolean
  /** What a refund names; null while nothing was captured. */
  captureId: string | null
}

/** A verified event: the handler asks for the order again instead of believing the payload, because order is not guaranteed. */
export type PaypalEvent = {
  id: string
  type: string
  /** PayPal's order id, where the event names it. */
  paymentId: string | null
  /** The capture that the event is about; `orderIdOfCapture` finds its order. */
  captureId: string | null
  /** The address of the certificate that has signed it. */
  certificate: string
}

/** One line of the account's history. Money that left is negative, and so is a fee. */
export type WalletTransaction = {
  id: string
  kind: 'payment' | 'refund' | 'other'
  /** PayPal's own name of the kind, such as `T0006` or `T1201`. */
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

/** A line of the account's book. All but a payment name the capture that they are about, and not its order. */
export type WalletMovement = Movement & { captureId: string | null }

export type PaypalGateway = ReturnType<typeof createPaypal>

type RequestOptions = {
  query?: URLSearchParams
  /** JSON text, as it goes over the wire. */
  body?: string
  /** The same id does the work once: kept for 6 hours with orders, 45 days with refunds. */
  requestId?: string
  /** Otherwise PayPal answers with id and status alone. */
  whole?: boolean
  timeoutMs?: number
}

type Token = { value: Promise<string>; until: Date }

/** A shopper waits: with a token to be fetched first, an answer, or the end of patience, comes within 8 s. */
const TIMEOUT_MS = 3500
/** Where a job or another provider waits. */
const LONG_TIMEOUT_MS = 8 * SECOND_MS
/** The browser gives up after 30 s (specification, section 9); by then the shop must have said what it knows. */
const CAPTURE_TIMEOUT_MS = 20 * SECOND_MS
/** A chain is a few thousand bytes. */
const CERTIFICATES_BYTES_MAX = 64 * 1024
const NAME_MAX = 127
const REPORT_DAYS_MAX = 31
const REPORT_PAGE = 500

/** @returns PayPal in our words; throws `ProviderRefusal` with PayPal's issue as code for its no, `ProviderUnavailable` when it does not answer usefully */
export function createPaypal({
  paypal: settings,
  clock,
  noteWord: note = () => undefined,
}: Pick<Config, 'paypal'> & { clock?: Clock; noteWord?: ReportUnknownValue }) {
  const base = settings.apiBase.replace(/\/+$/, '')
  const { live } = settings
  const now = () => clock?.now() ?? new Date()
  let token: Token | undefined

  /** One token for everybody, renewed a minute before it ends. */
  function accessToken(): Promise<string> {
    if (!token || token.until <= now()) token = renewedToken()
    return token.value
  }

  /** Callers that come while it is under way wait for the same one. */
  function renewedToken(): Token {
    const asked = newToken()
    const renewed: Token = { value: asked.then(({ value }) => value), until: after(now(), MINUTE_MS) }
    asked.then(
      ({ lifeS }) => {
        renewed.until = after(now(), lifeS * SECOND_MS - MINUTE_MS)
      },
      () => {
        if (token === renewed) token = undefined
      },
    )
    return renewed
  }

  async function newToken(more: Record<string, string> = {}): Promise<{ value: string; lifeS: number }> {
    const pair = Buffer.from(`${settings.clientId}:${settings.clientSecret.reveal()}`).toString('base64')
    const { status, json } = await send(`${base}/v1/oauth2/token`, TIMEOUT_MS, {
      method: 'POST',
      headers: { authorization: `Basic ${pair}`, accept: 'application/json' },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...more }),
    })
    // Wrong keys are the owner's to mend: to a shopper the wallet is not available.
    if (status !== 200) throw new ProviderUnavailable('paypal', new Error(`No token: it answered ${status}.`))
    const { access_token: value, expires_in: lifeS } = readAs(tokenShape, json)
    return { value, lifeS }
  }

  async function call(method: 'GET' | 'POST', path: string, asked: RequestOptions) {
    const bearer = await accessToken()
    const answer = await send(
      `${base}${path}${asked.query ? `?${asked.query.toString()}` : ''}`,
      asked.timeoutMs ?? TIMEOUT_MS,
      {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          accept: 'application/json',
          ...(method === 'POST' && { 'content-type': 'application/json' }),
          ...(asked.requestId !== undefined && { 'paypal-request-id': asked.requestId }),
          ...(asked.whole && { prefer: 'return=representation' }),
        },
        ...(asked.body !== undefined && { body: asked.body }),
      },
    )
    if (answer.status === 401) token = undefined
    return answer
  }

  async function ask<Shape extends z.ZodMiniType>(
    method: 'GET' | 'POST',
    path: string,
    shape: Shape,
    asked: RequestOptions = {},
  ): Promise<z.output<Shape>> {
    let answer = await call(method, path, asked)
    // PayPal may end a token before its time; nothing was done with it, so asking again is safe.
    if (answer.status === 401) answer = await call(method, path, asked)
    if (answer.status >= 400) throw toProviderError(answer)
    return readAs(shape, answer.json)
  }

  const orderPath = (id: string) => `/v2/checkout/orders/${encodeURIComponent(id)}`
  const capturePath = (id: string) => `/v2/payments/captures/${encodeURIComponent(id)}`

  /** @throws ProviderRefusal with code `RESOURCE_NOT_FOUND` for an order that PayPal does not know, or no longer */
  const readOrder = async (id: string): Promise<WalletPayment> => {
    const order = await ask('GET', orderPath(id), orderShape)
    if (order.id !== id) throw new ProviderUnavailable('paypal', new Error('The answer is about another order.'))
    return asPayment(order, live, note)
  }

  /** One page of the account's history: whole seconds, both ends included, 31 days at most. */
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
      isVouchedFor,
    },
  )

  /** Has PayPal itself check a signature (verify-webhook-signature). */
  async function isVouchedFor(sent: Transmission, rawBody: string): Promise<boolean> {
    if (jsonOf(rawBody) === undefined) return false
    const asked = JSON.stringify({ ...sent, webhook_id: settings.webhookId })
    // The delivered bytes go in as they are: what is read and written again fails the check (providers sign bytes, not meanings).
    // That they are one JSON value was seen above, so nothing can be smuggled in beside it.
    const body = `${asked.slice(0, -1)},"webhook_event":${rawBody}}`
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
    /** A token with which a browser may open the wallet; good for about 15 minutes. */
    clientToken: async (): Promise<string> =>
      (await newToken({ response_type: 'client_token', intent: 'sdk_init' })).value,

    /**
     * @throws ProviderRefusal with code `DUPLICATE_INVOICE_ID` when this order number was paid by an earlier wallet order, and with
     * `SHIPPING_ADDRESS_INVALID`, `POSTAL_CODE_REQUIRED` or `CITY_REQUIRED` for an address that the wallet cannot take
     */
    async createOrder(wanted: WalletOrderRequest): Promise<{ id: string }> {
      const { checkoutId, attempt, quoteHash } = wanted
      const { id } = await ask('POST', '/v2/checkout/orders', createdShape, {
        body: JSON.stringify(orderBody(wanted)),
        // The quote is part of it: a changed cart must not get the order of the old one back.
        requestId: `pp-create:${checkoutId}:${attempt}:${quoteHash.slice(0, 32)}`,
      })
      return { id }
    },

    readOrder,

    /**
     * Takes the money of an approved order; once, however often it is asked for: PayPal captures an order a single time.
     * @param attempt 2 and more after a refusal, when the payer approved again: PayPal may repeat its first answer to the first attempt
     * @returns `processing` while PayPal has not decided, or has said no in words that are not known to be final: the same attempt asks again
     * @throws ProviderRefusal only with a final refusal: `INSTRUMENT_DECLINED` when the payer must choose another way to pay, `ORDER_NOT_APPROVED` and others
     * @throws ProviderUnavailable also when the money may have been taken: `readOrder` tells later
     */
    async capture(id: string, attempt = 1): Promise<WalletPayment> {
      try {
        const order = await ask('POST', `${orderPath(id)}/capture`, orderShape, {
          requestId: attempt > 1 ? `pp-capture:${id}:${attempt}` : `pp-capture:${id}`,
          whole: true,
          timeoutMs: CAPTURE_TIMEOUT_MS,
        })
        const payment = asPayment(order, live, note)
        return payment.captureId === null ? await readOrder(id) : payment
      } catch (error) {
        const isNoAnswer = error instanceof ProviderUnavailable && !(error instanceof StillUnderWay)
        if (isNoAnswer || (error instanceof ProviderRefusal && finalRefusals.has(error.code ?? ''))) throw error
        if (error instanceof ProviderRefusal && !alreadyCapturedIssues.has(error.code ?? ''))
          note('capture issue', error.code ?? error.message)
        // Whatever else it says, the order alone tells whether money was taken.
        const payment = await readOrder(id)
        if (payment.captureId !== null || payment.status === 'cancelled') return payment
        // Another wallet order's money came under this number, and none of this one's.
        if (error instanceof ProviderRefusal && error.code === 'DUPLICATE_INVOICE_ID') throw error
        return { ...payment, status: 'processing' }
      }
    },

    /**
     * @param amount at most what is left of the capture
     * @param requestId the same one gives the money back once only, for 45 days
     * @param ours our refund's number, kept with PayPal's so that a lost answer is recognized
     * @throws ProviderRefusal with code `CAPTURE_FULLY_REFUNDED`, `REFUND_AMOUNT_EXCEEDED`, `PENDING_CAPTURE`, `TRANSACTION_DISPUTED` and others
     */
    async refund(captureId: string, amount: Cents, ours: number, requestId: string): Promise<ProviderRefund> {
      const refund = await ask('POST', `${capturePath(captureId)}/refund`, refundShape, {
        body: JSON.stringify({ amount: usd(amount), custom_id: `${OUR_REFUND}${ours}` }),
        requestId,
        timeoutMs: LONG_TIMEOUT_MS,
        whole: true,
      })
      return asRefund(refund, note)
    },

    /** All that went back, or is asked back, of an order. PayPal does not say in a dispute what it charges for it. */
    async listReturns(id: string): Promise<Returns> {
      const payments = (await ask('GET', orderPath(id), orderShape)).purchase_units?.[0]?.payments
      const captureId = decisiveOf(payments?.captures ?? [])?.id
      const query = new URLSearchParams({ disputed_transaction_id: captureId ?? '' })
      const disputes: ProviderDispute[] = []
      try {
        const listed = captureId ? await ask('GET', '/v1/customer/disputes', disputesShape, { query }) : undefined
        for (const { dispute_id: dispute } of listed?.items ?? [])
          disputes.push(asDispute(await readDispute(dispute), note))
      } catch (error) {
        // An app without the feature hears of no dispute; its refunds are booked all the same, and the doctor says what is missing.
        if (!(error instanceof NotPermitted)) throw error
      }
      return { refunds: (payments?.refunds ?? []).map((refund) => asRefund(refund, note)), disputes }
    },

    /** The disputes in which something has happened lately; fifty at most. @throws NotPermitted for an app without the feature */
    async *listDisputesSince(since: Date): AsyncGenerator<{ captureId: string; about: ProviderDispute }> {
      const query = new URLSearchParams({ update_time_after: since.toISOString(), page_size: '50' })
      const { items } = await ask('GET', '/v1/customer/disputes', disputesShape, { query })
      for (const { dispute_id: id } of items ?? []) {
        const dispute = await readDispute(id)
        const captureId = dispute.disputed_transactions?.[0]?.seller_transaction_id
        if (captureId) yield { captureId, about: asDispute(dispute, note) }
      }
    },

    /**
     * The order that a capture belongs to: events about refunds and disputes name the capture alone.
     * @returns null for another program's, and for one that is too old to be asked for
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

    /** What is wrong with an event as far as its headers tell; nothing is asked of anybody. */
    wrongInHeaders(headers: Headers): string | undefined {
      const sent = signatures.read(headers)
      return 'wrong' in sent ? sent.wrong : undefined
    },

    /**
     * Checks an event's signature by the certificate that it names.
     * @param rawBody as it was delivered; a single changed byte fails the check
     * @param mayFetch asked before a certificate is fetched that is not known yet
     * @throws ProviderUnavailable the sender tries again later
     */
    async verifyEvent(headers: Headers, rawBody: string, mayFetch = () => true): Promise<Verdict<PaypalEvent>> {
      const sent = signatures.read(headers)
      if ('wrong' in sent) return sent
      const wrong = await signatures.wrongWith(sent, rawBody, mayFetch)
      if (wrong) return { wrong }
      const event = eventShape.safeParse(jsonOf(rawBody))
      const read = event.success ? asEvent(event.data, sent.cert_url) : undefined
      return read && isReadable(read) ? { event: read } : { wrong: 'no event', isGenuine: true }
    },

    /** What a certificate is worth that has signed an event. @throws ProviderUnavailable */
    judgeCertificate: (url: string) => signatures.judge(url),

    /** The newest of its events that PayPal has made for the app, newest first; a hundred at most. */
    async listEvents(since: Date): Promise<{ id: string; type: string; at: Date }[]> {
      const query = new URLSearchParams({ start_time: since.toISOString(), page_size: '100' })
      const { events } = await ask('GET', '/v1/notifications/webhooks-events', eventsShape, {
        query,
        timeoutMs: LONG_TIMEOUT_MS,
      })
      return (events ?? []).map(({ id, event_type: type, create_time: at }) => ({ id, type, at: momentOf(at) }))
    },

    /**
     * The address that PayPal knows under our webhook's id, for which its signatures are made.
     * @throws ProviderRefusal with code `INVALID_RESOURCE_ID` or `RESOURCE_NOT_FOUND` where no address has that id
     */
    async readWebhook(): Promise<Endpoint> {
      const path = `/v1/notifications/webhooks/${encodeURIComponent(settings.webhookId)}`
      const { url, event_types: types } = await ask('GET', path, webhookShape)
      return { url, events: types.filter(({ status }) => status !== 'DISABLED').map(({ name }) => name), isOn: true }
    },

    /** The account's history, oldest first. What is younger than three hours may still be missing. */
    async *listTransactions(since: Date): AsyncGenerator<WalletTransaction> {
      const end = now()
      // PayPal counts whole seconds: windows that begin on one leave nothing out between them.
      const start = new Date(Math.floor(since.getTime() / SECOND_MS) * SECOND_MS)
      for (let from = start; from < end; from = after(from, REPORT_DAYS_MAX * DAY_MS)) {
        const until = after(from, REPORT_DAYS_MAX * DAY_MS - SECOND_MS)
        for (let page = 1, pages = 1; page <= pages; page += 1) {
          const answer = await transactions(from, until < end ? until : end, page)
          pages = answer.total_pages ?? 1
          for (const { transaction_info: one } of answer.transaction_details ?? []) {
            const transaction = asTransaction(one, note)
            if (transaction) yield transaction
          }
        }
      }
    },

    /**
     * A page of the account's own book, oldest first: all that came, went, was kept or paid out, as far as it is done. What is younger
     * than three hours may still be missing.
     * @param mark `next` of the page before; null for the first one
     */
    async listMovements({ since, until }: Period, mark: string | null): Promise<BookPage<WalletMovement>> {
      const [begins, number = '1'] = mark?.split('|') ?? []
      const from = new Date(begins ?? Math.floor(since.getTime() / SECOND_MS) * SECOND_MS)
      const last = after(from, REPORT_DAYS_MAX * DAY_MS - SECOND_MS)
      const isLastRange = last >= until
      const page = Number(number)
      const answer = await transactions(from, isLastRange ? until : last, page)
      const rows = (answer.transaction_details ?? []).flatMap(({ transaction_info: one }) => {
        const transaction = asTransaction(one, note)
        return transaction && isDone(transaction) ? [asMovement(transaction)] : []
      })
      if (page < (answer.total_pages ?? 1)) return { rows, next: `${from.toISOString()}|${page + 1}` }
      return { rows, next: isLastRange ? null : `${after(last, SECOND_MS).toISOString()}|1` }
    },
  }
}

const usd = (amount: Cents) => ({ currency_code: 'USD', value: decimalFromCents(amount) })

/** A checkout as the wallet takes it. */
export function orderBody(wanted: WalletOrderRequest): object {
  const { subtotal, shipping, surcharge, tax, vatProtection, total } = wanted.amounts
  const parts = {
    item_total: subtotal,
    shipping: minus(shipping, surcharge),
    handling: surcharge,
    tax_total: plus(tax, vatProtection),
  }
  assert(sum(Object.values(parts)) === total, `the parts of checkout ${wanted.checkoutId} do not add up to its total`)
  const { orderNumber, attempt } = wanted
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: `${wanted.checkoutId}:${wanted.quoteHash}`,
        invoice_id: attempt > 1 ? `${orderNumber}-${attempt}` : orderNumber,
        amount: {
          ...usd(total),
          breakdown: Object.fromEntries(Object.entries(parts).map(([name, amount]) => [name, usd(amount)])),
        },
        items: wanted.lines.map(({ variantId, productName, variantName, unitPrice, quantity }) => ({
          name: (variantName ? `${productName} (${variantName})` : productName).slice(0, NAME_MAX).toWellFormed(),
          sku: String(variantId),
          quantity: String(quantity),
          unit_amount: usd(unitPrice),
          category: 'PHYSICAL_GOODS',
        })),
        shipping: { name: { full_name: wanted.customer.name }, address: paypalAddress(wanted.address) },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: label.name,
          // The address that was taxed and shipped to; otherwise the payer could change it after it was priced.
          shipping_preference: 'SET_PROVIDED_ADDRESS',
          user_action: 'PAY_NOW',
          return_url: wanted.returnUrl,
          cancel_url: wanted.cancelUrl,
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

/** A refund later is the ledger's business: the money of the sale came. */
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

/** Of an order without a capture. */
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

/** PayPal tells whole seconds. @param text null where it tells none: as old as can be */
const momentOf = (text: string | null | undefined): Date => new Date(Date.parse(text ?? '') || 0)

const asRefund = (
  { id, status, amount, custom_id: mark, ...more }: Refund,
  note: ReportUnknownValue,
): ProviderRefund => ({
  id,
  amount: amount.amount,
  at: momentOf(more.create_time),
  feeReturned: more.seller_payable_breakdown?.paypal_fee?.amount ?? ZERO,
  status: knownValueOrReport(refundStatuses, status, 'pending', (word) => note('refund status', word)),
  ours: /^refund-\d{1,15}$/.test(mark ?? '') ? Number(mark?.slice(OUR_REFUND.length)) : null,
})

function asDispute(one: Dispute, note: ReportUnknownValue): ProviderDispute {
  const { dispute_id: id, status, dispute_amount: amount, dispute_life_cycle_stage: stage, dispute_outcome: end } = one
  const due = Date.parse(one.seller_response_due_date ?? '')
  const respondBy = Number.isNaN(due) ? null : new Date(due)
  const about = { id, amount: amount.amount, at: momentOf(one.create_time), fee: ZERO, respondBy }
  const hasMoved = stage !== 'INQUIRY'
  const course = knownValueOrReport(disputeStatuses, status, 'open', (word) => note('dispute status', word))
  const outcome =
    course === 'open'
      ? course
      : knownValueOrReport(disputeOutcomes, end?.outcome_code ?? 'NONE', 'open', (word) =>
          note('dispute outcome', word),
        )
  if (outcome === 'open') return { ...about, hasMoved, status: hasMoved ? 'open' : 'inquiry' }
  return outcome === 'lost' ? { ...about, hasMoved: true, status: 'lost' } : { ...about, hasMoved, status: 'won' }
}

function asPayment(
  { id, status, purchase_units: units, payer }: Order,
  live: boolean,
  note: ReportUnknownValue,
): WalletPayment {
  const unit = units?.[0]
  // An order that says COMPLETED may hold a capture that is under review, or was denied: the capture decides.
  const capture = decisiveOf(unit?.payments?.captures ?? [])
  const { checkoutId, quoteHash } = originOf(unit?.custom_id)
  return {
    provider: 'paypal',
    id,
    status: capture
      ? knownValueOrReport(captureStatuses, capture.status, 'processing', (word) => note('capture status', word))
      : knownValueOrReport(orderStatuses, status, 'processing', (word) => note('order status', word)),
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

/** Of several the one that took the money: a first one may have been declined. */
const decisiveOf = (captures: readonly Capture[]): Capture | undefined =>
  captures.find((one) => CAPTURED_STATUSES.includes(one.status)) ?? captures.at(-1)

const receivedBy = (capture: Capture | undefined): Cents =>
  capture && CAPTURED_STATUSES.includes(capture.status) ? capture.amount.amount : ZERO

const isReturned = ({ status, status_details: details }: Capture): boolean =>
  status === 'PARTIALLY_REFUNDED' ||
  status === 'REFUNDED' ||
  details?.reason === 'CHARGEBACK' ||
  details?.reason === 'BUYER_COMPLAINT'

/** Another program of the same account may write anything there. */
const ourOrigin = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):([\w-]+)$/

/** @param customId `<checkout id>:<quote hash>`, as `createOrder` wrote it; anything else is not of our making */
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
  [id, type, paymentId ?? '-', captureId ?? '-'].every(isName)

/** Refunds link to their capture, disputes list it. */
function captureNamedBy(resource: z.output<typeof eventShape>['resource']): string | undefined {
  const up = resource?.links?.find(({ rel }) => rel === 'up')?.href
  const linked = /\/v2\/payments\/captures\/([^/?]+)/.exec(up ?? '')?.[1]
  return linked ?? resource?.disputed_transactions?.[0]?.seller_transaction_id ?? undefined
}

type TransactionInfo = NonNullable<
  z.output<typeof transactionsShape>['transaction_details']
>[number]['transaction_info']

/** @returns undefined for lines without money, such as a hold */
function asTransaction(one: TransactionInfo, note: ReportUnknownValue): WalletTransaction | undefined {
  const { transaction_event_code: code, transaction_amount: money, transaction_initiation_date: at } = one
  if (!money || !at || Number.isNaN(Date.parse(at))) return undefined
  if (!KNOWN_CODES.test(code ?? '')) note('transaction code', code ?? '')
  if (!'SPDV'.includes(one.transaction_status ?? 'S')) note('transaction status', one.transaction_status ?? '')
  const kind = code === 'T0006' ? 'payment' : code === 'T1107' ? 'refund' : 'other'
  const reference = one.paypal_reference_id ?? null
  return {
    id: one.transaction_id,
    kind,
    code: code ?? '',
    status: one.transaction_status ?? '',
    at: new Date(at),
    amount: money.amount,
    fee: one.fee_amount?.amount ?? ZERO,
    currency: money.currency,
    paymentId: one.paypal_reference_id_type === 'ODR' ? reference : null,
    captureId: kind === 'payment' ? one.transaction_id : one.paypal_reference_id_type === 'TXN' ? reference : null,
    invoiceId: one.invoice_id ?? null,
    checkoutId: originOf(one.custom_field).checkoutId,
  }
}

/** What is pending may still be denied, and is told again when it is not. */
const isDone = ({ status }: WalletTransaction): boolean => status === 'S' || status === 'V'

/** The groups of event codes that PayPal has published. */
const KNOWN_CODES = /^T(?:0\d|1\d|2[0-2]|30|50|9[6-9])\d\d$/

/** PayPal's event codes, by their first letters (developer.paypal.com/docs/reports/reference/tcodes). */
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
    // Money that we sent to somebody is no sale.
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

/** Where PayPal keeps the certificates that it signs with: beside its interface, of the same kind of money. */
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
  throw new UnusableAnswer('paypal', z.prettifyError(parsed.error))
}

/** A page of HTML, a broken token, a missing permission or too many calls say nothing about what was asked. */
function toProviderError({ status, json, debugId }: RawAnswer): ProviderRefusal | ProviderUnavailable {
  const parsed = refusalShape.safeParse(json)
  if (status === 403)
    return new NotPermitted('paypal', new Error(`It answered 403: not permitted (debug id ${debugId || 'none'}).`))
  if (!parsed.success || status >= 500 || [401, 408, 429].includes(status))
    return new ProviderUnavailable('paypal', new Error(`It answered ${status} (debug id ${debugId || 'none'}).`))

  const { name, message, details } = parsed.data
  const first = details?.[0]
  if (status === 409 || isUnderWay(first?.issue ?? name))
    return new StillUnderWay(
      'paypal',
      new Error(`It answered ${first?.issue ?? name} (debug id ${debugId || 'none'}).`),
    )
  const sentence = first?.description || message || name
  return new ProviderRefusal('paypal', sentence, status === 404 ? 'RESOURCE_NOT_FOUND' : (first?.issue ?? name))
}

import { readFile } from 'node:fs/promises'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { cents } from '#shared/money.ts'
import type { Answer, Call, Kit, Provider } from '#sandbox/kit/types.ts'
import { lastingBooks, newId, openBooks, type Books, type Needs, type SentEvent, type Webhook } from './books.ts'
import { firstSigner, inOneLine, newAuthority, newSigner } from './certificate.ts'
import { acceptClaim, provideEvidence } from './dispute-answers.ts'
import { disputeShape, shortDispute } from './dispute-shape.ts'
import { certificatePath, deliverEvent, isGenuine, openEvents, rawField, type Signing } from './events.ts'
import { NotPlayed, jsonFrom, read } from './order-body.ts'
import {
  approveOrder,
  captureOrder,
  createOrder,
  decideHold,
  findCapture,
  getOrder,
  patchOrder,
  totalOf,
} from './orders.ts'
import {
  completeRefund,
  failRefund,
  getCapture,
  getDispute,
  getRefund,
  openDispute,
  refundCapture,
  resolveDispute,
  withdrawToBank,
} from './payments.ts'
import { payerPage } from './payer-page.ts'
import { transactions } from './reports.ts'
import { captureShape, feeOn, link, payer, refundShape, shortOrder, shortRefund, wholeOrder } from './shapes.ts'
import { PaypalError, detail, invalidRequest, resourceNotFound, mockedError, unprocessable } from './errors.ts'

type PaypalOptions = {
  /** 0 picks a free one. */
  port: number
  clientId: string
  clientSecret: string
  /** The id under which the shop's webhook is registered; signatures include it. */
  webhookId: string
}

const SECOND_MS = 1000
const DAY_MS = 86_400_000
const TOKEN_LIFE_S = 31_668
const CLIENT_TOKEN_LIFE_S = 900
const ORDER_KEY_MS = DAY_MS / 4
const PAYMENT_KEY_MS = 45 * DAY_MS
const REQUEST_ID_MAX = 108
const WEBHOOKS_MAX = 10

/** @property certificateAuthority the root certificate that a shop must trust to accept our events, in one line */
type Paypal = Provider & { certificateAuthority: string }

/**
 * PayPal at the wire: orders, captures, refunds, disputes, reports and webhooks, and the script for the browser at `/paypal.js`.
 * Not simulated: authorizations, several purchase units, vaulting, cards.
 */
export async function startPaypal(
  kit: Kit,
  { port, clientId, clientSecret, webhookId }: PaypalOptions,
): Promise<Paypal> {
  const books = openBooks()
  const script = await readFile(new URL('./shim.js', import.meta.url), 'utf8')
  const { authority, signer: firstOne } = await firstSigner()
  let signer = firstOne
  let listening = ''
  const base = () => listening
  const signing = (): Signing => ({ signer, webhookId })
  const needs: Needs = { kit, books, base, sendEvent: openEvents(kit, books, base, signing) }

  const handle = async (call: Call): Promise<Answer> => {
    if (call.method === 'OPTIONS') return { status: 204, headers: cors }
    if (call.method === 'GET' && call.path === '/paypal.js') {
      const headers = { ...cors, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' }
      return { status: 200, body: script, headers }
    }
    const debugId = randomBytes(7).toString('hex').slice(0, 13)
    const answer = await answerTo(call, debugId)
    // The same object is passed on: the kit recognizes by it that a call is not simulated.
    answer.headers = {
      'paypal-debug-id': debugId,
      'cache-control': 'no-store',
      ...(call.path.startsWith('/sandbox/') && cors),
      ...answer.headers,
    }
    return answer
  }

  async function answerTo(call: Call, debugId: string): Promise<Answer> {
    try {
      if (call.path.startsWith('/sandbox/')) return inBrowser(needs, call)
      if (call.path === '/v1/oauth2/token' && call.method === 'POST') return tokenFor(call)
      if (call.path === '/checkoutnow') return payerPage(needs, call)
      if (call.path === certificatePath(signer) && call.method === 'GET')
        return { status: 200, body: signer.pem, headers: { 'content-type': 'application/x-pem-file' } }
      if (!hasToken(call)) return wrongToken
      if (books.forbidden.some((path) => `${call.method} ${call.path}`.startsWith(path) || call.path.startsWith(path)))
        throw new PaypalError(403, [detail('PERMISSION_DENIED')])
      const trouble = mockedError(call.headers['paypal-mock-response'])
      if (trouble) throw trouble
      return (await routed(call)) ?? unknownCall(debugId)
    } catch (error) {
      if (error instanceof NotPlayed) return unknownCall(debugId)
      if (!(error instanceof PaypalError)) throw error
      return error.answer(debugId)
    }
  }

  const unknownCall = (debugId: string): Answer => kit.notSimulated(new PaypalError(404).answer(debugId))

  function tokenFor({ headers, raw }: Call): Answer {
    const [scheme = '', given = ''] = (headers['authorization'] ?? '').split(' ')
    if (scheme.toLowerCase() !== 'basic' || Buffer.from(given, 'base64').toString() !== `${clientId}:${clientSecret}`)
      return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } }
    const form = new URLSearchParams(raw.toString('utf8'))
    if (form.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' } }
    const isForBrowser = form.get('response_type') === 'client_token'
    const life = isForBrowser ? CLIENT_TOKEN_LIFE_S : TOKEN_LIFE_S
    const token = `A21AA${randomBytes(48).toString('base64url')}`
    const known = isForBrowser ? books.clientTokens : books.tokens
    known.set(token, kit.clock.now().getTime() + life * SECOND_MS)
    return {
      status: 200,
      body: {
        scope: scopesOf(books),
        access_token: token,
        token_type: 'Bearer',
        app_id: 'APP-80W284485P519543T',
        expires_in: life,
        nonce: `${kit.clock.now().toISOString()}${randomBytes(24).toString('base64url')}`,
      },
    }
  }

  const hasToken = ({ headers }: Call): boolean =>
    isAlive(books.tokens, /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '')

  const isAlive = (tokens: Books['tokens'], token: string): boolean =>
    (tokens.get(token) ?? 0) > kit.clock.now().getTime()

  function routed(call: Call): Answer | Promise<Answer> | undefined {
    for (const [name, run] of Object.entries(routes)) {
      const [method, pattern = ''] = name.split(' ')
      const id = method === call.method ? idIn(pattern, call.path) : undefined
      if (id !== undefined) return run(call, id)
    }
    return undefined
  }

  /**
   * Runs the work once per PayPal-Request-Id, and repeats its response with 200 until the id expires. The same id is
   * answered 409 while the work is running, and 422 with another body.
   * @param keptMs how long the response is repeated
   */
  async function once(
    call: Call,
    status: number,
    keptMs: number,
    work: () => { whole: object; short: object } | Promise<{ whole: object; short: object }>,
  ): Promise<Answer> {
    const requestId = call.headers['paypal-request-id']
    if (requestId !== undefined && requestId.length > REQUEST_ID_MAX)
      throw new PaypalError(400, [
        { ...detail('INVALID_STRING_LENGTH'), field: 'PayPal-Request-Id', location: 'header' },
      ])
    const form = /return=representation/.test(call.headers['prefer'] ?? '') ? 'whole' : 'short'
    if (requestId === undefined) return { status, body: structuredClone((await work())[form]) }

    const key = `${call.path} ${requestId}`
    const body = createHash('sha256').update(call.raw).digest('hex')
    const known = books.repeats.get(key)
    if (known && known.until > kit.clock.now().getTime()) {
      if (known.body !== body) throw unprocessable('DUPLICATE_REQUEST_ID')
      return { status: 200, body: known[form] }
    }
    if (books.underWay.has(key)) throw new PaypalError(409, [detail('PREVIOUS_REQUEST_IN_PROGRESS')])
    books.underWay.add(key)
    try {
      // A copy, because the object may change before it is repeated.
      const done = structuredClone(await work())
      books.repeats.set(key, { ...done, body, until: kit.clock.now().getTime() + keptMs })
      return { status, body: done[form] }
    } finally {
      books.underWay.delete(key)
    }
  }

  const ok = (body: object, status = 200): Answer => ({ status, body })

  const routes: Record<string, (call: Call, id: string) => Answer | Promise<Answer>> = {
    'POST /v2/checkout/orders': (call) =>
      once(call, 201, ORDER_KEY_MS, () => {
        const order = createOrder(needs, call.raw, call.headers['paypal-request-id'])
        return { whole: wholeOrder(needs, order), short: shortOrder(needs, order) }
      }),
    'GET /v2/checkout/orders/:id': (_, id) => ok(wholeOrder(needs, getOrder(needs, id))),
    'PATCH /v2/checkout/orders/:id': ({ raw }, id) => {
      patchOrder(needs, id, raw)
      return { status: 204 }
    },
    'POST /v2/checkout/orders/:id/capture': (call, id) =>
      once(call, 201, ORDER_KEY_MS, async () => {
        if (books.captureMs > 0) await pause(books.captureMs)
        const order = captureOrder(needs, id)
        return { whole: wholeOrder(needs, order), short: shortOrder(needs, order) }
      }),
    'GET /v2/payments/captures/:id': (_, id) => ok(captureShape(needs, getCapture(needs, id))),
    'POST /v2/payments/captures/:id/refund': (call, id) =>
      once(call, 201, PAYMENT_KEY_MS, () => {
        const refund = refundCapture(needs, id, call.raw)
        return { whole: refundShape(needs, refund), short: shortRefund(needs, refund) }
      }),
    'GET /v2/payments/refunds/:id': (_, id) => ok(refundShape(needs, getRefund(needs, id))),
    'GET /v1/notifications/webhooks': () => ok({ webhooks: webhooks().map(webhookShape) }),
    'POST /v1/notifications/webhooks': ({ raw }) => ok(webhookShape(addWebhook(raw)), 201),
    'GET /v1/notifications/webhooks/:id': (_, id) => {
      const webhook = webhooks().find((webhook) => webhook.id === id)
      if (!webhook) throw resourceNotFound()
      return ok(webhookShape(webhook))
    },
    'POST /v1/notifications/verify-webhook-signature': ({ raw }) => ok({ verification_status: verified(raw) }),
    'GET /v1/notifications/webhooks-events': ({ query }) => ok(eventList(query)),
    'GET /v1/notifications/webhooks-events/:id': (_, id) => ok(getEvent(id)),
    'POST /v1/notifications/webhooks-events/:id/resend': (_, id) => {
      deliverEvent(kit, getEvent(id), base, signing)
      return ok(getEvent(id), 202)
    },
    'GET /v1/reporting/transactions': ({ query }) => ok(transactions(needs, query)),
    'GET /v1/customer/disputes': ({ query }) =>
      ok({
        items: [...books.disputes.values()]
          .filter(({ captureId }) => [captureId, null].includes(query.get('disputed_transaction_id')))
          .filter(({ updatedAt }) => updatedAt.getTime() >= Date.parse(query.get('update_time_after') ?? '1970'))
          .toReversed()
          .map((dispute) => shortDispute(needs, dispute)),
        links: [link(base(), '/v1/customer/disputes', 'self')],
      }),
    'GET /v1/customer/disputes/:id': (_, id) => ok(disputeShape(needs, getDispute(needs, id))),
    'POST /v1/customer/disputes/:id/provide-evidence': async (call, id) => ok(await provideEvidence(needs, id, call)),
    'POST /v1/customer/disputes/:id/accept-claim': async (call, id) => ok(await acceptClaim(needs, id, call)),
  }

  /** The shop's own webhook, registered by configuration, and those created through the API. */
  function webhooks(): Webhook[] {
    const own = kit.endpoints.get('paypal')
    return [...(own ? [{ id: webhookId, url: own.url, types: ['*'] }] : []), ...books.webhooks.values()]
  }

  const webhookShape = ({ id, url, types }: Webhook) => ({
    id,
    url,
    event_types: types.map((name) => ({ name, description: name === '*' ? 'ALL' : name, status: 'ENABLED' })),
    links: [link(base(), `/v1/notifications/webhooks/${id}`, 'self')],
  })

  /** Stored and listed only; events go to the shop's own webhook. */
  function addWebhook(raw: Buffer): Webhook {
    const { url, event_types: types } = read(webhookBody, jsonFrom(raw))
    if (webhooks().length >= WEBHOOKS_MAX) throw new PaypalError(400, [{ issue: 'WEBHOOK_NUMBER_LIMIT_EXCEEDED' }])
    if (webhooks().some((webhook) => webhook.url === url))
      throw new PaypalError(400, [{ issue: 'WEBHOOK_URL_ALREADY_EXISTS' }])
    const webhook = { id: newId(), url, types: types.map(({ name }) => name) }
    books.webhooks.set(webhook.id, webhook)
    return webhook
  }

  function verified(raw: Buffer): 'SUCCESS' | 'FAILURE' {
    const verification = read(verifyBody, jsonFrom(raw))
    const event = rawField(raw, 'webhook_event')
    if (!event) throw invalidRequest('MISSING_REQUIRED_PARAMETER', '/webhook_event')
    return isGenuine(verification, event, signing()) ? 'SUCCESS' : 'FAILURE'
  }

  function getEvent(id: string): SentEvent {
    const event = books.events.get(id)
    if (!event) throw resourceNotFound()
    return event
  }

  function eventList(query: URLSearchParams) {
    const {
      start_time: from,
      end_time: until,
      event_type: type,
      page_size: size,
    } = read(eventsQuestion, Object.fromEntries(query))
    const found = [...books.events.values()].toReversed().filter(({ create_time: at, event_type: named }) => {
      const made = Date.parse(at)
      const isLate = from !== undefined && made < Date.parse(from)
      const isEarly = until !== undefined && made > Date.parse(until)
      return !isLate && !isEarly && (type === undefined || named === type)
    })
    return {
      events: found.slice(0, size),
      count: Math.min(found.length, size),
      links: [link(base(), `/v1/notifications/webhooks-events?${query}`, 'self')],
    }
  }

  /** Changes for the control page. Each returns what it changed. */
  const changes: Record<string, (wanted: Record<string, unknown>) => unknown> = {
    approve: (wanted) =>
      wholeOrder(
        needs,
        approveOrder(needs, requiredId(wanted, 'order'), outcomeOf(wanted), {
          payerId: payerIn(wanted),
          // Where the payer wants it sent, in PayPal's format, and the recipient.
          ...(isObject(wanted['address']) && { address: wanted['address'] }),
          ...(typeof wanted['name'] === 'string' && { name: wanted['name'] }),
        }),
      ),
    release: (wanted) => captureShape(needs, decideHold(needs, paymentIn(wanted), 'COMPLETED')),
    deny: (wanted) => captureShape(needs, decideHold(needs, paymentIn(wanted), 'DECLINED')),
    dispute: (wanted) =>
      disputeShape(
        needs,
        openDispute(needs, findCapture(needs, paymentIn(wanted)), {
          reason: typeof wanted['reason'] === 'string' ? wanted['reason'] : 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
          isChargeback: wanted['chargeback'] === true,
        }),
      ),
    win_dispute: (wanted) => disputeShape(needs, resolveDispute(needs, requiredId(wanted, 'dispute'), 'won')),
    lose_dispute: (wanted) =>
      disputeShape(
        needs,
        resolveDispute(needs, requiredId(wanted, 'dispute'), 'lost', { asRefund: wanted['as_refund'] === true }),
      ),
    withdraw: (wanted) => withdrawToBank(needs, cents(Number(wanted['amount']))),
    fail_refund: (wanted) => refundShape(needs, failRefund(needs, requiredId(wanted, 'refund'))),
    complete_refund: (wanted) => refundShape(needs, completeRefund(needs, requiredId(wanted, 'refund'))),
    // The next refund is paid by e-check and stays pending.
    slow_refund: () => ({ next: (books.slowRefunds += 1) }),
    // Not awaited: the client may be gone by the time it is done.
    slow_captures: (wanted) => ({ ms: (books.captureMs = Number(wanted['ms'])) }),
    // The features that the app lacks: `disputes`, `dispute answers`, `transactions`.
    lacks: (wanted) => ({
      paths: (books.forbidden = (wanted['features'] as string[]).map((name) => features[name] ?? name)),
    }),
    // An undocumented status, for a refund, capture or dispute.
    say: (wanted) => {
      const id = requiredId(wanted, 'id')
      const about = books.refunds.get(id) ?? books.disputes.get(id) ?? books.captures.get(id) ?? findCapture(needs, id)
      return Object.assign(about, { status: String(wanted['status']), updatedAt: kit.clock.now() })
    },
    expire_tokens: () => {
      const count = books.tokens.size
      books.tokens.clear()
      books.clientTokens.clear()
      return { expired: count }
    },
    // `as`: `good`, `alone` (without intermediates), `expired`, `misnamed`, or `stranger` (from another authority).
    rotate_certificate: async ({ as = 'good' }) => {
      signer = await newSigner(as === 'stranger' ? await newAuthority() : authority, {
        isAlone: as === 'alone',
        isExpired: as === 'expired',
        ...(as === 'misnamed' && { commonName: 'www.paypal.com' }),
      })
      return { certificate: signer.id }
    },
  }

  const server = await kit.serve('paypal', port, handle)
  listening = server.url
  return {
    name: 'paypal',
    url: server.url,
    certificateAuthority: inOneLine(authority.root),
    ledger: () => ledgerOf(books),
    change: async (wanted) => {
      const make = changes[String(wanted['change'])]
      if (!make) throw new Error(`PayPal knows these changes: ${Object.keys(changes).join(', ')}.`)
      return structuredClone(await make(wanted))
    },
    save: () => lastingBooks(books),
    load: (saved) => void Object.assign(books, saved),
    reset: () => void Object.assign(books, openBooks()),
    close: () => server.close(),
  }
}

const ANSWERS = 'POST /v1/customer/disputes'

const features: Readonly<Record<string, string>> = {
  disputes: '/v1/customer/disputes',
  'dispute answers': ANSWERS,
  transactions: '/v1/reporting/transactions',
}

const scopes = [
  'https://uri.paypal.com/services/checkout/one-click-with-merchant-issued-token',
  'https://uri.paypal.com/services/payments/payment',
  'https://uri.paypal.com/services/payments/refund',
  'https://uri.paypal.com/services/reporting/search/read',
  'https://uri.paypal.com/services/applications/webhooks',
  'https://uri.paypal.com/services/disputes/read-seller',
]

const scopesOf = ({ forbidden }: Books): string =>
  [
    ...scopes,
    ...(forbidden.some((path) => ANSWERS.endsWith(path))
      ? []
      : ['https://uri.paypal.com/services/disputes/update-seller']),
  ].join(' ')

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '300',
  'cross-origin-resource-policy': 'cross-origin',
}

const wrongToken: Answer = {
  status: 401,
  body: { error: 'invalid_token', error_description: 'Token signature verification failed' },
}

const webhookBody = z.looseObject({ url: z.url(), event_types: z.array(z.looseObject({ name: z.string() })).min(1) })

const verifyBody = z.looseObject({
  auth_algo: z.string(),
  cert_url: z.string(),
  transmission_id: z.string().max(50),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string().max(50),
})

const eventsQuestion = z.looseObject({
  start_time: z.string().optional(),
  end_time: z.string().optional(),
  event_type: z.string().optional(),
  page_size: z.coerce.number().int().min(1).max(300).default(10),
})

/** @returns the value of `:id` in the path, empty where the pattern has none; undefined when it does not fit */
function idIn(pattern: string, path: string): string | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  const fits =
    wanted.length === given.length && wanted.every((part, at) => part === given[at] || (part === ':id' && given[at]))
  return fits ? (given[wanted.indexOf(':id')] ?? '') : undefined
}

/** Calls of the shim: whether its token is valid, an order's amount, and approving it as the payer chose in the dialog. */
function inBrowser(needs: Needs, { method, path, query }: Call): Answer {
  const token = method === 'GET' ? idIn('/sandbox/client-token/:id', path) : undefined
  if (token !== undefined) {
    const until = needs.books.clientTokens.get(decodeURIComponent(token)) ?? 0
    return until > needs.kit.clock.now().getTime()
      ? { status: 200, body: { valid: true } }
      : { status: 401, body: { error: 'invalid_token', error_description: 'The client token is not valid' } }
  }
  const shown = method === 'GET' ? idIn('/sandbox/order/:id', path) : undefined
  if (shown !== undefined) {
    const { amount, invoice_id: invoice } = getOrder(needs, shown).unit
    return { status: 200, body: { value: amount.value, currency: amount.currency_code, invoice: invoice ?? null } }
  }
  const order = method === 'POST' ? idIn('/sandbox/approve/:id', path) : undefined
  if (order === undefined) throw new NotPlayed()
  const { id, status } = approveOrder(needs, order, outcomeOf({ as: query.get('as') ?? 'approve' }))
  return { status: 200, body: { id, status, payer_id: payer.id } }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The account of another payer than the sandbox's own. */
const payerIn = ({ payer: id }: { payer?: unknown }): string | undefined => (typeof id === 'string' ? id : undefined)

/** `approve`, `hold`, `decline`, or the issue that the capture will fail with. */
function outcomeOf({ as }: Record<string, unknown>): string {
  if (typeof as !== 'string' || as === 'approve') return 'complete'
  return as === 'decline' ? 'INSTRUMENT_DECLINED' : as
}

function ledgerOf({ orders, captures, refunds }: Books) {
  return {
    payments: [...orders.values()].map((order) => {
      const capture = captures.get(order.captureId ?? '')
      return {
        provider: 'paypal',
        id: order.id,
        status: capture?.status ?? order.status,
        amount_cents: capture?.amount ?? totalOf(order),
        fee_cents: capture && !['PENDING', 'DECLINED'].includes(capture.status) ? feeOn(capture.amount) : 0,
        currency: 'usd',
      }
    }),
    refunds: [...refunds.values()].map(({ id, captureId, amount, status }) => ({
      provider: 'paypal',
      id,
      payment_id: captures.get(captureId)?.orderId ?? '',
      amount_cents: amount,
      status,
    })),
  }
}

function paymentIn(wanted: Record<string, unknown>): string {
  return requiredId(wanted, typeof wanted['capture'] === 'string' ? 'capture' : 'order')
}

function requiredId(wanted: Record<string, unknown>, field: string): string {
  const id = wanted[field]
  if (typeof id !== 'string') throw new Error(`This change needs '${field}', an id.`)
  return id
}

import type Stripe from 'stripe'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { readMultipart } from '#sandbox/kit/multipart.ts'
import type { Answer, Call, Kit, Provider } from '#sandbox/kit/types.ts'
import { API_VERSION, idOf, lastingBooks, newId, openBooks } from './books.ts'
import type { Books, IdempotentCall } from './books.ts'
import { getCharge, decideDispute, openDispute } from './disputes.ts'
import { APPLE_PAY_FILE } from './domains.ts'
import { openEvents } from './events.ts'
import type { Cause } from './events.ts'
import { formOfFile } from './files.ts'
import { expandIn } from './expand.ts'
import { decodeForm } from './form.ts'
import type { Form } from './form.ts'
import type { Needs } from './needs.ts'
import { cancelPayment, failNow, finishRedirect, getIntent, requireSecret, slowDown, succeedNow } from './payments.ts'
import { failPayout, landPayout, sendPayout } from './payouts.ts'
import { failRefund } from './refunds.ts'
import { claimKey } from './idempotency.ts'
import { browserRoutes, findObject, expandOnlyField, serverRoutes, withhold } from './routes.ts'
import type { Route } from './routes.ts'
import { removePayment, rewriteBookLine, takeFee } from './bookkeeping-errors.ts'
import { StripeError } from './errors.ts'

/**
 * Checks the traffic: a `request`'s decoded form under Stripe's name of its parameters, an `answer` under the name of its object,
 * an `event` under its type. It throws for a shape that Stripe does not publish; the call is then answered with a 500 that says why.
 */
export type StripeCheck = (kind: 'request' | 'answer' | 'event', name: string, value: unknown) => void

type StripeOptions = {
  /** 0 picks a free one. */
  port: number
  secretKey: string
  publishableKey: string
  check?: StripeCheck
}

/**
 * Stripe at the wire: payments, refunds, disputes, tax and webhooks, and the script for the browser at `/stripe.js`.
 * Not simulated: risk rules, the timing of payouts, customers, subscriptions, county and city taxes.
 */
export async function startStripe(
  kit: Kit,
  { port, secretKey, publishableKey, check }: StripeOptions,
): Promise<Provider> {
  const books = openBooks()
  let listening = ''
  let cause: Cause
  const sendEvent = openEvents(
    kit,
    books,
    () => cause,
    (event) => check?.('event', event.type, event),
  )
  const timers = new Set<() => void>()
  const forgetTimers = () => {
    for (const cancel of timers) cancel()
    timers.clear()
  }
  const needs: Needs = {
    kit,
    books,
    base: () => listening,
    sendEvent,
    later: (ms, label, work) => {
      const cancel = kit.clock.later(ms, label, work)
      timers.add(cancel)
      return cancel
    },
  }
  const script = await readFile(new URL('./shim.js', import.meta.url), 'utf8')

  const handle = async (call: Call): Promise<Answer> => {
    if (call.method === 'OPTIONS') return { status: 204, headers: cors }
    if (call.method === 'GET' && call.path === '/stripe.js') {
      return {
        status: 200,
        body: script,
        headers: { ...cors, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
      }
    }
    if (call.method === 'GET' && call.path === '/files/apple-pay')
      return { status: 200, body: APPLE_PAY_FILE, headers: { 'content-type': 'application/octet-stream' } }
    const requestId = newId('req', 14)
    const answer = await answerTo(call, requestId)
    // The same object is passed on: the kit recognizes by it that a call is not simulated.
    answer.headers = {
      'request-id': requestId,
      'stripe-version': API_VERSION,
      'cache-control': 'no-store',
      ...answer.headers,
    }
    return answer
  }

  /** The page that a redirect leads to, and the handling of its answer. */
  function onRedirectPage(call: Call, id: string): Answer {
    try {
      const outcome = new URLSearchParams(call.raw.toString('utf8')).get('outcome')
      requireSecret(getIntent(needs, id), call.query.get('client_secret') ?? '')
      if (call.method === 'GET')
        return { status: 200, body: redirectPage, headers: { 'content-type': 'text/html; charset=utf-8' } }
      const back = finishRedirect(needs, id, outcome === 'authenticated' ? 'authenticated' : 'failed')
      return { status: 303, headers: { location: back } }
    } catch (error) {
      return errorAnswer(error)
    }
  }

  async function answerTo(call: Call, requestId: string): Promise<Answer> {
    const redirected = /^\/sandbox\/redirect\/(\w+)$/.exec(call.path)?.[1]
    if (redirected) return onRedirectPage(call, redirected)
    try {
      const form = await formOf(call)
      if (isFromBrowser(call, form)) return { ...(await inBrowser(call, form, requestId)), headers: cors }
      requireSecretKey(call)
      requireVersion(call)
      return await onServer(call, form, requestId)
    } catch (error) {
      return { ...errorAnswer(error), headers: call.path.startsWith('/sandbox/') ? cors : {} }
    }
  }

  async function onServer(call: Call, form: Form, requestId: string): Promise<Answer> {
    const found = routeOf(serverRoutes, call)
    if (!found) return unknownCall(call)
    const key = call.method === 'POST' ? call.headers['idempotency-key'] : undefined
    if (key === undefined) return work(found.route, found.id, form, { requestId, idempotencyKey: key })

    const claimed = claimKey(books, key, {
      path: `${call.method} ${call.path}`,
      parameters: JSON.stringify(form),
      at: kit.clock.now().getTime(),
      requestId,
    })
    if ('again' in claimed) return replayAnswer(claimed.again, key)
    const { answer, isKept } = await workKept(found.route, found.id, form, { requestId, idempotencyKey: key })
    if (isKept) claimed.first.answer = answer
    else if (books.repeats.get(key) === claimed.first) books.repeats.delete(key)
    return { ...answer, headers: { 'idempotency-key': key } }
  }

  async function workKept(route: Route, id: string, form: Form, now: NonNullable<Cause>) {
    const trouble = books.troubles.shift()
    try {
      if (trouble?.kind === 'slow') await pause(trouble.ms)
      const answer = work(route, id, form, now)
      return { answer: trouble?.kind === 'fail' ? serverError : answer, isKept: true }
    } catch (error) {
      return { answer: errorAnswer(error), isKept: error instanceof StripeError && error.isKept }
    }
  }

  function work(route: Route, id: string, form: Form, now: Cause): Answer {
    const { expand, run } = route.read(form)
    // Only accepted requests reach the check: a name that is refused anyway needs no second error.
    if (route.takes !== undefined) check?.('request', route.takes, form)
    cause = now
    try {
      const body = run(needs, id)
      const copy = withhold(structuredClone(body))
      expandIn(
        copy,
        expand,
        (named) => findObject(needs, named),
        (object, field) => expandOnlyField(object, field, books),
      )
      if (route.gives !== undefined) check?.('answer', route.gives, copy)
      return { status: 200, body: copy }
    } finally {
      cause = undefined
    }
  }

  async function inBrowser(call: Call, form: Form, requestId: string): Promise<Answer> {
    try {
      if (form['key'] !== publishableKey) throw wrongKey(typeof form['key'] === 'string' ? form['key'] : '')
      const found = routeOf(browserRoutes, call)
      if (!found) throw notForBrowsers
      return work(found.route, found.id, form, { requestId, idempotencyKey: undefined })
    } catch (error) {
      const answer = errorAnswer(error)
      return form['quiet'] === 'true' ? { ...answer, status: 200 } : answer
    }
  }

  function unknownCall(call: Call): Answer {
    return kit.notSimulated({
      status: 404,
      body: {
        error: {
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${call.method}: ${call.path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
        },
      },
    })
  }

  function requireSecretKey(call: Call): void {
    const [scheme = '', given = ''] = (call.headers['authorization'] ?? '').split(' ')
    const key = scheme.toLowerCase() === 'basic' ? Buffer.from(given, 'base64').toString().split(':')[0] : given
    if (!key) {
      throw new StripeError(401, {
        type: 'invalid_request_error',
        message:
          "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
      })
    }
    if (key === publishableKey) throw notForBrowsers
    if (key !== secretKey) throw wrongKey(key)
  }

  const server = await kit.serve('stripe', port, handle)
  listening = server.url
  return {
    name: 'stripe',
    url: server.url,
    ledger: () => ledgerOf(books),
    change: async (wanted) => change(needs, wanted),
    save: () => lastingBooks(books),
    load: (saved) => void Object.assign(books, saved),
    reset: () => {
      forgetTimers()
      Object.assign(books, openBooks())
    },
    close: () => {
      forgetTimers()
      return server.close()
    },
  }
}

/** The parameters of a call; a file among them as fields. */
async function formOf(call: Call): Promise<Form> {
  if (call.method === 'GET' || call.method === 'DELETE') return decodeForm(call.query)
  const parts = await readMultipart(call)
  if (!parts) return decodeForm(call.raw.toString('utf8'))
  const file = parts.files.get('file')
  return { ...decodeForm(new URLSearchParams([...parts.fields])), ...(file && { file: formOfFile(file) }) }
}

function requireVersion(call: Call): void {
  const wanted = call.headers['stripe-version']
  if (wanted !== undefined && wanted !== API_VERSION) {
    throw new StripeError(400, {
      type: 'invalid_request_error',
      message: `Invalid Stripe API version: ${wanted}. This sandbox speaks ${API_VERSION} only.`,
    })
  }
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type, stripe-version',
  'access-control-max-age': '300',
  'cross-origin-resource-policy': 'cross-origin',
}

const redirectPage = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>Amazon Pay test page</title><h1>Amazon Pay test page</h1>
<p>With a real account you would sign in here. In the sandbox you decide how this ends.</p>
<form method="post"><button name="outcome" value="authenticated">Authorize Test Payment</button>
<button name="outcome" value="failed">Fail Test Payment</button></form></html>`

const notForBrowsers = new StripeError(403, {
  type: 'invalid_request_error',
  code: 'secret_key_required',
  message:
    'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
})

const wrongKey = (key: string) =>
  new StripeError(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${key.slice(0, 7)}${'*'.repeat(Math.max(0, key.length - 11))}${key.slice(-4)}`,
  })

const serverError: Answer = {
  status: 500,
  body: {
    error: {
      type: 'api_error',
      message: 'An unknown error occurred',
    },
  },
}

/** A bug of the simulator, or a shape that the check refused, is described in the response: nothing secret is here. */
function errorAnswer(error: unknown): Answer {
  if (error instanceof StripeError) return error.answer
  const message = error instanceof Error ? error.message : String(error)
  return { status: 500, body: { error: { type: 'api_error', message } } }
}

const replayAnswer = ({ answer, requestId }: IdempotentCall & { answer: Answer }, key: string): Answer => ({
  ...answer,
  headers: { 'idempotency-key': key, 'idempotent-replayed': 'true', 'original-request': requestId },
})

const isFromBrowser = (call: Call, form: Form): boolean =>
  call.path.startsWith('/sandbox/') || (typeof form['key'] === 'string' && call.headers['authorization'] === undefined)

function routeOf(routes: readonly Route[], { method, path }: Call): { route: Route; id: string } | undefined {
  const segments = path.split('/').slice(1)
  const fits = (route: Route) =>
    route.method === method &&
    route.path.length === segments.length &&
    route.path.every((part, index) => part === segments[index] || (part === ':id' && isId(segments[index])))
  const route = routes.find(fits)
  return route && { route, id: segments[route.path.indexOf(':id')] ?? '' }
}

/** Keeps `/v1/payment_intents/search` from matching as the payment `search`: every id has a prefix and an underscore. */
const isId = (segment: string | undefined): boolean => segment !== undefined && segment.includes('_')

function ledgerOf({ intents, refunds, charges, balanceTransactions }: Books) {
  const feeOf = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
    balanceTransactions.get(idOf(charges.get(idOf(charge) ?? '')?.balance_transaction) ?? '')?.fee ?? 0
  return {
    payments: [...intents.values()].map((intent) => ({
      provider: 'stripe',
      id: intent.id,
      status: intent.status,
      amount_cents: intent.amount,
      fee_cents: feeOf(intent),
      currency: intent.currency,
    })),
    refunds: [...refunds.values()].map(({ id, payment_intent: payment, amount, status }) => ({
      provider: 'stripe',
      id,
      payment_id: typeof payment === 'string' ? payment : '',
      amount_cents: amount,
      status: status ?? '',
    })),
  }
}

type Changes = Record<string, (needs: Needs, wanted: Record<string, unknown>) => unknown>

/** Changes for the control page. Each returns what it changed. */
const changes: Changes = {
  succeed: (needs, wanted) => succeedNow(needs, requiredId(wanted, 'payment_intent')),
  processing: (needs, wanted) => slowDown(needs, requiredId(wanted, 'payment_intent')),
  fail: (needs, wanted) => failNow(needs, requiredId(wanted, 'payment_intent')),
  cancel: (needs, wanted) => cancelPayment(needs, requiredId(wanted, 'payment_intent'), {}),
  dispute: (needs, wanted) => {
    const intent = getIntent(needs, requiredId(wanted, 'payment_intent'))
    const charge = getCharge(needs, idOf(intent.latest_charge) ?? '', 'payment_intent')
    return openDispute(needs, charge, typeof wanted['reason'] === 'string' ? wanted['reason'] : 'fraudulent', {
      isInquiry: wanted['inquiry'] === true,
    })
  },
  win_dispute: (needs, wanted) =>
    decideDispute(needs, requiredId(wanted, 'dispute'), 'won', { returnsFee: wanted['returns_fee'] === true }),
  lose_dispute: (needs, wanted) => decideDispute(needs, requiredId(wanted, 'dispute'), 'lost'),
  fail_refund: (needs, wanted) => failRefund(needs, requiredId(wanted, 'refund')),
  payout: (needs, wanted) => sendPayout(needs, typeof wanted['amount'] === 'number' ? wanted['amount'] : undefined),
  land_payout: (needs, wanted) => landPayout(needs, requiredId(wanted, 'payout')),
  fail_payout: (needs, wanted) => failPayout(needs, requiredId(wanted, 'payout')),
  forget: (needs, wanted) => removePayment(needs, requiredId(wanted, 'payment_intent')),
  rebook: (needs, wanted) =>
    rewriteBookLine(needs, requiredId(wanted, 'payment_intent'), {
      ...(typeof wanted['amount'] === 'number' && { amount: wanted['amount'] }),
      ...(typeof wanted['fee'] === 'number' && { fee: wanted['fee'] }),
      ...(typeof wanted['currency'] === 'string' && { currency: wanted['currency'] }),
    }),
  take_fee: (needs, wanted) => takeFee(needs, Number(wanted['amount'] ?? 500)),
  late_fee: ({ books }) => {
    books.lateFees += 1
    return { next: 'booked a minute later' }
  },
  // An undocumented status, for an intent, refund, dispute or payout.
  say: (needs, wanted) => {
    const { intents, refunds, disputes, payouts } = needs.books
    const id = requiredId(wanted, 'id')
    const about = intents.get(id) ?? refunds.get(id) ?? disputes.get(id) ?? payouts.get(id)
    if (!about) throw new Error(`There is no ${id}.`)
    return Object.assign(about, { status: String(wanted['status']) })
  },
  // The next call with an idempotency key does its work and answers 500, and so does every repeat with that key.
  keep_500: ({ books }) => {
    books.troubles.push({ kind: 'fail' })
    return { next: 500 }
  },
  // The next call with an idempotency key takes this many real milliseconds, so a repeat arrives while it is running.
  slow: ({ books }, wanted) => {
    const ms = Number(wanted['ms'] ?? 300)
    books.troubles.push({ kind: 'slow', ms })
    return { next: `${ms} ms` }
  },
}

function change(needs: Needs, wanted: Record<string, unknown>): unknown {
  const make = changes[String(wanted['change'])]
  if (!make) throw new Error(`Stripe knows these changes: ${Object.keys(changes).join(', ')}.`)
  return structuredClone(make(needs, wanted))
}

function requiredId(wanted: Record<string, unknown>, field: string): string {
  const id = wanted[field]
  if (typeof id !== 'string') throw new Error(`This change needs '${field}', an id.`)
  return id
}

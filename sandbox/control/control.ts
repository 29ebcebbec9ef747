import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { z } from 'zod'

import type { OpenKit } from '../kit/kit.ts'
import type { Provider, ProviderLedger } from '../kit/types.ts'
import type { Mail, Mailbox } from '../mailbox/mailbox.ts'
import { liveScript } from './live.ts'
import { cardsPage, mailboxPage, mailPage, messagePage, ordersSection, overviewPage } from './pages.ts'
import { breakProvider, breakRequest, stopBreaking, stopRequest, outageSection } from './outages.ts'
import { styleGuideAsset, styleGuidePage } from '../style-guide/serve.ts'
import { chaosRequest, clockRequest, replyRequest, ruleRequest, webhookRequest, worldRequest } from './requests.ts'

const BODY_MAX_BYTES = 1024 * 1024

/** A refused call; `message` is shown to the caller. */
class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Request = {
  method: string
  path: string
  query: URLSearchParams
  /** Sent by a form of a page: the response is a page, too. */
  fromForm: boolean
  wantsJson: boolean
  body: unknown
}

type Reply = { status: number; type: string; text: string | Buffer; headers?: Record<string, string> }

const json = (value: unknown, status = 200): Reply => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
})
const page = (text: string, status = 200): Reply => ({ status, type: 'text/html; charset=utf-8', text })

/** Pages load their own script and show emails in a frame, nothing else. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
/** An email may show pictures and open its links in a new tab; it runs no script and cannot reach this page. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src http: https: data:; font-src http: https:; style-src 'unsafe-inline'; base-uri 'self'; frame-ancestors 'self'"

/**
 * Starts the sandbox's own server: control calls, mailbox, and pages that explain them.
 * @param port 0 picks a free one
 * @param host a loopback address
 * @param shopUrl the shop's address; called for each page, since the shop may start later
 * @param settings environment variables with which a shop finds the simulators, served at `/control/env`
 * @param moved called with how far the clock was moved, after the simulators have caught up
 */
export async function startControl(
  kit: OpenKit,
  providers: readonly Provider[],
  mailbox: Mailbox,
  {
    port,
    host = '127.0.0.1',
    shopUrl = () => undefined,
    moved,
    settings = {},
  }: {
    port: number
    host?: string
    shopUrl?: string | (() => string | undefined)
    moved?: (ms: number) => void | Promise<void>
    settings?: Readonly<Record<string, string>>
  },
): Promise<{ url: string; close(): Promise<void> }> {
  const all: readonly Provider[] = [...providers, mailbox]
  const shop = typeof shopUrl === 'function' ? shopUrl : () => shopUrl

  function ledger(): ProviderLedger {
    const whole: ProviderLedger = { payments: [], refunds: [], partner_orders: [], shipments: [] }
    for (const provider of all) {
      const part = provider.ledger()
      whole.payments.push(...(part.payments ?? []))
      whole.refunds.push(...(part.refunds ?? []))
      whole.partner_orders.push(...(part.partner_orders ?? []))
      whole.shipments.push(...(part.shipments ?? []))
    }
    return whole
  }

  async function advance(body: unknown): Promise<unknown> {
    const { advance: ms } = read(clockRequest, body)
    await kit.clock.advance(ms)
    await moved?.(ms)
    return { now: kit.clock.now().toISOString() }
  }

  async function changeWorld(body: unknown): Promise<unknown> {
    const wanted = read(worldRequest, body)
    const provider = all.find(({ name }) => name === wanted.provider)
    if (!provider) throw new Refusal(422, `${wanted.provider} is not simulated here.`)
    try {
      return (await provider.change(wanted)) ?? {}
    } catch (error) {
      throw new Refusal(422, error instanceof Error ? error.message : String(error))
    }
  }

  function addRule(body: unknown): unknown {
    if (typeof body === 'object' && body !== null && 'seed' in body) return setChaos(body)
    const rule = read(ruleRequest, body)
    kit.rules.add(rule)
    return rule
  }

  function setChaos(body: unknown): unknown {
    const chaos = read(chaosRequest, body)
    kit.chaos.set(chaos)
    return chaos
  }

  async function redeliver(event: string): Promise<unknown> {
    try {
      return await kit.webhooks.redeliver(event)
    } catch (error) {
      throw new Refusal(404, error instanceof Error ? error.message : String(error))
    }
  }

  function reset(): unknown {
    kit.reset()
    for (const provider of all) provider.reset()
    return {}
  }

  function getMail(id: string): Mail {
    const mail = mailbox.find(id)
    if (!mail) throw new Refusal(404, `There is no email ${id}.`)
    return mail
  }

  async function guideAsset(name: string): Promise<Reply> {
    const asset = await styleGuideAsset(name)
    if (!asset) throw new Refusal(404, 'The style guide has no such file.')
    return asset
  }

  const overview = () =>
    overviewPage({
      now: kit.clock.now(),
      speed: kit.speed,
      shopUrl: shop(),
      ledger: ledger(),
      calls: kit.log.since(0),
      deliveries: kit.webhooks.list(),
      notSimulated: kit.log.notSimulated(),
      failing: mailbox.failing(),
      trouble: outageSection(kit),
    })

  /** Calls that change something: answered with JSON, or for a form with a redirect to its page. */
  const actions: readonly [method: string, path: RegExp, act: (request: Request, id: string) => unknown][] = [
    ['POST', /^\/control\/clock$/, ({ body }) => advance(body)],
    ['POST', /^\/control\/rules$/, ({ body }) => addRule(body)],
    ['DELETE', /^\/control\/rules$/, () => (kit.rules.clear(), {})],
    ['POST', /^\/control\/chaos$/, ({ body }) => setChaos(body)],
    ['POST', /^\/control\/break$/, async ({ body }) => (await breakProvider(kit, read(breakRequest, body)), {})],
    ['POST', /^\/control\/unbreak$/, async ({ body }) => (await stopBreaking(kit, read(stopRequest, body)), {})],
    ['DELETE', /^\/control\/chaos$/, () => (kit.chaos.set(undefined), {})],
    ['POST', /^\/control\/webhooks$/, async ({ body }) => (await kit.webhooks.set(read(webhookRequest, body)), {})],
    ['POST', /^\/control\/webhooks\/flush$/, async () => ({ sent: await kit.webhooks.flush() })],
    ['POST', /^\/control\/webhooks\/redeliver\/([^/]+)$/, (_, id) => redeliver(id)],
    ['POST', /^\/control\/world$/, ({ body }) => changeWorld(body)],
    ['POST', /^\/control\/reset$/, reset],
    ['POST', /^\/mail\/empty$/, () => (mailbox.empty(), {})],
    [
      'POST',
      /^\/mail\/(\d+)\/reply$/,
      async ({ body }, id) => (await mailbox.reply(getMail(id).id, read(replyRequest, body).words), {}),
    ],
    ['DELETE', /^\/mail$/, () => (mailbox.empty(), {})],
  ]

  const views: readonly [path: RegExp, view: (request: Request, id: string) => Reply | Promise<Reply>][] = [
    [/^\/$/, () => page(overview())],
    [/^\/orders$/, () => page(ordersSection(ledger()).text)],
    [/^\/cards$/, () => page(cardsPage(shop()))],
    [/^\/style-guide$/, () => styleGuidePage()],
    [/^\/style-guide\/assets\/([\w.-]+)$/, (_, name) => guideAsset(name)],
    [/^\/live\.js$/, () => ({ status: 200, type: 'text/javascript; charset=utf-8', text: liveScript })],
    [/^\/control\/clock$/, () => json({ now: kit.clock.now().toISOString(), speed: kit.speed })],
    [/^\/control\/rules$/, () => json({ rules: kit.rules.list(), chaos: kit.chaos.current() ?? null })],
    [/^\/control\/webhooks$/, () => json({ events: kit.webhooks.list(), orders: kit.webhooks.orders() })],
    [/^\/control\/log$/, ({ query }) => json(kit.log.since(sequenceOf(query)))],
    [/^\/control\/not-simulated$/, () => json(kit.log.notSimulated())],
    [/^\/control\/ledger$/, () => json(ledger())],
    [
      /^\/control\/env$/,
      () => ({
        status: 200,
        type: 'text/plain; charset=utf-8',
        text: `${Object.entries(settings)
          .map(([name, value]) => `${name}=${value}`)
          .join('\n')}\n`,
      }),
    ],
    [
      /^\/mail$/,
      ({ wantsJson }) =>
        wantsJson
          ? json(mailbox.list().map(({ id, to, from, subject, date }) => ({ id, to, from, subject, date })))
          : page(mailboxPage(mailbox.list(), shop())),
    ],
    [/^\/mail\/(\d+)$/, ({ wantsJson }, id) => (wantsJson ? json(getMail(id)) : page(mailPage(getMail(id), shop())))],
    [
      /^\/mail\/(\d+)\/body$/,
      (_, id) => ({
        // Links in an email open outside its frame.
        ...page(`<base target="_blank">${getMail(id).html}`),
        headers: { 'content-security-policy': MAIL_POLICY },
      }),
    ],
    [/^\/mail\/(\d+)\/raw$/, (_, id) => ({ status: 200, type: 'text/plain; charset=utf-8', text: getMail(id).raw })],
  ]

  async function route(request: Request): Promise<Reply> {
    const { method, path, fromForm } = request
    if (method === 'GET' || method === 'HEAD') {
      for (const [pattern, view] of views) {
        const match = pattern.exec(path)
        if (match) return view(request, match[1] ?? '')
      }
      throw new Refusal(404, 'The sandbox has no such page.')
    }
    for (const [wanted, pattern, act] of actions) {
      const match = pattern.exec(path)
      if (!match || wanted !== method) continue
      const result = await act(request, decodeURIComponent(match[1] ?? ''))
      if (!fromForm) return json(result)
      return {
        status: 303,
        type: 'text/plain',
        text: '',
        headers: { location: pageAfter(path) },
      }
    }
    throw new Refusal(404, 'The sandbox has no such call.')
  }

  async function answer(incoming: IncomingMessage): Promise<Reply> {
    let request: Pick<Request, 'fromForm' | 'wantsJson' | 'path'> = { fromForm: false, wantsJson: true, path: '' }
    try {
      checkCaller(incoming)
      const whole = await requestOf(incoming)
      request = whole
      return await route(whole)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const forPerson = request.fromForm || (!request.wantsJson && !request.path.startsWith('/control'))
      return forPerson
        ? page(messagePage('That did not work', error.message, shop()), error.status)
        : json({ message: error.message }, error.status)
    }
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { status, type, text, headers } = await answer(incoming).catch((error: unknown) => {
      process.stderr.write(
        `sandbox: control: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      )
      return json({ message: 'The sandbox failed; see its log.' }, 500)
    })
    outgoing.writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy': PAGE_POLICY,
      ...headers,
    })
    outgoing.end(incoming.method === 'HEAD' ? undefined : text)
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Where a form redirects: to the section of the page that contains it. */
const pageAfter = (path: string): string =>
  path.startsWith('/mail') ? '/mail' : path.endsWith('break') ? '/#trouble' : '/'

/**
 * A page on the internet can reach loopback through the browser: by DNS rebinding or with a form. Neither may move the
 * clock or read the emails.
 */
function checkCaller({ headers, method }: IncomingMessage): void {
  const name = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.exec(headers.host ?? '')
  if (!name) throw new Refusal(403, 'The sandbox answers to 127.0.0.1, localhost and [::1] only.')
  if (method === 'GET' || method === 'HEAD') return
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)
    throw new Refusal(403, 'Other sites may not change the sandbox.')
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const url = new URL(incoming.url ?? '/', 'http://sandbox')
  const type = incoming.headers['content-type'] ?? ''
  const fromForm = type.startsWith('application/x-www-form-urlencoded')
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    fromForm,
    wantsJson: (incoming.headers.accept ?? '').includes('application/json'),
    body: bodyFrom(await textOf(incoming), fromForm),
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= BODY_MAX_BYTES) chunks.push(chunk)
  }
  if (size > BODY_MAX_BYTES) throw new Refusal(413, 'The body is larger than 1 MB.')
  return Buffer.concat(chunks).toString('utf8')
}

function bodyFrom(text: string, fromForm: boolean): unknown {
  if (fromForm) return Object.fromEntries(new URLSearchParams(text))
  if (text === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Refusal(422, `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'invalid'}`)
}

function sequenceOf(query: URLSearchParams): number {
  const since = query.get('since') ?? '0'
  if (!/^\d+$/.test(since)) throw new Refusal(422, 'since must be the number of the last call that you have.')
  return Number(since)
}

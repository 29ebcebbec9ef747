import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { paths } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { SECOND_MS } from '#shared/time.ts'
import { createConcurrencyLimit, type Limits } from './concurrency-limit.ts'
import { refusalPage, wantsPage } from './refusal-page.ts'

const KIB = 1024
/** An address is part of it: a search of ten thousand characters, each written as six, is answered and not cut off. */
const HEADER_LIMIT_BYTES = 64 * KIB
/** More connections than this are closed as they come; idle ones make room before. */
const CONNECTIONS_MAX = 4000
/** Longer than what proxies in front keep theirs open for. */
const KEEP_ALIVE_MS = 72 * SECOND_MS

/** Pages are rendered one after the other anyway: more at once would only make each of them, and everybody else, late. */
const browsingLimits = {
  atOnce: 6,
  waitingMax: 500,
  waitMs: SECOND_MS,
  crowdAfterMs: SECOND_MS,
  crowdWaitMs: 80,
  workMs: 2 * SECOND_MS,
}
/** Whoever pays waits for a provider for most of the time; the limit is for memory. */
const payingLimits = {
  ...browsingLimits,
  atOnce: 256,
  waitingMax: 1000,
  waitMs: 4 * SECOND_MS,
  crowdWaitMs: 4 * SECOND_MS,
}

const SAMPLE_EVERY_MS = 25
/** So many came between two looks, and the second was this late: what came first is not even read yet. */
const MANY = 100
const LATE_MS = 150
const IN_TIME_MS = 50

/** How often somebody who was turned away should come back; apart from each other, or they would come as one. */
const RETRY_AFTER_S = [2, 3, 4, 5, 6] as const

/** What whoever is about to pay, or has paid, asks for; and machines that look after the shop. */
const isHighPriority = [
  ...[paths.cart, paths.checkout, paths.directCheckout, paths.alternateCheckout, paths.success, paths.paymentSuccess],
  ...[
    paths.orderConfirmation,
    paths.track,
    '/api/cart',
    '/api/config',
    '/api/user',
    '/api/payment-success',
    '/api/order',
  ],
  ...['/paypal', '/assets', '/favicon.svg', '/healthz', '/readyz', '/metrics'],
]

/** Reading pages and catalog gives way when the shop is too full; what changes something and what is paid for does not. */
export function isLowPriority({ method, url = '/' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = url.split('?', 1)[0] ?? '/'
  return !isHighPriority.some((one) => path === one || path.startsWith(`${one}/`))
}

/** What the shop has to do at the moment, for `/metrics`. */
export type Load = { browsing: number; paying: number; waiting: number; rejected: number }

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * An HTTP server that stays quick when more is asked of it than it can do, and closes connections of those who are slow on
 * purpose. Who is turned away costs next to nothing: no hook and no route has seen them.
 * @param slowAfterMs how long a request's head and body may take, and an answer that nobody takes
 * @param headers of every answer
 */
export function createLoadSheddingServer(
  handler: Handler,
  {
    slowAfterMs,
    headers,
    limits = { browsing: browsingLimits, paying: payingLimits },
  }: {
    slowAfterMs: number
    headers: Readonly<Record<string, string>>
    limits?: { browsing: Limits; paying: Limits }
  },
): { server: Server; load(): Load } {
  const doors = { browsing: createConcurrencyLimit(limits.browsing), paying: createConcurrencyLimit(limits.paying) }
  let turnedAway = 0
  let came = 0
  let isLate = false

  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: slowAfterMs,
      requestTimeout: slowAfterMs,
      connectionsCheckingInterval: Math.min(SECOND_MS, slowAfterMs / 2),
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      const turnAway = () => {
        turnedAway += 1
        refuse(request, response, headers)
      }
      came += 1
      const isGuest = isLowPriority(request)
      if (isGuest && isLate) return turnAway()
      const door = isGuest ? doors.browsing : doors.paying
      door.acquire((guest) => {
        // The answer is ready long before a slow reader has taken it.
        const leave = () => door.release(guest)
        response.once('prefinish', leave).once('close', leave)
        handler(request, response)
      }, turnAway)
    },
  )
  server.setTimeout(slowAfterMs)
  server.maxConnections = CONNECTIONS_MAX
  server.on('drop', () => server.closeIdleConnections())

  const look = (lateMs: number) => {
    // A machine that is busy with something else is late, too; turning people away would not help it.
    isLate = came > MANY && lateMs > (isLate ? IN_TIME_MS : LATE_MS)
    came = 0
    doors.paying.sweep()
    doors.browsing.sweep()
  }
  server.once('listening', () => {
    let sampledAt = performance.now()
    const sampling = setInterval(() => {
      const lateMs = performance.now() - sampledAt - SAMPLE_EVERY_MS
      sampledAt = performance.now()
      look(lateMs)
    }, SAMPLE_EVERY_MS)
    sampling.unref()
    server.once('close', () => clearInterval(sampling))
  })

  return {
    server,
    load: () => ({
      browsing: doors.browsing.inside(),
      paying: doors.paying.inside(),
      waiting: doors.browsing.waiting() + doors.paying.waiting(),
      rejected: turnedAway,
    }),
  }
}

/** Answers what is no request at all, and closes its connection: nothing else can be said to it. */
export function refuseUnreadable(
  error: Error & { code?: string },
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  const body = JSON.stringify({ code: 'malformed_request', message: refusals.malformed_request[1] })
  const head = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

function refuse(request: IncomingMessage, response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  const [status, message] = refusals.unavailable
  const { method = 'GET', url = '/' } = request
  const isPage = wantsPage({ headers: request.headers, url })
  const body = isPage ? refusalPage(message, { url, method }) : JSON.stringify({ code: 'unavailable', message })
  response
    .writeHead(status, {
      ...headers,
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER_S[Math.floor(performance.now()) % RETRY_AFTER_S.length]),
      vary: 'accept',
    })
    .end(method === 'HEAD' ? undefined : body)
}

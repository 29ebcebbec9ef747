import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { paths } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { VISITS_PATH } from '#contract/visit-path.ts'
import { inLanguage, splitLanguage } from '#shared/language.ts'
import { SECOND_MS } from '#shared/time.ts'
import { createConcurrencyLimit, type Limits } from './concurrency-limit.ts'
import { refusalPage, wantsPage } from '#server/http/refusal-page.ts'
import { sayKnown } from '#words/say.ts'

const KIB = 1024
/** An address is part of it: a search of ten thousand characters, each written as six, is answered and not cut off. */
const HEADER_LIMIT_BYTES = 64 * KIB
/** Beyond this, new connections are dropped and idle ones closed. */
const CONNECTIONS_MAX = 4000
/** Longer than the keep-alive of common proxies. */
const KEEP_ALIVE_MS = 72 * SECOND_MS

/** Rendering is CPU-bound: more at the same time would only delay everybody. */
const browsingLimits = {
  atOnce: 6,
  waitingMax: 500,
  waitMs: SECOND_MS,
  crowdAfterMs: SECOND_MS,
  crowdWaitMs: 80,
  workMs: 2 * SECOND_MS,
}
/** Paying requests mostly wait for a provider; this limits memory only. */
const payingLimits = {
  ...browsingLimits,
  atOnce: 256,
  waitingMax: 1000,
  waitMs: 4 * SECOND_MS,
  crowdWaitMs: 4 * SECOND_MS,
}

/** A crowd in a waiting room takes a share of the processor and no more: who asks where they are can wait for the answer a little longer. */
const roomLimits = {
  ...browsingLimits,
  atOnce: 2,
  waitingMax: 1000,
  waitMs: 5 * SECOND_MS,
  crowdWaitMs: 5 * SECOND_MS,
}

/** As the script of a room's page waits after a refusal. */
const ROOM_REFRESH_S = 10

/** How long an upload may take, of the owner's files and of shoppers' photos; everything else is small. */
export const UPLOAD_MS = 600 * SECOND_MS
const isUpload = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' &&
  /^\/api\/(?:admin\/(?:pictures|imports\/\w+|catalog-file)|order\/(?:claim-photos|reviews\/\d+\/photos))(?:\?|$)/.test(
    url,
  )

const SAMPLE_EVERY_MS = 25
/** Overload: this many requests between two samples, and the sample this late. */
const MANY = 100
const LATE_MS = 150
const IN_TIME_MS = 50

/** Spread out, so that rejected clients do not all retry together. */
const RETRY_AFTER_S = [2, 3, 4, 5, 6] as const

/** Paths of paying customers and of monitoring. */
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
  ...['/drop', '/api/drops'],
  ...['/paypal', '/assets', '/favicon.svg', '/healthz', '/readyz', '/metrics'],
]

export type Door = 'browsing' | 'paying' | 'rooms'

/**
 * Where a request waits. Browsing, and counting it, is rejected first under load; changes and paying customers are not. Waiting rooms have
 * a door of their own, so that a crowd in one delays nobody else.
 */
export function doorOf({ method, url = '/' }: Pick<IncomingMessage, 'method' | 'url'>): Door {
  const path = splitLanguage(url).path.split('?', 1)[0] ?? '/'
  if (/^\/(?:api\/drops|drop)\/\d+\/room$/.test(path)) return 'rooms'
  if (method !== 'GET' && method !== 'HEAD') return path === VISITS_PATH ? 'browsing' : 'paying'
  return isHighPriority.some((one) => path === one || path.startsWith(`${one}/`)) ? 'paying' : 'browsing'
}

/** The current load, for `/metrics`. */
export type Load = Record<Door, number> & { waiting: number; rejected: number }

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * An HTTP server that stays fast under overload and closes deliberately slow connections. Rejected requests cost almost nothing, because
 * they reach no hook or route.
 * @param slowAfterMs timeout for receiving a request and for a client that does not read the answer
 * @param headers of every answer
 * @param shopName for pages
 */
export function createLoadSheddingServer(
  handler: Handler,
  {
    slowAfterMs,
    headers,
    shopName,
    limits = { browsing: browsingLimits, paying: payingLimits, rooms: roomLimits },
  }: {
    slowAfterMs: number
    headers: Readonly<Record<string, string>>
    shopName: () => string
    limits?: Record<Door, Limits>
  },
): { server: Server; load(): Load } {
  const doors = {
    browsing: createConcurrencyLimit(limits.browsing),
    paying: createConcurrencyLimit(limits.paying),
    rooms: createConcurrencyLimit(limits.rooms),
  }
  let turnedAway = 0
  let came = 0
  let isLate = false

  const server = createServer(
    {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: slowAfterMs,
      // Shorter for all but uploads: see `limitBodyTime`.
      requestTimeout: Math.max(UPLOAD_MS, slowAfterMs),
      connectionsCheckingInterval: Math.min(SECOND_MS, slowAfterMs / 2),
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      const turnAway = () => {
        turnedAway += 1
        refuse(request, response, headers, shopName())
      }
      came += 1
      limitBodyTime(request, response, slowAfterMs, headers)
      const name = doorOf(request)
      if (name === 'browsing' && isLate) return turnAway()
      const door = doors[name]
      door.acquire((guest) => {
        // Release when the answer is ready, not when a slow client has read it.
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
    // A late sample alone can have other causes, which rejecting requests would not help.
    isLate = came > MANY && lateMs > (isLate ? IN_TIME_MS : LATE_MS)
    came = 0
    for (const door of Object.values(doors)) door.sweep()
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
      rooms: doors.rooms.inside(),
      waiting: Object.values(doors).reduce((sum, door) => sum + door.waiting(), 0),
      rejected: turnedAway,
    }),
  }
}

/** Ends a request whose body does not arrive in time; an upload may take as long as the server allows, unless it was refused. */
function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  slowAfterMs: number,
  headers: Readonly<Record<string, string>>,
): void {
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) return
  const start = () => {
    if (request.complete) return
    const timer = setTimeout(() => {
      if (request.complete) return
      if (response.headersSent) request.socket.destroy()
      else
        refuseUnreadable(
          Object.assign(new Error('slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
          request.socket,
          headers,
        )
    }, slowAfterMs)
    request.once('close', () => clearTimeout(timer))
  }
  if (isUpload(request)) response.once('finish', start)
  else start()
}

/** Answers an unreadable request and closes its connection. */
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

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  shopName: string,
): void {
  const [status] = refusals.unavailable
  const { method = 'GET', url = '/' } = request
  const isPage = wantsPage({ headers: request.headers, url })
  const body = inLanguage(splitLanguage(url).language ?? 'en', () => {
    const message = sayKnown(refusals.unavailable[1])
    return isPage ? refusalPage(message, { url, method }, shopName) : JSON.stringify({ code: 'unavailable', message })
  })
  response
    .writeHead(status, {
      ...headers,
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'retry-after': String(RETRY_AFTER_S[Math.floor(performance.now()) % RETRY_AFTER_S.length]),
      // Who waits in line without script keeps the place by waiting.
      ...(isPage && method === 'GET' && doorOf(request) === 'rooms' && { refresh: String(ROOM_REFRESH_S) }),
      vary: 'accept',
    })
    .end(method === 'HEAD' ? undefined : body)
}

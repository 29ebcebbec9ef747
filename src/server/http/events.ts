import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RefusalCode } from '#contract/refusals.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { networkOf } from './ip-network.ts'
import type { App } from './app.ts'
import { bodyOfRefusal, Refusal, statusOfRefusal } from './refusal.ts'

/** A webhook event that is unreadable or not authentic. Answered and counted here, never logged individually. */
export class UntrustedEvent extends Error {
  override name = 'UntrustedEvent'
  readonly code: RefusalCode
  /** The reason, for the log. */
  readonly kind: string

  constructor(kind: string, code: RefusalCode = 'bad_signature') {
    super(kind)
    this.kind = kind
    this.code = code
  }
}

type ReceivedEvent = {
  request: FastifyRequest
  /** The raw body, which signatures cover. */
  body: string
  /** The same, read. @throws UntrustedEvent for no JSON, or one that would change what objects are */
  json: () => unknown
  /** Whether this sender may cause a call to the provider; limited, because forged events cost nothing. */
  mayAsk: () => boolean
}

type EventEndpoint = {
  provider: string
  path: string
  /** What is wrong as far as the head of the request tells; then its body is not read. @throws UntrustedEvent */
  glance: (request: FastifyRequest) => void
  /** @throws UntrustedEvent */
  receive: (arrived: ReceivedEvent) => Promise<void>
}

/** Beyond it an address is told to wait. Whatever is genuine is taken from it all the same. */
const WRONG_MAX = 60
/** On one sender's word, and on everybody's together. */
const VERIFICATIONS_MAX = 3
const VERIFICATIONS_TOTAL_MAX = 30
const VERIFICATION_WINDOW_MS = 10 * MINUTE_MS

/** Beyond this size the parser refuses, whatever the head says. */
const BODY_MAX_BYTES = 1024 * 1024

/**
 * An address for a provider's events. What is not believed costs a look at its head, and then an answer: no call, no row, and of each
 * kind one line a minute. All counts are this instance's own: a shared one would cost a statement for each forged event.
 */
export function receiveEvents({ http, forgeries }: App, { provider, path, glance, receive }: EventEndpoint): void {
  const wrong = createCounts(WRONG_MAX, MINUTE_MS)
  const asked = createCounts(VERIFICATIONS_MAX, VERIFICATION_WINDOW_MS)
  const askedByAll = createCounts(VERIFICATIONS_TOTAL_MAX, VERIFICATION_WINDOW_MS)
  const mayAsk = ({ ip }: FastifyRequest) => asked.isWithin(networkOf(ip)) && askedByAll.isWithin('all')

  const parse = http.getDefaultJsonParser('error', 'error')
  function read(request: FastifyRequest, body: string): unknown {
    let read: unknown
    void parse(request, body, (error, value) => {
      if (error) throw new UntrustedEvent('not JSON', 'malformed_json')
      read = value
    })
    return read
  }

  function reject(request: FastifyRequest, reply: FastifyReply, { kind, code }: Pick<UntrustedEvent, 'kind' | 'code'>) {
    forgeries.note(provider, kind)
    const isTooMany = !wrong.isWithin(networkOf(request.ip))
    const refused = new Refusal(isTooMany ? 'too_many' : code)
    if (isTooMany || statusOfRefusal(code) === 503) reply.header('retry-after', MINUTE_MS / 1000)
    return reply.code(statusOfRefusal(refused.code)).header('cache-control', 'no-store').send(bodyOfRefusal(refused))
  }

  http.register((scope, _, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, parsed) =>
      parsed(null, body),
    )
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof UntrustedEvent) return reject(request, reply, error)
      const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
      if (status === 413) return reject(request, reply, { kind: 'too large', code: 'too_large' })
      if (status === 415) return reject(request, reply, { kind: 'not JSON', code: 'wrong_type' })
      if (status === 400) return reject(request, reply, { kind: 'no body', code: 'malformed_request' })
      throw error
    })
    scope.post(
      path,
      {
        schema: { hide: true },
        config: { signed: true },
        preParsing: async (request) => {
          // A request with the wrong type or size is refused before this.
          const isReadable = /^application\/json\b/.test(request.headers['content-type'] ?? '')
          const isLarge = Number(request.headers['content-length']) > BODY_MAX_BYTES
          if (isReadable && !isLarge) glance(request)
        },
      },
      async (request) => {
        const { body } = request
        if (typeof body !== 'string') throw new UntrustedEvent('no body', 'malformed_request')
        glance(request)
        await receive({ request, body, json: () => read(request, body), mayAsk: () => mayAsk(request) })
        return { received: true }
      },
    )
    done()
  })
}

/** Addresses that are remembered; the one that came first is forgotten first. */
const ADDRESSES_MAX = 5000

/** Counts by name within a window of time, in this process. */
export function createCounts(max: number, windowMs: number, now: () => number = () => performance.now()) {
  const names = new Map<string, { count: number; until: number }>()
  return {
    /** Counts one more. @returns whether it is still one of the first `max` */
    isWithin(name: string): boolean {
      const known = names.get(name)
      if (known && known.until > now()) return (known.count += 1) <= max
      names.delete(name)
      names.set(name, { count: 1, until: now() + windowMs })
      const [oldest] = names.keys()
      if (names.size > ADDRESSES_MAX && oldest !== undefined) names.delete(oldest)
      return true
    },
  }
}

/** One line a minute for each kind of thing that was not believed, with how often it came. */
export function createForgeryLog(log: { warn(facts: object, words: string): void }) {
  const counts = new Map<string, { provider: string; kind: string; count: number }>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const facts of counts.values()) log.warn(facts, 'rejected webhook events')
    counts.clear()
  }

  return {
    note(provider: string, kind: string): void {
      const known = counts.get(`${provider} ${kind}`)
      if (known) known.count += 1
      else counts.set(`${provider} ${kind}`, { provider, kind, count: 1 })
      timer ??= setTimeout(flush, MINUTE_MS).unref()
    },
    flush,
  }
}

export type ForgeryLog = ReturnType<typeof createForgeryLog>

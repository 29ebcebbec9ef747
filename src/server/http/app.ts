import { randomBytes, randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import Fastify, { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { config as configureZod } from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { splitLanguage } from '#shared/language.ts'
import type { Call } from '#contract/call.ts'
import { label } from '#site/label.ts'
import type { Needs } from '#server/shop.ts'
import { networkOf } from './ip-network.ts'
import { languageOfRequest, keepLanguage } from './language.ts'
import { compressLongAnswer } from './compress.ts'
import { createContext, sessionCookieName, type Context, type Sessions } from './context.ts'
import { answerErrors } from './errors.ts'
import { createForgeryLog, type ForgeryLog } from './events.ts'
import { bodyOfRefusal, Refusal, statusOfRefusal } from './refusal.ts'
import { createPageCache, type PageCache } from './page-cache.ts'
import { changesPerAddress, defaultRateLimit, rateLimits } from '#server/limits/rate-limits.ts'
import { lastSiteName } from '#server/settings/site-settings.ts'
import { createLoadSheddingServer, refuseUnreadable, type Load } from '#server/limits/load-shedding.ts'
import { securityHeaders } from './security.ts'
import { rateCounterStore } from '#server/limits/rate-counter.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call that a route serves; unset for pages, files and webhooks. */
    call?: Call
    /** Routes that verify a signature skip the origin check. */
    signed?: boolean
    /** Has a limit of its own, and does not use up the changes that an address may make. */
    ownLimit?: boolean
  }
}

/** A call, or a page that is limited like one. */
type RateLimitedCall = Pick<Call, 'method' | 'path'>

/** The HTTP side of the shop, ready for `serve`. */
export type App = {
  http: FastifyInstance
  /** The context of a request, created once. */
  contextOf(request: FastifyRequest, reply: FastifyReply): Context
  limitOf(call: RateLimitedCall): RateLimitOptions
  /** The additional limit per address of calls that have one. @throws Refusal `too_many` */
  addressLimitOf(call: RateLimitedCall): ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | undefined
  /** Pages and responses that are the same for everybody. */
  pageCache: PageCache
  /** The current load. */
  load(): Load
  /** Counts rejected webhook events. */
  forgeries: ForgeryLog
  /** Header of the shop's requests to itself: pages use the same calls as browsers, without rate limits. */
  inProcess: Record<string, string>
}

const BODY_LIMIT_BYTES = 1024 * 1024
const IN_PROCESS_HEADER = 'x-in-process'

export async function createApp(
  { config, database, db, log, clock }: Needs<'config' | 'database' | 'db' | 'log' | 'clock'>,
  sessions: Sessions,
): Promise<App> {
  configureZod(en())
  const { of: protectionsOf, plain } = securityHeaders(config)
  let load: App['load'] = () => ({ browsing: 0, paying: 0, rooms: 0, waiting: 0, rejected: 0 })
  const http = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length ? config.trustedProxies : false,
    bodyLimit: BODY_LIMIT_BYTES,
    serverFactory: (handler) => {
      const careful = createLoadSheddingServer(handler, {
        slowAfterMs: config.slowClientMs,
        headers: plain,
        shopName: () => lastSiteName(db),
      })
      load = careful.load
      return careful.server
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, plain),
    // Unreadable URLs bypass all hooks and error handlers, and Fastify's own answer would repeat them.
    frameworkErrors: (_, request, reply) => {
      request.log.info({ code: 'malformed_request' }, 'refused')
      const refused = new Refusal('malformed_request')
      const unread = reply as unknown as FastifyReply
      void unread
        .code(statusOfRefusal(refused.code))
        .headers({ ...plain, 'cache-control': 'no-store' })
        .send(bodyOfRefusal(refused))
    },
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) => splitLanguage(url).path,
    return503OnClosing: true,
  }) as unknown as FastifyInstance
  http.setValidatorCompiler(validatorCompiler)
  http.setSerializerCompiler(serializerCompiler)
  answerErrors(http, () => lastSiteName(db))

  // JSON only: Fastify would also parse text/plain, which a form on another site can send.
  http.removeAllContentTypeParsers()
  http.addContentTypeParser('application/json', { parseAs: 'string' }, http.getDefaultJsonParser('error', 'error'))

  const pageCache = createPageCache(db, clock)
  const forgeries = createForgeryLog(log)
  http.addHook('onClose', async () => {
    pageCache.close()
    forgeries.flush()
  })

  const inProcess = randomBytes(16).toString('hex')
  http.addHook('onRequest', async (request, reply) => {
    reply.headers(protectionsOf(request.url))
    if (countHosts(request) > 1) throw new Refusal('malformed_request')
    if (!config.publicUrl && !isLoopback(request.host)) throw new Refusal('unknown_host')
    if (isForeign(request, config.publicUrl)) throw new Refusal('foreign_origin')
  })
  let isClosing = false
  http.addHook('preClose', async () => {
    isClosing = true
  })
  http.addHook('onSend', async (_, reply) => {
    // A kept-alive connection would delay the stop for more than a minute.
    if (isClosing) reply.header('connection', 'close')
  })
  http.addHook('onSend', compressLongAnswer)
  await http.register(cookie)
  await keepLanguage(http)
  const cookieName = sessionCookieName(config.publicUrl?.startsWith('https:') ?? false)
  await http.register(rateLimit, {
    global: false,
    store: rateCounterStore(database, () => clock.now().getTime()),
    // Requests are not refused because the counters fail.
    skipOnError: true,
    allowList: (request) => request.headers[IN_PROCESS_HEADER] === inProcess,
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': true,
    },
  })
  const countChange = http.createRateLimit({
    max: Math.round(changesPerAddress.max * config.rateLimitScale),
    timeWindow: changesPerAddress.windowMs,
    keyGenerator: ({ ip }) => networkOf(ip),
    ...rateLimitName('changes of an address'),
  })
  http.addHook('onRequest', async (request, reply) => {
    const { signed, ownLimit } = request.routeOptions.config
    if (isSafe(request) || signed || ownLimit) return
    const counted = await countChange(request)
    if (counted.isAllowed || !counted.isExceeded) return
    reply.header('retry-after', counted.ttlInSeconds)
    throw new Refusal('too_many')
  })
  await http.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: `${label.name}: the calls of the shop`, version: '1' } },
    transform: jsonSchemaTransform,
  })
  http.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(http, request.url.split('?')[0] ?? '/')
    // GET and HEAD for a missing file are 404, not 405.
    const isWrongMethod = allowed.length > 0 && !allowed.includes(isSafe(request) ? 'GET' : request.method)
    const code = isWrongMethod ? 'wrong_method' : 'unknown_call'
    if (isWrongMethod) reply.header('allow', allowed.join(', '))
    return reply
      .code(statusOfRefusal(code))
      .header('cache-control', 'no-store')
      .send(bodyOfRefusal(new Refusal(code), languageOfRequest(request)))
  })
  http.get('/api/openapi.json', { schema: { hide: true } }, () => http.swagger())

  const scaled = (max: number) => Math.max(1, Math.round(max * config.rateLimitScale))
  const contexts = new WeakMap<FastifyRequest, Context>()
  return {
    http,
    pageCache,
    contextOf: (request, reply) => {
      const known = contexts.get(request)
      if (known) return known
      const made = createContext(request, reply, { sessions, publicUrl: config.publicUrl })
      contexts.set(request, made)
      return made
    },
    limitOf: (call) => {
      const { max, windowMs, per, maxPerAddress } = rateLimitOf(call)
      return {
        max: scaled(max),
        timeWindow: windowMs,
        ...rateLimitName(`${call.method} ${call.path}`),
        keyGenerator: ({ cookies, ip }) =>
          (per === 'session' ? cookies[cookieName]?.slice(0, 64) : undefined) ?? networkOf(ip),
        // Without a session, only the limit per address below applies.
        ...(maxPerAddress !== undefined && { allowList: (request) => request.cookies[cookieName] === undefined }),
      }
    },
    addressLimitOf: (call) => {
      const { maxPerAddress, windowMs } = rateLimitOf(call)
      if (maxPerAddress === undefined) return undefined
      const max = scaled(maxPerAddress)
      const count = http.createRateLimit({
        max,
        timeWindow: windowMs,
        keyGenerator: ({ ip }) => networkOf(ip),
        ...rateLimitName(`${call.method} ${call.path} of an address`),
      })
      return async (request, reply) => {
        const counted = await count(request)
        if (counted.isAllowed || !counted.isExceeded) return
        reply.header('retry-after', counted.ttlInSeconds)
        throw new Refusal('too_many')
      }
    },
    load: () => load(),
    forgeries,
    inProcess: { [IN_PROCESS_HEADER]: inProcess },
  }
}

/** The name of a limit's counter, equal on all instances; the plugin passes it to its store. */
const rateLimitName = (counterName: string): object => ({ counterName })

const isSafe = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** Several Host headers must be refused (RFC 9112, section 3.2): Node and a proxy could pick different ones. */
const countHosts = ({ raw: { rawHeaders } }: FastifyRequest): number => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts
}

/**
 * A name of this machine with or without a port, and nothing else (RFC 9110, section 7.2: `uri-host [ ":" port ]`). A search
 * for the name would also find it in `127.0.0.1:80@evil.test`, which a URL parses as evil.test.
 */
const isLoopback = (host: string): boolean => /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(host)

const rateLimitOf = ({ method, path }: RateLimitedCall) => rateLimits[`${method} ${path}`] ?? defaultRateLimit

/** Whether a state-changing request comes from another site, by the browser's headers. */
function isForeign(request: FastifyRequest, publicUrl: string | undefined): boolean {
  if (isSafe(request) || request.routeOptions.config.signed) return false
  const { origin } = request.headers
  if (origin !== undefined) return origin !== (publicUrl ?? `http://${request.host}`)
  const site = request.headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** The methods that a path accepts, except for pages, which answer every path. */
const methodsAt = (http: FastifyInstance, path: string): string[] =>
  methods.filter((method) => {
    const route = http.findRoute({ url: path, method })
    return route !== null && route !== undefined
  })

import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { MINUTE_MS, type Clock } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'
import { Refusal, statusOfRefusal } from './refusal.ts'

/** A response with its compressed forms, created on demand. */
export type Answer = {
  status: number
  type: string
  body: Buffer
  /** Complete and the same for everybody, so it may be cached. */
  isShared: boolean
  /** Complete, but made for each request. */
  isOnce?: boolean
  /** The parsed JSON body, for requests in this process. */
  value?: unknown
  /** Where a page that has moved is now. */
  location?: string
  /** The `link` header: the next page of a list. */
  link?: string
  /** Only of cached answers. */
  etag?: string
  br?: Promise<Buffer>
  gzip?: Promise<Buffer>
}

type CacheEntry = Answer & { freshUntil: number; staleUntil: number }

/** Limited even without changes, because delivery dates move on. */
const FRESH_MS = MINUTE_MS
/** For this long after that, the old answer is sent while a new one is made. */
const STALE_MS = MINUTE_MS
/** Total size of the cache, with compressed forms. */
const CACHE_BYTES = 32 * 1024 * 1024
/** Share for answers requested only once: a crawler cannot push out popular pages. */
const ONCE_BYTES = CACHE_BYTES / 4

/** Below this size compression saves no time. */
const WORTH_IT_BYTES = 1024

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const clearersByDatabase = new WeakMap<Db, Set<() => void>>()

/** Call after committing a change to data that pages show. The database notifies other instances. */
export const clearPageCache = (db: Db): void => clearersByDatabase.get(db)?.forEach((forget) => forget())

export type PageCache = ReturnType<typeof createPageCache>

/**
 * Caches answers up to a size, separately for those requested once and repeatedly; each part drops the least recently used first.
 */
export function createPageCache(db: Db, clock: Clock) {
  const nowMs = () => clock.now().getTime()
  const once = createByteCache(ONCE_BYTES)
  const again = createByteCache(CACHE_BYTES - ONCE_BYTES)
  const making = new Map<string, Promise<Answer>>()
  let changes = 0

  /** Counts as a request. */
  function find(key: string): CacheEntry | undefined {
    const first = once.get(key)
    if (!first) return again.get(key)
    once.delete(key)
    again.set(key, first)
    return first
  }

  function store(key: string, answer: Answer): void {
    const freshUntil = nowMs() + FRESH_MS
    const etag = `"${hash('sha256', answer.body, 'base64url').slice(0, 22)}"`
    const entry = Object.assign(answer, { etag, freshUntil, staleUntil: freshUntil + STALE_MS })
    const cache = again.has(key) ? again : once
    cache.set(key, entry)
  }

  function drop(key: string): void {
    once.delete(key)
    again.delete(key)
  }

  /** Simultaneous requests share one computation. */
  function madeOnce(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const known = making.get(key)
    if (known) return known
    const before = changes
    const begun = make()
      .then((made) => {
        // An answer started before a change may be outdated.
        if (made.isShared && before === changes) store(key, made)
        else if (isGone(made)) drop(key)
        return made
      })
      .finally(() => {
        if (making.get(key) === begun) making.delete(key)
      })
    making.set(key, begun)
    return begun
  }

  const forget = () => {
    changes += 1
    making.clear()
    for (const cache of [once, again]) for (const entry of cache.values()) entry.freshUntil = entry.staleUntil = 0
  }
  const all = clearersByDatabase.get(db) ?? new Set()
  clearersByDatabase.set(db, all.add(forget))

  return {
    /** @returns the cached answer while it is fresh */
    fresh(key: string): Answer | undefined {
      const entry = find(key)
      return entry && entry.freshUntil > nowMs() ? entry : undefined
    },

    /**
     * The cached answer, or a new one. If making it fails or is incomplete, the last complete answer is used instead.
     * @throws what `make` throws when nothing is cached
     */
    async answer(key: string, make: () => Promise<Answer>): Promise<Answer> {
      const entry = find(key)
      const now = nowMs()
      if (entry && entry.freshUntil > now) return entry
      const next = madeOnce(key, make)
      if (!entry) return next
      if (entry.staleUntil > now) {
        next.catch(() => undefined)
        return entry
      }
      try {
        const made = await next
        return made.isShared || isGone(made) ? made : entry
      } catch (error) {
        if (isRefusal(error)) {
          drop(key)
          throw error
        }
        return entry
      }
    },

    close(): void {
      all.delete(forget)
      once.clear()
      again.clear()
    },
  }
}

/** What was cached is no answer any more: the page was removed or has moved, or is made for each request from now on. */
const isGone = ({ status, isOnce = false }: Answer): boolean => isOnce || (status >= 300 && status < 500)
const isRefusal = (error: unknown): boolean => error instanceof Refusal && statusOfRefusal(error.code) < 500

/** Includes the later compressed forms, about an eighth of the body each. */
const sizeOf = ({ body, value }: Answer): number =>
  Math.ceil((body.byteLength + 1) * (value === undefined ? 1.25 : 3.25))

const createByteCache = (maxSize: number) => new LRUCache<string, CacheEntry>({ maxSize, sizeCalculation: sizeOf })

/** Browsers revalidate every time; shared caches may reuse it for a minute. */
const SHARED = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600'
/** Brotli quality: better for answers sent to many, faster for personal ones. */
const QUALITY = { shared: 6, own: 4 }

export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const { status, type, body, isShared, link, etag } = answer
  reply
    .code(status)
    .type(type)
    .header('vary', 'accept-encoding')
    .header('cache-control', isShared ? SHARED : 'no-store')
  if (link !== undefined) reply.header('link', link)
  if (isShared && etag !== undefined) {
    reply.header('etag', etag)
    // Proxies may send several etags, or weak ones.
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  }
  const accepted = body.byteLength < WORTH_IT_BYTES ? '' : (request.headers['accept-encoding'] ?? '')
  if (/\bbr\b/.test(accepted)) {
    const quality = isShared ? QUALITY.shared : QUALITY.own
    answer.br ??= compressBrotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength },
    })
    return reply.header('content-encoding', 'br').send(await answer.br)
  }
  if (/\bgzip\b/.test(accepted)) {
    answer.gzip ??= compressGzip(body)
    return reply.header('content-encoding', 'gzip').send(await answer.gzip)
  }
  return reply.send(body)
}

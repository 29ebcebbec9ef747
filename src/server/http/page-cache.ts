import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'
import { Refusal, statusOfRefusal } from './refusal.ts'

/** A whole answer, and the forms of it that were asked for so far. */
export type Answer = {
  status: number
  type: string
  body: Buffer
  /** The same for everybody and whole: it may stand for later askers too. One that lacks something for now may not. */
  isShared: boolean
  /** What a body of JSON says, for whoever asks in process. */
  value?: unknown
  /** Where a page that has moved is now. */
  location?: string
  /** The header of that name: where a list goes on. */
  link?: string
  /** Of one that is kept. */
  etag?: string
  br?: Promise<Buffer>
  gzip?: Promise<Buffer>
}

type CacheEntry = Answer & { freshUntil: number; staleUntil: number }

/** How long an answer is given without a look at whether it would still be the same; delivery dates move on by themselves. */
const FRESH_MS = MINUTE_MS
/** For so long after that it is given while the next one is being made. */
const STALE_MS = MINUTE_MS
/** All kept answers together, in each form that was asked for. */
const CACHE_BYTES = 32 * 1024 * 1024
/** Of it what was asked for only once: a walk through all addresses that there are pushes nothing else out. */
const ONCE_BYTES = CACHE_BYTES / 4

/** Less is sent as fast as it is. */
const WORTH_IT_BYTES = 1024

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const clearersByDatabase = new WeakMap<Db, Set<() => void>>()

/** To be called once something is committed that pages show: they are made anew. Other instances are told by the database. */
export const clearPageCache = (db: Db): void => clearersByDatabase.get(db)?.forEach((forget) => forget())

export type PageCache = ReturnType<typeof createPageCache>

/**
 * Keeps answers up to a number of bytes. What was asked for again is kept apart from what was asked for once, and of each
 * kind the one that was not wanted for the longest time goes first.
 */
export function createPageCache(db: Db) {
  const once = createByteCache(ONCE_BYTES)
  const again = createByteCache(CACHE_BYTES - ONCE_BYTES)
  const making = new Map<string, Promise<Answer>>()
  let changes = 0

  /** Counts as being asked for. */
  function find(key: string): CacheEntry | undefined {
    const first = once.take(key)
    if (first) again.put(key, first)
    return first ?? again.touch(key)
  }

  function store(key: string, answer: Answer): void {
    const freshUntil = Date.now() + FRESH_MS
    const etag = `"${hash('sha256', answer.body, 'base64url').slice(0, 22)}"`
    const entry = Object.assign(answer, { etag, freshUntil, staleUntil: freshUntil + STALE_MS })
    if (again.touch(key)) again.put(key, entry)
    else once.put(key, entry)
  }

  function drop(key: string): void {
    once.take(key)
    again.take(key)
  }

  /** However many ask for it at the same time, it is made once. */
  function madeOnce(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const known = making.get(key)
    if (known) return known
    const before = changes
    const begun = make()
      .then((made) => {
        // What was read before a change may be older than the change.
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
    once.outdate()
    again.outdate()
  }
  const all = clearersByDatabase.get(db) ?? new Set()
  clearersByDatabase.set(db, all.add(forget))

  return {
    /** @returns undefined unless it can be given as it is */
    fresh(key: string): Answer | undefined {
      const entry = find(key)
      return entry && entry.freshUntil > Date.now() ? entry : undefined
    },

    /**
     * The kept answer, or one that is made now. Where that fails, or lacks something, the last whole one is given instead: a
     * catalog of some minutes ago is better than none.
     * @throws what `make` throws when nothing was kept
     */
    async answer(key: string, make: () => Promise<Answer>): Promise<Answer> {
      const entry = find(key)
      const now = Date.now()
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

    /** A shop that has closed keeps nothing. */
    close(): void {
      all.delete(forget)
      once.clear()
      again.clear()
    },
  }
}

/** It is no longer there, or has moved. */
const isGone = ({ status }: Answer): boolean => status >= 300 && status < 500
const isRefusal = (error: unknown): boolean => error instanceof Refusal && statusOfRefusal(error.code) < 500

// The compressed forms come later and are an eighth of the body together, so they are reckoned in from the start.
const sizeOf = ({ body, value }: Answer): number => body.byteLength * (value === undefined ? 1.25 : 3.25)

/** A shelf of so many bytes, from which falls what nobody touched for the longest time. */
function createByteCache(bytesMax: number) {
  const entries = new Map<string, CacheEntry>()
  let bytes = 0
  const take = (key: string): CacheEntry | undefined => {
    const found = entries.get(key)
    if (!found) return undefined
    entries.delete(key)
    bytes -= sizeOf(found)
    return found
  }
  const put = (key: string, one: CacheEntry): void => {
    take(key)
    entries.set(key, one)
    bytes += sizeOf(one)
    for (const oldest of entries.keys()) {
      if (bytes <= bytesMax) return
      take(oldest)
    }
  }
  return {
    take,
    put,
    touch(key: string): CacheEntry | undefined {
      const found = entries.get(key)
      if (!found) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found
    },
    outdate(): void {
      for (const one of entries.values()) one.freshUntil = one.staleUntil = 0
    },
    clear(): void {
      entries.clear()
      bytes = 0
    },
  }
}

/** Everybody may keep it, but asks each time whether it is still the same; a shared cache for a minute without asking. */
const SHARED = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600'
/** What many get is worth the work; what only one gets is made small as fast as can be. */
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
    // Caches on the way list several, or mark them as weak.
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

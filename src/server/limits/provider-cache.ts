import { LRUCache } from 'lru-cache'
import { ProviderUnavailable, UnusableResponse } from '#server/providers/provider-errors.ts'

/**
 * Caches a provider's responses, refusals included, and stops calling it for a moment after it did not respond. Addresses are looked
 * up again at every pause in typing, and nobody should wait twice for a provider that is down.
 * @param pauseMs how long no request is sent after a failure
 */
export function createProviderCache<Answer>({
  ttlMs,
  pauseMs,
  entriesMax,
  now = () => performance.now(),
}: {
  ttlMs: number
  pauseMs: number
  entriesMax: number
  now?: () => number
}) {
  const entries = new LRUCache<string, Promise<Answer>>({
    max: entriesMax,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now },
  })
  let failure: ProviderUnavailable | undefined
  let pausedUntil = 0

  /** @throws ProviderUnavailable immediately during a pause */
  return function cached(key: string, request: () => Promise<Answer>): Promise<Answer> {
    const known = entries.get(key)
    if (known) return known
    if (failure && pausedUntil > now()) return Promise.reject(failure)

    const fresh = request()
    entries.set(key, fresh)
    fresh.catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable)) return
      if (entries.peek(key) === fresh) entries.delete(key)
      // It responded, but unusably to this one request.
      if (error instanceof UnusableResponse) return
      failure = error
      pausedUntil = now() + pauseMs
    })
    return fresh
  }
}

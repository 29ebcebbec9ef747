import { ProviderUnavailable, UnusableResponse } from './provider-errors.ts'

type CacheEntry<Answer> = { answer: Promise<Answer>; until: number }

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
  const entries = new Map<string, CacheEntry<Answer>>()
  let failure: ProviderUnavailable | undefined
  let pausedUntil = 0

  /** @throws ProviderUnavailable immediately during a pause */
  return function cached(key: string, request: () => Promise<Answer>): Promise<Answer> {
    const before = entries.get(key)
    if (before && before.until > now()) return before.answer
    if (failure && pausedUntil > now()) return Promise.reject(failure)

    const fresh: CacheEntry<Answer> = { answer: request(), until: now() + ttlMs }
    entries.delete(key)
    entries.set(key, fresh)
    const [oldest] = entries.keys()
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest)
    fresh.answer.catch((error: unknown) => {
      if (!(error instanceof ProviderUnavailable)) return
      if (entries.get(key) === fresh) entries.delete(key)
      // It responded, but unusably to this one request.
      if (error instanceof UnusableResponse) return
      failure = error
      pausedUntil = now() + pauseMs
    })
    return fresh.answer
  }
}

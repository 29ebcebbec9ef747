import { LRUCache } from 'lru-cache'
import { MINUTE_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'

/** Changes by another instance show after at most this long. */
const TTL_MS = MINUTE_MS

/** Caches what many pages need of each database. @param max the least recently used entries beyond it are dropped */
export function createDbCache<Key extends string | number, Value extends object>(max: number) {
  const caches = new WeakMap<Db, LRUCache<Key, Value>>()
  return {
    of(db: Db): LRUCache<Key, Value> {
      const cache = caches.get(db) ?? new LRUCache({ max, ttl: TTL_MS })
      caches.set(db, cache)
      return cache
    },
    /** Call after committing a change. What is being read goes to the old cache, which nobody uses anymore. */
    clear: (db: Db): void => void caches.delete(db),
  }
}

/** A cached answer, or a new one; a failed one is not kept. */
export function cachedAnswer<Answer>(
  cache: LRUCache<string, Promise<Answer>>,
  key: string,
  read: () => Promise<Answer>,
): Promise<Answer> {
  const known = cache.get(key)
  if (known) return known
  const answer = read()
  cache.set(key, answer)
  answer.catch(() => {
    if (cache.peek(key) === answer) cache.delete(key)
  })
  return answer
}

import type { Product } from '#contract/catalog.ts'
import type { ProductId } from '#shared/ids.ts'
import { MINUTE_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'
import { clearPageCache } from '#server/http/page-cache.ts'
import { clearSurchargeCache } from './surcharges.ts'

/** Changes by another instance show after at most this long. */
const TTL_MS = MINUTE_MS
/** About 6 MB. */
const PRODUCTS_MAX = 2000

type CacheEntry<Value> = { value: Value; until: number }
const isFresh = <Value>(known: CacheEntry<Value> | undefined): known is CacheEntry<Value> =>
  known !== undefined && known.until > performance.now()
const cacheEntry = <Value>(value: Value): CacheEntry<Value> => ({ value, until: performance.now() + TTL_MS })

const lists = new WeakMap<Db, Map<string, CacheEntry<Promise<unknown>>>>()
const products = new WeakMap<Db, Map<ProductId, CacheEntry<Product>>>()

const cacheOf = <Key, Value>(all: WeakMap<Db, Map<Key, Value>>, db: Db): Map<Key, Value> => {
  const known = all.get(db) ?? new Map<Key, Value>()
  all.set(db, known)
  return known
}

/** Caches a list that many pages need. @param name from a small fixed set */
export function cacheList<List>(db: Db, name: string, read: () => Promise<List>): Promise<List> {
  const cache = cacheOf(lists, db)
  const known = cache.get(name)
  if (isFresh(known)) return known.value as Promise<List>

  const entry = cacheEntry(read())
  cache.set(name, entry)
  entry.value.catch(() => {
    if (cache.get(name) === entry) cache.delete(name)
  })
  return entry.value
}

/** Products by id, in the given order, with a cache that drops the oldest entries first. */
export async function cacheProducts(
  db: Db,
  ids: readonly ProductId[],
  read: (missing: ProductId[]) => Promise<Product[]>,
): Promise<Product[]> {
  const cache = cacheOf(products, db)
  const known = new Map<ProductId, Product>()
  for (const id of ids) {
    const entry = cache.get(id)
    if (isFresh(entry)) known.set(id, entry.value)
  }
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length)
    for (const product of await read(missing)) {
      known.set(product.id, product)
      // The cache was cleared during the read, so the value may be outdated.
      if (products.get(db) !== cache) continue
      cache.delete(product.id)
      cache.set(product.id, cacheEntry(product))
    }
  for (const oldest of cache.keys()) {
    if (cache.size <= PRODUCTS_MAX) break
    cache.delete(oldest)
  }
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** Call after committing a change to the catalog. */
export function clearListingCache(db: Db): void {
  lists.delete(db)
  products.delete(db)
  clearSurchargeCache(db)
  clearPageCache(db)
}

import type { Product } from '#contract/catalog.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Db } from '#server/db/db.ts'
import { clearPageCache } from '#server/http/page-cache.ts'
import { cachedAnswer, createDbCache } from '#server/limits/db-cache.ts'
import { clearCollectionCache } from './collections.ts'

const lists = createDbCache<string, Promise<unknown>>(20)
/** About 6 MB. */
const products = createDbCache<ProductId, Product>(2000)

/** Caches a list that many pages need. @param name from a small fixed set */
export const cacheList = <List>(db: Db, name: string, read: () => Promise<List>): Promise<List> =>
  cachedAnswer(lists.of(db), name, read) as Promise<List>

/** Products by id, in the given order. */
export async function cacheProducts(
  db: Db,
  ids: readonly ProductId[],
  read: (missing: ProductId[]) => Promise<Product[]>,
): Promise<Product[]> {
  const cache = products.of(db)
  const known = new Map(ids.map((id) => [id, cache.get(id)]))
  const missing = ids.filter((id) => !known.get(id))
  for (const product of missing.length > 0 ? await read(missing) : []) {
    known.set(product.id, product)
    cache.set(product.id, product)
  }
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** Call after committing a change to the catalog. */
export function clearListingCache(db: Db): void {
  lists.clear(db)
  products.clear(db)
  clearCollectionCache(db)
  clearPageCache(db)
}

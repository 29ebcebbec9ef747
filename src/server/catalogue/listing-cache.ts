import type { Product } from '#contract/catalogue.ts'
import type { ProductId } from '#kernel/ids.ts'
import { MINUTE_MS } from '#kernel/time.ts'
import type { Db } from '#server/db/db.ts'
import { forgetCatalogueSize } from '#server/http/catalogue-size.ts'
import { forgetPages } from '#server/http/page-cache.ts'
import { forgetSurcharges } from '#server/http/surcharges.ts'

/** Another instance may have imported or synchronised: its changes are seen after this long at most. */
const KEPT_MS = MINUTE_MS
/** About 6 MB. */
const PRODUCTS_MAX = 2000

type Kept<Value> = { value: Value; until: number }
const isFresh = <Value>(known: Kept<Value> | undefined): known is Kept<Value> =>
  known !== undefined && known.until > performance.now()
const fresh = <Value>(value: Value): Kept<Value> => ({ value, until: performance.now() + KEPT_MS })

const lists = new WeakMap<Db, Map<string, Kept<Promise<unknown>>>>()
const products = new WeakMap<Db, Map<ProductId, Kept<Product>>>()

const of = <Key, Value>(all: WeakMap<Db, Map<Key, Value>>, db: Db): Map<Key, Value> => {
  const known = all.get(db) ?? new Map<Key, Value>()
  all.set(db, known)
  return known
}

/** What many pages ask for is put together once a minute. @param name of which there are few */
export function rememberList<List>(db: Db, name: string, read: () => Promise<List>): Promise<List> {
  const kept = of(lists, db)
  const known = kept.get(name)
  if (isFresh(known)) return known.value as Promise<List>

  const made = fresh(read())
  kept.set(name, made)
  made.value.catch(() => {
    if (kept.get(name) === made) kept.delete(name)
  })
  return made.value
}

/** Products by their numbers, in the order given; those that are asked for most are kept. */
export async function rememberProducts(
  db: Db,
  ids: readonly ProductId[],
  read: (missing: ProductId[]) => Promise<Product[]>,
): Promise<Product[]> {
  const kept = of(products, db)
  const known = new Map<ProductId, Product>()
  for (const id of ids) {
    const one = kept.get(id)
    if (isFresh(one)) known.set(id, one.value)
  }
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length)
    for (const product of await read(missing)) {
      known.set(product.id, product)
      // Forgotten meanwhile: what was read may be what was before.
      if (products.get(db) !== kept) continue
      kept.delete(product.id)
      kept.set(product.id, fresh(product))
    }
  for (const oldest of kept.keys()) {
    if (kept.size <= PRODUCTS_MAX) break
    kept.delete(oldest)
  }
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** To be called once a change of the catalogue is committed. */
export function forgetListing(db: Db): void {
  lists.delete(db)
  products.delete(db)
  forgetCatalogueSize(db)
  forgetSurcharges(db)
  forgetPages(db)
}

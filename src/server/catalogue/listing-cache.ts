import type { Product } from '#contract/catalogue.ts'
import { MINUTE_MS } from '#kernel/time.ts'
import type { Db } from '#server/db/db.ts'
import { forgetPages } from '#server/http/page-cache.ts'

/** Another instance may have imported or synchronised: its changes are seen after this long at most. */
const KEPT_MS = MINUTE_MS

type Kept = { products: Promise<Product[]>; until: number }
const kept = new WeakMap<Db, Kept>()

/** Every page asks for the listing; it is put together once a minute. */
export function rememberListing(db: Db, read: () => Promise<Product[]>): Promise<Product[]> {
  const known = kept.get(db)
  if (known && known.until > performance.now()) return known.products

  const fresh: Kept = { products: read(), until: performance.now() + KEPT_MS }
  kept.set(db, fresh)
  fresh.products.catch(() => {
    if (kept.get(db) === fresh) kept.delete(db)
  })
  return fresh.products
}

/** To be called once a change of the catalogue is committed. */
export function forgetListing(db: Db): void {
  kept.delete(db)
  forgetPages(db)
}

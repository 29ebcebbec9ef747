import { MINUTE_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'
import { listedProduct } from './schema.ts'

/** Up to this many products, browsers get the whole list and filter it themselves; larger catalogs are paged. */
export const WHOLE_CATALOG_MAX = 60

/** Changes by another instance show after at most this long. */
const TTL_MS = MINUTE_MS
const cachedSize = new WeakMap<Db, { isWhole: Promise<boolean>; until: number }>()

/** Whether the catalog is small enough for a single list; cached, because every page needs it. */
export function hasWholeCatalog(db: Db): Promise<boolean> {
  const known = cachedSize.get(db)
  if (known && known.until > performance.now()) return known.isWhole
  const isWhole = isListShort(db).catch(() => {
    // Show this page anyway; the next one queries again.
    if (cachedSize.get(db)?.isWhole === isWhole) cachedSize.delete(db)
    return true
  })
  cachedSize.set(db, { isWhole, until: performance.now() + TTL_MS })
  return isWhole
}

const isListShort = async (db: Db): Promise<boolean> =>
  (
    await db
      .select({ id: listedProduct.productId })
      .from(listedProduct)
      .limit(WHOLE_CATALOG_MAX + 1)
  ).length <= WHOLE_CATALOG_MAX

/** Call after committing a change. */
export const clearCatalogSize = (db: Db): void => void cachedSize.delete(db)

import { MINUTE_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'
import { listedProduct } from '#server/db/schema.ts'

/** Up to so many products are one list, which a browser narrows and searches by itself; of more it is sent a part. */
export const WHOLE_CATALOG_MAX = 60

/** Another instance may have changed it: that is seen after this long at most. */
const TTL_MS = MINUTE_MS
const cachedSize = new WeakMap<Db, { isWhole: Promise<boolean>; until: number }>()

/** Whether the catalog is one list. Every page asks for it; the database is asked once a minute. */
export function hasWholeCatalog(db: Db): Promise<boolean> {
  const known = cachedSize.get(db)
  if (known && known.until > performance.now()) return known.isWhole
  const isWhole = isListShort(db).catch(() => {
    // A page is shown rather than none; the next one asks again.
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

/** To be called once a change is committed. */
export const clearCatalogSize = (db: Db): void => void cachedSize.delete(db)

import { MINUTE_MS } from '#kernel/time.ts'
import type { Db } from '#server/db/db.ts'
import { listedProduct } from '#server/db/schema.ts'

/** Up to so many products are one list, which a browser narrows and searches by itself; of more it is sent a part. */
export const WHOLE_CATALOGUE_MAX = 60

/** Another instance may have changed it: that is seen after this long at most. */
const KEPT_MS = MINUTE_MS
const kept = new WeakMap<Db, { isWhole: Promise<boolean>; until: number }>()

/** Whether the catalogue is one list. Every page asks for it; the database is asked once a minute. */
export function hasWholeCatalogue(db: Db): Promise<boolean> {
  const known = kept.get(db)
  if (known && known.until > performance.now()) return known.isWhole
  const isWhole = isListShort(db).catch(() => {
    // A page is shown rather than none; the next one asks again.
    if (kept.get(db)?.isWhole === isWhole) kept.delete(db)
    return true
  })
  kept.set(db, { isWhole, until: performance.now() + KEPT_MS })
  return isWhole
}

const isListShort = async (db: Db): Promise<boolean> =>
  (
    await db
      .select({ id: listedProduct.productId })
      .from(listedProduct)
      .limit(WHOLE_CATALOGUE_MAX + 1)
  ).length <= WHOLE_CATALOGUE_MAX

/** To be called once a change is committed. */
export const forgetCatalogueSize = (db: Db): void => void kept.delete(db)

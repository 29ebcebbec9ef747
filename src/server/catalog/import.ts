import type { Needs } from '#server/shop.ts'
import { readCatalogFile, type CatalogFile } from './catalog-file.ts'
import { clearListingCache } from './listing-cache.ts'
import { hideMissingProducts, replacePictures, upsertProducts } from './store.ts'

/**
 * Imports the shop's own catalog file. Products missing from it are hidden, not deleted, because orders refer to them.
 * @throws Error that lists the mistakes in the file; nothing was changed
 */
export async function importCatalog(
  { db, clock }: Needs<'db' | 'clock'>,
  file: CatalogFile,
): Promise<{ products: number; hidden: number }> {
  const products = readCatalogFile(file)
  const ids = products.map(({ id }) => id)
  const hidden = await db.transaction(async (tx) => {
    const now = clock.now()
    await upsertProducts(tx, products, now)
    await replacePictures(tx, products)
    return hideMissingProducts(tx, ids, now)
  })
  clearListingCache(db)
  return { products: products.length, hidden }
}

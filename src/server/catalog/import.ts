import type { Needs } from '#server/shop.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { readCatalogFile, type CatalogFile, type ProductToImport } from './catalog-file.ts'
import { addKnownCollections } from './collections.ts'
import { clearListingCache } from './listing-cache.ts'
import { listProductTypes } from './product-types.ts'
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
    checkTypes(products, await listProductTypes(tx))
    const now = clock.now()
    await upsertProducts(tx, products, now)
    await replacePictures(tx, products)
    await addKnownCollections(tx, now)
    return hideMissingProducts(tx, ids, now)
  })
  clearListingCache(db)
  return { products: products.length, hidden }
}

/** @throws Error that lists the products of an unknown type */
function checkTypes(products: readonly ProductToImport[], types: readonly ProductType[]): void {
  const known = new Set(types.map(({ key }) => key))
  const mistakes = products.flatMap(({ type }, row) =>
    known.has(type) ? [] : `✖ There is no product type “${type}”\n  → at products[${row}].type`,
  )
  if (mistakes.length > 0) throw new Error(`The catalog file has mistakes.\n${mistakes.join('\n')}`)
}

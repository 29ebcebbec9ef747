import { asc } from 'drizzle-orm'
import type { ProductType } from '#domain/catalog/product-types.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { cacheList } from './listing-cache.ts'
import { productType } from './schema.ts'

/** All types in the order of the filter, cached. */
export const readProductTypes = (db: Db): Promise<ProductType[]> =>
  cacheList(db, 'product-types', () => listProductTypes(db))

export const listProductTypes = (db: Reader) =>
  db.select().from(productType).orderBy(asc(productType.position), asc(productType.key))

import { eq, isNull, sql } from 'drizzle-orm'
import type { ProductId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { formerSlug, product, productType, variant } from './schema.ts'

type KnownProduct = {
  id: ProductId
  slug: string
  /** What the printer calls it, or would. */
  printerName: string
  hasVariants: boolean
}

/** The catalog's products by everything that a former shop's file may call them. */
export type KnownProducts = {
  /** Former slugs too. */
  bySlug: ReadonlyMap<string, KnownProduct>
  byPrinterName: ReadonlyMap<string, KnownProduct>
  /** In lower case. */
  bySku: ReadonlyMap<string, KnownProduct>
  /** Product types by the blank that products of the type are printed on. */
  typeOnBlank: ReadonlyMap<number, string>
}

export async function readKnownProducts(db: Reader): Promise<KnownProducts> {
  const products = await db
    .select({
      id: product.id,
      slug: product.slug,
      printerName: sql<string>`coalesce(${product.externalId}, ${product.slug})`,
      hasVariants: sql<boolean>`exists (select 1 from ${variant} v where v.product_id = product.id)`,
    })
    .from(product)
  const byId = new Map(products.map((one) => [one.id, one]))
  const known = (rows: readonly { key: string | null; id: ProductId }[]) =>
    new Map(
      rows.flatMap(({ key, id }) => {
        const found = byId.get(id)
        return key !== null && found ? [[key.trim().toLowerCase(), found] as const] : []
      }),
    )
  const former = await db.select({ key: formerSlug.slug, id: formerSlug.productId }).from(formerSlug)
  const skuRows = await db
    .select({ key: variant.sku, id: variant.productId })
    .from(variant)
    .innerJoin(product, eq(product.id, variant.productId))
    .where(isNull(variant.goneAt))
  const blanks = await db
    .selectDistinct({ blankId: variant.blankId, type: product.type })
    .from(variant)
    .innerJoin(product, eq(product.id, variant.productId))
  const types = await db.select({ blankId: productType.blankId, type: productType.key }).from(productType)
  return {
    // A type's own blank wins.
    typeOnBlank: new Map(
      [...blanks, ...types].flatMap(({ blankId, type }) => (blankId === null ? [] : [[blankId, type]])),
    ),
    bySlug: known([...former, ...products.map(({ slug, id }) => ({ key: slug, id }))]),
    byPrinterName: new Map(products.map((one) => [one.printerName, one])),
    bySku: known(skuRows),
  }
}

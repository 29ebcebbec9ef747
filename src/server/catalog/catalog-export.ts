import { asc, isNull } from 'drizzle-orm'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { ProductId } from '#shared/ids.ts'
import { decimalFromCents } from '#shared/money.ts'
import type { Db } from '#server/db/db.ts'
import type { CatalogFile } from './catalog-file.ts'
import { readContents } from './product-store.ts'
import { variant } from './schema.ts'

export type ExportedProduct = CatalogFile['products'][number] & {
  id: ProductId
  variants: NonNullable<CatalogFile['products'][number]['variants']>
}

/** Every product in any state with the variants that the printer has; importing it again changes nothing. */
export async function exportProducts(db: Db): Promise<ExportedProduct[]> {
  // Both parts are of the same moment.
  return db.transaction(
    async (tx) => {
      const contents = await readContents(tx)
      const variants = await tx
        .select()
        .from(variant)
        .where(isNull(variant.goneAt))
        .orderBy(asc(variant.productId), asc(variant.position), asc(variant.id))
      const variantsOf = Map.groupBy(variants, ({ productId }) => productId)
      return [...contents].map(
        ([
          id,
          {
            content: { externalId, metadata, ...content },
          },
        ]) => ({
          id,
          ...content,
          ...(externalId !== null && { externalId }),
          metadata: toFileMetadata(metadata),
          variants: (variantsOf.get(id) ?? []).map(toFileVariant),
        }),
      )
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const toFileVariant = (row: typeof variant.$inferSelect): ExportedProduct['variants'][number] => ({
  id: row.id,
  catalogVariantId: row.catalogVariantId,
  blankId: row.blankId,
  name: row.name,
  color: row.color,
  size: row.size,
  sku: row.sku,
  price: decimalFromCents(row.unitPrice),
  cost: row.costCents === null ? null : decimalFromCents(row.costCents),
  availability: row.availability,
  previewUrl: row.previewUrl,
})

function toFileMetadata({ shippingSurcharge, restrictions, keywords }: ProductMetadata): ExportedProduct['metadata'] {
  return {
    ...(keywords && { keywords }),
    ...(shippingSurcharge && {
      shipping_surcharge: { ...shippingSurcharge, amount: Number(decimalFromCents(shippingSurcharge.amount)) },
    }),
    ...(restrictions && {
      restrictions: {
        blocked_countries: restrictions.blockedCountries,
        shipping_delay_regions: restrictions.delayRegions,
        ...(restrictions.minimumAge !== undefined && { age_restriction: restrictions.minimumAge }),
      },
    }),
  }
}

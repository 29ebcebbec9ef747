import type { DraftContent } from '#domain/studio/draft.ts'
import type { SyncProductId } from '#shared/ids.ts'
import { findTiedProducts } from '#server/catalog/sync-store.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { StoreProduct } from '#server/providers/printful/store-products.ts'
import type { Needs } from '#server/shop.ts'
import { DraftRefusal } from './draft-refusal.ts'
import { objectionToProduct } from './printer-products.ts'
import { priceOf } from './variants.ts'

/** The printer's product that a draft takes over, as it is now. @throws DraftRefusal */
export async function readTakenOver(
  { printful }: Needs<'printful'>,
  { takenOver }: DraftContent,
): Promise<StoreProduct> {
  try {
    const product = await printful.getStoreProduct(takenOver as SyncProductId)
    const objection = product.ignored ? 'The printer’s store ignores it now.' : objectionToProduct(product)
    if (objection === undefined) return product
    throw new DraftRefusal('blank', objection)
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'NotFound')
      throw new DraftRefusal('blank', 'The printer no longer has this product. It was deleted there meanwhile.')
    throw error
  }
}

/**
 * Brings a product at the printer to what the draft says: its prices, and a name that the sync finds it by. Done again, it changes
 * nothing.
 * @throws DraftRefusal when it can no longer be taken over
 */
export async function tieTakenOver(shop: Needs<'db' | 'printful'>, content: DraftContent): Promise<SyncProductId> {
  const product = await readTakenOver(shop, content)
  if ((await findTiedProducts(shop.db, [product])).size > 0)
    throw new DraftRefusal('blank', 'This product is in the catalog already.')
  const priced = product.variants.map(({ id, size, unitPrice }) => ({ id, unitPrice, price: priceOf(content, size) }))
  const isNamed = product.externalId !== null
  if (isNamed && priced.every(({ unitPrice, price }) => price === undefined || price === unitPrice)) return product.id
  await shop.printful.changeProduct(product.id, {
    ...(!isNamed && { externalId: content.slug }),
    variants: [
      ...priced.map(({ id, price }) => ({ id, ...(price !== undefined && { retailPrice: price }) })),
      // What is not listed would be deleted.
      ...product.ignoredVariants.map((id) => ({ id })),
    ],
  })
  return product.id
}

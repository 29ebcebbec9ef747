import * as z from 'zod/mini'
import type { SyncProductId } from '#shared/ids.ts'
import { meaningOf } from '#server/providers/event-types.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import { findKnownProduct, listWithOutdatedStock } from './sync-store.ts'
import { syncProducts, type SyncNeeds } from './sync.ts'
import { hasUnwrittenPrices } from './variant-prices.ts'

const id = z.int().check(z.gte(1))
const ids = z.nullish(z.array(id).check(z.maxLength(10_000)))

const CatalogEvent = z.object({
  type: z.string(),
  data: z.object({
    sync_product: z.nullish(z.object({ id })),
    product_id: z.nullish(id),
    variant_stock: z.nullish(z.object({ out: ids, discontinued: ids })),
  }),
})

/** A catalog event's hint: a product to fetch, or the availability of a blank's variants. */
export type CatalogHint =
  | { syncProductId: number }
  | { blankId: number; out: readonly number[]; discontinued: readonly number[] }

/** @returns undefined for an event about something else */
export function catalogHintOf(body: unknown): CatalogHint | undefined {
  const parsed = CatalogEvent.safeParse(body)
  if (!parsed.success) return undefined
  const { type, data } = parsed.data
  if (meaningOf(type) === 'product') return data.sync_product ? { syncProductId: data.sync_product.id } : undefined
  if (meaningOf(type) !== 'stock' || !data.product_id) return undefined
  // Variants that are not named are in stock.
  const { out, discontinued } = data.variant_stock ?? {}
  return { blankId: data.product_id, out: out ?? [], discontinued: discontinued ?? [] }
}

/**
 * Handles a catalog event. Events are unsigned, so they only hint at what to fetch: the product, or the products whose stock of a
 * blank differs from ours.
 * @returns the event's outcome
 * @throws ProviderUnavailable to make the job retry
 */
export async function followCatalogEvent(shop: SyncNeeds, hint: CatalogHint): Promise<string> {
  const products =
    'blankId' in hint
      ? (await listWithOutdatedStock(shop.db, hint.blankId, hint)).flatMap((product) =>
          product.syncProductId === null ? [] : [{ product, id: product.syncProductId }],
        )
      : await productBySyncId(shop, hint.syncProductId as SyncProductId)
  if (!products.length) return 'none of our products'
  // Each price that we write there causes an event; that of the last one is followed.
  if (
    'syncProductId' in hint &&
    (await hasUnwrittenPrices(
      shop.db,
      products.map(({ product }) => product.id),
    ))
  )
    return 'prices are being written'
  const { sync } = await syncProducts(shop, products)
  return `synchronization ${sync}`
}

/** The product with this id at the printer; a new one is found by its external id, our slug. */
async function productBySyncId(
  { db, printful }: SyncNeeds,
  id: SyncProductId,
): Promise<Parameters<typeof syncProducts>[1]> {
  const mapped = await findKnownProduct(db, { syncProductId: id })
  if (mapped) return [{ product: mapped, id }]
  try {
    const { externalId } = await printful.getProduct(id)
    const product = externalId === null ? undefined : await findKnownProduct(db, { slug: externalId })
    return product ? [{ product, id }] : []
  } catch (error) {
    if (error instanceof ProviderRefusal) return []
    throw error
  }
}

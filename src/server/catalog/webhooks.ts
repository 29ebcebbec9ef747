import * as z from 'zod/mini'
import type { SyncProductId } from '#shared/ids.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import { findKnownProduct, listWronglyMapped } from './sync-store.ts'
import { syncProducts, type SyncNeeds } from './sync.ts'

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

/** What an event of the partner says of the catalog: which product to ask about, or how a blank's variants stand. */
export type CatalogHint =
  | { syncProductId: number }
  | { blankId: number; out: readonly number[]; discontinued: readonly number[] }

/** @returns undefined for an event about something else */
export function catalogHintOf(body: unknown): CatalogHint | undefined {
  const parsed = CatalogEvent.safeParse(body)
  if (!parsed.success) return undefined
  const { type, data } = parsed.data
  if (['product_synced', 'product_updated', 'product_deleted'].includes(type))
    return data.sync_product ? { syncProductId: data.sync_product.id } : undefined
  if (type !== 'stock_updated' || !data.product_id) return undefined
  // What is not named is in stock.
  const { out, discontinued } = data.variant_stock ?? {}
  return { blankId: data.product_id, out: out ?? [], discontinued: discontinued ?? [] }
}

/**
 * What becomes of an event about the catalog. Events are unsigned, so what they say is only where to look: the products
 * are asked about again, and of a blank only those whose variants we have otherwise.
 * @returns its outcome, in words
 * @throws ProviderUnavailable the job tries again
 */
export async function followCatalogEvent(shop: SyncNeeds, hint: CatalogHint): Promise<string> {
  const asked =
    'blankId' in hint
      ? (await listWronglyMapped(shop.db, hint.blankId, hint)).flatMap((product) =>
          product.syncProductId === null ? [] : [{ product, id: product.syncProductId }],
        )
      : await productBySyncId(shop, hint.syncProductId as SyncProductId)
  if (!asked.length) return 'no product of ours'
  const { sync } = await syncProducts(shop, asked)
  return `synchronization ${sync}`
}

/** The product that the partner knows by this id; a new one is known by its external id, our slug. */
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

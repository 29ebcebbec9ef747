import type { FormerProduct } from '#domain/imports/former-shop.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { CsvMistake } from '#server/files/csv-reader.ts'
import { createProviderCache } from '#server/limits/provider-cache.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Printful } from '#server/providers/printful/client.ts'
import type { SyncProduct, SyncProductHead } from '#server/providers/printful/shapes.ts'
import type { Needs } from '#server/shop.ts'

/** Printful allows 120 calls a minute, and the owner waits. */
const PRODUCTS_MAX = 1000

/** What a dry run has read serves the import after it. */
const caches = new WeakMap<Printful, ReturnType<typeof createProviderCache<SyncProduct | undefined>>>()

function cacheOf(printful: Printful) {
  const known = caches.get(printful)
  if (known) return known
  const cache = createProviderCache<SyncProduct | undefined>({
    ttlMs: 10 * MINUTE_MS,
    pauseMs: 15 * SECOND_MS,
    entriesMax: 2 * PRODUCTS_MAX,
  })
  caches.set(printful, cache)
  return cache
}

/**
 * The products of the printer's store that a former shop's can be tied to. All of them are read only if SKUs are left that none of the
 * products with a known name has.
 * @param done what the printer calls products that need nothing from it
 * @throws CsvMistake when there are too many; ProviderUnavailable
 */
export async function readPrinterStore(
  { printful }: Needs<'printful'>,
  former: readonly FormerProduct[],
  done: ReadonlySet<string>,
): Promise<SyncProduct[]> {
  const references = new Set(former.flatMap((product) => product.references))
  const skuSet = new Set(former.flatMap(({ variants }) => variants.flatMap(({ sku }) => sku ?? [])))
  if (references.size === 0 && skuSet.size === 0) return []
  const [named, others]: [SyncProductHead[], SyncProductHead[]] = [[], []]
  for await (const head of printful.listProducts())
    if (!head.ignored && head.externalId !== null && !done.has(head.externalId))
      (references.has(head.externalId) ? named : others).push(head)
  const cached = cacheOf(printful)
  const read = async (heads: readonly SyncProductHead[]) => {
    if (heads.length > PRODUCTS_MAX)
      throw new CsvMistake(
        `The printer’s store has ${heads.length} products to compare with this file, and we read ${PRODUCTS_MAX} at once. Please split the file, or name the printer’s products like the old addresses (external ids).`,
      )
    const products: SyncProduct[] = []
    for (const { id } of heads) {
      const product = await cached(String(id), () =>
        printful.getProduct(id).catch((error: unknown) => {
          if (error instanceof ProviderRefusal && error.code === 'NotFound') return undefined
          throw error
        }),
      )
      if (product) products.push(product)
    }
    return products
  }
  const found = await read(named)
  for (const { variants } of found) for (const { sku } of variants) if (sku !== null) skuSet.delete(sku)
  return skuSet.size > 0 ? [...found, ...(await read(others))] : found
}

import { createHash } from 'node:crypto'
import type { ProductId } from '#kernel/ids.ts'
import type { SyncProduct } from '#server/providers/printful/client.ts'
import type { Needs } from '#server/shop.ts'
import { forgetListing } from './listing-cache.ts'
import {
  addCopiedPicture,
  listKnownProducts,
  listProductsWithoutPictures,
  listUncopiedPreviews,
  mapToPartner,
  markGone,
  upsertVariants,
} from './store.ts'

type Syncing = Needs<'db' | 'clock' | 'printful' | 'log'>

export type SyncCounts = {
  /** Products of ours that the partner has. */
  products: number
  variants: number
  /** Variants that the partner no longer has. */
  gone: number
  /** Pictures copied this time. */
  pictures: number
}

/** Where fewer of our products than this share are still there, something is wrong with the answer, not with the store. */
const SHARE_BELIEVED = 0.5

/**
 * Brings our copy of the partner's variants up to date: prices, stock, what is new and what is gone. All is asked first
 * and written at once; an answer that is empty or lacks half of our products changes nothing.
 * @throws ProviderUnavailable, ProviderRefused: nothing was changed
 */
export async function syncCatalogue(shop: Syncing): Promise<SyncCounts> {
  const { db, printful, log } = shop
  const known = await listKnownProducts(db)
  const bySlug = new Map(known.map((product) => [product.slug, product]))

  const found: { id: ProductId; theirs: SyncProduct }[] = []
  for await (const head of printful.listProducts()) {
    const ours = head.externalId === null || head.ignored ? undefined : bySlug.get(head.externalId)
    if (ours) found.push({ id: ours.id, theirs: await printful.getProduct(head.id) })
  }
  const before = known.filter(({ syncProductId }) => syncProductId !== null).length
  if (!found.length || found.length < before * SHARE_BELIEVED) {
    log.error(
      { before, found: found.length },
      'the partner lists too few of our products; the catalogue stays as it is',
    )
    return { products: 0, variants: 0, gone: 0, pictures: 0 }
  }
  const counts = await write(
    shop,
    found,
    known.map(({ id }) => id),
  )
  const pictures = await copyPictures(shop)
  forgetListing(db)
  log.info({ ...counts, pictures }, 'catalogue synchronised')
  return { ...counts, pictures }
}

async function write({ db, clock, log }: Syncing, found: { id: ProductId; theirs: SyncProduct }[], known: ProductId[]) {
  const now = clock.now()
  const variants = found.flatMap(({ id, theirs }) =>
    theirs.variants.flatMap(({ price, catalogVariantId, ignored, ...variant }, position) => {
      if (ignored) return []
      if (price === null || price <= 0 || catalogVariantId === null) {
        log.warn(
          { variantId: variant.id, product: theirs.externalId },
          'a variant without a price or a blank cannot be sold',
        )
        return []
      }
      return [{ ...variant, productId: id, catalogVariantId, position, priceCents: price, updatedAt: now }]
    }),
  )
  // A product that is there without any variant is an answer too early, not an empty shelf.
  const empty = found.filter(({ id }) => !variants.some(({ productId }) => productId === id))
  for (const { theirs } of empty)
    log.warn({ product: theirs.externalId }, 'a product came without variants; it stays as it is')
  const emptyIds = new Set(empty.map(({ id }) => id))
  return db.transaction(async (tx) => {
    await mapToPartner(
      tx,
      found.map(({ id, theirs }) => ({ id, syncProductId: theirs.id })),
    )
    await upsertVariants(tx, variants)
    const gone = await markGone(
      tx,
      known.filter((id) => !emptyIds.has(id)),
      variants.map(({ id }) => id),
      now,
    )
    return { products: found.length, variants: variants.length, gone }
  })
}

const endings: Readonly<Record<string, string>> = { 'image/webp': 'webp', 'image/png': 'png', 'image/jpeg': 'jpg' }

/** Copies the previews of products that have no picture of ours. One that cannot be had is tried again next time. */
async function copyPictures({ db, printful, log }: Syncing): Promise<number> {
  const bare = await listProductsWithoutPictures(db)
  const addresses = await listUncopiedPreviews(
    db,
    bare.map(({ id }) => id),
  )
  let copied = 0
  for (const sourceUrl of addresses) {
    try {
      const { body, contentType } = await printful.downloadPicture(sourceUrl)
      // The address is part of the name: two addresses with the same picture are two rows.
      const hash = createHash('sha256').update(sourceUrl).update(body).digest('hex').slice(0, 20)
      const file = `${hash}.${endings[contentType] ?? 'bin'}`
      await db.transaction((tx) => addCopiedPicture(tx, { file, sourceUrl, contentType, body }))
      copied += 1
    } catch (error) {
      log.warn({ err: error, sourceUrl }, 'a preview picture could not be copied')
    }
  }
  return copied
}

import type { ProductId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { findPrinterPictures, takePrinterPicture } from '#server/pictures/pictures.ts'
import type { Needs } from '#server/shop.ts'
import { listPreviews, listProductsWithoutPictures, listUncopiedPreviews } from './store.ts'

type Copying = Needs<'db' | 'clock' | 'printful' | 'log' | 'pictureProcess'>

/**
 * Takes over the printer's previews for products without a picture of our own. What fails is retried next time.
 * @returns how many were taken over
 */
export const copyPictures = async (shop: Copying): Promise<number> => copyAll(shop, await listMissing(shop.db))

async function copyAll(shop: Copying, sourceUrls: readonly string[]): Promise<number> {
  let copied = 0
  for (const sourceUrl of sourceUrls) {
    try {
      await takePrinterPicture(shop, { sourceUrl, alt: 'The printer’s preview' })
      copied += 1
    } catch (error) {
      shop.log.warn({ err: error, sourceUrl }, 'could not copy a preview picture')
    }
  }
  return copied
}

async function listMissing(db: Reader): Promise<string[]> {
  const products = await listProductsWithoutPictures(db)
  return listUncopiedPreviews(
    db,
    products.map(({ id }) => id),
  )
}

export const hasUncopiedPreviews = async (db: Reader): Promise<boolean> => (await listMissing(db)).length > 0

/** Takes over the previews of one product. @returns whether it has any */
export async function copyPicturesOf(shop: Copying, id: ProductId): Promise<boolean> {
  await copyAll(shop, await listUncopiedPreviews(shop.db, [id]))
  return (await findPrinterPictures(shop.db, await listPreviews(shop.db, [id]))).size > 0
}

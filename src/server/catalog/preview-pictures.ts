import { takePrinterPicture } from '#server/pictures/pictures.ts'
import type { Reader } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { listProductsWithoutPictures, listUncopiedPreviews } from './store.ts'

/**
 * Takes over the printer's previews for products without a picture of our own. What fails is retried next time.
 * @returns how many were taken over
 */
export async function copyPictures(
  shop: Needs<'db' | 'clock' | 'printful' | 'log' | 'pictureProcess'>,
): Promise<number> {
  let copied = 0
  for (const sourceUrl of await listMissing(shop.db)) {
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

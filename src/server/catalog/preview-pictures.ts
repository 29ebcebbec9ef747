import { takePrinterPicture } from '#server/pictures/pictures.ts'
import type { Needs } from '#server/shop.ts'
import { listProductsWithoutPictures, listUncopiedPreviews } from './store.ts'

/**
 * Takes over the printer's previews for products without a picture of our own. What fails is retried next time.
 * @returns how many were taken over
 */
export async function copyPictures(
  shop: Needs<'db' | 'clock' | 'printful' | 'log' | 'pictureProcess'>,
): Promise<number> {
  const products = await listProductsWithoutPictures(shop.db)
  let copied = 0
  for (const sourceUrl of await listUncopiedPreviews(
    shop.db,
    products.map(({ id }) => id),
  )) {
    try {
      await takePrinterPicture(shop, { sourceUrl, alt: 'The printer’s preview' })
      copied += 1
    } catch (error) {
      shop.log.warn({ err: error, sourceUrl }, 'could not copy a preview picture')
    }
  }
  return copied
}

import { createHash } from 'node:crypto'
import type { Needs } from '#server/shop.ts'
import { addCopiedPicture, listProductsWithoutPictures, listUncopiedPreviews } from './store.ts'

const extensions: Readonly<Record<string, string>> = { 'image/webp': 'webp', 'image/png': 'png', 'image/jpeg': 'jpg' }

/**
 * Copies the printer's previews for products without a picture of our own. Failed copies are retried next time.
 * @returns how many were copied
 */
export async function copyPictures({ db, printful, log }: Needs<'db' | 'printful' | 'log'>): Promise<number> {
  const productsWithoutPictures = await listProductsWithoutPictures(db)
  const addresses = await listUncopiedPreviews(
    db,
    productsWithoutPictures.map(({ id }) => id),
  )
  let copied = 0
  for (const sourceUrl of addresses) {
    try {
      const { body, contentType } = await printful.downloadPicture(sourceUrl)
      // Hashed with its address: two addresses with the same picture need two rows.
      const hash = createHash('sha256').update(sourceUrl).update(body).digest('hex').slice(0, 20)
      const file = `${hash}.${extensions[contentType] ?? 'bin'}`
      await db.transaction((tx) => addCopiedPicture(tx, { file, sourceUrl, contentType, body }))
      copied += 1
    } catch (error) {
      log.warn({ err: error, sourceUrl }, 'could not copy a preview picture')
    }
  }
  return copied
}

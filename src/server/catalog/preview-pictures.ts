import { createHash } from 'node:crypto'
import type { Needs } from '#server/shop.ts'
import { addCopiedPicture, listProductsWithoutPictures, listUncopiedPreviews } from './store.ts'

const endings: Readonly<Record<string, string>> = { 'image/webp': 'webp', 'image/png': 'png', 'image/jpeg': 'jpg' }

/**
 * Copies the partner's previews of products that have no picture of ours. One that cannot be had is tried again next time.
 * @returns how many
 */
export async function copyPictures({ db, printful, log }: Needs<'db' | 'printful' | 'log'>): Promise<number> {
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

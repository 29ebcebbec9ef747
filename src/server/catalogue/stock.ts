import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ProviderRefused, ProviderUnavailable } from '#server/providers/trouble.ts'
import type { CatalogueFile } from './catalogue-file.ts'
import { importCatalogue } from './import.ts'
import { findSetting, hasVariants, putSetting } from './store.ts'
import { syncCatalogue, type Syncing } from './sync.ts'

/** Where the shop remembers which file it has taken over. */
const IMPORTED = 'catalogue_file_sha256'

/**
 * Imports the shop's own catalogue file and fetches the partner's variants for it, when the file has changed since the
 * last time: a start must not cost the partner's limit forty calls each. While the partner is away, what was known stays
 * on sale, or nothing is where there was nothing; the schedule asks again within a minute, and so does the next start.
 * @param path of the file, JSON
 * @throws Error with one sentence when the file cannot be read, says where it is wrong, or when the printer answers and has none of its products
 */
export async function stockShelves(shop: Syncing, path: string): Promise<void> {
  const bytes = await readFile(path).catch(() => {
    throw new Error(`The catalogue file ${path} (CATALOGUE_FILE) cannot be read.`)
  })
  const hash = createHash('sha256').update(bytes).digest('hex')
  if ((await findSetting(shop.db, IMPORTED)) === hash) return

  await importCatalogue(shop, parse(bytes.toString('utf8'), path))
  const variants = await synchronised(shop)
  if (variants) await shop.db.transaction((tx) => putSetting(tx, IMPORTED, hash))
  else if (variants === 0 && !(await hasVariants(shop.db)))
    throw new Error('The printer gives none of the products of the catalogue file, so there is nothing to sell.')
}

function parse(text: string, path: string): CatalogueFile {
  try {
    return JSON.parse(text) as CatalogueFile
  } catch {
    throw new Error(`The catalogue file ${path} (CATALOGUE_FILE) is no JSON.`)
  }
}

/** @returns how many variants the printer has of our products; undefined when it does not answer, or not in a way that can be used */
async function synchronised(shop: Syncing): Promise<number | undefined> {
  try {
    return (await syncCatalogue(shop, 'import')).variants
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error
    shop.log.error({ err: error }, 'the printer’s variants could not be had; the schedule and the next start try again')
    return undefined
  }
}

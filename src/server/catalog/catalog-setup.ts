import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import type { CatalogFile } from './catalog-file.ts'
import { importCatalog } from './import.ts'
import { hasVariants } from './store.ts'
import { syncCatalog, type SyncNeeds } from './sync.ts'

/** The setting with the hash of the last imported file. */
const IMPORTED_HASH_SETTING = 'catalog_file_sha256'

/**
 * Imports the shop's own catalog file and fetches the printer's variants for it, if the file has changed: a start must not spend
 * forty calls of the printer's rate limit. While the printer is down, the known variants stay on sale; the schedule retries within a
 * minute, and so does the next start.
 * @param path of the file, JSON
 * @throws Error when the file cannot be read, has mistakes, or names only products that the printer does not have
 */
export async function importChangedCatalog(shop: SyncNeeds, path: string): Promise<void> {
  const bytes = await readFile(path).catch(() => {
    throw new Error(`The catalog file ${path} (CATALOGUE_FILE) cannot be read.`)
  })
  const hash = createHash('sha256').update(bytes).digest('hex')
  if ((await findSetting(shop.db, IMPORTED_HASH_SETTING)) === hash) return

  await importCatalog(shop, parseCatalog(bytes.toString('utf8'), path))
  const variants = await syncVariants(shop)
  if (variants) await shop.db.transaction((tx) => saveSetting(tx, IMPORTED_HASH_SETTING, hash))
  else if (variants === 0 && !(await hasVariants(shop.db)))
    throw new Error('The printer has none of the products in the catalog file, so there is nothing to sell.')
}

function parseCatalog(text: string, path: string): CatalogFile {
  try {
    return JSON.parse(text) as CatalogFile
  } catch {
    throw new Error(`The catalog file ${path} (CATALOGUE_FILE) is not valid JSON.`)
  }
}

/** @returns how many variants the printer has of our products; undefined without a usable answer */
async function syncVariants(shop: SyncNeeds): Promise<number | undefined> {
  try {
    return (await syncCatalog(shop, 'import')).variants
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefusal)) throw error
    shop.log.error({ err: error }, 'could not fetch the printer’s variants; the schedule and the next start will retry')
    return undefined
  }
}

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { CatalogFile } from './catalog-file.ts'
import { importCatalog } from './import.ts'
import { findSetting, hasVariants, saveSetting } from './store.ts'
import { syncCatalog, type SyncNeeds } from './sync.ts'

/** Where the shop remembers which file it has taken over. */
const IMPORTED_HASH_SETTING = 'catalog_file_sha256'

/**
 * Imports the shop's own catalog file and fetches the partner's variants for it, when the file has changed since the
 * last time: a start must not cost the partner's limit forty calls each. While the partner is away, what was known stays
 * on sale, or nothing is where there was nothing; the schedule asks again within a minute, and so does the next start.
 * @param path of the file, JSON
 * @throws Error with one sentence when the file cannot be read, says where it is wrong, or when the printer answers and has none of its products
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
    throw new Error('The printer gives none of the products of the catalog file, so there is nothing to sell.')
}

function parseCatalog(text: string, path: string): CatalogFile {
  try {
    return JSON.parse(text) as CatalogFile
  } catch {
    throw new Error(`The catalog file ${path} (CATALOGUE_FILE) is no JSON.`)
  }
}

/** @returns how many variants the printer has of our products; undefined when it does not answer, or not in a way that can be used */
async function syncVariants(shop: SyncNeeds): Promise<number | undefined> {
  try {
    return (await syncCatalog(shop, 'import')).variants
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefusal)) throw error
    shop.log.error({ err: error }, 'the printer’s variants could not be had; the schedule and the next start try again')
    return undefined
  }
}

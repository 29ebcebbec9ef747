import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { setting } from '#server/db/schema.ts'
import type { Needs } from '#server/shop.ts'
import type { CatalogueFile } from './catalogue-file.ts'
import { importCatalogue } from './import.ts'
import { syncCatalogue } from './sync.ts'

const IMPORTED = 'catalogue_file_sha256'

/**
 * Imports the shop's own catalogue file and fetches the partner's variants for it, when the file has changed since the
 * last time: a start must not cost the partner's limit forty calls each.
 * @throws Error with one sentence when the file cannot be read
 */
export async function stockShelves(shop: Needs<'db' | 'clock' | 'printful' | 'log'>, path: string): Promise<void> {
  const bytes = await readFile(path).catch(() => {
    throw new Error(`The catalogue file ${path} (CATALOGUE_FILE) cannot be read.`)
  })
  const hash = createHash('sha256').update(bytes).digest('hex')
  const [last] = await shop.db.select().from(setting).where(eq(setting.name, IMPORTED))
  if (last?.value === hash) return

  await importCatalogue(shop, JSON.parse(bytes.toString('utf8')) as CatalogueFile)
  const { variants } = await syncCatalogue(shop)
  if (!variants) throw new Error('The print partner lists none of the products of the catalogue file.')
  await shop.db.transaction((tx) =>
    tx
      .insert(setting)
      .values({ name: IMPORTED, value: hash })
      .onConflictDoUpdate({ target: setting.name, set: { value: hash } }),
  )
}

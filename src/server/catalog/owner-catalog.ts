import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { ownerSentenceOf, Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { exportCatalog, type CatalogForm } from './catalog-export.ts'
import { importFile } from './catalog-upload.ts'
import type { ImportReport } from './import-upload.ts'

const USAGE =
  'Usage: npm run owner -- catalog export FILE | catalog import FILE [--dry-run]; FILE ends in .json, .csv or .zip'

/**
 * The owner command `catalog`. An import is a yes to sales below the floor, which a dry run shows.
 * @throws Error with one sentence, or one line per mistake in the file; nothing was changed
 */
export async function catalogByOwner(
  shop: Needs<'db' | 'clock' | 'config' | 'pictureProcess'>,
  [verb, file, option, ...more]: readonly string[],
): Promise<unknown> {
  const [, ending] = /\.(json|csv|zip)$/i.exec(file ?? '') ?? []
  if (file === undefined || ending === undefined || more.length) throw new Error(USAGE)
  if (verb === 'export' && option === undefined) return exportTo(shop, file, ending.toLowerCase() as CatalogForm)
  if (verb === 'import' && (option === undefined || option === '--dry-run'))
    return importFrom(shop, file, option !== undefined)
  throw new Error(USAGE)
}

async function exportTo({ db }: Needs<'db'>, file: string, form: CatalogForm): Promise<{ file: string }> {
  // An interrupted export leaves an earlier file as it was.
  const unfinished = `${file}.unfinished`
  const { bytes } = await exportCatalog(db, form)
  try {
    await pipeline(bytes, createWriteStream(unfinished))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw new Error(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  return { file }
}

async function importFrom(
  shop: Needs<'db' | 'clock' | 'config' | 'pictureProcess'>,
  file: string,
  dryRun: boolean,
): Promise<ImportReport & { dryRun: boolean }> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new Error(`${file} cannot be read.`)
  try {
    return { ...(await importFile(shop, file, { by: COMMAND, dryRun, accepted: true })), dryRun }
  } catch (error) {
    throw error instanceof Refusal ? new Error(ownerSentenceOf(error), { cause: error }) : error
  }
}

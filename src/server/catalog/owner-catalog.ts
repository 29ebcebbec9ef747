import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import type { Needs } from '#server/shop.ts'
import { readCatalogCsv, writeCatalogCsv } from './catalog-csv.ts'
import { exportProducts } from './catalog-export.ts'
import { exportCollections } from './collection-file.ts'
import { CatalogFileError, readCatalogFile } from './catalog-file.ts'
import { uploadCatalog, type ImportReport } from './import.ts'
import { listProductTypes } from './product-types.ts'

const USAGE =
  'Usage: npm run owner -- catalog export FILE | catalog import FILE [--dry-run]; FILE ends in .json or .csv'

/** Larger files would not fit into memory beside a running shop. */
const BYTES_MAX = 256 * 1024 * 1024

/**
 * The owner command `catalog`.
 * @throws Error with one sentence, or one line per mistake in the file; nothing was changed
 */
export async function catalogByOwner(
  shop: Needs<'db' | 'clock'>,
  [verb, file, option, ...more]: readonly string[],
): Promise<unknown> {
  if (file === undefined || more.length || !/\.(?:json|csv)$/i.test(file)) throw new Error(USAGE)
  if (verb === 'export' && option === undefined) return exportTo(shop, file)
  if (verb === 'import' && (option === undefined || option === '--dry-run'))
    return importFrom(shop, file, option !== undefined)
  throw new Error(USAGE)
}

const isCsv = (file: string) => /\.csv$/i.test(file)

async function exportTo({ db }: Needs<'db'>, file: string): Promise<{ products: number; file: string }> {
  const products = await exportProducts(db)
  const text = isCsv(file)
    ? writeCatalogCsv(products)
    : [`${JSON.stringify({ version: 2, ...(await exportSurroundings(db)), products }, null, 2)}\n`]
  // An interrupted export leaves an earlier file as it was.
  const unfinished = `${file}.unfinished`
  try {
    await pipeline(Readable.from(text), createWriteStream(unfinished))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw new Error(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  return { products: products.length, file }
}

/** What products name. */
const exportSurroundings = async (db: Needs<'db'>['db']) => ({
  collections: await exportCollections(db),
  productTypes: await listProductTypes(db),
})

async function importFrom(
  shop: Needs<'db' | 'clock'>,
  file: string,
  dryRun: boolean,
): Promise<ImportReport & { dryRun: boolean }> {
  const size = await stat(file).catch(() => undefined)
  if (!size?.isFile()) throw new Error(`${file} cannot be read.`)
  if (size.size > BYTES_MAX) throw new Error(`${file} is larger than 256 MB.`)
  const bytes = await readFile(file)
  const input = isCsv(file)
    ? { products: await readCatalogCsv(bytes), isWhole: false }
    : { ...readCatalogFile(parseJson(bytes, file)), isWhole: true }
  return { ...(await uploadCatalog(shop, input, { by: COMMAND, dryRun })), dryRun }
}

function parseJson(bytes: Buffer, file: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new CatalogFileError([{ row: 0, column: 'file', problem: `${file} is not valid JSON` }])
  }
}

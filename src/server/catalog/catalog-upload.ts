import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { CATALOG_TEXT_MAX_MB, CATALOG_ZIP_MAX_MB } from '#contract/admin-catalog-file.ts'
import { openZip, ZipMistake, type OpenZip } from '#server/files/unzip.ts'
import { checkArchive } from '#server/pictures/archive.ts'
import type { Needs } from '#server/shop.ts'
import { readCatalogCsv } from './catalog-csv.ts'
import { CatalogFileError } from './catalog-file-error.ts'
import { readCatalogFile } from './catalog-file.ts'
import { uploadCatalog, type CatalogInput, type ImportOptions, type ImportReport } from './import-upload.ts'

const MB = 1024 * 1024
const TEXT_MAX_BYTES = CATALOG_TEXT_MAX_MB * MB
/** Pictures hardly shrink, so an archive that unpacks to much more is a bomb. */
const UNPACKED_MAX_BYTES = 2 * CATALOG_ZIP_MAX_MB * MB

type Importing = Needs<'db' | 'clock' | 'config' | 'pictureProcess'>

const refuse = (problem: string, row = 0) => new CatalogFileError([{ row, column: 'file', problem }])

/**
 * Imports a file as `uploadCatalog` does. What it is follows from its content: an archive, JSON, else a spreadsheet.
 * @throws CatalogFileError; Refusal `catalog_changed`, `below_floor`; nothing was changed
 */
export async function importFile(shop: Importing, path: string, options: ImportOptions): Promise<ImportReport> {
  const start = await firstBytes(path)
  if (!start.subarray(0, 2).equals(Buffer.from('PK'))) return uploadCatalog(shop, await readText(path), options)
  let zip: OpenZip | undefined
  try {
    zip = await openZip(path, UNPACKED_MAX_BYTES)
    return await uploadCatalog(shop, await readArchive(shop, path, zip), options)
  } catch (error) {
    throw error instanceof ZipMistake ? refuse(error.message) : error
  } finally {
    zip?.close()
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function readText(path: string): Promise<CatalogInput> {
  const { size } = await stat(path)
  if (size === 0) throw refuse('The file is empty')
  if (size > TEXT_MAX_BYTES) throw refuse(`The file is larger than ${CATALOG_TEXT_MAX_MB} MB`)
  const bytes = await readFile(path)
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (!isJson(bytes)) return { products: await readCatalogCsv(bytes), isWhole: false, hash }
  const { pictures: _, ...input } = await readCatalogFile(parseJson(bytes))
  return { ...input, isWhole: true, hash }
}

const isJson = (bytes: Buffer): boolean => /^\uFEFF?\s*[{[]/.test(bytes.subarray(0, 64).toString('utf8'))

async function readArchive(shop: Importing, path: string, zip: OpenZip): Promise<CatalogInput> {
  if (!zip.has('catalog.json'))
    throw refuse(
      zip.has('[Content_Types].xml')
        ? 'This is a workbook. Please save it as CSV'
        : 'The archive has no catalog.json at its top. Please choose a file that was exported here',
    )
  const { pictures, ...input } = await readCatalogFile(parseJson(await zip.read('catalog.json', TEXT_MAX_BYTES)))
  const archive = { pictures, zip }
  const mistakes = await checkArchive(shop.db, shop.pictureProcess, archive)
  if (mistakes.length)
    throw new CatalogFileError(mistakes.map(({ row, problem }) => ({ row, column: 'pictures', problem })))
  return { ...input, pictures: archive, isWhole: true, hash: await hashOf(path) }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** @throws CatalogFileError with the place of the mistake, as far as it is known */
function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw refuse('This JSON file is not in UTF-8. Please save it as UTF-8')
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    const [, line = '0'] = /line (\d+) column \d+/.exec(reason) ?? []
    throw refuse(`The file is not valid JSON: ${reason}`, Number(line))
  }
}

import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { IMPORT_MAX_BYTES, type FormerPictures, type ImportReport } from '#contract/admin-imports.ts'
import { formerShops } from '#domain/imports/former-shop.ts'
import { UPLOAD_MAX_BYTES } from '#domain/pictures/upload-limits.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { showFormerPictures, takePicturesFrom } from '#server/catalog/former-pictures.ts'
import { DownloadFailure } from '#server/files/public-download.ts'
import { openZip, ZipMistake } from '#server/files/unzip.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { importExport } from './imports.ts'

const USAGE = `Usage: npm run owner -- import-from ${formerShops.join('|')} FILE [--dry-run] [--type WORD=TYPE]… [--collection ID] [--pictures FOLDER|FILE.zip]`

/** Of all pictures in an archive together, unpacked. */
const ARCHIVE_MAX_BYTES = 20 * 2 ** 30

type OwnerImportNeeds = Parameters<typeof importExport>[0] & Parameters<typeof takePicturesFrom>[0]

/** The owner command `import-from`. @throws Error with one sentence when nothing was imported */
export async function importByOwner(
  shop: OwnerImportNeeds,
  args: readonly string[],
): Promise<ImportReport & { pictures?: FormerPictures }> {
  const { from, file, isDryRun, types, collection, pictures } = readArgs(args)
  try {
    const { size } = await stat(file)
    if (size > IMPORT_MAX_BYTES) throw new Refusal('import_too_large')
    using files = pictures === undefined ? undefined : await picturesIn(pictures)
    const report = await importExport(shop, {
      ...{ from, isDryRun, by: COMMAND, choices: { types, collection } },
      ...{ bytes: await readFile(file), fetchesPictures: files === undefined },
    })
    if (isDryRun || !files) return report
    await takePicturesFrom(shop, files.byName)
    return { ...report, pictures: await showFormerPictures(shop.db) }
  } catch (error) {
    if (error instanceof Refusal) throw new Error(bodyOfRefusal(error).message, { cause: error })
    if (error instanceof ZipMistake) throw error
    if (error instanceof Error && 'path' in error)
      throw new Error(`${String(error.path)} can’t be read.`, { cause: error })
    throw error
  }
}

function readArgs(args: readonly string[]) {
  const { values, positionals } = parse(args)
  const [name, file, ...more] = positionals
  const from = formerShops.find((known) => known === name)
  const pairs = (values.type ?? []).map((pair) => /^(?<word>.*)=(?<type>[^=]+)$/.exec(pair)?.groups)
  if (!from || file === undefined || more.length > 0 || pairs.includes(undefined)) throw new Error(USAGE)
  return {
    ...{ from, file, isDryRun: values['dry-run'] === true, pictures: values.pictures },
    collection: values.collection ?? null,
    types: Object.fromEntries(pairs.map((pair) => [pair?.['word'] ?? '', pair?.['type'] ?? ''])),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        type: { type: 'string', multiple: true },
        collection: { type: 'string' },
        pictures: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Error(USAGE, { cause: error })
  }
}

/** The files of a folder and its folders, or of an archive, by their names in lower case. */
async function picturesIn(
  path: string,
): Promise<Disposable & { byName: ReadonlyMap<string, () => Promise<Uint8Array>> }> {
  if (!(await stat(path)).isDirectory()) {
    const archive = await openZip(path, ARCHIVE_MAX_BYTES)
    const byName = new Map(
      archive
        .names()
        .map((name) => [basename(name).toLowerCase(), () => archive.read(name, UPLOAD_MAX_BYTES).catch(asFailure)]),
    )
    return { byName, [Symbol.dispose]: () => archive.close() }
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const byName = new Map(
    entries
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => [name.toLowerCase(), () => readBounded(join(parentPath, name)).catch(asFailure)]),
  )
  return { byName, [Symbol.dispose]: () => {} }
}

async function readBounded(path: string): Promise<Uint8Array> {
  const { size } = await stat(path)
  if (size > UPLOAD_MAX_BYTES) throw new ZipMistake(`It is larger than ${UPLOAD_MAX_BYTES / 2 ** 20} MB.`)
  return readFile(path)
}

/** One file that cannot be read fails its picture only. */
const asFailure = (error: unknown): never => {
  throw new DownloadFailure(error instanceof ZipMistake ? error.message : 'The file can’t be read.', { cause: error })
}

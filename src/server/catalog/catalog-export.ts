import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { and, asc, inArray, isNull } from 'drizzle-orm'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { ProductId } from '#shared/ids.ts'
import { decimalFromCents } from '#shared/money.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { zip, type ZipEntry } from '#server/files/zip.ts'
import { filesForArchive, listForArchive, type PictureInFile } from '#server/pictures/archive.ts'
import { writeCatalogCsv } from './catalog-csv.ts'
import type { CatalogFile } from './catalog-file.ts'
import { exportCollections } from './collection-file.ts'
import { listProductIds, readContents, readFormerSlugs } from './product-store.ts'
import { listProductTypes } from './product-types.ts'
import { variant } from './schema.ts'

export type ExportedProduct = CatalogFile['products'][number] & {
  id: ProductId
  variants: NonNullable<CatalogFile['products'][number]['variants']>
}

export type CatalogForm = 'json' | 'csv' | 'zip'

const types: Record<CatalogForm, string> = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8',
  zip: 'application/zip',
}

/**
 * The whole catalog as a file: every product in any state with the variants that the printer has, collections and product types; in an
 * archive also all pictures. Importing it again changes nothing. It is of one moment, and written to disk first, so that no slow reader
 * keeps the database waiting; pictures follow one at a time, because they never change.
 */
export async function exportCatalog(
  db: Db,
  form: CatalogForm,
): Promise<{ name: string; type: string; bytes: Readable }> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-'))
  const text = join(folder, 'catalog')
  const list = join(folder, 'pictures')
  const remove = () => void rm(folder, { recursive: true, force: true })
  try {
    await db.transaction(
      async (tx) => {
        const write = (lines: AsyncIterable<string>, path: string) =>
          pipeline(Readable.from(lines), createWriteStream(path))
        if (form === 'csv') return write(writeCatalogCsv(exportProducts(tx)), text)
        if (form === 'zip') await write(linesOf(listForArchive(tx)), list)
        return write(writeJson(tx, form === 'zip'), text)
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
  } catch (error) {
    remove()
    throw error
  }
  const bytes = form === 'zip' ? zip(archiveOf(db, text, list)) : createReadStream(text)
  bytes.once('close', remove)
  return { name: `catalog.${form}`, type: types[form], bytes }
}

async function* archiveOf(db: Db, text: string, list: string): AsyncGenerator<ZipEntry> {
  yield { name: 'catalog.json', bytes: createReadStream(text) }
  yield* filesForArchive(db, readLinesOf(list))
}

async function* linesOf(pictures: AsyncIterable<PictureInFile>): AsyncGenerator<string> {
  for await (const picture of pictures) yield `${JSON.stringify(picture)}\n`
}

async function* readLinesOf(path: string): AsyncGenerator<PictureInFile> {
  const file = await open(path)
  for await (const line of file.readLines()) yield JSON.parse(line) as PictureInFile
}

/** A line per entry, so that files can be compared. */
async function* writeJson(db: Reader, hasPictures: boolean): AsyncGenerator<string> {
  yield '{\n  "version": 2'
  yield* writeList('productTypes', await listProductTypes(db))
  yield* writeList('collections', await exportCollections(db))
  if (hasPictures) yield* writeList('pictures', listForArchive(db))
  yield* writeList('products', exportProducts(db))
  yield '\n}\n'
}

async function* writeList(name: string, entries: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,\n  "${name}": [`
  let separator = '\n'
  for await (const entry of entries) {
    yield `${separator}    ${JSON.stringify(entry)}`
    separator = ',\n'
  }
  yield '\n  ]'
}

const PRODUCTS_PER_QUERY = 500

async function* exportProducts(db: Reader): AsyncGenerator<ExportedProduct> {
  const ids = await listProductIds(db)
  for (let from = 0; from < ids.length; from += PRODUCTS_PER_QUERY) {
    const some = ids.slice(from, from + PRODUCTS_PER_QUERY)
    const contents = await readContents(db, some)
    const formerSlugs = Map.groupBy(await readFormerSlugs(db, some), ({ productId }) => productId)
    const variants = await db
      .select()
      .from(variant)
      .where(and(inArray(variant.productId, some), isNull(variant.goneAt)))
      .orderBy(asc(variant.productId), asc(variant.position), asc(variant.id))
    const variantsOf = Map.groupBy(variants, ({ productId }) => productId)
    for (const [
      id,
      {
        content: { externalId, metadata, ...content },
      },
    ] of contents) {
      const former = formerSlugs.get(id)
      yield {
        id,
        ...content,
        ...(former && { formerSlugs: former.map(({ slug }) => slug) }),
        ...(externalId !== null && { externalId }),
        metadata: toFileMetadata(metadata),
        variants: (variantsOf.get(id) ?? []).map(toFileVariant),
      }
    }
  }
}

const toFileVariant = (row: typeof variant.$inferSelect): ExportedProduct['variants'][number] => ({
  id: row.id,
  catalogVariantId: row.catalogVariantId,
  blankId: row.blankId,
  name: row.name,
  color: row.color,
  size: row.size,
  sku: row.sku,
  price: decimalFromCents(row.unitPrice),
  cost: row.costCents === null ? null : decimalFromCents(row.costCents),
  availability: row.availability,
  previewUrl: row.previewUrl,
})

function toFileMetadata({ shippingSurcharge, restrictions, keywords }: ProductMetadata): ExportedProduct['metadata'] {
  return {
    ...(keywords && { keywords }),
    ...(shippingSurcharge && {
      shipping_surcharge: { ...shippingSurcharge, amount: Number(decimalFromCents(shippingSurcharge.amount)) },
    }),
    ...(restrictions && {
      restrictions: {
        blocked_countries: restrictions.blockedCountries,
        shipping_delay_regions: restrictions.delayRegions,
        ...(restrictions.minimumAge !== undefined && { age_restriction: restrictions.minimumAge }),
      },
    }),
  }
}

import type { FormerShop, ImportItem, ImportKind, ImportProblem } from '#domain/imports/former-shop.ts'
import { expectedFiles, findLayout } from '#domain/imports/layouts.ts'
import { createSink } from '#domain/imports/reader.ts'
import { CsvMistake, readCsvRows } from '#server/files/csv-reader.ts'

/** Rows of one file; more come in several files. */
const ROWS_MAX = 200_000

/** What a file holds. @throws CsvMistake for a file that is not one of this shop's */
export async function kindOfExport(shop: FormerShop, bytes: Uint8Array): Promise<ImportKind> {
  const { value } = await readCsvRows(bytes).next()
  return layoutOf(shop, value?.cells ?? []).kind
}

function layoutOf(shop: FormerShop, header: readonly string[]) {
  const layout = findLayout(shop, header)
  if (!layout) throw new CsvMistake(expectedFiles(shop))
  return layout
}

/**
 * Reads an export file of a former shop, a row at a time.
 * @param take what a row completes; the next row is read when it is done
 * @returns how many rows it has
 * @throws CsvMistake for a file that is not one of this shop's
 */
export async function readExport(
  shop: FormerShop,
  bytes: Uint8Array,
  take: (item: ImportItem) => Promise<void> | void,
  problem: (problem: ImportProblem) => void,
): Promise<number> {
  const rows = readCsvRows(bytes)
  const header = (await rows.next()).value?.cells ?? []
  let complete: ImportItem[] = []
  const reader = layoutOf(shop, header).open(
    header,
    createSink((item) => complete.push(item), problem),
  )
  const takeComplete = async () => {
    for (const item of complete) await take(item)
    complete = []
  }
  let count = 0
  for await (const { row, cells } of rows) {
    count += 1
    if (count > ROWS_MAX) throw new CsvMistake(`This file has more than ${ROWS_MAX} rows. Please split it.`)
    reader.add(row, cells)
    if (complete.length > 0) await takeComplete()
  }
  reader.end()
  await takeComplete()
  return count
}

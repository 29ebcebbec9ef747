import { setImmediate as nextTurn } from 'node:timers/promises'
import { colorIn, colorText, type ProductColor } from '#domain/catalog/color-text.ts'
import { keywordsIn } from '#domain/catalog/metadata.ts'
import { CsvMistake, readCsvRows } from '#server/files/csv-reader.ts'
import type { ExportedProduct } from './catalog-export.ts'
import { CatalogFileError, problemOf, type FileMistake } from './catalog-file-error.ts'
import { refuseDuplicates, SheetProduct, toProductToImport, type ProductToImport } from './catalog-file.ts'

// The catalog for spreadsheets: a row per variant, which repeats its product. Pictures are only in the other files.

const ROWS_MAX = 200_000

/** Cells that a spreadsheet would run. Full-width signs count, because some programs convert them. */
const looksLikeFormula = (text: string) => /^'*\s*[=+\-@\t\r]/.test(text.normalize('NFKC'))

/** An apostrophe keeps spreadsheets from running the cell; `fromCell` takes it off again. */
const toCell = (text: string): string => `"${(looksLikeFormula(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const fromCell = (cell: string): string => (cell.startsWith("'") && looksLikeFormula(cell) ? cell.slice(1) : cell)

type Variant = ExportedProduct['variants'][number]

const listOf = (values: readonly string[] | undefined) => (values ?? []).join(' ')

const productColumns: Readonly<Record<string, (product: ExportedProduct) => string | number | boolean | null>> = {
  product_id: ({ id }) => id,
  slug: ({ slug }) => slug,
  former_slugs: ({ formerSlugs }) => listOf(formerSlugs),
  external_id: ({ externalId }) => externalId ?? null,
  name: ({ name }) => name,
  description: ({ description }) => description,
  collection: ({ collection }) => collection,
  type: ({ type }) => type,
  badge: ({ badge }) => badge ?? null,
  place: ({ place }) => place ?? null,
  state: ({ state }) => state ?? null,
  publish_at: ({ publishAt }) => publishAt ?? null,
  requires_options: ({ requiresOptions }) => requiresOptions ?? null,
  provider_product_id: ({ providerProductId }) => providerProductId ?? null,
  colors: ({ colors }) => (colors ?? []).map(colorText).join('; '),
  surcharge_amount: ({ metadata }) => metadata?.shipping_surcharge?.amount ?? null,
  surcharge_countries: ({ metadata }) => listOf(metadata?.shipping_surcharge?.regions),
  surcharge_text: ({ metadata }) => metadata?.shipping_surcharge?.description ?? null,
  surcharge_enabled: ({ metadata }) => metadata?.shipping_surcharge?.enabled ?? null,
  blocked_countries: ({ metadata }) => listOf(metadata?.restrictions?.blocked_countries),
  delayed_countries: ({ metadata }) => listOf(metadata?.restrictions?.shipping_delay_regions),
  minimum_age: ({ metadata }) => metadata?.restrictions?.age_restriction ?? null,
  keywords: ({ metadata }) => (metadata?.keywords ?? []).join('; '),
}

const variantColumns: Readonly<Record<string, (variant: Variant) => string | number | null>> = {
  variant_id: ({ id }) => id,
  catalog_variant_id: ({ catalogVariantId }) => catalogVariantId,
  blank_id: ({ blankId }) => blankId ?? null,
  variant_name: ({ name }) => name,
  color: ({ color }) => color ?? null,
  size: ({ size }) => size ?? null,
  sku: ({ sku }) => sku ?? null,
  price: ({ price }) => price,
  cost: ({ cost }) => cost ?? null,
  availability: ({ availability }) => availability ?? null,
  preview_url: ({ previewUrl }) => previewUrl ?? null,
}

/** Columns of earlier exports. */
const RATINGS = ['rating', 'review_count']

const columnNames = [...Object.keys(productColumns), ...Object.keys(variantColumns)]

/** A line at a time, with line breaks as RFC 4180 has them. */
export async function* writeCatalogCsv(products: AsyncIterable<ExportedProduct>): AsyncGenerator<string> {
  const line = (cells: readonly (string | number | boolean | null)[]) =>
    `${cells.map((cell) => (cell === null || cell === '' ? '' : toCell(String(cell)))).join(',')}\r\n`
  yield line(columnNames)
  for await (const product of products) {
    const own = Object.values(productColumns).map((cellOf) => cellOf(product))
    const none = Object.keys(variantColumns).map(() => null)
    if (!product.variants.length) yield line([...own, ...none])
    for (const variant of product.variants)
      yield line([...own, ...Object.values(variantColumns).map((cellOf) => cellOf(variant))])
  }
}

/** Requests go on between so many. */
const [ROWS_PER_TURN, PRODUCTS_PER_TURN] = [2000, 200]

type Cells = Readonly<Partial<Record<string, string>>>
type Group = { row: number; cells: Cells; variants: { row: number; cells: Cells }[] }

/**
 * Reads the catalog from a spreadsheet. A missing column leaves what the shop has; an empty cell empties it. A product with variants in
 * the file has exactly those.
 * @throws CatalogFileError that lists the mistakes by row and column
 */
export async function readCatalogCsv(bytes: Uint8Array): Promise<ProductToImport[]> {
  const groups = await readGroups(bytes)
  const mistakes: FileMistake[] = []
  const products: ProductToImport[] = []
  for (const [index, group] of [...groups].entries()) {
    if (index % PRODUCTS_PER_TURN === 0) await nextTurn()
    const parsed = SheetProduct.safeParse(toFileProduct(group), { reportInput: true })
    if (!parsed.success)
      for (const issue of parsed.error.issues)
        mistakes.push({ ...placeOf(issue.path, group), problem: problemOf(issue) })
    else {
      const rows = group.variants.map(({ row }) => row)
      products.push(toProductToImport(parsed.data, group.row, rows))
    }
  }
  if (mistakes.length) throw new CatalogFileError(mistakes)
  refuseDuplicates(products)
  return products
}

async function readGroups(bytes: Uint8Array): Promise<Iterable<Group>> {
  const groups = new Map<string, Group>()
  const mistakes: FileMistake[] = []
  let header: string[] | undefined
  let rows = 0
  try {
    for await (const { row, cells } of readCsvRows(bytes)) {
      if (!header) {
        header = readHeader(cells)
        continue
      }
      rows += 1
      if (rows % ROWS_PER_TURN === 0) await nextTurn()
      if (rows > ROWS_MAX) throw new CsvMistake(`The file has more than ${ROWS_MAX} rows.`)
      if (cells.length > header.length)
        mistakes.push({ row, column: 'row', problem: `It has ${cells.length} cells for ${header.length} columns` })
      const named: Cells = Object.fromEntries(header.map((name, index) => [name, fromCell(cells[index] ?? '').trim()]))
      const slug = named['slug'] ?? ''
      const group = groups.get(slug)
      if (!group) groups.set(slug, { row, cells: named, variants: named['variant_id'] ? [{ row, cells: named }] : [] })
      else {
        const different = Object.keys(productColumns).find((name) => named[name] !== group.cells[name])
        if (different !== undefined)
          mistakes.push({ row, column: different, problem: `It differs from row ${group.row} of the same product` })
        if (named['variant_id']) group.variants.push({ row, cells: named })
        else mistakes.push({ row, column: 'variant_id', problem: `${slug} is also in row ${group.row}` })
      }
    }
  } catch (error) {
    if (!(error instanceof CsvMistake)) throw error
    throw new CatalogFileError([{ row: 0, column: 'file', problem: error.message }])
  }
  if (mistakes.length) throw new CatalogFileError(mistakes)
  if (!groups.size) throw new CatalogFileError([{ row: 0, column: 'file', problem: 'It has no products' }])
  return groups.values()
}

function readHeader(cells: readonly string[]): string[] {
  const header = cells.map((cell) => cell.trim().toLowerCase())
  const unknown = header.filter((name) => !columnNames.includes(name))
  const doubled = header.filter((name, index) => header.indexOf(name) !== index)
  const mistakes = [
    ...unknown.map((name) => ({
      row: 1,
      column: name || 'column',
      problem: RATINGS.includes(name)
        ? 'Ratings come from reviews alone; please remove the column'
        : 'There is no such column',
    })),
    ...doubled.map((name) => ({ row: 1, column: name, problem: 'The column is there twice' })),
    ...(header.includes('slug') ? [] : [{ row: 1, column: 'slug', problem: 'The column is missing' }]),
  ]
  if (mistakes.length) throw new CatalogFileError(mistakes)
  return header
}

/** Undefined: no such column. Null: an empty cell. */
const cellIn = (cells: Cells, name: string): string | null | undefined =>
  cells[name] === undefined ? undefined : cells[name] || null

/** With a point where spreadsheet programs of Europe write a decimal comma. Three digits after it could be thousands. */
const decimalIn = (cells: Cells, name: string): string | null | undefined =>
  cellIn(cells, name)?.replace(/^(\d+),(\d{1,2})$/, '$1.$2') ?? cellIn(cells, name)

/** Anything but a number stays text, which the schema refuses. */
const numberIn = (cells: Cells, name: string): number | string | null | undefined => {
  const cell = decimalIn(cells, name)
  return typeof cell === 'string' && /^\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell
}

// cspell:ignore wahr falsch vrai verdadero falso vero waar onwaar
/** Also as spreadsheet programs in German, French, Spanish, Italian and Dutch write them. */
const yes = ['true', 'yes', 'wahr', 'vrai', 'verdadero', 'vero', 'waar']
const no = ['false', 'no', 'falsch', 'faux', 'falso', 'onwaar']

const booleanIn = (cells: Cells, name: string): boolean | string | undefined => {
  const cell = cellIn(cells, name)
  const word = cell?.toLowerCase() ?? ''
  return yes.includes(word) ? true : no.includes(word) ? false : (cell ?? undefined)
}

const wordsIn = (cells: Cells, name: string): string[] => (cells[name] ?? '').split(/[\s,;]+/).filter(Boolean)

function toFileProduct({ cells, variants }: Group): unknown {
  const hasMetadata = Object.keys(cells).some((name) =>
    /^(?:surcharge_|blocked_|delayed_|minimum_|keywords$)/.test(name),
  )
  return {
    id: numberIn(cells, 'product_id') ?? undefined,
    slug: cells['slug'],
    formerSlugs: wordsIn(cells, 'former_slugs'),
    externalId: cellIn(cells, 'external_id'),
    name: cellIn(cells, 'name'),
    description: cellIn(cells, 'description'),
    collection: cellIn(cells, 'collection'),
    type: cellIn(cells, 'type'),
    badge: cellIn(cells, 'badge'),
    place: numberIn(cells, 'place'),
    state: cellIn(cells, 'state') ?? undefined,
    publishAt: cellIn(cells, 'publish_at'),
    requiresOptions: booleanIn(cells, 'requires_options'),
    providerProductId: numberIn(cells, 'provider_product_id'),
    colors: cells['colors'] === undefined ? undefined : colorsIn(cells['colors']),
    metadata: hasMetadata ? metadataIn(cells) : undefined,
    variants: variants.length ? variants.map((variant) => variantIn(variant.cells)) : undefined,
  }
}

const colorsIn = (text: string): ProductColor[] =>
  text
    .split(';')
    .filter((part) => part.trim())
    .map(colorIn)

function metadataIn(cells: Cells): unknown {
  const amount = numberIn(cells, 'surcharge_amount') ?? undefined
  const blocked = wordsIn(cells, 'blocked_countries')
  const delayed = wordsIn(cells, 'delayed_countries')
  const age = numberIn(cells, 'minimum_age') ?? undefined
  const keywords = keywordsIn(cells['keywords'] ?? '')
  return {
    ...(keywords.length > 0 && { keywords }),
    ...(amount !== undefined && {
      shipping_surcharge: {
        amount,
        regions: wordsIn(cells, 'surcharge_countries'),
        description: cells['surcharge_text'],
        enabled: booleanIn(cells, 'surcharge_enabled'),
      },
    }),
    ...((blocked.length > 0 || delayed.length > 0 || age !== undefined) && {
      restrictions: { blocked_countries: blocked, shipping_delay_regions: delayed, age_restriction: age },
    }),
  }
}

const variantIn = (cells: Cells): unknown => ({
  id: numberIn(cells, 'variant_id'),
  catalogVariantId: numberIn(cells, 'catalog_variant_id'),
  blankId: numberIn(cells, 'blank_id'),
  name: cellIn(cells, 'variant_name'),
  color: cellIn(cells, 'color'),
  size: cellIn(cells, 'size'),
  sku: cellIn(cells, 'sku'),
  price: decimalIn(cells, 'price'),
  cost: decimalIn(cells, 'cost'),
  availability: cellIn(cells, 'availability') ?? undefined,
  previewUrl: cellIn(cells, 'preview_url'),
})

const columnOf: Readonly<Record<string, string>> = {
  id: 'product_id',
  formerSlugs: 'former_slugs',
  externalId: 'external_id',
  publishAt: 'publish_at',
  requiresOptions: 'requires_options',
  providerProductId: 'provider_product_id',
  'metadata.shipping_surcharge.amount': 'surcharge_amount',
  'metadata.shipping_surcharge.regions': 'surcharge_countries',
  'metadata.shipping_surcharge.description': 'surcharge_text',
  'metadata.shipping_surcharge.enabled': 'surcharge_enabled',
  'metadata.restrictions.blocked_countries': 'blocked_countries',
  'metadata.restrictions.shipping_delay_regions': 'delayed_countries',
  'metadata.restrictions.age_restriction': 'minimum_age',
  'metadata.keywords': 'keywords',
}

const variantColumnOf: Readonly<Record<string, string>> = {
  id: 'variant_id',
  catalogVariantId: 'catalog_variant_id',
  blankId: 'blank_id',
  name: 'variant_name',
  previewUrl: 'preview_url',
}

/** Where a mistake stands in the spreadsheet. */
function placeOf(path: readonly PropertyKey[], { row, variants }: Group): { row: number; column: string } {
  const [first, index, ...rest] = path
  if (first === 'variants' && typeof index === 'number') {
    const member = String(rest[0] ?? 'id')
    return { row: variants[index]?.row ?? row, column: variantColumnOf[member] ?? member }
  }
  const full = path.filter((part) => typeof part !== 'number').join('.')
  return { row, column: columnOf[full] ?? String(first) }
}

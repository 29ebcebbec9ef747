import { slugOf } from '#shared/slug.ts'
import { cleanLine } from '#shared/text.ts'
import { amountIn, CellProblem, lineIn, requiredLine, type Row } from './cells.ts'
import type { FormerProduct, FormerVariant } from './former-shop.ts'
import { plainTextOf } from './plain-text.ts'
import type { Reader, Sink } from './reader.ts'

/** As long as the catalog takes. */
const SLUG_MAX = 100

export type ProductField =
  | 'handle'
  | 'name'
  | 'description'
  | 'type'
  | 'collection'
  | 'published'
  | 'status'
  | 'giftCard'
  | 'sku'
  | 'price'
  | 'option1'
  | 'option2'
  | 'option3'
  | 'image'
  | 'alt'
  | 'variantImage'
  // Of WooCommerce only.
  | 'id'
  | 'kind'
  | 'parent'
  | 'shortDescription'

type ProductRow = Row<ProductField>
type RowOf = (row: number, cells: readonly string[]) => ProductRow

const NAME_MAX = 200
const DESCRIPTION_MAX = 5000
const VARIANTS_MAX = 2000
const PICTURES_MAX = 50

/** Shopify's: all rows of a product have its handle and follow each other; the first has its texts, each may have a variant, a picture or both. */
export function createProductReader(rowOf: RowOf, sink: Sink): Reader {
  const seen = new Set<string>()
  let rows: ProductRow[] = []
  const finish = () => {
    const [first] = rows
    if (first)
      sink.attempt(first.number, () => {
        const product = productOf(first, rows, sink)
        claimSlug(seen, product, first)
        sink.item({ kind: 'products', value: product })
      })
    rows = []
  }
  const keyOf = (row: ProductRow) => row.text('handle') || row.text('name')
  return {
    add(number, cells) {
      const row = rowOf(number, cells)
      const [first] = rows
      if (first && keyOf(row) !== '' && keyOf(row) !== keyOf(first)) finish()
      rows.push(row)
    },
    end: finish,
  }
}

function claimSlug(seen: Set<string>, { slug }: FormerProduct, row: ProductRow): void {
  if (slug === '') throw new CellProblem(row.title('name'), 'This name has no letters or digits for an address.')
  if (seen.has(slug))
    throw new CellProblem(
      row.title('handle') ?? row.title('name'),
      `Two products of the file have the address “${slug}”.`,
    )
  seen.add(slug)
}

function productOf(first: ProductRow, rows: readonly ProductRow[], sink: Sink): FormerProduct {
  const name = requiredLine(first, 'name', NAME_MAX)
  if (isYes(first.text('giftCard'))) throw new CellProblem(first.title('giftCard'), 'Gift cards can’t come.')
  const handle = first.text('handle')
  const status = first.text('status').toLowerCase()
  const pictures = [
    ...rows.flatMap((row) => pictureIn(row, 'image', row.text('image'), sink)),
    ...rows.flatMap((row) => pictureIn(row, 'variantImage', row.text('variantImage'), sink)),
  ]
  return {
    row: first.number,
    slug: slugOf(handle || name, SLUG_MAX),
    name,
    description: descriptionIn(first, 'description'),
    type: lineIn(first, 'type', NAME_MAX),
    collection: lineIn(first, 'collection', NAME_MAX),
    wasPublished:
      ['', 'active'].includes(status) && ['', 'true', '1', 'yes'].includes(first.text('published').toLowerCase()),
    variants: limited(rows.filter(hasVariant).map(variantIn)),
    pictures: onceEach(pictures),
    references: [handle, slugOf(handle || name, SLUG_MAX), first.text('sku')].filter((one) => one !== ''),
    path: handle === '' ? null : `/products/${handle}`,
  }
}

const isYes = (text: string): boolean => ['true', '1', 'yes'].includes(text.toLowerCase())

const hasVariant = (row: ProductRow): boolean =>
  (['sku', 'price', 'option1'] as const).some((field) => row.text(field) !== '')

function limited(variants: FormerVariant[]): FormerVariant[] {
  if (variants.length > VARIANTS_MAX)
    throw new CellProblem(null, `This product has more than ${VARIANTS_MAX} variants.`)
  return variants
}

const variantIn = (row: ProductRow): FormerVariant => ({
  row: row.number,
  column: row.title('sku'),
  sku: lineIn(row, 'sku', 100) || null,
  options: (['option1', 'option2', 'option3'] as const)
    .map((field) => lineIn(row, field, 100))
    .filter((option) => option !== '' && option !== 'Default Title'),
  unitPrice: amountIn(row, 'price') ?? null,
  picture: row.text('variantImage') || null,
})

/** A variant's picture is often one of the gallery, which also describes it. */
function onceEach(pictures: FormerProduct['pictures']): FormerProduct['pictures'] {
  const seen = new Set<string>()
  const isFirst = ({ url }: { url: string }) => !seen.has(url) && seen.add(url)
  return pictures.filter(isFirst).slice(0, PICTURES_MAX)
}

function descriptionIn(row: ProductRow, field: ProductField): string {
  const text = plainTextOf(row.text(field))
  if (text.length > DESCRIPTION_MAX)
    throw new CellProblem(row.title(field), `This description is longer than ${DESCRIPTION_MAX} characters.`)
  return text
}

/** A picture without an address does not keep its product from coming. */
function pictureIn(
  row: ProductRow,
  field: 'image' | 'variantImage',
  url: string,
  sink: Sink,
): FormerProduct['pictures'] {
  if (url === '') return []
  const column = row.title(field)
  if (url.length <= 2000 && /^https?:\/\/[^\s"<>\\]+$/i.test(url))
    return [{ row: row.number, column, url, alt: field === 'image' ? cleanLine(row.text('alt')).slice(0, 250) : '' }]
  sink.problem({
    row: row.number,
    column,
    reason: 'This picture can’t come: it has no address that begins with https://.',
  })
  return []
}

/**
 * WooCommerce's: a row per product and per variation, in any order. A variation names its parent by SKU, or by `id:` and its ID.
 * The file has no address of a product, so it is made of the name, as WordPress does.
 */
export function createWooProductReader(rowOf: RowOf, sink: Sink): Reader {
  const seen = new Set<string>()
  const products: { product: FormerProduct; row: ProductRow }[] = []
  const byReference = new Map<string, FormerProduct>()
  const variations: ProductRow[] = []
  const readProduct = (row: ProductRow, kind: string) => {
    if (kind !== 'simple' && kind !== 'variable')
      throw new CellProblem(
        row.title('kind'),
        `Products of the type “${kind.slice(0, 60)}” can’t come; only simple and variable ones.`,
      )
    const product = wooProductOf(row, kind === 'simple', sink)
    claimSlug(seen, product, row)
    products.push({ product, row })
    if (row.text('sku') !== '') byReference.set(row.text('sku'), product)
    if (row.text('id') !== '') byReference.set(`id:${row.text('id')}`, product)
  }
  return {
    add: (number, cells) =>
      sink.attempt(number, () => {
        const row = rowOf(number, cells)
        const kind = row.text('kind').toLowerCase()
        if (kind === 'variation') variations.push(row)
        else readProduct(row, kind)
      }),
    end() {
      const failed = new Set<FormerProduct>()
      for (const row of variations)
        sink.attempt(row.number, () => {
          const parent = byReference.get(row.text('parent'))
          if (!parent)
            throw new CellProblem(
              row.title('parent'),
              'The product of this variation is not in the file, or can’t come.',
            )
          try {
            parent.variants.push(variantIn(row))
            parent.pictures = onceEach([
              ...parent.pictures,
              ...pictureIn(row, 'variantImage', row.text('variantImage'), sink),
            ])
          } catch (error) {
            failed.add(parent)
            throw error
          }
        })
      for (const { product } of products)
        if (!failed.has(product))
          sink.attempt(product.row, () => {
            limited(product.variants)
            sink.item({ kind: 'products', value: product })
          })
    },
  }
}

function wooProductOf(row: ProductRow, isSimple: boolean, sink: Sink): FormerProduct {
  const name = requiredLine(row, 'name', NAME_MAX)
  const [category = ''] = lineIn(row, 'collection', 1000).split(/\s*,\s*/)
  return {
    row: row.number,
    slug: slugOf(name, SLUG_MAX),
    name,
    description: descriptionIn(row, 'description') || descriptionIn(row, 'shortDescription'),
    type: category.split(/\s*>\s*/).at(-1) ?? '',
    collection: category.split(/\s*>\s*/)[0] ?? '',
    wasPublished: row.text('published') === '1',
    variants: isSimple ? [variantIn(row)] : [],
    pictures: row
      .text('image')
      .split(/\s*,\s*(?=https?:)/)
      .flatMap((url) => pictureIn(row, 'image', url, sink))
      .slice(0, PICTURES_MAX),
    references: [row.text('id'), row.text('sku'), slugOf(name, SLUG_MAX)].filter((one) => one !== ''),
    path: null,
  }
}

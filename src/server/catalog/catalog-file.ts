import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod/mini'
import { Keywords } from '#contract/admin-products.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import { productStates } from '#domain/catalog/product-state.ts'
import type { ProductContent } from '#domain/catalog/product-content.ts'
import type { VariantCopy } from '#domain/catalog/sync-diff.ts'
import { ProductTypeContent } from '#contract/admin-product-types.ts'
import { PictureInFile } from '#server/pictures/archive.ts'
import { CatalogFileError, problemOf, type FileMistake } from './catalog-file-error.ts'
import { FileCollection } from './collection-file.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { centsFromDecimal, type Cents } from '#shared/money.ts'

/**
 * The file that a catalog is imported from and exported to. A product without variants gets them from the printer, by the sync. What
 * a product does not say stays as the shop has it.
 */

const id = z.int().check(z.gte(1))
/** The database refuses NUL and halves of characters. */
const storable = z.refine<string>(
  (text) => text.isWellFormed() && !text.includes('\0'),
  'It has a character that can’t be stored',
)
const line = z.string().check(z.minLength(1), z.maxLength(200), storable)
const colorValue = z.string().check(z.regex(/^#[0-9a-f]{6}$/i))
/** The database's `integer`. */
const INTEGER_MAX = 2_147_483_647
const country = z.string().check(z.regex(/^[A-Z]{2}$/))

const Surcharge = z.object({
  /** US dollars, such as 34.99. */
  amount: z.number().check(z.gte(0), z.lte(10_000)),
  regions: z.array(country),
  /** The reason, in a sentence; `{amount}` and `{countries}` are filled in. */
  description: line,
  enabled: z._default(z.boolean(), true),
})

const Restrictions = z.object({
  blocked_countries: z._default(z.array(country), []),
  age_restriction: z.optional(z.int().check(z.gte(1), z.lte(120))),
  shipping_delay_regions: z._default(z.array(country), []),
})

/** The specification's form (section 3, Product metadata), mapped to the shop's own with amounts in cents. */
const Metadata = z.pipe(
  z.object({
    shipping_surcharge: z.optional(Surcharge),
    restrictions: z.optional(Restrictions),
    keywords: z.optional(Keywords),
  }),
  z.transform(({ shipping_surcharge: surcharge, restrictions, keywords }, context): ProductMetadata => {
    const metadata: ProductMetadata = keywords?.length ? { keywords } : {}
    if (surcharge) {
      const amount = centsFromDecimal(String(surcharge.amount))
      if (amount === undefined) {
        context.issues.push({
          code: 'custom',
          message: 'The surcharge is not an amount in dollars',
          input: surcharge.amount,
        })
        return z.NEVER
      }
      metadata.shippingSurcharge = { ...surcharge, amount }
    }
    if (restrictions)
      metadata.restrictions = {
        blockedCountries: restrictions.blocked_countries,
        delayRegions: restrictions.shipping_delay_regions,
        ...(restrictions.age_restriction !== undefined && { minimumAge: restrictions.age_restriction }),
      }
    return metadata
  }),
)

const pixels = z.int().check(z.gte(1), z.lte(100_000))

const FilePicture = z.object({
  view: line,
  /** The color that it shows; null if none in particular. */
  color: z.nullable(line),
  /** Name without width and extension. */
  file: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/), z.maxLength(200)),
  widths: z.array(pixels).check(z.minLength(1), z.maxLength(20)),
  width: pixels,
  height: pixels,
  alt: z.optional(z.string().check(z.maxLength(500), storable)),
  avif: z.optional(z.boolean()),
})

/** US dollars as a decimal, such as `29.95`. */
const decimalPrice = z.pipe(
  z.string(),
  z.transform((text, context): Cents => {
    const amount = centsFromDecimal(text)
    if (amount !== undefined) return amount
    context.issues.push({ code: 'custom', message: 'Not an amount in dollars, such as 29.95', input: text })
    return z.NEVER
  }),
)

const FileVariant = z.object({
  /** The printer's sync variant id. */
  id: z.int().check(z.gte(1)),
  catalogVariantId: z.int().check(z.gte(1)),
  blankId: z._default(z.nullable(z.int().check(z.gte(1))), null),
  name: line,
  color: z._default(z.nullable(line), null),
  size: z._default(z.nullable(line), null),
  sku: z._default(z.nullable(line), null),
  price: decimalPrice.check(z.refine((price) => price > 0, 'The price must be more than 0')),
  cost: z._default(z.nullable(decimalPrice), null),
  /** The printer's word: active, discontinued, out_of_stock, temporary_out_of_stock. */
  availability: z._default(line, 'active'),
  previewUrl: z._default(z.nullable(z.url()), null),
})

const slug = z
  .string()
  .check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Not lower-case words with hyphens'), z.maxLength(100))

const FileProduct = z.object({
  /** A product without it is found by its slug, or new. */
  id: z.optional(z.int().check(z.gte(1), z.lte(INTEGER_MAX))),
  /** Its readable address in the shop, and the printer's external id. */
  slug,
  /** Addresses that it had before; they lead to it. A file only adds some. */
  formerSlugs: z.optional(z.array(slug).check(z.maxLength(1000))),
  /** The printer's external id, if it is not the slug. */
  externalId: z.optional(z.nullable(line)),
  name: line,
  description: z.string().check(z.minLength(1), z.maxLength(5000), storable),
  collection: line,
  /** A product type's key. */
  type: line,
  badge: z.optional(z.nullable(line)),
  metadata: z.optional(Metadata),
  requiresOptions: z.optional(z.boolean()),
  /** The printer's sync product id, for products whose variants are shown. */
  providerProductId: z.optional(z.nullable(id)),
  /** `accent` is the second color of a two-tone product. */
  colors: z.optional(z.array(z.object({ name: line, hex: colorValue, accent: z.optional(colorValue) }))),
  pictures: z.optional(z.array(FilePicture).check(z.maxLength(1000))),
  /** The owner's position in lists. */
  place: z.optional(z.nullable(z.int().check(z.gte(1), z.lte(9999)))),
  state: z.optional(z.enum(productStates)),
  publishAt: z.optional(z.nullable(z.iso.datetime())),
  variants: z.optional(
    z.array(FileVariant).check(
      z.maxLength(10_000),
      z.refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'A variant is there twice'),
    ),
  ),
})

/** A spreadsheet may have only some of the columns; what a new product needs is checked when it is imported. */
export const SheetProduct = z.partial(FileProduct, { name: true, description: true, collection: true, type: true })

const CatalogFileShape = z.object({
  /** Files without it have only products. */
  version: z.optional(z.literal(2)),
  collections: z.optional(z.array(FileCollection)),
  productTypes: z.optional(z.array(ProductTypeContent)),
  /** Only in an archive, beside the pictures' bytes. */
  pictures: z.optional(z.array(PictureInFile)),
  products: z.array(FileProduct).check(z.minLength(1)),
})
export type CatalogFile = z.input<typeof CatalogFileShape>

/** A product as a file has it, with amounts in cents. */
export type ProductToImport = {
  /** Where it stands in the file: the number of the product, or the first line of a spreadsheet. */
  row: number
  /** Lines of the variants, in a spreadsheet. */
  rows?: readonly number[]
  id: ProductId | undefined
  content: Partial<ProductContent> & Pick<ProductContent, 'slug'>
  formerSlugs: readonly string[]
  variants: ReadonlyMap<VariantId, Omit<VariantCopy, 'productId'>> | undefined
}

/** As `CatalogFileShape`; products are read one by one. */
const Frame = z.extend(CatalogFileShape, { products: z.array(z.unknown()).check(z.minLength(1)) })

/** Requests go on between so many products. */
const PRODUCTS_PER_TURN = 200

/** @throws CatalogFileError that lists the mistakes in the file */
export async function readCatalogFile(file: unknown): Promise<{
  products: ProductToImport[]
  collections: FileCollection[]
  productTypes: ProductTypeContent[]
  pictures: PictureInFile[]
}> {
  const parsed = Frame.safeParse(file, { reportInput: true })
  const issues = parsed.error?.issues.map(({ ...issue }) => issue) ?? []
  const products: ProductToImport[] = []
  for (const [index, given] of (parsed.data?.products ?? []).entries()) {
    if (index % PRODUCTS_PER_TURN === 0) await nextTurn()
    const product = FileProduct.safeParse(given, { reportInput: true })
    if (product.success) products.push(toProductToImport(product.data, index + 1))
    else issues.push(...product.error.issues.map((issue) => ({ ...issue, path: ['products', index, ...issue.path] })))
  }
  if (!parsed.success || issues.length)
    throw new CatalogFileError(
      issues.map((issue) => {
        const [list, index, ...column] = issue.path
        return {
          row: typeof index === 'number' ? index + 1 : 0,
          column: (list === 'products' ? column : [list, ...column]).join('.') || 'file',
          problem: problemOf(issue),
        }
      }),
    )
  const { collections = [], productTypes = [], pictures = [] } = parsed.data
  refuseDuplicates(products)
  refuseTwice('collections.id', collections, ({ id: own }) => own)
  refuseTwice('productTypes.key', productTypes, ({ key }) => key)
  refuseTwice('pictures.file', pictures, ({ file: name }) => name)
  return { products, collections, productTypes, pictures }
}

function refuseTwice<Entry>(column: string, entries: readonly Entry[], nameOf: (entry: Entry) => string): void {
  const first = new Map(entries.map((entry, index) => [nameOf(entry), index + 1] as const).toReversed())
  const mistakes = entries.flatMap((entry, index) => {
    const row = first.get(nameOf(entry))
    return row === index + 1 ? [] : [{ row: index + 1, column, problem: `${nameOf(entry)} is also in row ${row}` }]
  })
  if (mistakes.length) throw new CatalogFileError(mistakes)
}

export function toProductToImport(
  { id: productId, variants, formerSlugs = [], ...content }: z.output<typeof SheetProduct>,
  row: number,
  rows?: readonly number[],
): ProductToImport {
  return {
    row,
    ...(rows && { rows }),
    id: productId as ProductId | undefined,
    content: content as ProductToImport['content'],
    formerSlugs,
    variants:
      variants &&
      new Map(
        variants.map(({ id: variantId, price: unitPrice, cost: costCents, ...variant }, position) => [
          variantId as VariantId,
          { ...variant, position, unitPrice, costCents },
        ]),
      ),
  }
}

/** @throws CatalogFileError */
export function refuseDuplicates(products: readonly ProductToImport[]): void {
  const mistakes: FileMistake[] = []
  const firstRows = new Map<string, number>()
  const note = (column: string, value: string | number | null | undefined, row: number) => {
    if (value === null || value === undefined) return
    const key = `${column} ${value}`
    const first = firstRows.get(key)
    if (first === undefined) firstRows.set(key, row)
    else mistakes.push({ row, column, problem: `${value} is also in row ${first}` })
  }
  for (const { row, id: productId, content, formerSlugs, variants } of products) {
    note('id', productId, row)
    note('slug', content.slug, row)
    for (const former of new Set(formerSlugs)) note('formerSlugs', former, row)
    note('providerProductId', content.providerProductId, row)
    for (const variantId of variants?.keys() ?? []) note('variant id', variantId, row)
  }
  if (mistakes.length) throw new CatalogFileError(mistakes)
}

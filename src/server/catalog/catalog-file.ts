import * as z from 'zod/mini'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { ProductId, SyncProductId } from '#shared/ids.ts'
import { centsFromDecimal } from '#shared/money.ts'

/**
 * The shop's own catalog file: what the printer does not know about a product. Variants, prices and availability come from the
 * printer, by the sync.
 */

const id = z.int().check(z.gte(1))
const line = z.string().check(z.minLength(1), z.maxLength(200))
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
  z.object({ shipping_surcharge: z.optional(Surcharge), restrictions: z.optional(Restrictions) }),
  z.transform(({ shipping_surcharge: surcharge, restrictions }, context): ProductMetadata => {
    const metadata: ProductMetadata = {}
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

const FilePicture = z.object({
  view: line,
  /** The color that it shows; null if none in particular. */
  color: z.nullable(line),
  /** Name without width and extension, in `pictures/finished`. */
  file: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)),
  widths: z.array(z.int().check(z.gte(1))).check(z.minLength(1)),
  /** Of the largest size, in pixels. */
  width: z.int().check(z.gte(1)),
  height: z.int().check(z.gte(1)),
})

const FileProduct = z.object({
  id,
  /** The printer's external id of the product, and its readable address in the shop. */
  slug: z.string().check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), z.maxLength(100)),
  name: line,
  description: z.string().check(z.minLength(1), z.maxLength(5000)),
  collection: line,
  /** A product type's key. */
  type: line,
  badge: z.nullable(line),
  rating: z.number().check(z.gte(0), z.lte(5)),
  reviewCount: z.int().check(z.gte(0)),
  metadata: Metadata,
  requiresOptions: z.boolean(),
  /** The printer's sync product id, for products whose variants are shown. */
  providerProductId: z.nullable(id),
  colors: z.array(z.object({ name: line, hex: z.string().check(z.regex(/^#[0-9a-f]{6}$/i)) })),
  pictures: z.array(FilePicture),
})

const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length

export const CatalogFile = z.object({
  /** Files without it have only products. */
  version: z.optional(z.literal(2)),
  collections: z.optional(z.array(z.never('Collections cannot be imported yet'))),
  productTypes: z.optional(z.array(z.never('Product types cannot be imported yet'))),
  products: z.array(FileProduct).check(
    z.minLength(1),
    z.refine((products) => isUnique(products.map((product) => product.id)), 'Two products have the same id'),
    z.refine((products) => isUnique(products.map((product) => product.slug)), 'Two products have the same slug'),
    z.refine(
      (products) => isUnique(products.flatMap(({ providerProductId }) => providerProductId ?? [])),
      'Two products have the same providerProductId',
    ),
  ),
})
export type CatalogFile = z.input<typeof CatalogFile>

/** With amounts in cents. */
export type ProductToImport = Omit<z.output<typeof FileProduct>, 'id' | 'providerProductId'> & {
  id: ProductId
  providerProductId: SyncProductId | null
}

/** @throws Error that lists the mistakes in the file */
export function readCatalogFile(file: unknown): ProductToImport[] {
  const parsed = CatalogFile.safeParse(file)
  if (!parsed.success) throw new Error(`The catalog file has mistakes.\n${z.prettifyError(parsed.error)}`)
  return parsed.data.products as ProductToImport[]
}

import * as z from 'zod/mini'
import { productTypes } from '#domain/catalog/product-types.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { call } from './call.ts'
import { centsInput, centsAnswer, providerPathId } from './wire.ts'

/** A picture in our own sizes: `{src}` is the file of the largest width, `srcSet` lists all. Width and height are known before it loads. */
export const Picture = z.object({
  src: z.string(),
  srcSet: z.string(),
  width: z.int(),
  height: z.int(),
  view: z.string(),
  /** The dye it shows; null where the picture shows no particular one. */
  color: z.nullable(z.string()),
})
export type Picture = z.output<typeof Picture>

const Swatch = z.object({ name: z.string(), hex: z.nullable(z.string()) })

/** A product as lists, search and cards need it. All prices are cents; `price` is the lowest of its variants. */
export const Product = z.object({
  id: z.int() as unknown as z.ZodMiniType<ProductId, ProductId>,
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  price: centsAnswer,
  priceRange: z.object({ from: centsAnswer, to: centsAnswer }),
  imageUrl: z.string(),
  images: z.array(Picture),
  /** What a shared link shows, 1200 x 630; without one the first of `images` stands in. */
  shareImage: z.optional(z.string()),
  badge: z.nullable(z.string()),
  /** Out of 5; means nothing while `reviewCount` is 0. */
  rating: z.number(),
  reviewCount: z.int(),
  collection: z.string(),
  type: z.enum(productTypes),
  /** The partner's sync product id where the shop has a mapping; `GET /api/printful/products/{id}` takes it. */
  providerProductId: z.nullable(z.int() as unknown as z.ZodMiniType<SyncProductId, SyncProductId>),
  /** Where the owner has put it in lists; those without a place come after. */
  place: z.optional(z.int()),
  /** The card says 'Select Options' and leads to the product page. */
  requiresOptions: z.boolean(),
  variantCount: z.int(),
  colors: z.array(Swatch),
  /** Empty where there is no choice of sizes. */
  sizes: z.array(z.string()),
  available: z.boolean(),
  /** Announced before payment, such as the pillow's shipping surcharge. */
  disclosures: z.array(z.string()),
  /** What each piece adds to shipping in these countries. */
  surcharge: z.optional(z.object({ amount: centsAnswer, countries: z.array(z.string()) })),
  /** Countries that it is not sent to. */
  blockedCountries: z.optional(z.array(z.string())),
})
export type Product = z.output<typeof Product>

const File = z.object({
  type: z.string(),
  preview_url: z.nullable(z.string()),
  thumbnail_url: z.nullable(z.string()),
  filename: z.nullable(z.string()),
})

export const SyncVariant = z.object({
  id: z.int() as unknown as z.ZodMiniType<VariantId, VariantId>,
  name: z.string(),
  color: z.nullable(z.string()),
  size: z.nullable(z.string()),
  /** The provider's own form: a decimal amount in US dollars. */
  retail_price: z.string(),
  availability_status: z.string(),
  product: z.object({ name: z.string() }),
  files: z.array(File),
})
export type SyncVariant = z.output<typeof SyncVariant>

/** The provider's shape, served from our own copy (specification, section 3). */
export const ProviderDetail = z.object({
  result: z.object({
    sync_product: z.object({
      id: z.int(),
      name: z.string(),
      thumbnail_url: z.nullable(z.string()),
      files: z.array(File),
    }),
    sync_variants: z.array(SyncVariant),
    custom_images: z.array(z.object({ url: z.string(), label: z.string() })),
  }),
})
export type ProviderDetail = z.output<typeof ProviderDetail>

/** A value in a query: cut, never refused, because people type it. Of several the first counts. */
const queryValue = z.pipe(
  z.optional(z.union([z.string(), z.array(z.string())])),
  z.transform((value) => (Array.isArray(value) ? value[0] : value) ?? ''),
)
const queryValues = z.pipe(
  z.optional(z.union([z.string(), z.array(z.string())])),
  z.transform((value): string[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])),
)
/** Whole cents in an address. */
const centsTyped = z.optional(z.pipe(z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)), centsInput))

/** Null: of a long list, too many to be counted. */
const count = z.nullable(z.int())
const countedValue = { value: z.string(), count }
const FacetCounts = z.object({
  type: z.array(z.object(countedValue)),
  color: z.array(z.object({ ...countedValue, hex: z.nullable(z.string()) })),
  size: z.array(z.object(countedValue)),
  price: z.array(z.object({ name: z.string(), from: centsAnswer, to: z.nullable(centsAnswer), count })),
})

const productNumber = z.int() as unknown as z.ZodMiniType<ProductId, ProductId>

export const ListingPage = z.object({
  products: z.array(Product),
  /** Counts for narrowing the list. */
  facets: FacetCounts,
  /** How many products the list has; with `isMore` it has more, which nobody counted. */
  count: z.int(),
  isMore: z.boolean(),
  /** What to ask for with `after` and `before`; null where the list ends. */
  next: z.nullable(productNumber),
  previous: z.nullable(productNumber),
})
export type ListingPage = z.output<typeof ListingPage>

export const ProductWithRelated = z.object({ product: Product, related: z.array(Product) })
export type ProductWithRelated = z.output<typeof ProductWithRelated>

export const SearchAnswer = z.object({
  /** What was looked for; empty when nothing was. */
  query: z.string(),
  /** The best first; of a large catalog a page of them. */
  products: z.array(Product),
  /** How many were found; with `isMore` there are more, which nobody counted. */
  count: z.int(),
  isMore: z.boolean(),
  /** The page that is shown, and whether one follows. */
  page: z.int(),
  hasNext: z.boolean(),
  /** The collections of the products, that of the best first. */
  groups: z.array(z.object({ collection: z.string(), count: z.int() })),
  /** Counts for narrowing what was found. */
  facets: FacetCounts,
  /** Nothing was written so; what is shown comes near. */
  isNear: z.boolean(),
})
export type SearchAnswer = z.output<typeof SearchAnswer>

const Suggestion = z.object({
  kind: z.enum(['product', 'collection']),
  id: z.string(),
  text: z.string(),
  imageUrl: z.nullable(z.string()),
})
export type Suggestion = z.output<typeof Suggestion>

const facetParameters = {
  type: queryValues,
  color: queryValues,
  size: queryValues,
  /** In cents, included. */
  priceFrom: centsTyped,
  /** In cents, no longer included. */
  priceTo: centsTyped,
}

/** The number of a product beside which a page begins or ends; what is none of a product's begins anew. */
const productMark = z.optional(
  z.pipe(
    z.string().check(z.regex(/^[1-9]\d{0,9}$/)),
    z.transform((text) => Number(text) as ProductId),
  ),
)

export const catalogCalls = {
  products: call({
    method: 'GET',
    path: '/api/products',
    access: 'anyone',
    summary: `All products in the order of the listing; of a large catalog a page, with the next one's address in the header Link.`,
    query: z.object({ after: productMark }),
    answer: z.array(Product),
    refusals: [],
    shared: true,
  }),
  listing: call({
    method: 'GET',
    path: '/api/listing',
    access: 'anyone',
    summary:
      'A page of the listing of a large catalog, narrowed by collection, words, type, color, size and lowest price.',
    query: z.object({
      collection: z.optional(z.string()),
      search: queryValue,
      ...facetParameters,
      after: productMark,
      before: productMark,
    }),
    answer: ListingPage,
    refusals: [],
    shared: true,
  }),
  product: call({
    method: 'GET',
    path: '/api/products/:id',
    access: 'anyone',
    summary: 'One product, by its number or slug, with a few others that go with it.',
    params: z.object({ id: z.string().check(z.maxLength(200)) }),
    answer: ProductWithRelated,
    refusals: ['unknown_product'],
    shared: true,
  }),
  showcase: call({
    method: 'GET',
    path: '/api/showcase',
    access: 'anyone',
    summary: 'One product of each kind of each collection, a best seller where there is one.',
    answer: z.array(Product),
    refusals: [],
    shared: true,
  }),
  providerDetail: call({
    method: 'GET',
    path: '/api/printful/products/:id',
    access: 'anyone',
    summary: 'Variants and pictures of one product, by the printer’s sync product id.',
    params: z.object({ id: providerPathId<SyncProductId>() }),
    answer: ProviderDetail,
    refusals: ['unknown_product'],
    shared: true,
  }),
  search: call({
    method: 'GET',
    path: '/api/search',
    access: 'anyone',
    summary: 'Products that a query finds, the best first, narrowed by collection, type, color, size and lowest price.',
    query: z.object({
      q: queryValue,
      collection: queryValues,
      ...facetParameters,
      page: z.optional(
        z.pipe(
          z.string().check(z.regex(/^[1-9]\d{0,3}$/)),
          z.transform((text) => Number(text)),
        ),
      ),
    }),
    answer: SearchAnswer,
    refusals: [],
  }),
  searchSuggestions: call({
    method: 'GET',
    path: '/api/search/suggestions',
    access: 'anyone',
    summary: 'Up to six collections and products for what has been typed so far.',
    query: z.object({ q: queryValue }),
    answer: z.object({ suggestions: z.array(Suggestion) }),
    refusals: [],
  }),
}

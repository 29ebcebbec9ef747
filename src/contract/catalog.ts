import * as z from 'zod/mini'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { languages } from '#shared/language.ts'
import { call } from './call.ts'
import { branded, centsInput, centsAnswer, providerPathId } from './wire.ts'

/** A picture in our own sizes: `src` is the largest, `srcSet` lists all. Width and height prevent layout shifts. */
export const Picture = z.object({
  src: z.string(),
  srcSet: z.string(),
  width: z.int(),
  height: z.int(),
  view: z.string(),
  /** The color it shows; null if none in particular. */
  color: z.nullable(z.string()),
  /** What the owner says it shows; otherwise pages describe it by name, color and view. */
  alt: z.optional(z.string()),
  /** Each size of `srcSet` is also there as AVIF. */
  avif: z.optional(z.literal(true)),
})
export type Picture = z.output<typeof Picture>

const Swatch = z.object({
  name: z.string(),
  hex: z.nullable(z.string()),
  /** The second color of a two-tone product. */
  accent: z.optional(z.string()),
  /** The first variant in this color, if possible one for sale. */
  variant: z.nullable(branded<VariantId>()),
  available: z.boolean(),
})

/** A product. Prices in cents; `price` is the lowest of its variants. */
export const Product = z.object({
  id: branded<ProductId>(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  price: centsAnswer,
  priceRange: z.object({ from: centsAnswer, to: centsAnswer }),
  imageUrl: z.string(),
  /** All; `GET /api/products` has the front and the use of one color. */
  images: z.array(Picture),
  /** The picture for shared links, 1200 x 630; without it, the first of `images`. */
  shareImage: z.optional(z.string()),
  badge: z.nullable(z.string()),
  /** Out of 5; meaningless while `reviewCount` is 0. */
  rating: z.number(),
  reviewCount: z.int(),
  collection: z.string(),
  /** A product type's key, such as `mug`. */
  type: z.string(),
  /** The Printful sync product id if mapped; `GET /api/printful/products/{id}` takes it. */
  providerProductId: z.nullable(branded<SyncProductId>()),
  /** The position set by the owner; products without one follow. */
  place: z.optional(z.int()),
  /** The card shows 'Select Options' and leads to the product page. */
  requiresOptions: z.boolean(),
  variantCount: z.int(),
  /** The first for sale, which its page chooses; null if it is sold out. */
  variant: z.nullable(branded<VariantId>()),
  colors: z.array(Swatch),
  /** Empty if there is no choice of sizes. */
  sizes: z.array(z.string()),
  available: z.boolean(),
  /** Disclosed before payment, such as the pillow's shipping surcharge. */
  disclosures: z.array(z.string()),
  /** Added to shipping per piece in these countries. */
  surcharge: z.optional(z.object({ amount: centsAnswer, countries: z.array(z.string()) })),
  /** Countries we do not ship it to. */
  blockedCountries: z.optional(z.array(z.string())),
  /** The owner's search words, for search engines. */
  keywords: z.optional(z.array(z.string())),
})
export type Product = z.output<typeof Product>

/** What a card of a list shows. The rest is `GET /api/products/:id`, which a card loads when somebody reaches for it. */
export const ProductCard = z.extend(
  z.pick(Product, {
    id: true,
    name: true,
    price: true,
    priceRange: true,
    badge: true,
    rating: true,
    reviewCount: true,
    collection: true,
    type: true,
    requiresOptions: true,
    variantCount: true,
    available: true,
  }),
  {
    /** The front, in the card's color; in a list neighbors differ. A large card's shows it in use. */
    picture: z.nullable(Picture),
    isLarge: z.optional(z.boolean()),
    /** Of a large card: the first of its description, if it is short. */
    sentence: z.optional(z.string()),
    /** The first variant for sale in that color; unset if it is the product's first, or if there is no choice of colors. */
    variant: z.optional(branded<VariantId>()),
    colorCount: z.int(),
  },
)
export type ProductCard = z.output<typeof ProductCard>

const File = z.object({
  type: z.string(),
  preview_url: z.nullable(z.string()),
  thumbnail_url: z.nullable(z.string()),
  filename: z.nullable(z.string()),
})

export const SyncVariant = z.object({
  id: branded<VariantId>(),
  name: z.string(),
  color: z.nullable(z.string()),
  size: z.nullable(z.string()),
  /** In Printful's format: a decimal amount in US dollars. */
  retail_price: z.string(),
  availability_status: z.string(),
  product: z.object({ name: z.string() }),
  files: z.array(File),
})
export type SyncVariant = z.output<typeof SyncVariant>

/** Printful's shape, served from our own copy (specification, section 3). */
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

/** Whose words are understood besides English. */
const searchLanguage = z.optional(z.enum(languages))

/** A query value: cut to size, never refused, because people type it. If repeated, the first counts. */
const queryValue = z.pipe(
  z.optional(z.union([z.string(), z.array(z.string())])),
  z.transform((value) => (Array.isArray(value) ? value[0] : value) ?? ''),
)
const queryValues = z.pipe(
  z.optional(z.union([z.string(), z.array(z.string())])),
  z.transform((value): string[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])),
)
/** Whole cents in a URL. */
const centsTyped = z.optional(z.pipe(z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)), centsInput))

/** Null if there are too many to count. */
const count = z.nullable(z.int())
const countedValue = { value: z.string(), count }
const FacetCounts = z.object({
  /** In the order of the filter; titles such as `T-shirts`. */
  type: z.array(z.object({ ...countedValue, title: z.string() })),
  color: z.array(z.object({ ...countedValue, hex: z.nullable(z.string()) })),
  /** `label` is what their types call it, such as `Phone model`; unset for sizes. */
  size: z.array(z.object({ ...countedValue, label: z.optional(z.string()) })),
  price: z.array(z.object({ name: z.string(), from: centsAnswer, to: z.nullable(centsAnswer), count })),
})

const productNumber = branded<ProductId>()

export const ListingPage = z.object({
  products: z.array(ProductCard),
  /** Counts for filtering the list. */
  facets: FacetCounts,
  /** The number of products; with `isMore`, a lower bound. */
  count: z.int(),
  isMore: z.boolean(),
  /** Values for `after` and `before`; null at the end of the list. */
  next: z.nullable(productNumber),
  previous: z.nullable(productNumber),
})
export type ListingPage = z.output<typeof ListingPage>

/** A number in inches, a range, or null for not measured. */
export const MeasureInInches = z.nullable(z.union([z.number(), z.tuple([z.number(), z.number()])]))

const Specs = z.object({
  /** Lines of the details panel. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  sizeTable: z.nullable(
    z.object({
      caption: z.string(),
      measures: z.array(z.string()),
      rows: z.array(z.object({ size: z.string(), values: z.array(MeasureInInches) })),
    }),
  ),
  /** What the options are called: `Color`, and `Size` or `Phone model`. */
  colorLabel: z.string(),
  sizeLabel: z.string(),
})
export type Specs = z.output<typeof Specs>

export const ProductWithRelated = z.object({ product: Product, related: z.array(ProductCard), specs: Specs })
export type ProductWithRelated = z.output<typeof ProductWithRelated>

export const SearchAnswer = z.object({
  /** The query; empty without one. */
  query: z.string(),
  /** Best match first, a page at a time. */
  products: z.array(ProductCard),
  /** The number of matches; with `isMore`, a lower bound. */
  count: z.int(),
  isMore: z.boolean(),
  /** The current page, and whether another follows. */
  page: z.int(),
  hasNext: z.boolean(),
  /** The products' collections, the best match's first. */
  groups: z.array(z.object({ collection: z.string(), count: z.int() })),
  /** Counts for filtering the results. */
  facets: FacetCounts,
  /** No exact match; shows similar ones. */
  isNear: z.boolean(),
})
export type SearchAnswer = z.output<typeof SearchAnswer>

const Suggestion = z.object({
  kind: z.enum(['product', 'collection']),
  id: z.string(),
  text: z.string(),
  imageUrl: z.nullable(z.string()),
  /** Of a product: its lowest price, and its collection's name. */
  price: z.optional(centsAnswer),
  collection: z.optional(z.string()),
})
export type Suggestion = z.output<typeof Suggestion>

const facetParameters = {
  type: queryValues,
  color: queryValues,
  size: queryValues,
  /** In cents, inclusive. */
  priceFrom: centsTyped,
  /** In cents, exclusive. */
  priceTo: centsTyped,
}

/** The number of the product next to which a page starts or ends; unknown ones start from the beginning. */
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
    summary: `Products in listing order, 60 at most; the Link header has the next page's URL.`,
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
      'A page of products, filtered by collection, words, type, color, size and lowest price. `sort` is `price`, `price-down`, `newest` or `rating`.',
    query: z.object({
      collection: z.optional(z.string()),
      search: queryValue,
      ...facetParameters,
      sort: queryValue,
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
    summary: 'One product by number or slug, with related products.',
    params: z.object({ id: z.string().check(z.maxLength(200)) }),
    answer: ProductWithRelated,
    refusals: ['unknown_product'],
    shared: true,
  }),
  showcase: call({
    method: 'GET',
    path: '/api/showcase',
    access: 'anyone',
    summary: 'One product of each type in each collection, preferably a best seller, with one picture.',
    query: z.object({
      /** Only these, as collection and type: `rudy:mug`. */
      piece: queryValues,
      /** Close up, in use or worn, where there is such a picture. */
      view: z.optional(z.enum(['detail', 'lifestyle', 'worn'])),
    }),
    answer: z.array(ProductCard),
    refusals: [],
    shared: true,
  }),
  bestSellers: call({
    method: 'GET',
    path: '/api/best-sellers',
    access: 'anyone',
    summary: 'Four products: what the owner calls a best seller, then what has the most reviews.',
    answer: z.array(ProductCard),
    refusals: [],
    shared: true,
  }),
  providerDetail: call({
    method: 'GET',
    path: '/api/printful/products/:id',
    access: 'anyone',
    summary: 'A product’s variants and pictures, by Printful sync product id.',
    params: z.object({ id: providerPathId<SyncProductId>() }),
    answer: ProviderDetail,
    refusals: ['unknown_product'],
    shared: true,
  }),
  search: call({
    method: 'GET',
    path: '/api/search',
    access: 'anyone',
    summary: 'Searches products, best match first, filtered by collection, type, color, size and lowest price.',
    query: z.object({
      q: queryValue,
      language: searchLanguage,
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
    shared: true,
  }),
  searchSuggestions: call({
    method: 'GET',
    path: '/api/search/suggestions',
    access: 'anyone',
    summary: 'Up to six suggested collections and products for a partial query.',
    query: z.object({ q: queryValue, language: searchLanguage }),
    /** `count` is the number of products that the search would find; with `isMore`, a lower bound. */
    answer: z.object({ suggestions: z.array(Suggestion), count: z.int(), isMore: z.boolean() }),
    refusals: [],
    shared: true,
  }),
}

import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { paths } from '#contract/paths.ts'
import { isWorn, productTypeOf, type ProductType } from '#domain/catalog/product-types.ts'
import { isBuyable } from '#domain/catalog/buyable.ts'
import { findCollection, shownCollections, type Collection } from '#domain/catalog/collections.ts'
import { pictureIn } from '#domain/catalog/gallery.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import { decimalFromCents, ZERO, type Cents } from '#shared/money.ts'
import type { Product } from '#contract/catalog.ts'
import type { Db } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { readCollections } from './collections.ts'
import { cacheList } from './listing-cache.ts'
import { listNumberRanges, listNumbers, PRODUCT_ID_MAX } from './listing-store.ts'
import { picturesOf } from './pictures.ts'
import { readProductTypes } from './product-types.ts'
import { readProducts } from './product-view.ts'
import { listProductsWithVariants, type ProductWithVariants, type StoredVariant } from './store.ts'

/** Pages for the sitemap besides collections and products. */
const staticPages = [
  paths.home,
  paths.products,
  paths.about,
  paths.contact,
  paths.shippingReturns,
  paths.privacyPolicy,
  paths.termsOfService,
]

/** Google Merchant Center reads at most this many additional pictures. */
const MORE_PICTURES_MAX = 10

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** XML allows no control characters, not even as references. */
const escapeXml = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').replaceAll(/[&<>"']/g, (char) => XML_ENTITIES[char] ?? char)

const element = (name: string, text: string | number | undefined): string =>
  text === undefined || text === '' ? '' : `<${name}>${escapeXml(String(text))}</${name}>`

const MAP_HEAD =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

/** Product ids per sitemap; with pictures this stays well below the size limit of sitemaps. */
const PRODUCTS_PER_SITEMAP = 1000

const sitemapEntry = (address: string, more = '') => `<url>${element('loc', address)}${more}</url>`

const productPages = (origin: string, products: readonly Product[]): string[] =>
  products.map(({ id, images }) =>
    sitemapEntry(
      `${origin}${paths.product(id)}`,
      images.map(({ src }) => `<image:image>${element('image:loc', `${origin}${src}`)}</image:image>`).join(''),
    ),
  )

const otherPages = async (db: Db, origin: string): Promise<string[]> => [
  ...staticPages.map((path) => sitemapEntry(origin + path)),
  ...shownCollections(await readCollections(db)).map(({ slug }) => sitemapEntry(origin + paths.collection(slug))),
]

const mapOf = (pages: readonly string[]): string => [XML_HEAD, MAP_HEAD, ...pages, '</urlset>'].join('\n')

/**
 * The sitemap with all public pages and product pictures, or an index if the products need several.
 * @param origin of the shop, without a trailing slash
 */
export async function sitemap(db: Db, origin: string): Promise<string> {
  const maps = await cacheList(db, 'maps', () => listNumberRanges(db, PRODUCTS_PER_SITEMAP))
  if (maps.length <= 1) {
    const products = await Promise.all(maps.map((range) => productsOfRange(db, range)))
    return mapOf([...(await otherPages(db, origin)), ...productPages(origin, products.flat())])
  }
  const map = (name: string) => `<sitemap>${element('loc', `${origin}/sitemap/${name}.xml`)}</sitemap>`
  return [
    XML_HEAD,
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...['pages', ...maps.map(String)].map(map),
    '</sitemapindex>',
  ].join('\n')
}

/** @param range a product's number divided by `PRODUCTS_PER_SITEMAP` */
async function productsOfRange(db: Db, range: number): Promise<Product[]> {
  const [from, limit] = [range * PRODUCTS_PER_SITEMAP, PRODUCTS_PER_SITEMAP]
  return from < PRODUCT_ID_MAX ? readProducts(db, await listNumbers(db, { from, to: from + limit, limit })) : []
}

/** One of several sitemaps. @throws Refusal `unknown_call` for an unknown name */
export async function sitemapPart(db: Db, origin: string, name: string): Promise<string> {
  if (name === 'pages') return mapOf(await otherPages(db, origin))
  const products = /^(?:0|[1-9]\d{0,6})$/.test(name) ? await productsOfRange(db, Number(name)) : []
  if (!products.length) throw new Refusal('unknown_call')
  return mapOf(productPages(origin, products))
}

const PRODUCTS_PER_READ = 100
const FEED_HEAD = [XML_HEAD, '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">', '<channel>']

const databasesWithFeed = new WeakSet<Db>()

/** @property origin of the shop, without a trailing slash. @property isShippingFree whether the shop pays the carrier */
type FeedOptions = { origin: string; isShippingFree: boolean; site: SiteSettings }

/**
 * The merchant feed (RSS 2.0 with Google's names), one item per variant, generated as it is sent.
 * @throws Refusal `unavailable` while another feed that takes several reads is being generated
 */
export async function merchantFeed(db: Db, options: FeedOptions): Promise<AsyncGenerator<string>> {
  const first = await listNumbers(db, { from: 0, to: PRODUCT_ID_MAX, limit: PRODUCTS_PER_READ + 1 })
  if (first.length <= PRODUCTS_PER_READ) return feedOf(db, options)
  if (databasesWithFeed.has(db)) throw new Refusal('unavailable')
  return oneFeedAtATime(db, feedOf(db, options))
}

async function* oneFeedAtATime(db: Db, feed: AsyncGenerator<string>): AsyncGenerator<string> {
  databasesWithFeed.add(db)
  try {
    yield* feed
  } finally {
    databasesWithFeed.delete(db)
  }
}

async function* feedOf(db: Db, options: FeedOptions): AsyncGenerator<string> {
  const { origin, site } = options
  const facts = [element('title', site.name), element('link', `${origin}/`), element('description', site.tagline)]
  yield [...FEED_HEAD, ...facts].join('\n')
  const types = await readProductTypes(db)
  const collections = await readCollections(db)
  let from = 0
  for (;;) {
    const ids = await listNumbers(db, { from, to: PRODUCT_ID_MAX, limit: PRODUCTS_PER_READ })
    const last = ids.at(-1)
    if (last === undefined) break
    from = last + 1
    for (const record of await listProductsWithVariants(db, ids))
      yield `\n${itemsOf(record, { type: productTypeOf(types, record.product.type), collections }, options).join('\n')}`
  }
  yield '\n</channel>\n</rss>'
}

function itemsOf(
  record: ProductWithVariants,
  { type, collections }: { type: ProductType; collections: readonly Collection[] },
  { origin, isShippingFree, site }: FeedOptions,
): string[] {
  const { product, variants } = record
  const collection = findCollection(collections, product.collection)?.displayName ?? product.collection
  const pictures = picturesOf(record)
  const shared = [
    element('g:item_group_id', product.id),
    element('description', product.description),
    element('g:brand', site.name),
    element('g:condition', 'new'),
    // Made to order: there is no barcode or manufacturer's number.
    element('g:identifier_exists', 'no'),
    element('g:google_product_category', type.merchantCategory),
    element('g:product_type', `${collection} > ${type.merchantType}`),
    element('g:min_handling_time', site.processingDays.from),
    element('g:max_handling_time', site.processingDays.to),
    ...(isWorn(type) ? [element('g:age_group', type.ageGroup), element('g:gender', 'unisex')] : []),
    ...shippingOf(record, isShippingFree),
  ].filter(Boolean)

  const item = (variant: StoredVariant) => {
    const main = pictureIn(pictures, variant.color)
    const others = pictures.filter(({ src, color }) => src !== main?.src && (color === variant.color || !color))
    const variantName = variantNameOf(variant.color, variant.size)
    return [
      '<item>',
      element('g:id', variant.id),
      element('title', variantName ? `${product.name} - ${variantName}` : product.name),
      element('link', `${origin}${paths.variant(product.id, variant.id)}`),
      element('g:image_link', `${origin}${main?.src ?? DEFAULT_PICTURE}`),
      ...others.slice(0, MORE_PICTURES_MAX).map(({ src }) => element('g:additional_image_link', `${origin}${src}`)),
      element('g:availability', isBuyable(variant) ? 'in_stock' : 'out_of_stock'),
      element('g:price', usd(variant.unitPrice)),
      element('g:color', variant.color ?? undefined),
      element('g:size', variant.size ?? undefined),
      ...shared,
      '</item>',
    ]
      .filter(Boolean)
      .join('\n')
  }
  return variants.map(item)
}

const usd = (amount: Cents): string => `${decimalFromCents(amount)} USD`

/** Free or the product's surcharge, by country; nothing when shoppers pay the carrier's rate. */
function shippingOf({ product }: ProductWithVariants, isFree: boolean): string[] {
  if (!isFree) return []
  const { shippingSurcharge, restrictions } = product.metadata
  const prices = new Map<string, Cents>([['US', ZERO]])
  if (shippingSurcharge?.enabled)
    for (const country of shippingSurcharge.regions) prices.set(country, shippingSurcharge.amount)
  for (const country of restrictions?.blockedCountries ?? []) prices.delete(country)
  return [...prices].map(
    ([country, amount]) =>
      `<g:shipping>${element('g:country', country)}${element('g:price', usd(amount))}</g:shipping>`,
  )
}

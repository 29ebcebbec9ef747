import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { collections, findCollection } from '#site/collections/collections.ts'
import { label } from '#site/label.ts'
import { PROCESSING_BUSINESS_DAYS } from '#site/policies.ts'
import { paths } from '#contract/paths.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import { decimalFromCents, ZERO, type Cents } from '#shared/money.ts'
import type { Product } from '#contract/catalog.ts'
import type { Db } from '#server/db/db.ts'
import { hasWholeCatalog } from '#server/http/catalog-size.ts'
import { Refusal } from '#server/http/refusal.ts'
import { listProducts } from './listing.ts'
import { cacheList } from './listing-cache.ts'
import { listNumberRanges, listNumbers, PRODUCT_ID_MAX } from './listing-store.ts'
import { pictureFor, picturesOf } from './pictures.ts'
import { canBeMade, readProducts } from './product-view.ts'
import { listProductsWithVariants, type ProductWithVariants, type StoredVariant } from './store.ts'

/** Pages that are worth finding besides collections and products, and always there. */
const staticPages = [
  paths.home,
  paths.products,
  paths.about,
  paths.contact,
  paths.shippingReturns,
  paths.privacyPolicy,
  paths.termsOfService,
]

/** More pictures than this of one variant are not read by the merchant's side. */
const MORE_PICTURES_MAX = 10

const APPAREL_CATEGORY = 'Apparel & Accessories'
const KITCHEN_CATEGORY = 'Home & Garden > Kitchen & Dining'

/** Google's taxonomy of goods in its English words, and ours; what is worn says for whom. */
const taxonomy: Readonly<Record<ProductType, { category: string; kind: string }>> = {
  'vented-hat': { category: `${APPAREL_CATEGORY} > Clothing Accessories > Hats`, kind: 'Hats' },
  hat: { category: `${APPAREL_CATEGORY} > Clothing Accessories > Hats`, kind: 'Hats' },
  visor: { category: `${APPAREL_CATEGORY} > Clothing Accessories > Hats`, kind: 'Visors' },
  't-shirt': { category: `${APPAREL_CATEGORY} > Clothing > Shirts & Tops`, kind: 'T-shirts' },
  polo: { category: `${APPAREL_CATEGORY} > Clothing > Shirts & Tops`, kind: 'Polo shirts' },
  mug: { category: `${KITCHEN_CATEGORY} > Tableware > Drinkware > Mugs`, kind: 'Mugs' },
  'water-bottle': { category: `${KITCHEN_CATEGORY} > Food & Beverage Carriers > Water Bottles`, kind: 'Water bottles' },
  pillow: { category: 'Home & Garden > Decor > Throw Pillows', kind: 'Pillows' },
  blanket: { category: 'Home & Garden > Linens & Bedding > Bedding > Blankets', kind: 'Blankets' },
  tote: { category: 'Luggage & Bags > Shopping Totes', kind: 'Tote bags' },
  'can-cooler': {
    category: `${KITCHEN_CATEGORY} > Food & Beverage Carriers > Drink Sleeves > Can & Bottle Sleeves`,
    kind: 'Can coolers',
  },
  'mouse-pad': {
    category: 'Electronics > Electronics Accessories > Computer Accessories > Mouse Pads',
    kind: 'Mouse pads',
  },
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** XML takes no control characters at all, not even written as references. */
const escapeXml = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').replaceAll(/[&<>"']/g, (sign) => XML_ENTITIES[sign] ?? sign)

const element = (name: string, text: string | number | undefined): string =>
  text === undefined || text === '' ? '' : `<${name}>${escapeXml(String(text))}</${name}>`

const MAP_HEAD =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'

/** Numbers of products that one map holds; with its pictures it stays well below what a map may weigh. */
const PRODUCTS_PER_SITEMAP = 1000

const sitemapEntry = (address: string, more = '') => `<url>${element('loc', address)}${more}</url>`

const productPages = (origin: string, products: readonly Product[]): string[] =>
  products.map(({ id, images }) =>
    sitemapEntry(
      `${origin}${paths.product(id)}`,
      images.map(({ src }) => `<image:image>${element('image:loc', `${origin}${src}`)}</image:image>`).join(''),
    ),
  )

const otherPages = (origin: string): string[] => [
  ...staticPages.map((path) => sitemapEntry(origin + path)),
  ...Object.keys(collections).map((id) => sitemapEntry(origin + paths.collection(id))),
]

const mapOf = (pages: readonly string[]): string => [XML_HEAD, MAP_HEAD, ...pages, '</urlset>'].join('\n')

/**
 * The pages that search engines may show, products with their pictures; of a large catalog the maps that list them.
 * @param origin of the shop, without a slash at its end
 */
export async function sitemap(db: Db, origin: string): Promise<string> {
  if (await hasWholeCatalog(db)) return mapOf([...otherPages(origin), ...productPages(origin, await listProducts(db))])
  const maps = await cacheList(db, 'maps', () => listNumberRanges(db, PRODUCTS_PER_SITEMAP))
  const map = (name: string) => `<sitemap>${element('loc', `${origin}/sitemap/${name}.xml`)}</sitemap>`
  return [
    XML_HEAD,
    '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...['pages', ...maps.map(String)].map(map),
    '</sitemapindex>',
  ].join('\n')
}

/** One of the maps of a large catalog. @throws Refusal `unknown_call` for one that there is not */
export async function sitemapPart(db: Db, origin: string, name: string): Promise<string> {
  if (name === 'pages') return mapOf(otherPages(origin))
  const from = /^(?:0|[1-9]\d{0,6})$/.test(name) ? Number(name) * PRODUCTS_PER_SITEMAP : PRODUCT_ID_MAX
  const limit = PRODUCTS_PER_SITEMAP
  const ids = from < PRODUCT_ID_MAX ? await listNumbers(db, { from, to: from + limit, limit }) : []
  if (!ids.length) throw new Refusal('unknown_call')
  return mapOf(productPages(origin, await readProducts(db, ids)))
}

const SHELVES_AT_ONCE = 100
const FEED_HEAD = [
  XML_HEAD,
  '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">',
  '<channel>',
  element('title', label.name),
]

const databasesWithFeed = new WeakSet<Db>()

/** @property origin of the shop, without a slash at its end. @property isShippingFree whether the shop pays the carrier */
type FeedOptions = { origin: string; isShippingFree: boolean }

/**
 * The merchant feed (RSS 2.0 with Google's names), one item per variant; it is written while it is sent.
 * @throws Refusal `unavailable` while that of a large catalog is written already
 */
export async function merchantFeed(db: Db, options: FeedOptions): Promise<AsyncGenerator<string>> {
  if (await hasWholeCatalog(db)) return feedOf(db, options)
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
  yield [...FEED_HEAD, element('link', `${options.origin}/`), element('description', label.tagline)].join('\n')
  let from = 0
  for (;;) {
    const ids = await listNumbers(db, { from, to: PRODUCT_ID_MAX, limit: SHELVES_AT_ONCE })
    const last = ids.at(-1)
    if (last === undefined) break
    from = last + 1
    for (const shelf of await listProductsWithVariants(db, ids)) yield `\n${itemsOf(shelf, options).join('\n')}`
  }
  yield '\n</channel>\n</rss>'
}

function itemsOf(shelf: ProductWithVariants, { origin, isShippingFree }: FeedOptions): string[] {
  const { product, variants } = shelf
  const { category, kind } = taxonomy[product.type]
  const collection = findCollection(product.collection)?.displayName ?? product.collection
  const pictures = picturesOf(shelf)
  const shared = [
    element('g:item_group_id', product.id),
    element('description', product.description),
    element('g:brand', label.name),
    element('g:condition', 'new'),
    // Made to order: there is no barcode and no maker's number.
    element('g:identifier_exists', 'no'),
    element('g:google_product_category', category),
    element('g:product_type', `${collection} > ${kind}`),
    element('g:min_handling_time', PROCESSING_BUSINESS_DAYS.from),
    element('g:max_handling_time', PROCESSING_BUSINESS_DAYS.to),
    ...(category.startsWith(APPAREL_CATEGORY) ? [element('g:age_group', 'adult'), element('g:gender', 'unisex')] : []),
    ...shippingOf(shelf, isShippingFree),
  ].filter(Boolean)

  const item = (variant: StoredVariant) => {
    const main = pictureFor(pictures, variant.color)
    const others = pictures.filter(({ src, color }) => src !== main?.src && (color === variant.color || !color))
    const shown = variantNameOf(variant.color, variant.size)
    return [
      '<item>',
      element('g:id', variant.id),
      element('title', shown ? `${product.name} - ${shown}` : product.name),
      element('link', `${origin}${paths.variant(product.id, variant.id)}`),
      element('g:image_link', `${origin}${main?.src ?? DEFAULT_PICTURE}`),
      ...others.slice(0, MORE_PICTURES_MAX).map(({ src }) => element('g:additional_image_link', `${origin}${src}`)),
      element('g:availability', canBeMade(variant) ? 'in_stock' : 'out_of_stock'),
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

/** Free at home and for its surcharge where the product asks one; nothing where a carrier's rate is charged. */
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

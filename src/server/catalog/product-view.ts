import type { Product, ProductCard } from '#contract/catalog.ts'
import { chooseCardColors } from '#domain/catalog/card-colors.ts'
import { isBuyable } from '#domain/catalog/buyable.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { disclosuresOf } from '#domain/catalog/shipping-terms.ts'
import { inUse, pictureIn } from '#domain/catalog/gallery.ts'
import { isLargeCard, shortSentenceOf, type CardList } from '#domain/catalog/large-cards.ts'
import type { ProductId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { cacheProducts } from './listing-cache.ts'
import { picturesOf, sharingPictureOf } from './pictures.ts'
import { listProductsWithVariants, type ProductWithVariants } from './store.ts'

/** Products as lists show them, in the given order, without hidden ones. */
export const productsOf = (db: Db, ids: readonly ProductId[]): Promise<Product[]> =>
  cacheProducts(db, ids, (missing) => readProducts(db, missing))

/** The same without caching, for reading many products once. */
export const readProducts = async (db: Reader, ids: readonly ProductId[]): Promise<Product[]> =>
  (await listProductsWithVariants(db, ids)).flatMap((record) => toProductView(record) ?? [])

/** @returns undefined for a product without variants at the printer, and so without a price */
function toProductView(record: ProductWithVariants): Product | undefined {
  const { product, variants, rating } = record
  const buyable = variants.filter(isBuyable)
  // Sold-out variants do not lower the advertised price, unless all are sold out.
  const prices = (buyable.length ? buyable : variants).map(({ unitPrice }) => unitPrice)
  if (!prices.length) return undefined
  const [from, to] = [cents(Math.min(...prices)), cents(Math.max(...prices))]
  const images = picturesOf(record)
  const shareImage = sharingPictureOf(record)
  const { shippingSurcharge, restrictions, keywords } = product.metadata
  return {
    id: product.id,
    slug: product.slug,
    name: product.name,
    description: product.description,
    price: from,
    priceRange: { from, to },
    imageUrl: images[0]?.src ?? DEFAULT_PICTURE,
    images,
    ...(shareImage && { shareImage }),
    badge: product.badge,
    // The specification's default.
    rating: rating?.rating ?? 5,
    reviewCount: rating?.reviewCount ?? 0,
    collection: product.collection,
    type: product.type,
    providerProductId: product.providerProductId,
    ...(product.place !== null && { place: product.place }),
    requiresOptions: product.requiresOptions,
    variantCount: variants.length,
    variant: buyable[0]?.id ?? null,
    colors: swatchesOf(record),
    sizes: sizesOf(record),
    available: buyable.length > 0,
    disclosures: disclosuresOf(product.metadata),
    ...(shippingSurcharge?.enabled && {
      surcharge: { amount: shippingSurcharge.amount, countries: shippingSurcharge.regions },
    }),
    ...(restrictions?.blockedCountries.length && { blockedCountries: restrictions.blockedCountries }),
    ...(keywords && { keywords }),
  }
}

/** The available colors in the catalog file's order; colors that the file does not know come last, without a swatch. */
function swatchesOf({ product, variants }: ProductWithVariants): Product['colors'] {
  const available = new Set(variants.flatMap(({ color }) => color ?? []))
  const known = product.colors.filter(({ name }) => available.has(name))
  const unknown = [...available].filter((name) => !known.some((swatch) => swatch.name === name))
  return [...known, ...unknown.map((name) => ({ name, hex: null }))].map((swatch) => {
    const own = variants.filter(({ color }) => color === swatch.name)
    const first = own.find(isBuyable)
    return { ...swatch, variant: (first ?? own[0])?.id ?? null, available: first !== undefined }
  })
}

const sizesOf = ({ variants }: ProductWithVariants): string[] => {
  const sizes = [...new Set(variants.flatMap(({ size }) => size ?? []))]
  return sizes.length > 1 ? sizes : []
}

/** As cards of one list, whose neighbors differ in color. @param chosen colors of a filter, which cards show if they can */
export function toCards(products: readonly Product[], chosen: readonly string[] = []): ProductCard[] {
  const colors = chooseCardColors(products, chosen)
  return products.map((product, index) => toCard(product, colors[index] ?? null))
}

/** As cards of a list, some of them large. */
export const toListCards = (products: readonly Product[], chosen: readonly string[], list: CardList): ProductCard[] =>
  toCards(products, chosen).map((card, index) => {
    const { images = [], description = '' } = products[index] ?? {}
    const use = isLargeCard(index, products.length, list) && inUse(images, card.picture?.color ?? null)
    const sentence = shortSentenceOf(description)
    return use ? { ...card, picture: use, isLarge: true, ...(sentence && { sentence }) } : card
  })

function toCard(product: Product, color: string | null): ProductCard {
  const { id, name, price, priceRange, badge, rating, reviewCount, collection, type } = product
  const { requiresOptions, variantCount, available, images, colors } = product
  const variant = colors.find((swatch) => swatch.name === color)?.variant
  return {
    ...{ id, name, price, priceRange, badge, rating, reviewCount, collection, type },
    ...{ requiresOptions, variantCount, available },
    picture: pictureIn(images, color) ?? null,
    ...(variant && variant !== product.variant && { variant }),
    colorCount: colors.length,
  }
}

/** With two of its pictures, the first and the same piece in use: most of a list's bytes would be pictures. */
export function withFewPictures(product: Product): Product {
  const [front, ...others] = product.images
  const use = inUse(product.images, front?.color ?? null)
  return others.length > 1 && front ? { ...product, images: use && use !== front ? [front, use] : [front] } : product
}

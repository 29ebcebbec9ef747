import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import type { Product } from '#contract/catalog.ts'
import { disclosuresOf } from '#domain/catalog/shipping-terms.ts'
import type { ProductId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import type { Db } from '#server/db/db.ts'
import { cacheProducts } from './listing-cache.ts'
import { picturesOf, sharePictureOf } from './pictures.ts'
import { listProductsWithVariants, type ProductWithVariants, type StoredVariant } from './store.ts'

/** The partner's word for: it can be made. */
export const canBeMade = ({ availability, goneAt }: StoredVariant) => availability === 'active' && goneAt === null

/** Products as lists show them, in the order given; what is not shown is left out. */
export const productsOf = (db: Db, ids: readonly ProductId[]): Promise<Product[]> =>
  cacheProducts(db, ids, (missing) => readProducts(db, missing))

/** The same for who reads many once: nothing is kept. */
export const readProducts = async (db: Db, ids: readonly ProductId[]): Promise<Product[]> =>
  (await listProductsWithVariants(db, ids)).flatMap((shelf) => toProductView(shelf) ?? [])

/** @returns undefined for a product of which the partner has nothing: it has no price */
function toProductView(shelf: ProductWithVariants): Product | undefined {
  const { product, variants } = shelf
  const makeable = variants.filter(canBeMade)
  // What is sold out does not lower the price that is advertised, unless everything is.
  const prices = (makeable.length ? makeable : variants).map(({ unitPrice }) => unitPrice)
  if (!prices.length) return undefined
  const [from, to] = [cents(Math.min(...prices)), cents(Math.max(...prices))]
  const images = picturesOf(shelf)
  const shareImage = sharePictureOf(shelf)
  const { shippingSurcharge, restrictions } = product.metadata
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
    rating: product.rating,
    reviewCount: product.reviewCount,
    collection: product.collection,
    type: product.type,
    providerProductId: product.providerProductId,
    ...(product.place !== null && { place: product.place }),
    requiresOptions: product.requiresOptions,
    variantCount: variants.length,
    colors: swatchesOf(shelf),
    sizes: sizesOf(shelf),
    available: makeable.length > 0,
    disclosures: disclosuresOf(product.metadata),
    ...(shippingSurcharge?.enabled && {
      surcharge: { amount: shippingSurcharge.amount, countries: shippingSurcharge.regions },
    }),
    ...(restrictions?.blockedCountries.length && { blockedCountries: restrictions.blockedCountries }),
  }
}

/** The dyes that there are, in the order of the catalog file; one that the file does not know comes last, without its look. */
function swatchesOf({ product, variants }: ProductWithVariants): Product['colors'] {
  const made = new Set(variants.flatMap(({ color }) => color ?? []))
  const known = product.colors.filter(({ name }) => made.has(name))
  const unknown = [...made].filter((name) => !known.some((swatch) => swatch.name === name))
  return [...known, ...unknown.map((name) => ({ name, hex: null }))]
}

const sizesOf = ({ variants }: ProductWithVariants): string[] => {
  const sizes = [...new Set(variants.flatMap(({ size }) => size ?? []))]
  return sizes.length > 1 ? sizes : []
}

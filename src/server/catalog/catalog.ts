import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import type { Picture, ProviderDetail } from '#contract/catalog.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import type { PricedLine } from '#domain/checkout/quote.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { decimalFromCents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { pictureFor, picturesOf } from './pictures.ts'
import { canBeMade } from './product-view.ts'
import {
  findProduct,
  findProductByProviderId,
  listProductsWithVariants,
  listVariants,
  listVariantsWithProducts,
  type StoredProduct,
  type StoredVariant,
} from './store.ts'

export { pictureAddress, readPicture } from './pictures.ts'

export { listForOwner } from './store.ts'

export { findProductView, listProducts, productsForCards, walkProducts } from './listing.ts'

/**
 * Variants and pictures in the partner's shape, from our own copy.
 * @throws Refusal `unknown_product` for an id that no product of ours is mapped to
 */
export async function providerDetail(db: Reader, id: SyncProductId): Promise<ProviderDetail> {
  const product = await findProductByProviderId(db, id)
  const [shelf] = product ? await listProductsWithVariants(db, [product.id]) : []
  if (!shelf) throw new Refusal('unknown_product')

  const { name } = shelf.product
  const pictures = picturesOf(shelf)
  const file = (picture: { src: string } | undefined) => {
    const address = picture?.src ?? DEFAULT_PICTURE
    return {
      type: 'preview',
      preview_url: address,
      thumbnail_url: address,
      filename: address.split('/').at(-1) ?? null,
    }
  }
  return {
    result: {
      sync_product: {
        id,
        name,
        thumbnail_url: pictures[0]?.src ?? DEFAULT_PICTURE,
        files: pictures.map(file),
      },
      sync_variants: shelf.variants.map((variant) => ({
        id: variant.id,
        name: variant.name,
        color: variant.color,
        size: variant.size,
        retail_price: decimalFromCents(variant.unitPrice),
        availability_status: variant.availability,
        product: { name },
        files: [file(pictureFor(pictures, variant.color))],
      })),
      // What the partner has no place for: pictures that show something else than one variant from the front.
      custom_images: pictures
        .filter(({ view, color }) => view !== 'front' || color === null)
        .map(({ src, view }) => ({ url: src, label: view })),
    },
  }
}

const PRODUCT_ID_MAX = 2 ** 31 - 1

/**
 * What a cart may take.
 * @param variantId null takes the only variant
 * @throws Refusal `unknown_product`, `unknown_variant`, `variant_required` or `sold_out`
 */
export async function findBuyable(
  db: Reader,
  productId: ProductId,
  variantId: VariantId | null,
): Promise<{ variant: StoredVariant; product: StoredProduct }> {
  // More than the column holds is no product of ours, and would be an error of the database.
  const product = productId > PRODUCT_ID_MAX ? undefined : await findProduct(db, productId)
  if (!product) throw new Refusal('unknown_product')

  const variants = await listVariants(db, productId)
  if (variantId === null && variants.length > 1) throw new Refusal('variant_required')
  const variant = variantId === null ? variants[0] : variants.find(({ id }) => id === variantId)
  if (!variant) throw new Refusal('unknown_variant')
  if (!canBeMade(variant)) throw new Refusal('sold_out', { product: product.name })
  return { variant, product }
}

/**
 * What is wanted, at the prices of this moment, in the order given.
 * @throws Refusal `unknown_variant`, or `sold_out` for what can no longer be bought
 */
export async function linesAtTodaysPrices(
  db: Reader,
  wanted: readonly { variantId: VariantId; quantity: number }[],
): Promise<PricedLine[]> {
  if (!wanted.length) return []
  const rows = await listVariantsWithProducts(
    db,
    wanted.map(({ variantId }) => variantId),
  )
  const found = new Map(rows.map((row) => [row.variant.id, row]))
  const ofOurs = new Map(
    rows.map(({ product, pictures }) => [product.id, picturesOf({ pictures, variants: [], copies: [] })]),
  )
  const bare = [...ofOurs].flatMap(([id, pictures]) => (pictures.length ? [] : id))
  const ofThePartner = bare.length ? await listProductsWithVariants(db, bare) : []
  const picturesOfProduct = new Map([
    ...ofOurs,
    ...ofThePartner.map((shelf): [ProductId, Picture[]] => [shelf.product.id, picturesOf(shelf)]),
  ])

  return wanted.map(({ variantId, quantity }) => {
    const row = found.get(variantId)
    if (!row) throw new Refusal('unknown_variant')
    const { variant, product } = row
    if (!product.visible || !canBeMade(variant)) throw new Refusal('sold_out', { product: product.name })
    return {
      productId: product.id,
      variantId,
      productName: product.name,
      variantName: variantNameOf(variant.color, variant.size),
      imageUrl: pictureFor(picturesOfProduct.get(product.id) ?? [], variant.color)?.src ?? null,
      collection: product.collection,
      unitPrice: variant.unitPrice,
      quantity,
      metadata: product.metadata,
    }
  })
}

/** The partner's own number of what each variant is printed on. */
export const catalogVariantsOf = async (db: Reader, ids: readonly VariantId[]): Promise<Map<VariantId, number>> =>
  new Map((await listVariantsWithProducts(db, ids)).map(({ variant }) => [variant.id, variant.catalogVariantId]))

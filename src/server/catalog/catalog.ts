import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import type { Picture, ProviderDetail } from '#contract/catalog.ts'
import { isBuyable } from '#domain/catalog/buyable.ts'
import { pictureIn } from '#domain/catalog/gallery.ts'
import { isWorn, productTypeOf } from '#domain/catalog/product-types.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import type { PricedLine } from '#domain/checkout/quote.ts'
import type { CatalogPiece } from '#domain/orders/change.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { decimalFromCents } from '#shared/money.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { picturesOf } from './pictures.ts'
import { readProductTypes } from './product-types.ts'
import {
  findProduct,
  findProductByProviderId,
  listIdsOfCollection,
  listNames,
  listTypes,
  listProductsWithVariants,
  listVariants,
  listVariantsWithProducts,
  type StoredProduct,
  type StoredVariant,
} from './store.ts'

/** Whether a product, also a hidden one, has variants. */
export const hasVariantsOf = async (db: Reader, id: ProductId): Promise<boolean> =>
  (await listVariants(db, id)).length > 0

/**
 * Variants and pictures in the printer's format, from our own copy.
 * @throws Refusal `unknown_product` when no product is mapped to the id
 */
export async function providerDetail(db: Reader, id: SyncProductId): Promise<ProviderDetail> {
  const product = await findProductByProviderId(db, id)
  const [record] = product ? await listProductsWithVariants(db, [product.id]) : []
  if (!record) throw new Refusal('unknown_product')

  const { name } = record.product
  const pictures = picturesOf(record)
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
      sync_variants: record.variants.map((variant) => ({
        id: variant.id,
        name: variant.name,
        color: variant.color,
        size: variant.size,
        retail_price: decimalFromCents(variant.unitPrice),
        availability_status: variant.availability,
        product: { name },
        files: [file(pictureIn(pictures, variant.color))],
      })),
      // Pictures that the printer's format has no field for: everything but a variant's front.
      custom_images: pictures
        .filter(({ view, color }) => view !== 'front' || color === null)
        .map(({ src, view }) => ({ url: src, label: view })),
    },
  }
}

const PRODUCT_ID_MAX = 2 ** 31 - 1

/**
 * Finds a variant that can be added to a cart.
 * @param variantId null for a product's only variant
 * @throws Refusal `unknown_product`, `unknown_variant`, `variant_required` or `sold_out`
 */
export async function findBuyable(
  db: Reader,
  productId: ProductId,
  variantId: VariantId | null,
): Promise<{ variant: StoredVariant; product: StoredProduct }> {
  // A larger id would be a database error.
  const product = productId > PRODUCT_ID_MAX ? undefined : await findProduct(db, productId)
  if (!product) throw new Refusal('unknown_product')

  const variants = await listVariants(db, productId)
  if (variantId === null && variants.length > 1) throw new Refusal('variant_required')
  const variant = variantId === null ? variants[0] : variants.find(({ id }) => id === variantId)
  if (!variant) throw new Refusal('unknown_variant')
  if (!isBuyable(variant)) throw new Refusal('sold_out', { product: product.name })
  return { variant, product }
}

/** A product as a prize, with what can be had of it today; undefined for one that is hidden or unknown. */
export async function findProductToGive(
  db: Reader,
  id: ProductId,
): Promise<{ name: string; image: string | null; variants: { id: VariantId; name: string }[] } | undefined> {
  const [record] = await listProductsWithVariants(db, [id])
  return (
    record && {
      name: record.product.name,
      image: picturesOf(record)[0]?.src ?? null,
      variants: record.variants.filter(isBuyable).map(({ id: variantId, color, size }) => ({
        id: variantId,
        name: variantNameOf(color, size) ?? record.product.name,
      })),
    }
  )
}

/** The variants as they are today, sold or not; those that the catalog does not know are missing. */
export async function piecesToday(db: Reader, ids: readonly VariantId[]): Promise<Map<VariantId, CatalogPiece>> {
  if (!ids.length) return new Map()
  const rows = await listVariantsWithProducts(db, ids)
  const ownPictures = new Map(
    rows.map(({ product, pictures }) => [product.id, picturesOf({ pictures, variants: [], copies: new Map() })]),
  )
  const productsWithoutPictures = [...ownPictures].flatMap(([id, pictures]) => (pictures.length ? [] : id))
  const previewed = productsWithoutPictures.length ? await listProductsWithVariants(db, productsWithoutPictures) : []
  const picturesOfProduct = new Map([
    ...ownPictures,
    ...previewed.map((record): [ProductId, Picture[]] => [record.product.id, picturesOf(record)]),
  ])

  return new Map(
    rows.map(({ variant, product }) => [
      variant.id,
      {
        productId: product.id,
        variantId: variant.id,
        productName: product.name,
        variantName: variantNameOf(variant.color, variant.size),
        imageUrl: pictureIn(picturesOfProduct.get(product.id) ?? [], variant.color)?.src ?? null,
        collection: product.collection,
        unitPrice: variant.unitPrice,
        metadata: product.metadata,
        isBuyable: isBuyable({ ...variant, isVisible: product.visible }),
      },
    ]),
  )
}

/**
 * Prices the requested variants now, in the given order.
 * @throws Refusal `unknown_variant`, or `sold_out` when one can no longer be bought
 */
export async function linesAtTodaysPrices(
  db: Reader,
  wanted: readonly { variantId: VariantId; quantity: number }[],
): Promise<PricedLine[]> {
  const pieces = await piecesToday(
    db,
    wanted.map(({ variantId }) => variantId),
  )
  return wanted.map(({ variantId, quantity }) => {
    const found = pieces.get(variantId)
    if (!found) throw new Refusal('unknown_variant')
    const { isBuyable: canBeBought, metadata, ...piece } = found
    if (!canBeBought) throw new Refusal('sold_out', { product: piece.productName })
    return { ...piece, quantity, metadata }
  })
}

/** The printer's catalog variant id of each variant. */
export const catalogVariantsOf = async (db: Reader, ids: readonly VariantId[]): Promise<Map<VariantId, number>> =>
  new Map((await listVariantsWithProducts(db, ids)).map(({ variant }) => [variant.id, variant.catalogVariantId]))

/** Products' names by id, of hidden ones too. */
export const findProductNames = (db: Reader, ids: readonly number[]): Promise<Map<number, string>> => listNames(db, ids)

/** The same with the keys of their types. */
export const findTypesOfProducts = (db: Reader, ids: readonly ProductId[]): Promise<Map<ProductId, string>> =>
  listTypes(db, ids)

/** All products of a collection, also those that are not sold. */
export const productsOfCollection = (db: Reader, id: string): Promise<ProductId[]> => listIdsOfCollection(db, id)

/** The products among these that are worn. */
export async function findWorn(db: Db, ids: readonly ProductId[]): Promise<ReadonlySet<ProductId>> {
  const types = await readProductTypes(db)
  const ofProducts = await findTypesOfProducts(db, ids)
  return new Set(ids.filter((id) => isWorn(productTypeOf(types, ofProducts.get(id) ?? ''))))
}

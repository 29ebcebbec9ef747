import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import type { Picture, Product, ProductWithRelated, ProviderDetail } from '#contract/catalog.ts'
import { MADE } from '#domain/catalog/buyable.ts'
import { productTypeOf } from '#domain/catalog/product-types.ts'
import { disclosuresOf } from '#domain/catalog/shipping-terms.ts'
import { specsOf } from '#domain/catalog/specs.ts'
import { modelFor, viewsOf } from '#domain/pictures/picture-models.ts'
import type { Blank } from '#contract/admin-blanks.ts'
import { PREVIEW_SIDE, previewAddress } from '#contract/preview-address.ts'
import { metadataOf, type DraftContent } from '#domain/studio/draft.ts'
import { shownPlacement } from '#domain/studio/placement.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { cents, decimalFromCents, ZERO, type Cents } from '#shared/money.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { readProductTypes } from '#server/catalog/product-types.ts'
import { findPictures } from '#server/pictures/pictures.ts'
import type { StoreProduct } from '#server/providers/printful/store-products.ts'
import type { Shop } from '#server/shop.ts'
import { findStoreProduct } from './printer-products.ts'
import type { StoredDraft } from './store.ts'
import { chosenVariants, priceOf } from './variants.ts'

/** The product page's data of a draft; its ids exist nowhere else. */
export async function previewOf(
  shop: Pick<Shop, 'db' | 'clock' | 'printful'>,
  { id, content }: StoredDraft,
): Promise<{ page: ProductWithRelated; detail: ProviderDetail }> {
  const blank = content.blankId === null ? undefined : await showBlank(shop, content.blankId)
  const taken =
    content.takenOver === null ? undefined : await findStoreProduct(shop.db, content.takenOver as SyncProductId)
  const variants = taken ? variantsOf(taken, content) : blank ? chosenVariants(content, blank) : []
  const prices = variants.map(({ price }) => price)
  const images = taken ? previewsOf(taken) : await imagesOf(shop, content, blank)
  const sizes = [...new Set(variants.flatMap(({ size }) => size ?? []))]
  const metadata = metadataOf(content)
  const product: Product = {
    id: id as ProductId,
    slug: content.slug,
    name: content.name,
    description: content.description,
    price: cents(Math.min(...(prices.length ? prices : [0]))),
    priceRange: { from: cents(Math.min(...(prices.length ? prices : [0]))), to: cents(Math.max(0, ...prices)) },
    imageUrl: images[0]?.src ?? DEFAULT_PICTURE,
    images,
    badge: content.badge,
    rating: 5,
    reviewCount: 0,
    collection: content.collection,
    type: content.type,
    providerProductId: id as SyncProductId,
    requiresOptions: variants.length > 1,
    variantCount: variants.length,
    variant: null,
    colors:
      blank?.colors
        .filter(({ name }) => content.colors.includes(name))
        .map(({ name, hex, hex2 }) => ({ name, hex, ...(hex2 && { accent: hex2 }), variant: null, available: true })) ??
      [],
    sizes: sizes.length > 1 ? sizes : [],
    available: true,
    disclosures: disclosuresOf(metadata),
    ...(metadata.shippingSurcharge?.enabled && {
      surcharge: { amount: metadata.shippingSurcharge.amount, countries: metadata.shippingSurcharge.regions },
    }),
    ...(metadata.restrictions?.blockedCountries.length && { blockedCountries: metadata.restrictions.blockedCountries }),
    ...(metadata.keywords && { keywords: metadata.keywords }),
  }
  const type = productTypeOf(await readProductTypes(shop.db), content.type)
  return {
    page: { product, related: [], specs: specsOf(type, product) },
    detail: {
      result: {
        sync_product: { id, name: content.name, thumbnail_url: null, files: [] },
        sync_variants: variants.map((variant) => ({
          id: variant.id as VariantId,
          name: content.name,
          color: variant.color,
          size: variant.size,
          retail_price: decimalFromCents(variant.price),
          availability_status: variant.isInStock ? MADE : 'out_of_stock',
          product: { name: content.name },
          files: [],
        })),
        custom_images: [],
      },
    },
  }
}

type PreviewVariant = { id: number; color: string | null; size: string | null; price: Cents; isInStock: boolean }

/** As the printer has them, at the draft's prices. */
const variantsOf = ({ variants }: StoreProduct, content: DraftContent): PreviewVariant[] =>
  variants.map(({ id, color, size, unitPrice, availability }) => ({
    ...{ id, color, size, isInStock: availability === MADE },
    price: priceOf(content, size) ?? unitPrice ?? ZERO,
  }))

/** The printer's own, one of each color. */
const previewsOf = ({ id, variants }: StoreProduct): Picture[] =>
  [...new Map(variants.toReversed().map((variant) => [variant.color, variant] as const)).values()]
    .toReversed()
    .flatMap(({ id: variant, color, previewUrl }) => {
      const src = `/api/admin/printer-products/${id}/picture?variant=${variant}`
      const size = { width: PREVIEW_SIDE, height: PREVIEW_SIDE }
      return previewUrl === null ? [] : [{ src, srcSet: `${src} ${PREVIEW_SIDE}w`, ...size, view: 'front', color }]
    })

/** The composer's previews in each color; without a model of the product, the drawing alone. */
async function imagesOf(
  { db }: Pick<Shop, 'db'>,
  { placements, type, colors }: DraftContent,
  blank: Blank | undefined,
): Promise<Picture[]> {
  const placement = shownPlacement(placements) ?? placements[0]
  if (!placement || !blank) return []
  const ownType = (await readProductTypes(db)).find(({ key }) => key === type)
  const model = shownPlacement(placements) && modelFor(ownType, blank.id)
  if (!model) {
    const stored = (await findPictures(db, [placement.drawing])).get(placement.drawing)
    if (!stored) return []
    const { src, srcSet } = stored
    return [{ src, srcSet, width: stored.width, height: stored.height, view: 'front', color: null }]
  }
  return blank.colors
    .filter(({ name, hex }) => colors.includes(name) && hex !== null)
    .flatMap((color) =>
      viewsOf(model).map((view) => {
        const src = previewAddress({ model, placement, color, view })
        const size = { width: PREVIEW_SIDE, height: PREVIEW_SIDE }
        return { src, srcSet: `${src} ${PREVIEW_SIDE}w`, ...size, view, color: color.name }
      }),
    )
}

import type { PictureModel } from '#domain/pictures/picture-models.ts'
import type { DemoProduct } from '../catalog/demo-product.ts'

/** The products that Printful prints on, with their catalog numbers and names. */
const blanks: Record<PictureModel, { productId: number; title: string; technique: string }> = {
  'vented-hat': { productId: 100, title: '5 Panel Trucker Cap', technique: 'embroidery_front' },
  hat: { productId: 206, title: 'Classic Dad Hat', technique: 'embroidery_front' },
  visor: { productId: 265, title: 'Visor', technique: 'embroidery_front' },
  't-shirt': { productId: 71, title: 'Unisex Staple T-Shirt', technique: 'front' },
  polo: { productId: 340, title: "Men's Premium Polo", technique: 'embroidery_chest_left' },
  mug: { productId: 403, title: 'Mug with Color Inside', technique: 'default' },
  'water-bottle': { productId: 382, title: 'Stainless Steel Water Bottle', technique: 'default' },
  pillow: { productId: 83, title: 'All-Over Print Basic Pillow', technique: 'front' },
  blanket: { productId: 395, title: 'Throw Blanket', technique: 'default' },
  tote: { productId: 367, title: 'Eco Tote Bag', technique: 'front' },
  'can-cooler': { productId: 764, title: 'Can Cooler', technique: 'default' },
  'mouse-pad': { productId: 583, title: 'Mouse Pad', technique: 'default' },
}

export type Availability = 'active' | 'discontinued' | 'out_of_stock' | 'temporary_out_of_stock'

export type StoreVariant = {
  /** The sync variant id; above 2^31, as real ones are. */
  id: number
  external_id: string
  name: string
  /** The catalog's id of the blank: two designs on the same shirt in the same color and size share it. */
  variant_id: number
  retail_price: string
  /** What Printful charges for one, decimal. */
  cost: string
  sku: string
  size: string
  color: string
  availability: Availability
  /** A different picture than the design's in this color: its name at the printer. */
  picture?: string
  /** What the shop had it printed with; without, it is a finished one of the demo. */
  files?: readonly VariantFile[]
  options?: readonly { id: string; value: unknown }[]
}

/** A file of the library on a placement. */
export type VariantFile = { fileId: number; placement: string }

/** A product in the Printful store. */
export type StoreProduct = {
  /** The sync product id. */
  id: number
  external_id: string
  name: string
  /** Of the demo; empty for one that was created through the API. */
  type: string
  design: string
  /** The colors' hex codes. */
  hexes: Readonly<Record<string, string>>
  /** Created through the API. */
  isCreated?: boolean
  blank: { productId: number; title: string; technique: string }
  variants: StoreVariant[]
}

const FIRST_SYNC_VARIANT_ID = 4_900_000_000
const FIRST_CATALOG_VARIANT_ID = 11_000

const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Creates the Printful store with the demo shop's products. The same products always get the same ids. */
export function seedProducts(products: readonly DemoProduct[]): StoreProduct[] {
  const blankVariants = new Map<string, number>()

  /** A mug of 11 oz and one of 15 oz are different blanks, though both are called 'One size'. */
  function catalogVariantId(product: DemoProduct, color: string, size: string): number {
    const volume = /\d+ oz/.exec(product.name)?.[0] ?? ''
    const blank = [product.type, volume, color, size].join(' / ')
    const known = blankVariants.get(blank)
    if (known !== undefined) return known
    const id = FIRST_CATALOG_VARIANT_ID + blankVariants.size
    blankVariants.set(blank, id)
    return id
  }

  return products.map((product) => {
    const choices = product.colors.flatMap(({ name: color }) => product.sizes.map((size) => ({ color, size })))
    return {
      id: product.syncProductId,
      external_id: product.slug,
      name: product.name,
      type: product.type,
      design: product.design,
      hexes: Object.fromEntries(product.colors.map(({ name, hex }) => [name, hex])),
      blank: blanks[product.type],
      variants: choices.map(({ color, size }, index) => ({
        id: FIRST_SYNC_VARIANT_ID + product.id * 1000 + index,
        external_id: `${product.slug}-${slugOf(color)}-${slugOf(size)}`,
        name: choices.length === 1 ? product.name : `${product.name} - ${color} / ${size}`,
        variant_id: catalogVariantId(product, color, size),
        retail_price: product.retailPrice[size] ?? product.retailPrice['*'] ?? '0.00',
        cost: product.cost,
        sku: `${product.id}-${slugOf(color)}-${slugOf(size)}`.toUpperCase(),
        size,
        color,
        availability: product.soldOut?.some((pair) => pair.color === color && pair.size === size)
          ? 'out_of_stock'
          : 'active',
      })),
    }
  })
}

import type { CatalogFile } from '#server/catalog/catalog-file.ts'
import type { Printful, SyncProduct } from '#server/providers/printful/client.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { cents, type Cents } from '#shared/money.ts'

// A catalog with one hat, and a Printful store in memory, for tests that need no HTTP.

export const HAT = 1 as ProductId
const hatSlug = 'hat'

type FileProduct = CatalogFile['products'][number]

/** The hat as the catalog file has it. */
export const aFileProduct = (more: Partial<FileProduct> = {}): FileProduct => ({
  id: HAT,
  slug: hatSlug,
  name: 'Hat',
  description: 'A hat.',
  collection: 'rudy',
  type: 'hat',
  badge: null,
  metadata: {},
  requiresOptions: false,
  providerProductId: 900,
  colors: [
    { name: 'Navy', hex: '#1f2a44' },
    { name: 'Ivory', hex: '#f3eee2' },
  ],
  pictures: [
    { view: 'front', color: 'Ivory', file: 'hat.ivory.abc', widths: [320, 640], width: 640, height: 640 },
    { view: 'front', color: 'Navy', file: 'hat.navy.abc', widths: [320, 640], width: 640, height: 640 },
  ],
  ...more,
})

export const aFile = (...products: CatalogFile['products']): CatalogFile => ({ products })

type Variant = SyncProduct['variants'][number]

export const variantId = (number: number) => (5_000_000_000 + number) as VariantId

/** One of the hat's variants as Printful returns it. */
export const aVariant = (number: number, more: Partial<Variant> = {}): Variant => ({
  id: variantId(number),
  catalogVariantId: 100 + number,
  blankId: 71,
  name: `Hat ${number}`,
  color: 'Navy',
  size: 'One size',
  sku: null,
  unitPrice: cents(2995),
  availability: 'active',
  previewUrl: null,
  ignored: false,
  ...more,
})

/** The hat as Printful returns it. */
export const printerProduct = (variants: Variant[], more: Partial<SyncProduct> = {}): SyncProduct => ({
  id: 900 as SyncProductId,
  externalId: hatSlug,
  name: 'Hat',
  ignored: false,
  thumbnailUrl: null,
  variants,
  variantCount: variants.length,
  syncedCount: variants.length,
  ...more,
})

type Store = {
  products: readonly SyncProduct[]
  /** The store's list, where it differs from the products. */
  listed?: readonly SyncProduct[]
  /** Availability by catalog variant id. */
  costs?: ReadonlyMap<number, Cents>
  /** Files by URL. */
  pictures?: Readonly<Record<string, Buffer>>
}

/** A Printful client with this store. It accepts no orders. */
export function printfulWith({ products, listed = products, costs = new Map(), pictures = {} }: Store): Printful {
  return {
    async *listProducts() {
      yield* listed
    },
    getProduct(id: SyncProductId | string) {
      const product = products.find((candidate) => candidate.id === id)
      return product
        ? Promise.resolve(product)
        : Promise.reject(new ProviderRefusal('printful', 'Not Found', 'NotFound'))
    },
    listCosts: () => Promise.resolve(new Map(costs)),
    shippingRate: () => Promise.reject(new ProviderUnavailable('printful', new Error('away'))),
    downloadPicture(url: string) {
      const body = pictures[url]
      return body
        ? Promise.resolve({ body, contentType: 'image/webp' })
        : Promise.reject(new ProviderUnavailable('printful', new Error('away')))
    },
  } as unknown as Printful
}

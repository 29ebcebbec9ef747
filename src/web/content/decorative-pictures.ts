import { collections } from '#site/collections/collections.ts'
import type { Product } from '#contract/catalog.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'

const { rudy, sherlock, example } = collections

/** One hat, one shirt and one mug of the first collection, best sellers first. */
export function homePictures(products: readonly Product[]): Product[] {
  const candidates = products
    .filter(({ collection }) => collection === rudy.id)
    .toSorted((a, b) => Number(b.badge === 'BEST SELLER') - Number(a.badge === 'BEST SELLER'))
  return (['vented-hat', 't-shirt', 'mug'] as const).flatMap(
    (featured) => candidates.find(({ type }) => type === featured) ?? [],
  )
}

type Piece = { collection: { id: string; displayName: string }; type: ProductType }

/** The About page's hat at the top, and one product for each pet. */
export const coverPicture: Piece = { collection: rudy, type: 'hat' }
export const featuredPieces: readonly Piece[] = [
  { collection: rudy, type: 'pillow' },
  { collection: sherlock, type: 'hat' },
  { collection: example, type: 't-shirt' },
]

export const findFeatured = (products: readonly Product[], { collection, type }: Piece): Product | undefined =>
  products.find((product) => product.collection === collection.id && product.type === type)

export const aboutPictures = (products: readonly Product[]): Product[] =>
  [coverPicture, ...featuredPieces].flatMap((piece) => findFeatured(products, piece) ?? [])

import { collections } from '#site/collections/collections.ts'
import type { Product } from '#contract/catalog.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'

const { rudy, sherlock, example } = collections

/** Of the home page: one hat, one shirt and one mug of the first collection; a best seller where there is one. */
export function homePictures(products: readonly Product[]): Product[] {
  const ours = products
    .filter(({ collection }) => collection === rudy.id)
    .toSorted((a, b) => Number(b.badge === 'BEST SELLER') - Number(a.badge === 'BEST SELLER'))
  return (['vented-hat', 't-shirt', 'mug'] as const).flatMap((wanted) => ours.find(({ type }) => type === wanted) ?? [])
}

type Piece = { collection: { id: string; displayName: string }; type: ProductType }

/** Of the page about us: the hat on its cover, and the piece that stands for each pet. */
export const coverPicture: Piece = { collection: rudy, type: 'hat' }
export const pieces: readonly Piece[] = [
  { collection: rudy, type: 'pillow' },
  { collection: sherlock, type: 'hat' },
  { collection: example, type: 't-shirt' },
]

export const pieceOf = (products: readonly Product[], { collection, type }: Piece): Product | undefined =>
  products.find((product) => product.collection === collection.id && product.type === type)

export const aboutPictures = (products: readonly Product[]): Product[] =>
  [coverPicture, ...pieces].flatMap((piece) => pieceOf(products, piece) ?? [])

import { collections } from '#site/collections/collections.ts'
import type { Product } from '#contract/catalog.ts'

const { rudy, sherlock, example } = collections

type Piece = { collection: { id: string; displayName: string }; type: string }

/** One hat, one shirt and one mug of the first collection. */
export const homePieces: readonly Piece[] = [
  { collection: rudy, type: 'vented-hat' },
  { collection: rudy, type: 't-shirt' },
  { collection: rudy, type: 'mug' },
]

/** The About page's hat at the top, and one product for each pet. */
export const coverPicture: Piece = { collection: rudy, type: 'hat' }
export const featuredPieces: readonly Piece[] = [
  { collection: rudy, type: 'pillow' },
  { collection: sherlock, type: 'hat' },
  { collection: example, type: 't-shirt' },
]
export const aboutPieces: readonly Piece[] = [coverPicture, ...featuredPieces]

export const findFeatured = (products: readonly Product[], { collection, type }: Piece): Product | undefined =>
  products.find((product) => product.collection === collection.id && product.type === type)

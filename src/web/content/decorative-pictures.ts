import type { ProductCard } from '#contract/catalog.ts'
import type { CollectionLink } from '#contract/public-config.ts'

export type Piece = { collection: CollectionLink; type: string }

const published = (collections: readonly CollectionLink[]) => collections.filter(({ isComingSoon }) => !isComingSoon)

/** One hat, one shirt and one mug of the first collection. */
export const homePieces = (collections: readonly CollectionLink[]): Piece[] =>
  published(collections)
    .slice(0, 1)
    .flatMap((collection) => (['vented-hat', 't-shirt', 'mug'] as const).map((type) => ({ collection, type })))

const featuredTypes = ['pillow', 'hat', 't-shirt'] as const

/** The About page's hat at the top. */
export const coverPiece = (collections: readonly CollectionLink[]): Piece[] =>
  published(collections)
    .slice(0, 1)
    .map((collection) => ({ collection, type: 'hat' }))

/** One product for each of the first pets. */
export const featuredPieces = (collections: readonly CollectionLink[]): Piece[] =>
  featuredTypes.flatMap((type, index) => {
    const collection = published(collections)[index]
    return collection ? [{ collection, type }] : []
  })

export const aboutPieces = (collections: readonly CollectionLink[]): Piece[] => [
  ...coverPiece(collections),
  ...featuredPieces(collections),
]

/** The product of a piece, or another of its collection. */
export const findFeatured = (
  products: readonly ProductCard[],
  { collection, type }: Piece,
): ProductCard | undefined => {
  const own = products.filter((product) => product.collection === collection.id)
  return own.find((product) => product.type === type) ?? own[0]
}

import type { CollectionLink } from '#contract/public-config.ts'

type Piece = { collection: CollectionLink; type: string }

const piecesOfFirst = (collections: readonly CollectionLink[], types: readonly string[]): Piece[] =>
  collections
    .filter(({ isComingSoon }) => !isComingSoon)
    .slice(0, 1)
    .flatMap((collection) => types.map((type) => ({ collection, type })))

/** Of the first collection, on the page about the label. The first is in its first color, the others differ from those before it. */
export const showcasePieces = (collections: readonly CollectionLink[]): Piece[] =>
  piecesOfFirst(collections, ['polo', 'hat', 't-shirt', 'mug'])

/** At the head of the home page, of each animal in turn; what sells best stands below it. */
export function openingPieces(collections: readonly CollectionLink[]): Piece[] {
  const open = collections.filter(({ isComingSoon }) => !isComingSoon)
  return ['water-bottle', 'blanket', 'tote'].flatMap((type, index) => {
    const collection = open[index % open.length]
    return collection ? [{ collection, type }] : []
  })
}

/** What lies on a sofa. */
export const sofaPieces = (collections: readonly CollectionLink[]): Piece[] => piecesOfFirst(collections, ['pillow'])

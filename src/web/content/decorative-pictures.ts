import type { CollectionLink } from '#contract/public-config.ts'

type Piece = { collection: CollectionLink; type: string }

/** One hat, one shirt and one mug of the first collection. */
export const showcasePieces = (collections: readonly CollectionLink[]): Piece[] =>
  collections
    .filter(({ isComingSoon }) => !isComingSoon)
    .slice(0, 1)
    .flatMap((collection) => (['hat', 't-shirt', 'mug'] as const).map((type) => ({ collection, type })))

import type { CollectionLink } from '#contract/public-config.ts'

type Piece = { collection: CollectionLink; type: string }

const published = (collections: readonly CollectionLink[]) => collections.filter(({ isComingSoon }) => !isComingSoon)

/** One hat, one shirt and one mug of the first collection. */
export const homePieces = (collections: readonly CollectionLink[]): Piece[] =>
  published(collections)
    .slice(0, 1)
    .flatMap((collection) => (['vented-hat', 't-shirt', 'mug'] as const).map((type) => ({ collection, type })))

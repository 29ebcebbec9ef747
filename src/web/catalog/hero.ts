import { heroes } from '#site/collections/heroes.ts'
import type { CollectionId } from '#site/collections/theme.ts'
import type { Picture } from '#contract/catalog.ts'

const addressOf = (file: string, width: number) => `/pictures/${file}.${width}.webp`

/** A collection's large picture, in the form of a product's. */
export function heroOf(id: CollectionId): Picture {
  const { file, widths, width, height } = heroes[id]
  return {
    src: addressOf(file, width),
    srcSet: widths.map((each) => `${addressOf(file, each)} ${each}w`).join(', '),
    width,
    height,
    view: 'hero',
    color: null,
  }
}

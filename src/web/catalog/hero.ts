import { heroes } from '#site/collections/heroes.ts'
import type { CollectionId } from '#site/collections/theme.ts'
import type { Picture } from '#contract/catalog.ts'

const addressOf = (file: string, width: number) => `/pictures/${file}.${width}.webp`

export function heroOf(id: CollectionId): Picture {
  const { file, widths, width, height } = heroes[id]
  return {
    src: addressOf(file, width),
    srcSet: widths.map((pixels) => `${addressOf(file, pixels)} ${pixels}w`).join(', '),
    width,
    height,
    view: 'hero',
    color: null,
  }
}

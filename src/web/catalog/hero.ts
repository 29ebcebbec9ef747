import type { Picture } from '#contract/catalog.ts'
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'

const addressOf = (file: string, width: number) => `/pictures/${file}.${width}.webp`

/** A collection's picture as the pictures of products are shown. */
export const toPicture = ({ file, widths, width, height }: CollectionPicture): Picture => ({
  src: addressOf(file, width),
  srcSet: widths.map((pixels) => `${addressOf(file, pixels)} ${pixels}w`).join(', '),
  width,
  height,
  view: 'hero',
  color: null,
})

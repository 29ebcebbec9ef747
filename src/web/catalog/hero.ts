import type { Picture } from '#contract/catalog.ts'
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'

const addressOf = (file: string, width: number) => `/pictures/${file}.${width}.webp`

/** A large picture, such as a collection's, as the pictures of products are shown. */
export const toPicture = ({ file, widths, width, height }: Omit<CollectionPicture, 'alt'>): Picture => ({
  src: addressOf(file, width),
  srcSet: widths.map((pixels) => `${addressOf(file, pixels)} ${pixels}w`).join(', '),
  width,
  height,
  view: 'hero',
  color: null,
})

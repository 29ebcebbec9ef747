type GalleryPicture = { src: string; view: string; color: string | null }

/**
 * The large picture: the one that the shopper clicked, else the chosen variant's, else the product's first
 * (specification, section 4, Detail page).
 */
export const mainPicture = <P extends GalleryPicture>(
  pictures: readonly P[],
  { clicked, color }: { clicked: string | undefined; color: string | null },
): P | undefined =>
  pictures.find(({ src }) => src === clicked) ?? pictures.find((picture) => picture.color === color) ?? pictures[0]

/** What a picture shows, for those who do not see it: product, color and view. */
export function pictureAlt(productName: string, { view, color }: Pick<GalleryPicture, 'view' | 'color'>): string {
  return [`${productName}${color ? ` in ${color}` : ''}`, view].filter(Boolean).join(', ')
}

/**
 * What a card can show of a product in a color: all views of that color, then one picture of each other. Where none is
 * chosen the first picture's stands for it.
 */
export function cardPictures<P extends GalleryPicture>(
  pictures: readonly P[],
  color: string | null,
  count: number,
): P[] {
  const own = pictures.filter((picture) => picture.color === (color ?? pictures[0]?.color))
  const firstOfEach = pictures.filter(
    (picture, index) => pictures.findIndex((other) => other.color === picture.color) === index,
  )
  return [...new Set([...own, ...firstOfEach])].slice(0, count)
}

/** What stands small under the large picture: all views of the chosen color, one of each other; in the order of the pictures. */
export const galleryThumbnails = <P extends GalleryPicture>(pictures: readonly P[], color: string | null): P[] => {
  const shown = new Set(cardPictures(pictures, color, pictures.length))
  return pictures.filter((picture) => shown.has(picture))
}

/** The picture that lies `steps` further; after the last comes the first. */
export function pictureBeside<P extends GalleryPicture>(
  pictures: readonly P[],
  shown: P | undefined,
  steps: number,
): P | undefined {
  const index = pictures.findIndex(({ src }) => src === shown?.src)
  return pictures.at((index + steps) % pictures.length)
}

import { say, sayKnown } from '#words/say.ts'
import { sayColor } from './variant-name.ts'

/** The view that says how large a product is. It is of no color, and beside the others, never in their place. */
export const MEASURES_VIEW = 'measures'

type GalleryPicture = { src: string; view: string; color: string | null }

const showsPiece = ({ view }: Pick<GalleryPicture, 'view'>): boolean => view !== MEASURES_VIEW

/** The picture that stands for a product in a color, otherwise its first. A drawing of its measures does not. */
export const pictureIn = <P extends Pick<GalleryPicture, 'view' | 'color'>>(
  pictures: readonly P[],
  color: string | null,
): P | undefined => pictures.find((picture) => picture.color === color && showsPiece(picture)) ?? pictures[0]

/**
 * The large picture: the one the shopper clicked, else the chosen variant's, else the product's first (specification,
 * section 4, Detail page).
 */
export const mainPicture = <P extends GalleryPicture>(
  pictures: readonly P[],
  { clicked, color }: { clicked: string | undefined; color: string | null },
): P | undefined => pictures.find(({ src }) => src === clicked) ?? pictureIn(pictures, color)

/** Alt text: the owner's, else product, color and view. */
export function pictureAlt(
  productName: string,
  picture: (Pick<GalleryPicture, 'view' | 'color'> & { alt?: string | undefined }) | null | undefined,
): string {
  if (!picture) return productName
  const { view, color, alt } = picture
  if (alt) return alt
  const piece = color ? say('{name} in {color}', { name: productName, color: sayColor(color) }) : productName
  return [piece, sayKnown(view)].filter(Boolean).join(', ')
}

/**
 * Pictures for a card: all views of the chosen color, then one of each other color, none of measures. Without a choice, the first
 * picture's color counts as chosen.
 */
export function cardPictures<P extends GalleryPicture>(all: readonly P[], color: string | null, count: number): P[] {
  const pictures = all.filter(showsPiece)
  const own = pictures.filter((picture) => picture.color === (color ?? pictures[0]?.color))
  const firstOfEach = pictures.filter(
    (picture, index) => pictures.findIndex((other) => other.color === picture.color) === index,
  )
  return [...new Set([...own, ...firstOfEach])].slice(0, count)
}

/** The picture that shows a color in use, otherwise the second one of that color. */
export const inUse = <P extends GalleryPicture>(pictures: readonly P[], color: string | null): P | undefined => {
  const own = pictures.filter((picture) => picture.color === color && showsPiece(picture))
  return own.find(({ view }) => view === 'lifestyle') ?? own[1]
}

/**
 * What the gallery shows, in picture order: the views of the chosen color and those of none. Where that is a single picture, one of each other color
 * too, so a product with several pictures never looks like it had one.
 */
export function galleryPictures<P extends GalleryPicture>(pictures: readonly P[], color: string | null): P[] {
  const views = pictures.filter((picture) => picture.color === null || picture.color === (color ?? pictures[0]?.color))
  if (views.length > 1) return views
  const shown = new Set(cardPictures(pictures, color, pictures.length))
  return pictures.filter((picture) => shown.has(picture))
}

/** The picture `steps` further, wrapping around. */
export function pictureBeside<P extends GalleryPicture>(
  pictures: readonly P[],
  shown: P | undefined,
  steps: number,
): P | undefined {
  const index = pictures.findIndex(({ src }) => src === shown?.src)
  return pictures.at((index + steps) % pictures.length)
}

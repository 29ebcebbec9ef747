import type { Picture as CatalogPicture } from '#contract/catalog.ts'
import { fullSrcSet } from '#domain/catalog/src-set.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { classNames } from '#web/ui/class-names.ts'

/**
 * For `sizes`, of what goes across a phone. A thirtieth less than it is, so that the phones of most people (360 px at 2 or 3, 412 at
 * 1.75 or 2.6) take the file of 640 or 960 pixels, and not the next one, for a difference that nobody sees.
 */
export const ACROSS_A_PHONE = '88vw'

type Props = {
  picture: CatalogPicture | undefined
  alt: string
  /** How wide it is shown, as the browser needs it to choose a file. */
  sizes: string
  /** The page's largest picture in sight: fetched first. Others wait until they come near. */
  first?: boolean
  className?: string
}

/** A picture in our own sizes; its place is kept before it arrives. One that is broken is replaced: see `replaceBrokenPicture`. */
export const Picture = ({ picture, alt, sizes, first = false, className }: Props) => (
  <img
    {...(picture ? { srcSet: fullSrcSet(picture), sizes, src: picture.src } : { src: DEFAULT_PICTURE })}
    width={picture?.width ?? 640}
    height={picture?.height ?? 640}
    alt={alt}
    loading={first ? 'eager' : 'lazy'}
    fetchPriority={first ? 'high' : 'auto'}
    decoding="async"
    className={classNames('block', className)}
  />
)

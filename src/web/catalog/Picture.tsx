import type { Picture as CatalogPicture } from '#contract/catalog.ts'
import { fullSrcSet } from '#domain/catalog/src-set.ts'
import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'
import { classNames } from '#web/ui/class-names.ts'

/**
 * `sizes` of a picture as wide as a phone. Slightly less than its real width, so common phones (360 px at 2x or 3x, 412 px at 1.75x or
 * 2.6x) load the file of 640 or 960 pixels instead of the next larger one.
 */
export const ACROSS_A_PHONE = '88vw'

type Props = {
  picture: CatalogPicture | undefined
  alt: string
  sizes: string
  /** The largest picture above the fold, loaded first. Others load lazily. */
  first?: boolean
  className?: string
}

/** `replaceBrokenPicture` handles load errors. */
export function Picture({ picture, alt, sizes, first = false, className }: Props) {
  const image = (
    <img
      {...(picture ? { srcSet: fullSrcSet(picture), sizes, src: picture.src } : { src: DEFAULT_PICTURE })}
      width={picture?.width ?? 640}
      height={picture?.height ?? 640}
      alt={alt}
      {...(first ? { fetchPriority: 'high' } : { loading: 'lazy' })}
      decoding="async"
      className={classNames('block', className)}
    />
  )
  if (!picture?.avif) return image
  return (
    <picture className="contents">
      <source type="image/avif" srcSet={fullSrcSet(picture).replaceAll('.webp', '.avif')} sizes={sizes} />
      {image}
    </picture>
  )
}

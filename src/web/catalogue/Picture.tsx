import type { Picture as CataloguePicture } from '#contract/catalogue.ts'
import { DEFAULT_PICTURE } from '#web/app/broken-pictures.ts'
import { classNames } from '#web/ui/class-names.ts'

type Props = {
  picture: CataloguePicture | undefined
  alt: string
  /** How wide it is shown, as the browser needs it to choose a file. */
  sizes: string
  /** The page's largest picture in sight: fetched first. Others wait until they come near. */
  first?: boolean
  className?: string
}

/** A picture in our own sizes; its place is kept before it arrives. One that is broken is replaced: see `replaceBroken`. */
export const Picture = ({ picture, alt, sizes, first = false, className }: Props) => (
  <img
    {...(picture ? { srcSet: picture.srcSet, sizes, src: picture.src } : { src: DEFAULT_PICTURE })}
    width={picture?.width ?? 640}
    height={picture?.height ?? 640}
    alt={alt}
    loading={first ? 'eager' : 'lazy'}
    fetchPriority={first ? 'high' : 'auto'}
    decoding="async"
    className={classNames('block', className)}
  />
)

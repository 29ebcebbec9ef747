import { useEffect, useRef, useState } from 'react'
import type { Picture as CataloguePicture } from '#contract/catalogue.ts'
import { classNames } from '#web/ui/class-names.ts'

/** The shop's own, where a product's picture is missing or broken. */
const DEFAULT_PICTURE = '/pictures/default.webp'

type Props = {
  picture: CataloguePicture | undefined
  alt: string
  /** How wide it is shown, as the browser needs it to choose a file. */
  sizes: string
  /** The page's largest picture in sight: fetched first. Others wait until they come near. */
  first?: boolean
  className?: string
}

/** A picture in our own sizes; its place is kept before it arrives. */
export function Picture({ picture, alt, sizes, first = false, className }: Props) {
  const [broken, setBroken] = useState<string>()
  const image = useRef<HTMLImageElement>(null)
  const src = picture?.src

  // What failed before the script came told nobody; a picture that is done and has no size has failed.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0 && image.current.currentSrc) setBroken(src)
  }, [src])

  const falls = !picture || broken === src
  return (
    <img
      ref={image}
      {...(falls ? { src: DEFAULT_PICTURE } : { srcSet: picture.srcSet, sizes, src })}
      width={picture?.width ?? 640}
      height={picture?.height ?? 640}
      alt={alt}
      loading={first ? 'eager' : 'lazy'}
      fetchPriority={first ? 'high' : 'auto'}
      decoding="async"
      className={classNames('block', className)}
      onError={() => setBroken(src)}
    />
  )
}

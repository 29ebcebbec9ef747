import { useState } from 'react'

/** The shop's own, where a line's picture is missing or broken. */
const DEFAULT_PICTURE = '/pictures/default.webp'

/** The picture of the chosen variant; its link says in words what it is. */
export function LinePicture({ src }: { src: string | null }) {
  const [broken, setBroken] = useState<string>()
  return (
    <img
      src={src === null || src === broken ? DEFAULT_PICTURE : src}
      width="208"
      height="208"
      alt=""
      loading="lazy"
      decoding="async"
      className="block aspect-square w-full object-cover"
      onError={() => setBroken(src ?? undefined)}
    />
  )
}

import { useState } from 'react'

/** Where a line has no picture, or a broken one (specification, section 3, Cart item). */
const DEFAULT_PICTURE = '/pictures/default.webp'

/** The line's small picture; its name stands beside it, so it says nothing itself. */
export function LinePicture({ src }: { src: string | null }) {
  const [broken, setBroken] = useState<string>()
  return (
    <img
      src={src && src !== broken ? src : DEFAULT_PICTURE}
      width={72}
      height={72}
      alt=""
      decoding="async"
      className="plate size-18 rounded-card border border-line object-cover"
      onError={() => setBroken(src ?? undefined)}
    />
  )
}

type SizedPicture = { src: string; srcSet: string }

const WIDTH = /\.\d+\.webp$/

const inWidths = (src: string, widths: readonly string[]): string =>
  widths.map((width) => `${src.replace(WIDTH, `.${width}.webp`)} ${width}w`).join(', ')

/** Only the widths, `960 640 320`, if the URLs follow from `src`: saves space in long lists. Otherwise unchanged. */
export function cardSrcSet({ src, srcSet }: SizedPicture): string {
  const widths = srcSet.split(', ').map((one) => /(\d+)w$/.exec(one)?.[1] ?? '')
  return inWidths(src, widths) === srcSet ? widths.join(' ') : srcSet
}

/** Expands it for an image element. */
export const fullSrcSet = ({ src, srcSet }: SizedPicture): string =>
  /^\d/.test(srcSet) ? inWidths(src, srcSet.split(' ')) : srcSet

type SizedPicture = { src: string; srcSet: string }

const WIDTH = /\.\d+\.webp$/

const inWidths = (src: string, widths: readonly string[]): string =>
  widths.map((width) => `${src.replace(WIDTH, `.${width}.webp`)} ${width}w`).join(', ')

/** The widths alone, `960 640 320`, where the addresses follow from `src`: a list names a thousand. Else as it is. */
export function cardSrcSet({ src, srcSet }: SizedPicture): string {
  const widths = srcSet.split(', ').map((one) => /(\d+)w$/.exec(one)?.[1] ?? '')
  return inWidths(src, widths) === srcSet ? widths.join(' ') : srcSet
}

/** As an image needs it. */
export const fullSrcSet = ({ src, srcSet }: SizedPicture): string =>
  /^\d/.test(srcSet) ? inWidths(src, srcSet.split(' ')) : srcSet

type Sized = { src: string; srcSet: string }

const WIDTH = /\.\d+\.webp$/

const inWidths = (src: string, widths: readonly string[]): string =>
  widths.map((width) => `${src.replace(WIDTH, `.${width}.webp`)} ${width}w`).join(', ')

/** The widths alone, `960 640 320`, where the addresses follow from `src`: a list names a thousand. Else as it is. */
export function shortSrcSet({ src, srcSet }: Sized): string {
  const widths = srcSet.split(', ').map((one) => /(\d+)w$/.exec(one)?.[1] ?? '')
  return inWidths(src, widths) === srcSet ? widths.join(' ') : srcSet
}

/** As an image needs it. */
export const wholeSrcSet = ({ src, srcSet }: Sized): string =>
  /^\d/.test(srcSet) ? inWidths(src, srcSet.split(' ')) : srcSet

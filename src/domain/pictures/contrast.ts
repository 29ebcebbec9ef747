/** Colors of a drawing with their shares of its pixels. */
export type ColorShare = { hex: string; share: number }

export type ColorFit = { fit: 'good' | 'weak' | 'poor'; standsOut: number }

/** Two areas this far apart in Oklab are told apart at a glance: navy on charcoal is 0.06, coral on brick 0.23, ivory on navy 0.68. */
const DISTANCE_MIN = 0.16
/** A third carries a shape: the demo's pale dogs on ivory, which lose their outline there, have at least 0.36. */
const GOOD_SHARE = 0.35
const WEAK_SHARE = 0.15

type Color = readonly [lightness: number, a: number, b: number]

const linearOf = (srgb: number) => (srgb <= 0.04045 ? srgb / 12.92 : ((srgb + 0.055) / 1.055) ** 2.4)

/** Oklab, in which equal distances look equally different (Björn Ottosson, 2020). */
function oklab(hex: string): Color {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linearOf(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  )
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

const distance = (a: Color, b: Color): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

/** The share of the colors that can be told from the dye, 0..1. */
function visibleShare(colors: readonly ColorShare[], dye: Color): number {
  const all = colors.reduce((sum, { share }) => sum + share, 0)
  const visible = colors.reduce(
    (sum, { hex, share }) => sum + (distance(oklab(hex), dye) >= DISTANCE_MIN ? share : 0),
    0,
  )
  return all > 0 ? visible / all : 0
}

/**
 * How well a drawing reads on a dye. Its shape is seen when either its edge or its inside can be told from the cloth: an ivory outline
 * carries a dark drawing on dark cloth, and on ivory cloth the outline may vanish because the dark inside stays. So the measure is
 * the larger one of two shares of pixels far enough from the dye in Oklab: of the edge toward the cloth, and of everything visible.
 */
export function colorFit(
  { ink, edge }: { ink: readonly ColorShare[]; edge: readonly ColorShare[] },
  dyeHex: string,
): ColorFit {
  const dye = oklab(dyeHex)
  const standsOut = Math.max(visibleShare(edge, dye), visibleShare(ink, dye))
  return { fit: standsOut >= GOOD_SHARE ? 'good' : standsOut >= WEAK_SHARE ? 'weak' : 'poor', standsOut }
}

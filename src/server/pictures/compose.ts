/**
 * Puts a dye and a design on a rendered view. All sums are in linear light:
 * picture = rest + light x albedo + background x shadow where nothing covers it.
 * What the passes hold is described in `studio.py`, which writes them, and in `passes.ts`, which stores them.
 */
import sharp from 'sharp'
import type { Placement } from '#domain/pictures/picture-models.ts'
import type { Grain } from './cloth.ts'
import { stitch } from './embroidery.ts'
import type { View } from './passes.ts'

/** Part of every picture's hash: raise it when the same passes and design would give another picture. */
export const COMPOSER_VERSION = 6

export type Dyes = { hex: string; accent?: string }

/** A drawing, as a file, in its box; thread instead of ink when it is embroidered, and in all directions when it repeats. */
export type Print = { drawing: Buffer; placement: Placement; isEmbroidered: boolean; repeats?: boolean }

const INK_COVER = 0.96 // a trace of cloth shows through, as with real ink
const ALBEDO_MIN = 0.018 // no product is blacker or whiter, but for cloth that says so; pure black and white look flat
const ALBEDO_MAX = 0.88
const DARK = 0.08 // linear luminance under which a dye is lifted
const DARK_LIFT = 0.4
const TEXELS_PER_PIXEL = 1.6
const SOFT_EDGE = 0.55 // pixels: ink sinks into loops, so its edge is never as sharp as paper's
const INK_SHADE = 0.6 // how much more of a fold flat ink shows than the light alone draws
const THREAD_GLOSS = 0.03 // what even black thread sends back where it shines
const ROWS_OF_STITCHES = 105 // over a design's width; fewer where a view could not show them
const ROW_PIXELS_MIN = 2.5
/** Behind a product that stands in no room: top and bottom, as warm as the page. */
export const BACKGROUND = ['#f4efe6', '#e8e1d4'] as const

const linearOf = (srgb: number) => (srgb <= 0.04045 ? srgb / 12.92 : ((srgb + 0.055) / 1.055) ** 2.4)
const srgbOf = (linear: number) => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055)
const rgbOf = (hex: string) => [1, 3, 5].map((at) => linearOf(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
const albedoOf = (hex: string, darkest = ALBEDO_MIN) =>
  rgbOf(hex).map((value) => Math.min(ALBEDO_MAX, Math.max(darkest, value)))

/**
 * How much more than its swatch a dark dye sends back in full light, as a share: folds, seams and knit vanish in it otherwise.
 * @param ofGray how much more of it charcoal has, which no hue tells from the shade in a drawing; black stays black
 */
function liftOf(hex: string, ofGray = 0): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(hex)
  const level = Math.min(1, (0.2126 * red + 0.7152 * green + 0.0722 * blue) / DARK)
  const gray = Math.max(0, 1 - 2.5 * (1 - Math.min(red, green, blue) / Math.max(red, green, blue, 1e-6)))
  return DARK_LIFT * (1 - level) * (1 + ofGray * gray * level)
}

/** Straight up to 0.8, then bending towards white: highlights keep their shape. */
const shoulder = (linear: number) => (linear <= 0.8 ? linear : 0.8 + 0.2 * (1 - Math.exp((0.8 - linear) / 0.28)))

const STEPS_PER_UNIT = 4096
const displayBytes = Float32Array.from(
  { length: 2 * STEPS_PER_UNIT },
  (_, i) => 255 * srgbOf(Math.min(1, shoulder(i / STEPS_PER_UNIT))),
)

/** Ink or thread at a point of the printable area: writes the linear color and the cloth's remaining light, returns the coverage, 0..1. */
type Ink = (u: number, v: number, seen: Float32Array) => number

async function inkOf(
  { drawing, placement, isEmbroidered, repeats = false }: Print,
  span: { u: number; v: number },
  isSoft: boolean,
): Promise<Ink> {
  const drawn = await sharp(drawing).metadata()
  const fitted = Math.min(placement.width, (placement.height * span.v * drawn.width) / drawn.height / span.u)
  const wanted = Math.max(32, Math.round(span.u * fitted * TEXELS_PER_PIXEL))
  const pitch = Math.max(ROW_PIXELS_MIN * TEXELS_PER_PIXEL, wanted / ROWS_OF_STITCHES)
  const margin = isEmbroidered ? Math.ceil(4 * pitch) : 0 // thread darkens the cloth beside it
  const flat = sharp(drawing, { density: Math.min(2400, Math.max(24, (72 * wanted) / drawn.width)) })
    .resize({ width: wanted })
    .ensureAlpha()
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: { r: 0, g: 0, b: 0, alpha: 0 } })
  const { data, info } = await (isSoft && !isEmbroidered ? flat.blur(SOFT_EDGE * TEXELS_PER_PIXEL) : flat)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const sewn = isEmbroidered ? stitch({ data, width, height }, pitch) : undefined
  const texels = new Float32Array(width * height * 5)
  for (let i = 0; i < width * height; i++) {
    const alpha = (data[i * 4 + 3] ?? 0) / 255
    texels[i * 5 + 3] = alpha
    texels[i * 5 + 4] = sewn?.cloth[i] ?? 1
    for (let c = 0; c < 3; c++) {
      const ink = Math.min(0.9, Math.max(0.015, linearOf((data[i * 4 + c] ?? 0) / 255)))
      texels[i * 5 + c] = Math.max(0.006, (ink + THREAD_GLOSS) * (sewn?.thread[i] ?? 1) - THREAD_GLOSS) * alpha
    }
  }
  const wide = (fitted * width) / wanted
  const tall = (wide * span.u * height) / width / span.v

  return (u, v, seen) => {
    const across = (u - placement.x) / wide + 0.5
    const down = (1 - v - placement.y) / tall + 0.5
    const x = (repeats ? across - Math.floor(across) : across) * width - 0.5
    const y = (repeats ? down - Math.floor(down) : down) * height - 0.5
    seen[3] = 1
    if (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5) return 0
    const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))]
    const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)]
    const [fx, fy] = [Math.min(1, Math.max(0, x - left)), Math.min(1, Math.max(0, y - top))]
    const mix = (c: number) => {
      const at = (column: number, row: number) => texels[(row * width + column) * 5 + c] ?? 0
      return (
        (at(left, top) * (1 - fx) + at(right, top) * fx) * (1 - fy) +
        (at(left, bottom) * (1 - fx) + at(right, bottom) * fx) * fy
      )
    }
    seen[3] = mix(4)
    const alpha = mix(3)
    if (alpha <= 0.002) return 0
    for (let c = 0; c < 3; c++) seen[c] = mix(c) / alpha
    return alpha * (isEmbroidered ? 1 : INK_COVER)
  }
}

/** The light on the print area, on average. */
function lightOnPrint({ light, zones }: View): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < light.length; i += 1) {
    if (zones[i * 3 + 2] !== 255) continue
    sum += light[i] ?? 0
    count += 1
  }
  return count > 0 ? sum / count : 1
}

/**
 * The view in these colors with this print, as a sharp image of the view's size.
 * @param grain of cloth or coat (`grainOf`); zone B, a vented hat's mesh or the inside of a mug, has none
 */
export async function compose(view: View, { hex, accent = hex }: Dyes, print?: Print, grain?: Grain) {
  const { width, height, light, rest, cover, zones, shadow, span } = view
  const [a, b] = [hex, accent].map((dye) => albedoOf(dye, grain?.darkest)) as [number[], number[]]
  const [top, bottom] = BACKGROUND.map(rgbOf) as [number[], number[]]
  const isKnit = (grain?.folds ?? 1) > 1
  const ink = print && span ? await inkOf(print, span, isKnit) : undefined
  const [liftA, liftB] = [hex, accent].map((dye) => liftOf(dye, grain?.grayLift) * (grain?.folds ?? 1)) as [
    number,
    number,
  ]
  const steepness = 1 + (grain?.folds ?? 1) // folds catch the light, and what lies flat stays as its swatch
  const liftIn = (lift: number, lit: number) => 1 + lift * Math.min(1.5, lit ** steepness)
  const usual = ink && isKnit && !print?.isEmbroidered ? lightOnPrint(view) : undefined
  /** Ink on knit has the folds of the cloth around it: as the dye's, and a little deeper, since a flat color hides them. */
  const shadeOfInk = (lit: number) =>
    usual ? (liftIn(liftA, lit) / liftIn(liftA, usual)) * (lit / usual) ** INK_SHADE : 1
  // Fibers shine a little whatever their dye: on dark cloth that is most of what they send back.
  const sheen = 1 + 1.4 * (1 - Math.max(...a))
  const seen = new Float32Array(4)
  const out = Buffer.allocUnsafe(width * height * 3)
  let seed = 1
  for (let i = 0; i < width * height; i++) {
    const down = Math.floor(i / width) / height
    const [zoneA, zoneB] = [(zones[i * 3] ?? 0) / 255, (zones[i * 3 + 1] ?? 0) / 255]
    const dyed = zoneA + zoneB
    const printed = zones[i * 3 + 2] ?? 0
    seen[3] = 1
    const inked =
      ink && printed > 4
        ? (ink((view.print[i * 2] ?? 0) / 257 / printed, (view.print[i * 2 + 1] ?? 0) / 257 / printed, seen) *
            printed) /
          255
        : 0
    const threads = grain && zoneA > 0 ? grain.at(i) * zoneA : 0
    const onCloth = 1 + threads * sheen
    const onInk =
      print?.isEmbroidered || inked === 0 ? 1 : (1 + threads * (grain?.throughInk ?? 0)) * shadeOfInk(light[i] ?? 0)
    const onGloss = Math.max(0, 1 + threads * (grain?.gloss ?? 0))
    const fuzz = zoneA > 0 ? (grain?.fuzz?.(i, threads) ?? 0) : 0
    const bare = (1 - (cover[i] ?? 0)) * ((shadow[i] ?? 255) / 255)
    // One level of noise: the background's slow gradient would show steps otherwise.
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0
    const dither = (seed >>> 8) / 2 ** 24 - 0.5
    for (let c = 0; c < 3; c++) {
      let value = (rest[i * 3 + c] ?? 0) * onGloss + bare * ((top[c] ?? 0) * (1 - down) + (bottom[c] ?? 0) * down)
      if (dyed > 0) {
        const albedo = (zoneA * (a[c] ?? 0) + zoneB * (b[c] ?? 0)) / dyed
        const lift = liftIn((zoneA * liftA + zoneB * liftB) / dyed, light[i] ?? 0)
        const cloth = (lift * albedo * onCloth + fuzz) * (seen[3] ?? 1) * (1 - inked)
        value += (light[i] ?? 0) * (cloth + (seen[c] ?? 0) * inked * onInk)
      }
      const level =
        (displayBytes[Math.min(displayBytes.length - 1, Math.trunc(value * STEPS_PER_UNIT))] ?? 255) + dither
      out[i * 3 + c] = Math.min(255, Math.max(0, Math.round(level)))
    }
  }
  return sharp(out, { raw: { width, height, channels: 3 } })
}

/**
 * Puts a dye and a design on a rendered view. All sums are in linear light:
 * picture = rest + light x albedo + background x shadow where nothing covers it.
 * What the passes hold is told in `studio.py`, which writes them.
 */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

/** Part of every picture's hash: raise it when the same passes and design would give another picture. */
export const COMPOSER_VERSION = 1

export const passNames = ['light', 'rest', 'print', 'zones', 'shadow'] as const

/** The box into which a design is fitted: its centre and size as shares of the view's printable area; y grows downwards. */
export type Place = { x: number; y: number; width: number; height: number }

export type Dyes = { hex: string; accent?: string }

/** `svg` with the `Place` it takes. */
export type Print = { svg: Buffer; place: Place }

/** A view's passes, decoded; linear light, one value a pixel unless said otherwise. */
export type View = {
  width: number
  height: number
  light: Float32Array
  /** Three values a pixel, premultiplied by `cover`. */
  rest: Float32Array
  cover: Float32Array
  /** u, v and coverage, 0..65535, premultiplied by the coverage. */
  print: Uint16Array
  /** Coverage of zone A, of zone B and of the printable area, 0..255. */
  zones: Uint8Array
  /** What the ground keeps of its light, 0..255. */
  shadow: Uint8Array
  /** How many pixels the printable area's u and v span; undefined when the view shows none of it. */
  span: { u: number; v: number } | undefined
}

const INK_COVER = 0.96 // a trace of cloth shows through, as with real ink
const ALBEDO_MIN = 0.018 // nothing that is sold is blacker or whiter; pure black and white turn flat
const ALBEDO_MAX = 0.88
const TEXELS_PER_PIXEL = 1.6
const BACKGROUND = ['#f5f4f1', '#e6e4e0'] as const // top, bottom

const linearOf = (srgb: number) => (srgb <= 0.04045 ? srgb / 12.92 : ((srgb + 0.055) / 1.055) ** 2.4)
const srgbOf = (linear: number) => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055)
const rgbOf = (hex: string) => [1, 3, 5].map((at) => linearOf(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
const albedoOf = (hex: string) => rgbOf(hex).map((value) => Math.min(ALBEDO_MAX, Math.max(ALBEDO_MIN, value)))

/** Straight up to 0.8, then bending towards white: highlights keep their shape. */
const shoulder = (linear: number) => (linear <= 0.8 ? linear : 0.8 + 0.2 * (1 - Math.exp((0.8 - linear) / 0.28)))

const STEPS_PER_UNIT = 4096
const shown = Float32Array.from(
  { length: 2 * STEPS_PER_UNIT },
  (_, i) => 255 * srgbOf(Math.min(1, shoulder(i / STEPS_PER_UNIT))),
)
const stored = Float32Array.from({ length: 65536 }, (_, i) => 4 * Math.min(1, i / 65520) ** 2)

async function read16(file: string, space: 'grey16' | 'rgb16') {
  const { data, info } = await sharp(await readFile(file))
    .toColourspace(space)
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  return { ...info, values: new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2) }
}

/**
 * Reads a view's passes; `compose` may then be called for every dye and design.
 * @param base path of the passes without `.light.png` and so on
 * @throws when a pass is missing
 */
export async function openView(base: string): Promise<View> {
  const [light, rest, print, zones] = await Promise.all([
    read16(`${base}.light.png`, 'grey16'),
    read16(`${base}.rest.png`, 'rgb16'),
    read16(`${base}.print.png`, 'rgb16'),
    sharp(await readFile(`${base}.zones.png`))
      .raw()
      .toBuffer(),
  ])
  const { width, height } = rest
  // The shadow is soft by nature: its last grain goes before it is drawn out to the view's size.
  const soft = await sharp(`${base}.shadow.png`).median(7).blur(2.2).png().toBuffer()
  const shadow = await sharp(soft).resize(width, height, { kernel: 'cubic' }).toColourspace('b-w').raw().toBuffer()

  const pixels = width * height
  const view = {
    width,
    height,
    light: Float32Array.from({ length: pixels }, (_, i) => stored[light.values[i * light.channels] ?? 0] ?? 0),
    rest: new Float32Array(pixels * 3),
    cover: Float32Array.from({ length: pixels }, (_, i) => Math.min(1, (rest.values[i * 4 + 3] ?? 0) / 65520)),
    print: print.values,
    zones,
    shadow,
  }
  for (let i = 0; i < pixels; i++)
    for (let c = 0; c < 3; c++) view.rest[i * 3 + c] = stored[rest.values[i * 4 + c] ?? 0] ?? 0
  return { ...view, span: spanOf(view) }
}

function spanOf({ width, height, print, zones }: Pick<View, 'width' | 'height' | 'print' | 'zones'>) {
  let u = 0
  let v = 0
  let count = 0
  const difference = (a: number, b: number) => (print[b] ?? 0) - (print[a] ?? 0)
  for (let y = 2; y < height - 2; y += 3)
    for (let x = 2; x < width - 2; x += 3) {
      const here = y * width + x
      const [right, below] = [here + 1, here + width]
      if ([here, right, below].some((i) => zones[i * 3 + 2] !== 255)) continue
      u += Math.hypot(difference(here * 3, right * 3), difference(here * 3, below * 3))
      v += Math.hypot(difference(here * 3 + 1, right * 3 + 1), difference(here * 3 + 1, below * 3 + 1))
      count++
    }
  return count > 0 ? { u: (65535 * count) / u, v: (65535 * count) / v } : undefined
}

/** Ink at a point of the printable area: writes the linear colour and returns the coverage, 0..1. */
type Ink = (u: number, v: number, colour: Float32Array) => number

async function inkOf({ svg, place }: Print, span: { u: number; v: number }): Promise<Ink> {
  const drawn = await sharp(svg).metadata()
  const wide = Math.min(place.width, (place.height * span.v * drawn.width) / drawn.height / span.u)
  const wanted = Math.max(32, Math.round(span.u * wide * TEXELS_PER_PIXEL))
  const { data, info } = await sharp(svg, { density: Math.min(2400, Math.max(24, (72 * wanted) / drawn.width)) })
    .resize({ width: wanted })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const texels = new Float32Array(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    const alpha = (data[i * 4 + 3] ?? 0) / 255
    texels[i * 4 + 3] = alpha
    for (let c = 0; c < 3; c++)
      texels[i * 4 + c] = Math.min(0.9, Math.max(0.015, linearOf((data[i * 4 + c] ?? 0) / 255))) * alpha
  }
  const tall = (wide * span.u * height) / width / span.v

  return (u, v, colour) => {
    const x = ((u - place.x) / wide + 0.5) * width - 0.5
    const y = ((1 - v - place.y) / tall + 0.5) * height - 0.5
    if (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5) return 0
    const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))]
    const [right, bottom] = [Math.min(width - 1, left + 1), Math.min(height - 1, top + 1)]
    const [fx, fy] = [Math.min(1, Math.max(0, x - left)), Math.min(1, Math.max(0, y - top))]
    const mix = (c: number) => {
      const at = (column: number, row: number) => texels[(row * width + column) * 4 + c] ?? 0
      return (
        (at(left, top) * (1 - fx) + at(right, top) * fx) * (1 - fy) +
        (at(left, bottom) * (1 - fx) + at(right, bottom) * fx) * fy
      )
    }
    const alpha = mix(3)
    if (alpha <= 0.002) return 0
    for (let c = 0; c < 3; c++) colour[c] = mix(c) / alpha
    return alpha
  }
}

/** The view in these dyes with this print, as a sharp image of the view's size. */
export async function compose(view: View, { hex, accent = hex }: Dyes, print?: Print) {
  const { width, height, light, rest, cover, zones, shadow, span } = view
  const [a, b, top, bottom] = [albedoOf(hex), albedoOf(accent), rgbOf(BACKGROUND[0]), rgbOf(BACKGROUND[1])]
  const ink = print && span ? await inkOf(print, span) : undefined
  const colour = new Float32Array(3)
  const out = Buffer.allocUnsafe(width * height * 3)
  let seed = 1
  for (let i = 0; i < width * height; i++) {
    const down = Math.floor(i / width) / height
    const [zoneA, zoneB] = [(zones[i * 3] ?? 0) / 255, (zones[i * 3 + 1] ?? 0) / 255]
    const dyed = zoneA + zoneB
    const printed = zones[i * 3 + 2] ?? 0
    const inked =
      ink && printed > 4
        ? (ink((view.print[i * 3] ?? 0) / 257 / printed, (view.print[i * 3 + 1] ?? 0) / 257 / printed, colour) *
            INK_COVER *
            printed) /
          255
        : 0
    const bare = (1 - (cover[i] ?? 0)) * ((shadow[i] ?? 255) / 255)
    // One level of noise: the background's slow gradient would show steps otherwise.
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0
    const dither = (seed >>> 8) / 2 ** 24 - 0.5
    for (let c = 0; c < 3; c++) {
      let value = (rest[i * 3 + c] ?? 0) + bare * ((top[c] ?? 0) * (1 - down) + (bottom[c] ?? 0) * down)
      if (dyed > 0) {
        const albedo = (zoneA * (a[c] ?? 0) + zoneB * (b[c] ?? 0)) / dyed
        value += (light[i] ?? 0) * (albedo * (1 - inked) + (colour[c] ?? 0) * inked)
      }
      const level = (shown[Math.min(shown.length - 1, Math.trunc(value * STEPS_PER_UNIT))] ?? 255) + dither
      out[i * 3 + c] = Math.min(255, Math.max(0, Math.round(level)))
    }
  }
  return sharp(out, { raw: { width, height, channels: 3 } })
}

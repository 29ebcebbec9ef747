/**
 * Weave, knit and pile as the light on them. A render at this size has no threads, so each material is a small height field that
 * repeats, made by a formula; its slope towards the light and its depth change the light that the render left on the cloth.
 */
import type { PictureModel } from '#domain/pictures/picture-models.ts'
import type { View } from './passes.ts'

/** Height, 0..1, at a place counted in threads; repeats after `THREADS` in both directions. */
type Height = (across: number, down: number) => number

type Cloth = {
  height: Height
  /** Over the width of the print area; fewer where a picture could not show them. */
  threads: number
  /** How strongly it is lit from the side, and how dark its depths are. */
  relief: number
  depth: number
  /** Pixels per thread from which it is seen in full; from farther away it is smoother. */
  fullAt?: number
  /** Raised when this cloth would give another picture. */
  version?: number
}

const THREADS = 24
const TEXELS = 480
const PIXELS_PER_THREAD_MIN = 4 // a smaller size of the picture would turn finer ones into stripes

/** A uniform hash of two whole numbers, 0..1, that repeats with the tile. */
function chance(a: number, b: number, seed = 0) {
  const wrap = (value: number) => ((value % THREADS) + THREADS) % THREADS
  let mixed = Math.imul(wrap(a) + 1, 0x85ebca6b) ^ Math.imul(wrap(b) + 1 + 31 * seed, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}

const round = (share: number) => Math.sin(Math.PI * share)
const fraction = (value: number) => value - Math.floor(value)

/** Columns of stitches, each a V. */
const jersey: Height = (across, down) => {
  const wale = Math.floor(across)
  const from = Math.abs(fraction(across) - 0.5)
  const course = fraction(down + 0.75 * from + 0.12 * chance(wale, 0))
  return round(2 * from) ** 0.6 * (0.45 + 0.55 * round(course)) * (0.86 + 0.14 * chance(wale, Math.floor(down)))
}

/** Small dimples in staggered rows. */
const pique: Height = (across, down) => {
  const row = Math.floor(down)
  const x = fraction(across + (((row % 2) + 2) % 2) / 2) - 0.5
  const y = fraction(down) - 0.5
  return 1 - Math.exp(-(x * x + 1.25 * y * y) / 0.075)
}

/** Ribs that climb to the right. */
const twill: Height = (across, down) => {
  const rib = across + down
  return round(fraction(rib)) ** 0.7 * (0.78 + 0.22 * round(fraction((across - down) * 2 + 0.5 * Math.floor(rib))))
}

/** Threads over and under each other, as thick as they happen to be. */
const canvas: Height = (across, down) => {
  const [column, row] = [Math.floor(across), Math.floor(down)]
  const isWarp = (((column + row) % 2) + 2) % 2 === 0
  const [over, along] = isWarp ? [across - column, down - row] : [down - row, across - column]
  const thick = 0.7 + 0.3 * (isWarp ? chance(column, 0, 1) : chance(0, row, 2))
  return thick * round(over) ** 0.55 * (0.4 + 0.6 * round(along))
}

/** A random height field, smooth between its points, `size` threads apart. */
function noise(across: number, down: number, size: number, seed: number) {
  const [x, y] = [across / size, down / size]
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const ease = (value: number) => value * value * (3 - 2 * value)
  const [fx, fy] = [ease(x - left), ease(y - top)]
  const at = (a: number, b: number) => chance(Math.round(a * size * 8) / 8, Math.round(b * size * 8) / 8, seed)
  return (
    (at(left, top) * (1 - fx) + at(left + 1, top) * fx) * (1 - fy) +
    (at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx) * fy
  )
}

/** Brushed pile: clumps, and fibers that lie one way. */
const fleece: Height = (across, down) =>
  0.3 * noise(across, down, 2, 3) +
  0.42 * noise(across, down, 1, 4) +
  0.28 * noise(2 * across + down, 2 * down - across, 1, 5)

const COTTON = { relief: 0.13, depth: 0.16 }

const cloths: Readonly<Partial<Record<PictureModel, Cloth>>> = {
  't-shirt': { height: jersey, threads: 130, relief: 0.2, depth: 0.26, fullAt: 6.5, version: 3 },
  polo: { height: pique, threads: 120, ...COTTON, fullAt: 6.5, version: 2 },
  hat: { height: twill, threads: 90, ...COTTON },
  'vented-hat': { height: twill, threads: 90, ...COTTON },
  visor: { height: twill, threads: 80, ...COTTON },
  tote: { height: canvas, threads: 110, relief: 0.14, depth: 0.2 },
  pillow: { height: canvas, threads: 170, relief: 0.1, depth: 0.14 },
  blanket: { height: fleece, threads: 110, relief: 0.22, depth: 0.3 },
  'mouse-pad': { height: canvas, threads: 190, relief: 0.05, depth: 0.07 },
  'can-cooler': { height: jersey, threads: 110, relief: 0.05, depth: 0.07 },
}

/** Part of a picture's hash, beside the composer's version. */
export const clothVersionOf = (model: PictureModel): number | undefined => cloths[model]?.version

const tiles = new Map<Cloth, Float32Array>()

/** What each texel does to the light: 1 changes nothing, and nothing is the mean. */
function tileOf(cloth: Cloth): Float32Array {
  const known = tiles.get(cloth)
  if (known) return known
  const step = THREADS / TEXELS
  const heights = Float32Array.from({ length: TEXELS * TEXELS }, (_, i) =>
    cloth.height(((i % TEXELS) + 0.5) * step, (Math.floor(i / TEXELS) + 0.5) * step),
  )
  const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length
  const at = (x: number, y: number) => heights[((y + TEXELS) % TEXELS) * TEXELS + ((x + TEXELS) % TEXELS)] ?? 0
  const near = Math.round(TEXELS / THREADS / 4)
  const tile = Float32Array.from({ length: TEXELS * TEXELS }, (_, i) => {
    const [x, y] = [i % TEXELS, Math.floor(i / TEXELS)]
    const lit = at(x + near, y) - at(x - near, y) + 1.2 * (at(x, y + near) - at(x, y - near)) // light from the upper left
    return 1 + cloth.relief * lit + cloth.depth * (at(x, y) - mean)
  })
  tiles.set(cloth, tile)
  return tile
}

/** The plane that fits where print lies in the picture, for cloth beside the print area: u = [0] + [1] x + [2] y. */
function planeOf({ width, height, print, zones }: View, coordinate: 0 | 1): readonly [number, number, number] {
  let [n, sx, sy, sxx, sxy, syy, sz, sxz, syz] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (let y = 1; y < height; y += 4)
    for (let x = 1; x < width; x += 4) {
      const i = y * width + x
      if (zones[i * 3 + 2] !== 255) continue
      const z = (print[i * 2 + coordinate] ?? 0) / 65535
      ;[n, sx, sy, sz] = [n + 1, sx + x, sy + y, sz + z]
      ;[sxx, sxy, syy, sxz, syz] = [sxx + x * x, sxy + x * y, syy + y * y, sxz + x * z, syz + y * z]
    }
  const [cxx, cxy, cyy] = [sxx - (sx * sx) / n, sxy - (sx * sy) / n, syy - (sy * sy) / n]
  const [cxz, cyz] = [sxz - (sx * sz) / n, syz - (sy * sz) / n]
  const det = cxx * cyy - cxy * cxy
  const [a, b] = [(cxz * cyy - cyz * cxy) / det, (cyz * cxx - cxz * cxy) / det]
  return [(sz - a * sx - b * sy) / n, a, b]
}

/**
 * How much more light than their mean the threads at a pixel send back, as a share; negative for less.
 * @returns undefined for what is not cloth, and where a view shows none of the print area
 */
export function grainOf(model: PictureModel, view: View): ((pixel: number) => number) | undefined {
  const cloth = cloths[model]
  const { width, print, zones, span } = view
  if (!cloth || !span) return undefined
  const tile = tileOf(cloth)
  const threads = Math.min(cloth.threads, span.u / PIXELS_PER_THREAD_MIN)
  const [perU, perV] = [(threads / THREADS) * TEXELS, ((threads * span.v) / span.u / THREADS) * TEXELS]
  const near = cloth.fullAt ? Math.min(1, (span.u / threads / cloth.fullAt) ** 2) : 1
  const [u, v] = [planeOf(view, 0), planeOf(view, 1)]
  // Cloth that turns away shows more threads than it has pixels: what remains of them is their mean.
  const turned = (i: number) => {
    const [right, below] = [i + 1, i + width]
    if (zones[right * 3 + 2] !== 255 || zones[below * 3 + 2] !== 255) return 1
    const step = (coordinate: 0 | 1, to: number) =>
      ((print[to * 2 + coordinate] ?? 0) - (print[i * 2 + coordinate] ?? 0)) / 65535
    const texels = Math.max(
      Math.hypot(perU * step(0, right), perV * step(1, right)),
      Math.hypot(perU * step(0, below), perV * step(1, below)),
    )
    return Math.min(1, Math.max(0, 2.4 - (texels * PIXELS_PER_THREAD_MIN * THREADS) / TEXELS))
  }
  return (i) => {
    const isInside = zones[i * 3 + 2] === 255
    const [x, y] = [i % width, Math.floor(i / width)]
    const across = perU * (isInside ? (print[i * 2] ?? 0) / 65535 : u[0] + u[1] * x + u[2] * y)
    const down = perV * (1 - (isInside ? (print[i * 2 + 1] ?? 0) / 65535 : v[0] + v[1] * x + v[2] * y))
    const column = ((Math.floor(across) % TEXELS) + TEXELS) % TEXELS
    const row = ((Math.floor(down) % TEXELS) + TEXELS) % TEXELS
    const share = isInside ? turned(i) : 1
    return near * share * ((tile[row * TEXELS + column] ?? 1) - 1)
  }
}

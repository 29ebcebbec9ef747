/**
 * Weave, knit, pile and powder coat as the light on them. A render at this size has no threads, so each material is a small height
 * field that repeats, made by a formula; its slope towards the light and its depth change the light that the render left on the cloth.
 */
import type { PictureModel } from '#domain/pictures/picture-models.ts'
import { awayFrom, blur } from './embroidery.ts'
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
  /**
   * Pixels per thread up to which nothing of it is seen, and from which all: coarser ones in its place would lie over a small shirt
   * like a grid.
   */
  seenFrom?: readonly [number, number]
  /** Pixels of its widest threads: from nearer, more of them are seen, since wider ones would make a sweater of a shirt. */
  widest?: number
  /** As many threads as the real one has: too fine for all but a close-up, where coarser ones would make burlap of it. */
  isFine?: boolean
  /** How much of it shows through ink: all where the print is dyed into the threads, less where a film fills them. */
  throughInk?: number
  /** How strongly it breaks the highlights. */
  gloss?: number
  /** How much more of its folds is seen on a dark dye than of a smooth thing's shape, as a factor. */
  folds?: number
  /** How much more than other dark dyes charcoal is lifted. */
  grayLift?: number
  /** How far beside the print area the folds at its border go on, in pixels; else as far as the cloth does. */
  foldReach?: number
  /** The light that its loose fibers send back undyed, more from some loops than from others: what shows knit on black. */
  fuzz?: number
  /** Linear: no dye is darker on it. */
  darkest?: number
  /** Raised when this cloth would give another picture. */
  version?: number
}

const THREADS = 24
const TEXELS = 480
const PIXELS_PER_THREAD_MIN = 4 // a smaller size of the picture would turn finer ones into stripes

/** A uniform hash of two whole numbers, 0..1, that repeats with the tile. */
function chance(a: number, b: number, seed = 0) {
  let mixed = Math.imul(mod(a, THREADS) + 1, 0x85ebca6b) ^ Math.imul(mod(b, THREADS) + 1 + 31 * seed, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32
}

const mod = (value: number, size: number) => ((value % size) + size) % size
const round = (share: number) => Math.sin(Math.PI * share)
const fraction = (value: number) => value - Math.floor(value)

/** Columns of stitches, each a V: so steep that a row of them is no stripe. */
const jersey: Height = (across, down) => {
  const wale = Math.floor(across)
  const from = Math.abs(fraction(across) - 0.5)
  const course = fraction(down + 1.5 * from + 0.12 * chance(wale, 0))
  const leg = round(0.14 + 0.86 * (1 - 2 * from)) ** 0.7
  return leg * (0.4 + 0.6 * round(course) ** 0.8) * (0.86 + 0.14 * chance(wale, Math.floor(down)))
}

/** Small dimples in staggered rows; what lies between them in a row is so high that a smaller picture does not show rows as stripes. */
const pique: Height = (across, down) => {
  const x = fraction(across + mod(Math.floor(down), 2) / 2) - 0.5
  const y = fraction(down) - 0.5
  return 1 - (Math.exp((-x * x) / 0.075) - 0.18) * Math.exp((-1.25 * y * y) / 0.075)
}

/** Ribs that climb to the right. */
const twill: Height = (across, down) => {
  const rib = across + down
  return round(fraction(rib)) ** 0.7 * (0.78 + 0.22 * round(fraction((across - down) * 2 + 0.5 * Math.floor(rib))))
}

/** Threads over and under each other, as thick as they happen to be. */
const canvas: Height = (across, down) => {
  const [column, row] = [Math.floor(across), Math.floor(down)]
  const isWarp = mod(column + row, 2) === 0
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
  0.26 * noise(across, down, 2, 3) +
  0.24 * noise(3 * across + 2 * down, 3 * down - 2 * across, 1, 4) +
  0.3 * noise(9 * across + 4 * down, 2 * down - across, 1, 5) +
  0.2 * noise(7 * across - 3 * down, 3 * down + across, 1, 6)

/** Fine threads, and now and then a thick one that thins out again along its way. */
const linen: Height = (across, down) => {
  const [column, row] = [Math.floor(across), Math.floor(down)]
  const isWarp = mod(column + row, 2) === 0
  const slub = (thread: number, along: number, seed: number) => {
    const [from, share] = [Math.floor(along / 6), fraction(along / 6)]
    const at = (step: number) => Math.max(0, chance(thread, step * 6, seed) - 0.68) / 0.32
    const ease = share * share * (3 - 2 * share)
    return at(from) * (1 - ease) + at(from + 1) * ease
  }
  const [over, along] = isWarp ? [across - column, down - row] : [down - row, across - column]
  const thick = isWarp ? slub(column, down, 1) : slub(row, across, 2)
  const thread = isWarp ? chance(column, 0, 3) : chance(0, row, 4)
  return (0.4 + 0.2 * thread + 0.5 * thick) * round(over) ** (0.6 - 0.3 * thick) * (0.45 + 0.55 * round(along))
}

/** A flat knit of filaments: small bright loops in even columns. */
const knit: Height = (across, down) => {
  const wale = Math.floor(across)
  const from = Math.abs(fraction(across) - 0.5)
  const course = fraction(down + 0.5 * from)
  return round(2 * from) ** 0.5 * (0.35 + 0.65 * round(course) ** 0.8) * (0.93 + 0.07 * chance(wale, Math.floor(down)))
}

/** Baked powder: low, rounded bumps of all sizes, as the peel of an orange has. */
const powder: Height = (across, down) =>
  0.36 * noise(2 * across + down, 2 * down - across, 2, 3) +
  0.38 * noise(across + 2 * down, down - 2 * across, 1, 4) +
  0.26 * noise(3 * across - down, 3 * down + across, 1, 5)

const CLUMP_PIXELS = 2.5 // the finest that the smaller sizes of a picture still show
const FUZZ_OF_LOOPS = 8 // fibers stand off the tops of loops

/** How loose fibers clump, mostly along the columns of loops; 0 is the mean. */
const clumps: Height = (across, down) => 2.5 * (noise(across, down, 1, 6) + noise(across, down / 2, 1, 7) - 1)

const TWILL_BLACK = 0.0085 // a matte floor would show black twill as charcoal

const COTTON = { relief: 0.13, depth: 0.16 }
const KNIT = { widest: 8, folds: 2.6, foldReach: 48, fuzz: 0.0045 }
const DYED = { isFine: true, throughInk: 1, fullAt: 5 }

const cloths: Readonly<Partial<Record<PictureModel, Cloth>>> = {
  't-shirt': {
    height: jersey,
    threads: 130,
    relief: 0.2,
    depth: 0.26,
    fullAt: 6.5,
    seenFrom: [1.6, 3.3],
    throughInk: 0.9,
    ...KNIT,
    version: 8,
  },
  polo: { height: pique, threads: 120, ...COTTON, fullAt: 5, seenFrom: [2, 2.4], ...KNIT, grayLift: 1.8, version: 7 },
  hat: { height: twill, threads: 115, ...COTTON, darkest: TWILL_BLACK, version: 2 },
  'vented-hat': { height: twill, threads: 115, ...COTTON, darkest: TWILL_BLACK, version: 2 },
  visor: { height: twill, threads: 105, ...COTTON, darkest: TWILL_BLACK, version: 2 },
  tote: { height: canvas, threads: 110, relief: 0.14, depth: 0.2 },
  pillow: { height: linen, threads: 460, relief: 0.24, depth: 0.34, ...DYED, version: 1 },
  blanket: { height: fleece, threads: 420, relief: 0.2, depth: 0.36, fullAt: 4.5, throughInk: 1, version: 2 },
  'mouse-pad': { height: knit, threads: 400, relief: 0.16, depth: 0.26, ...DYED, version: 1 },
  'can-cooler': { height: jersey, threads: 230, relief: 0.18, depth: 0.26, ...DYED, version: 2 },
  'water-bottle': {
    height: powder,
    threads: 150,
    relief: 0.26,
    depth: 0.14,
    isFine: true,
    throughInk: 0.9,
    gloss: 3,
    fullAt: 3.5,
    version: 1,
  },
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

/** A thread's mean, for a picture that shows no more of it: slubs are still there, as streaks. */
const meansOf = (tile: Float32Array): Float32Array =>
  Float32Array.from({ length: THREADS * THREADS }, (_, i) => {
    const size = TEXELS / THREADS
    const first = Math.floor(i / THREADS) * size * TEXELS + (i % THREADS) * size
    let sum = 0
    for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) sum += (tile[first + y * TEXELS + x] ?? 1) - 1
    return sum / size ** 2
  })

/** How much u, or v, grows from a pixel to the next one and to the one below, on average where print lies. */
function slopeOf({ width, height, print, zones }: View, coordinate: 0 | 1): readonly [number, number] {
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
  return [(cxz * cyy - cyz * cxy) / det, (cyz * cxx - cxz * cxy) / det]
}

const COARSE = 4 // pixels from one known value to the next
const PLACES_EVENED = 3
const FAR_EVENED = 18 // a fold at the border, carried on, would draw its wave into cloth that has none there
const SPAN_OF_SHIRT = 340 // pixels, where a picture shows all of it
const SHARE_EVENED = 14 // a seam that ends at the border says nothing of the cloth beside it

/**
 * What holds at the border of the print area, for cloth beside it: it goes on, evened out, so that no thread breaks off at the border.
 * @param valueOf a pixel of the print area
 * @param evened over how many known values to both sides
 * @param reach from how many pixels away on over more of them
 * @param closer how many times nearer than a whole shirt the view is: its folds are that much wider
 */
function beside(
  { width, height, zones }: View,
  valueOf: (pixel: number) => number,
  evened: number,
  { reach, closer = 1 }: { reach?: number | undefined; closer?: number } = {},
) {
  const [columns, rows] = [Math.ceil(width / COARSE), Math.ceil(height / COARSE)]
  const pixelOf = (cell: number) => Math.floor(cell / columns) * COARSE * width + (cell % columns) * COARSE
  const area = awayFrom((cell) => zones[pixelOf(cell) * 3 + 2] === 255, columns, rows)
  const border = Float32Array.from({ length: columns * rows }, (_, cell) => valueOf(pixelOf(area.seed(cell))))
  const values = blur(border, columns, rows, Math.round(evened * closer))
  if (reach !== undefined)
    for (const [cell, far] of blur(border, columns, rows, Math.round(FAR_EVENED * closer)).entries()) {
      const near = values[cell] ?? 0
      values[cell] = near + Math.min(1, (COARSE * (area.distance[cell] ?? 0)) / reach / closer) * (far - near)
    }
  return (pixel: number) => {
    const [x, y] = [(pixel % width) / COARSE, Math.floor(pixel / width) / COARSE]
    const [left, top] = [Math.floor(x), Math.floor(y)]
    const at = (column: number, row: number) =>
      values[Math.min(rows - 1, row) * columns + Math.min(columns - 1, column)] ?? 0
    const [fx, fy] = [x - left, y - top]
    return (
      (at(left, top) * (1 - fx) + at(left + 1, top) * fx) * (1 - fy) +
      (at(left, top + 1) * (1 - fx) + at(left + 1, top + 1) * fx) * fy
    )
  }
}

/** How a material breaks light: `at` a pixel as a share more, or less where negative, than its mean; see `Cloth` for the others. */
export type Grain = {
  at: (pixel: number) => number
  throughInk: number
  gloss: number
  folds: number
  grayLift?: number
  darkest?: number
  /** Light that a pixel's fibers send back whatever the dye; its threads are what `at` says of them. */
  fuzz?: (pixel: number, threads: number) => number
}

/** Threads that are finer than pixels can show fade out. */
const shareSeen = (threadsPerPixel: number) => Math.min(1, Math.max(0, 2.4 - threadsPerPixel * PIXELS_PER_THREAD_MIN))

const FILM = 0.6 // of ink that lies on threads and fills the rest

/** @returns undefined for what has no grain, and where a view shows none of the print area */
export function grainOf(model: PictureModel, view: View): Grain | undefined {
  const cloth = cloths[model]
  const { width, print, zones, span } = view
  if (!cloth || !span) return undefined
  const tile = tileOf(cloth)
  const fineness = Math.max(cloth.threads, span.u / (cloth.widest ?? Infinity))
  const threads = Math.min(fineness, span.u / PIXELS_PER_THREAD_MIN)
  const [perU, perV] = [(threads / THREADS) * TEXELS, ((threads * span.v) / span.u / THREADS) * TEXELS]
  const pitch = span.u / (cloth.isFine ? fineness : threads)
  const means = cloth.isFine ? meansOf(tile) : undefined
  const finer = fineness / threads
  const [none, all] = cloth.seenFrom ?? [0, 0]
  const left = Math.min(1, Math.max(0, (span.u / fineness - none) / (all - none)))
  const near = left * (cloth.fullAt ? Math.min(1, (pitch / cloth.fullAt) ** 2) : 1)
  const closer = cloth.foldReach ? Math.max(1, span.u / SPAN_OF_SHIRT) : 1
  const placesOf = (coordinate: 0 | 1) => {
    const [right, down] = slopeOf(view, coordinate)
    const onPlane = (i: number) => right * (i % width) + down * Math.floor(i / width)
    const inPrint = (i: number) => (print[i * 2 + coordinate] ?? 0) / 65535
    const bent = beside(view, (i) => inPrint(i) - onPlane(i), PLACES_EVENED, { reach: cloth.foldReach, closer })
    return (i: number, isInside: boolean) => (isInside ? inPrint(i) : onPlane(i) + bent(i))
  }
  const [u, v] = [placesOf(0), placesOf(1)]
  // Cloth that turns away shows more threads than it has pixels: what remains of them is their mean.
  const shown = (i: number) => {
    const step = (coordinate: 0 | 1, by: number) => {
      const to = zones[(i + by) * 3 + 2] === 255 ? i + by : i - by
      return ((print[to * 2 + coordinate] ?? 0) - (print[i * 2 + coordinate] ?? 0)) / 65535
    }
    const texels = Math.max(
      Math.hypot(perU * step(0, 1), perV * step(1, 1)),
      Math.hypot(perU * step(0, width), perV * step(1, width)),
    )
    return shareSeen((texels * THREADS) / TEXELS)
  }
  const shownBeside = beside(view, shown, SHARE_EVENED)
  /** Cloth that is sewn of panels: its threads follow each panel and break off at its seams; what is not woven, as a seam's thread, has none. */
  const onPanels = (weave: Float32Array) => (i: number) => {
    const [across, up] = [weave[i * 2] ?? Number.NaN, weave[i * 2 + 1] ?? Number.NaN]
    if (Number.isNaN(across)) return 0
    const apart = (by: number) =>
      Math.hypot((weave[(i + by) * 2] ?? Number.NaN) - across, (weave[(i + by) * 2 + 1] ?? Number.NaN) - up)
    // a neighbor on another panel, or on none, says nothing
    const step = (by: number) => Math.min(...[apart(by), apart(-by)].map((far) => (Number.isNaN(far) ? 1 : far)))
    const seen = shareSeen(threads * Math.max(step(1), step(width)))
    const [column, row] = [across, -up].map((way) => mod(Math.floor((way * threads * TEXELS) / THREADS), TEXELS)) as [
      number,
      number,
    ]
    return near * seen * ((tile[row * TEXELS + column] ?? 1) - 1)
  }
  const inPrintArea = (i: number) => {
    const isInside = zones[i * 3 + 2] === 255
    const [across, down] = [perU * u(i, isInside), perV * (1 - v(i, isInside))]
    const [column, row] = [mod(Math.floor(across), TEXELS), mod(Math.floor(down), TEXELS)]
    const share = isInside ? shown(i) : shownBeside(i)
    const seen = near * share * ((tile[row * TEXELS + column] ?? 1) - 1)
    if (!means || near * share === 1) return seen
    const thread = mod(Math.floor((across * finer * THREADS) / TEXELS), THREADS)
    const line = mod(Math.floor((down * finer * THREADS) / TEXELS), THREADS)
    return seen + (1 - near * share) * (means[line * THREADS + thread] ?? 0)
  }
  const at = view.weave ? onPanels(view.weave) : inPrintArea
  const { fuzz = 0 } = cloth
  const fuzzAt = (i: number, loops: number) => {
    const isInside = zones[i * 3 + 2] === 255
    const [across, down] = [(span.u / CLUMP_PIXELS) * u(i, isInside), (span.v / CLUMP_PIXELS) * v(i, isInside)]
    return fuzz * Math.max(0, 1 + FUZZ_OF_LOOPS * loops + (1 - near) * clumps(across, down))
  }
  return {
    at,
    ...{ throughInk: cloth.throughInk ?? FILM, gloss: cloth.gloss ?? 0, folds: cloth.folds ?? 1 },
    ...(fuzz > 0 && { fuzz: fuzzAt }),
    ...(cloth.grayLift && { grayLift: cloth.grayLift }),
    ...(cloth.darkest && { darkest: cloth.darkest }),
  }
}

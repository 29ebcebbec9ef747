/**
 * The stored passes of a view: `<view>.planes.webp` and `<view>.rest.webp`, in a studio `<view>.shadow.png`, and for cloth that is sewn of
 * panels `<view>.weave.webp`.
 * What they hold is described in `studio.py`, whose PNG files `pack` takes; the numbers are reduced to what a picture can show.
 */
import { existsSync } from 'node:fs'
import { copyFile, readFile, rm } from 'node:fs/promises'
import sharp from 'sharp'

/** A view's passes, decoded; linear light, one value per pixel unless noted otherwise. */
export type View = {
  width: number
  height: number
  light: Float32Array
  /** Three values per pixel, premultiplied by `cover`. */
  rest: Float32Array
  cover: Float32Array
  /** u and v, 0..65535, premultiplied by the coverage. */
  print: Uint16Array
  /** Coverage of zone A, of zone B and of the printable area, 0..255. */
  zones: Uint8Array
  /** The share of its light that the ground keeps, 0..255. */
  shadow: Uint8Array
  /** Where a pixel is on its panel, across and up, in widths of the print area; NaN where nothing is woven. */
  weave?: Float32Array
  /** How many pixels the printable area's u and v span; undefined when the view shows none of it. */
  span: { u: number; v: number } | undefined
}

/** The planes are stacked in one gray picture: high bits, then the stored low bits, then the zones. */
const LIGHT_LOW_BITS = 2
const PLACE_LOW_BITS = 6
const PLANES = 9

/** A room fills its picture and hides compression loss; what stands in the studio is cut out, and stored losslessly. */
const ROOM = { quality: 93, effort: 5, smartSubsample: true }
const EXACT = { lossless: true, effort: 5 }

const REST_MAX = 2 // linear; beyond it everything is white

/** @returns the files of a view that exist */
export const passFilesOf = (base: string): string[] =>
  ['planes.webp', 'rest.webp', 'shadow.png', 'weave.webp']
    .map((part) => `${base}.${part}`)
    .filter((file) => existsSync(file))

export const hasPasses = (base: string): boolean => existsSync(`${base}.planes.webp`) && existsSync(`${base}.rest.webp`)

async function read16(file: string, space: 'grey16' | 'rgb16') {
  const { data, info } = await sharp(await readFile(file))
    .toColourspace(space)
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  return { ...info, values: new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2) }
}

const linearOf = (stored: number) => 4 * Math.min(1, stored / 65520) ** 2

/** Planes of bytes that lie one after the other: a number's high bits, then so many low ones in the plane after it. */
const stacked = (planes: Buffer, pixels: number) => ({
  put(plane: number, i: number, value: number, low: number) {
    const kept = Math.min(2 ** (8 + low) - 1, Math.round(value / 2 ** (8 - low)))
    planes[plane * pixels + i] = kept >> low
    planes[(plane + 1) * pixels + i] = kept & (2 ** low - 1)
  },
  joined: (plane: number, i: number, low: number) =>
    ((planes[plane * pixels + i] ?? 0) << low) | (planes[(plane + 1) * pixels + i] ?? 0),
})

const WEAVE_PLANES = 4
const WEAVE_SPAN = 4 // widths of the print area, from one below zero

/** Across and up, high bits and the stored low bits of each, stacked as the planes are. */
async function packWeave(from: string, to: string) {
  const { values, width, height, channels } = await read16(from, 'rgb16')
  const pixels = width * height
  const planes = Buffer.alloc(pixels * WEAVE_PLANES)
  const { put } = stacked(planes, pixels)
  for (let i = 0; i < pixels; i++)
    for (let c = 0; c < 2; c++) put(2 * c, i, values[i * channels + c] ?? 0, PLACE_LOW_BITS)
  await sharp(planes, { raw: { width, height: height * WEAVE_PLANES, channels: 1 } })
    .webp(EXACT)
    .toFile(to)
}

async function weaveOf(file: string): Promise<Float32Array | undefined> {
  if (!existsSync(file)) return undefined
  const planes = await sharp(file).extractChannel(0).raw().toBuffer()
  const pixels = planes.length / WEAVE_PLANES
  const { joined } = stacked(planes, pixels)
  const top = 2 ** (8 + PLACE_LOW_BITS)
  return Float32Array.from({ length: pixels * 2 }, (_, at) => {
    const kept = joined(2 * (at % 2), Math.trunc(at / 2), PLACE_LOW_BITS)
    return kept === 0 ? Number.NaN : (kept / top) * WEAVE_SPAN - 1
  })
}

/** Stores what Blender has written. @param from, @param to paths without `.light.png` and so on */
export async function pack(from: string, to: string): Promise<void> {
  const [light, rest, print, zones] = await Promise.all([
    read16(`${from}.light.png`, 'grey16'),
    read16(`${from}.rest.png`, 'rgb16'),
    read16(`${from}.print.png`, 'rgb16'),
    sharp(await readFile(`${from}.zones.png`))
      .raw()
      .toBuffer(),
  ])
  const { width, height } = rest
  const pixels = width * height
  const planes = Buffer.alloc(pixels * PLANES)
  const { put } = stacked(planes, pixels)
  const color = Buffer.alloc(pixels * 4)
  let isRoom = true
  for (let i = 0; i < pixels; i++) {
    put(0, i, light.values[i * light.channels] ?? 0, LIGHT_LOW_BITS)
    put(2, i, print.values[i * 3] ?? 0, PLACE_LOW_BITS)
    put(4, i, print.values[i * 3 + 1] ?? 0, PLACE_LOW_BITS)
    for (let c = 0; c < 3; c++) {
      planes[(6 + c) * pixels + i] = zones[i * 3 + c] ?? 0
      const value = linearOf(rest.values[i * 4 + c] ?? 0) / REST_MAX
      color[i * 4 + c] = Math.round(255 * Math.sqrt(Math.min(1, value)))
    }
    const cover = Math.round((255 * Math.min(65520, rest.values[i * 4 + 3] ?? 0)) / 65520)
    color[i * 4 + 3] = cover
    isRoom &&= cover === 255
  }
  await sharp(planes, { raw: { width, height: height * PLANES, channels: 1 } })
    .webp(EXACT)
    .toFile(`${to}.planes.webp`)
  const picture = sharp(color, { raw: { width, height, channels: 4 } })
  await (isRoom ? picture.removeAlpha().webp(ROOM) : picture.webp({ ...EXACT, exact: true })).toFile(`${to}.rest.webp`)
  if (!isRoom) await copyFile(`${from}.shadow.png`, `${to}.shadow.png`)
  await rm(`${to}.weave.webp`, { force: true })
  if (existsSync(`${from}.weave.png`)) await packWeave(`${from}.weave.png`, `${to}.weave.webp`)
}

/**
 * Reads a view's passes; `compose` may then be called for every dye and design.
 * @param base path of the passes without `.planes.webp` and so on
 * @throws when a pass is missing
 */
export async function openView(base: string): Promise<View> {
  const [{ data: rest, info }, planes, weave] = await Promise.all([
    sharp(`${base}.rest.webp`).raw().toBuffer({ resolveWithObject: true }),
    sharp(`${base}.planes.webp`).extractChannel(0).raw().toBuffer(),
    weaveOf(`${base}.weave.webp`),
  ])
  const { width, height, channels } = info
  const pixels = width * height
  const { joined } = stacked(planes, pixels)
  const print = new Uint16Array(pixels * 2)
  const zones = new Uint8Array(pixels * 3)
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < 2; c++) print[i * 2 + c] = joined(2 + 2 * c, i, PLACE_LOW_BITS) * 2 ** (8 - PLACE_LOW_BITS)
    for (let c = 0; c < 3; c++) zones[i * 3 + c] = planes[(6 + c) * pixels + i] ?? 0
  }
  const view = {
    ...{ width, height, print, zones },
    light: Float32Array.from({ length: pixels }, (_, i) =>
      linearOf(joined(0, i, LIGHT_LOW_BITS) * 2 ** (8 - LIGHT_LOW_BITS)),
    ),
    rest: Float32Array.from(
      { length: pixels * 3 },
      (_, i) => REST_MAX * ((rest[Math.trunc(i / 3) * channels + (i % 3)] ?? 0) / 255) ** 2,
    ),
    cover: Float32Array.from({ length: pixels }, (_, i) => (channels === 4 ? (rest[i * 4 + 3] ?? 0) / 255 : 1)),
    shadow: await shadowOf(base, width, height),
    ...(weave && { weave }),
  }
  return { ...view, span: spanOf(view) }
}

/** The shadow is soft by nature: its noise is removed before it is scaled to the view's size. A room has its own. */
async function shadowOf(base: string, width: number, height: number): Promise<Uint8Array> {
  if (!existsSync(`${base}.shadow.png`)) return new Uint8Array(width * height).fill(255)
  const soft = await sharp(`${base}.shadow.png`).median(7).blur(2.2).png().toBuffer()
  return sharp(soft).resize(width, height, { kernel: 'cubic' }).toColourspace('b-w').raw().toBuffer()
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
      u += Math.hypot(difference(here * 2, right * 2), difference(here * 2, below * 2))
      v += Math.hypot(difference(here * 2 + 1, right * 2 + 1), difference(here * 2 + 1, below * 2 + 1))
      count++
    }
  return count > 0 ? { u: (65535 * count) / u, v: (65535 * count) / v } : undefined
}

/** Reads what an owner uploads: by its content, never by its name, and within bounds of pixels. */
import sharp, { type Metadata, type Sharp } from 'sharp'
import { house } from '#site/house.ts'
import type { Drawing } from '#contract/admin-pictures.ts'
import { groundOf } from '#domain/pictures/logo-ground.ts'
import { iconSizes, LOGO_BOX } from '#domain/pictures/logo.ts'
import { Refusal } from '#server/http/refusal.ts'
import { colorsOf } from './drawing-colors.ts'
import { readSvg } from './svg.ts'
import type { Pixels } from './tasks.ts'

/** A poster of 24 x 36 inches at 300 dots per inch has 78 million. */
const PIXELS_MAX = 80e6
/** What is stored of a drawing; only a photo as WebP or AVIF grows that large. */
const ORIGINAL_MAX_BYTES = 100 * 1024 * 1024
const DRAWING_WIDTH_MIN = 32
const PREVIEW_WIDTH = 960
/** No view shows more of a drawing, and decoding the original each time would take seconds. */
const WORKING_WIDTH = 2048
/** A vector drawing's own unit has no meaning; this is what its size is counted in. */
const VECTOR_WIDTH = 4096

type Raster = 'png' | 'jpeg' | 'webp' | 'avif'

const starts = (bytes: Uint8Array, at: number, text: string): boolean =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text

function formatOf(bytes: Uint8Array): Raster | 'svg' | undefined {
  if (starts(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (starts(bytes, 0, '\xff\xd8\xff')) return 'jpeg'
  if (starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP')) return 'webp'
  if (starts(bytes, 4, 'ftypavif') || starts(bytes, 4, 'ftypavis') || starts(bytes, 4, 'ftypmif1')) return 'avif'
  return /^\uFEFF?\s*</.test(Buffer.from(bytes.subarray(0, 200)).toString('utf8')) ? 'svg' : undefined
}

/** Decoders name formats differently. */
const decodedFormat: Readonly<Record<Raster, string>> = { png: 'png', jpeg: 'jpeg', webp: 'webp', avif: 'heif' }

/** The picture, upright, after its header was read: a bomb is refused before it is decoded. */
async function openRaster(
  bytes: Uint8Array,
  format: Raster,
): Promise<{ picture: Sharp; width: number; height: number }> {
  const open = () => sharp(bytes, { limitInputPixels: false, failOn: 'error' })
  let header: Metadata
  try {
    header = await open().metadata()
  } catch {
    throw new Refusal('picture_damaged')
  }
  if (header.format !== decodedFormat[format]) throw new Refusal('picture_damaged')
  const { width, height } = header.autoOrient
  requirePixels(width, height)
  return { picture: open().autoOrient().toColourspace('srgb'), width, height }
}

function requirePixels(width: number, height: number): void {
  if (width * height > PIXELS_MAX)
    throw new Refusal('picture_too_many_pixels', { width, height, max: PIXELS_MAX / 1e6 })
}

/** @throws Refusal `picture_damaged` if a decoder stops: the file is cut off, or claims what it does not hold */
async function decode<Decoded>(work: Promise<Decoded>): Promise<Decoded> {
  try {
    return await work
  } catch {
    throw new Refusal('picture_damaged')
  }
}

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await decode(picture.raw().toBuffer({ resolveWithObject: true }))
  return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 }
}

/**
 * A picture of a product or a collection.
 * @param widths of our sizes, the widest first
 * @returns its pixels in the widest size that it fills, and all sizes that it fills
 */
export async function readPhoto({
  bytes,
  widths,
}: {
  bytes: Uint8Array
  widths: readonly number[]
}): Promise<{ pixels: Pixels; widths: number[] }> {
  const format = formatOf(bytes)
  if (format === undefined || format === 'svg') throw new Refusal('picture_type', { types: 'PNG, JPEG, WebP or AVIF' })
  const { picture, width } = await openRaster(bytes, format)
  const filled = widths.filter((size) => size <= width)
  const [widest] = filled
  if (widest === undefined) throw new Refusal('picture_too_small', { width, min: Math.min(...widths) })
  return { pixels: await pixelsOf(picture.resize(widest)), widths: filled }
}

/** What is stored of a drawing. */
export type ReadDrawing = {
  original: { format: 'png' | 'jpg' | 'svg'; body: Uint8Array; width: number }
  /** For composing; unset where the original is small. */
  workingCopy: { format: 'png'; body: Uint8Array; width: number } | undefined
  /** For the admin, with its transparent ground. */
  preview: Pixels
  drawing: Drawing
}

/** A drawing for printing: kept in full, without metadata. */
export async function readDrawing({ bytes }: { bytes: Uint8Array }): Promise<ReadDrawing> {
  const format = formatOf(bytes)
  if (format === undefined) throw new Refusal('picture_type', { types: 'PNG, JPEG, WebP, AVIF or SVG' })
  return format === 'svg' ? readVector(bytes) : readRaster(bytes, format)
}

/** What is stored of a logo. Its colors say on which ground it can be told. */
export type ReadLogo = {
  width: number
  height: number
  files: { format: 'webp' | 'png'; body: Uint8Array }[]
  icons: { width: number; body: Uint8Array }[]
  drawing: Drawing
}

/** Of an icon's side; phones cut its corners off. Tabs show it at a tenth of the size, so there it fills the square. */
const ICON_SHARE = 0.76
const TAB_ICON = Math.min(...iconSizes)

/** A logo: read like a drawing, fitted into the largest size in which it is shown. */
export async function readLogo({ bytes }: { bytes: Uint8Array }): Promise<ReadLogo> {
  const { preview, drawing } = await readDrawing({ bytes })
  const { data, width, height, channels } = preview
  const open = () => sharp(data, { raw: { width, height, channels } })
  const fitted = () => open().resize({ ...LOGO_BOX, fit: 'inside', withoutEnlargement: true })
  const webp = await fitted().webp({ quality: 90, alphaQuality: 100, effort: 5 }).toBuffer({ resolveWithObject: true })
  const iconOf = (size: number) => {
    const isTab = size === TAB_ICON
    const inner = isTab ? size : Math.round(size * ICON_SHARE)
    const ground = { r: 0, g: 0, b: 0, alpha: 0 }
    const margin = Math.floor((size - inner) / 2)
    const square = open()
      .resize({ width: inner, height: inner, fit: 'contain', background: ground })
      .extend({
        top: margin,
        left: margin,
        bottom: size - inner - margin,
        right: size - inner - margin,
        background: ground,
      })
    const color = groundOf(drawing) === 'dark' ? house.colors.primary : house.colors.surface
    return (isTab ? square : square.flatten({ background: color })).png().toBuffer()
  }
  return {
    width: webp.info.width,
    height: webp.info.height,
    files: [
      { format: 'webp', body: webp.data },
      { format: 'png', body: await fitted().png().toBuffer() },
    ],
    icons: await Promise.all(iconSizes.map(async (size) => ({ width: size, body: await iconOf(size) }))),
    drawing,
  }
}

async function readVector(bytes: Uint8Array): Promise<ReadDrawing> {
  const body = Buffer.from(await readSvg(bytes))
  const natural = await decode(sharp(body, { limitInputPixels: false }).metadata())
  const height = Math.round((VECTOR_WIDTH * natural.height) / natural.width)
  requirePixels(VECTOR_WIDTH, height)
  requirePixels(natural.width, natural.height)
  const density = Math.min(2400, Math.max(1, (72 * PREVIEW_WIDTH) / natural.width))
  const preview = await pixelsOf(sharp(body, { density }).resize(PREVIEW_WIDTH).toColourspace('srgb').ensureAlpha())
  return {
    original: { format: 'svg', body, width: VECTOR_WIDTH },
    workingCopy: undefined,
    preview,
    drawing: { width: VECTOR_WIDTH, height, isVector: true, ...(await colorsOf(preview)) },
  }
}

async function readRaster(bytes: Uint8Array, format: Raster): Promise<ReadDrawing> {
  const { picture, width, height } = await openRaster(bytes, format)
  if (width < DRAWING_WIDTH_MIN) throw new Refusal('picture_too_small', { width, min: DRAWING_WIDTH_MIN })
  const isJpeg = format === 'jpeg'
  const body = await decode(
    (isJpeg
      ? picture.clone().jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      : picture.clone().png({ compressionLevel: 6, adaptiveFiltering: true })
    ).toBuffer(),
  )
  if (body.length > ORIGINAL_MAX_BYTES) throw new Refusal('picture_too_large')
  const preview = await pixelsOf(
    picture.resize({ width: Math.min(PREVIEW_WIDTH, width), withoutEnlargement: true }).ensureAlpha(),
  )
  return {
    original: { format: isJpeg ? 'jpg' : 'png', body, width },
    workingCopy:
      width > WORKING_WIDTH
        ? {
            format: 'png',
            body: await decode(picture.clone().resize(WORKING_WIDTH).png().toBuffer()),
            width: WORKING_WIDTH,
          }
        : undefined,
    preview,
    drawing: { width, height, isVector: false, ...(await colorsOf(preview)) },
  }
}

/**
 * Checks a stored file that comes back in an archive, by its header; a decoder that stops later harms nobody.
 * @throws Refusal `picture_damaged` if it is not of this format and width; like `readSvg`
 */
export async function checkFile({
  bytes,
  width,
  format,
}: {
  bytes: Uint8Array
  width: number
  format: 'webp' | 'avif' | 'png' | 'jpg' | 'svg'
}): Promise<void> {
  if (format === 'svg') {
    // What was read once is stored as it came out, so reading it again changes nothing.
    if (!Buffer.from(await readSvg(bytes)).equals(bytes)) throw new Refusal('picture_damaged')
    return
  }
  const opened = await openRaster(bytes, format === 'jpg' ? 'jpeg' : format)
  if (opened.width !== width) throw new Refusal('picture_damaged')
}

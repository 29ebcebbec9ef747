/** What the picture process does. Everything that touches foreign bytes or takes long is here. */
import sharp from 'sharp'
import type { PictureModel, Placement } from '#domain/pictures/picture-models.ts'
import { grainOf } from './cloth.ts'
import { compose, type Dyes } from './compose.ts'
import { openView, type View } from './passes.ts'
import { printFile } from './print-file.ts'
import { drawShare } from './share-picture.ts'
import { checkFile, readDrawing, readLogo, readPhoto } from './uploads.ts'

// Each file is read once.
sharp.cache(false)

/** Pixels as sRGB, without any metadata. */
export type Pixels = { data: Uint8Array; width: number; height: number; channels: 3 | 4 }

/** The WebP settings of the demo's large pictures; AVIF of the same look, at an effort that takes no longer. */
const webp = { quality: 82, effort: 5, smartSubsample: true }
const avif = { quality: 55, effort: 2 }

/** From now on files are larger, and made in an eighth of the time. */
export function encodeQuickly(): void {
  Object.assign(webp, { effort: 0, smartSubsample: false })
  Object.assign(avif, { effort: 0 })
}

export type PictureTask = {
  /** The drawing's original. */
  drawing: Uint8Array
  model: PictureModel
  /** Path of the view's passes, as of `passesOf`. */
  passes: string
  dyes: Dyes
  technique: 'print' | 'embroidery'
  placement: Placement
}

const VIEWS_OPEN = 4
const openViews = new Map<string, Promise<View>>()

/** A view takes a third of a second to open and 26 MB; a product's pictures come from up to four. */
function viewOf(base: string): Promise<View> {
  const opened = openViews.get(base) ?? openView(base)
  openViews.delete(base)
  openViews.set(base, opened)
  for (const oldest of [...openViews.keys()].slice(0, -VIEWS_OPEN)) openViews.delete(oldest)
  return opened
}

async function composePicture({ drawing, model, passes, dyes, technique, placement }: PictureTask): Promise<Pixels> {
  const print = { drawing: Buffer.from(drawing), placement, isEmbroidered: technique === 'embroidery' }
  const opened = await viewOf(passes)
  const picture = await compose(opened, dyes, print, grainOf(model, opened))
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}

const PREVIEW_WIDTH = 640

/** Quick rather than small: it is looked at once. */
async function composePreview(task: PictureTask): Promise<Buffer> {
  const { data, width, height, channels } = await composePicture(task)
  return sharp(data, { raw: { width, height, channels } })
    .resize(PREVIEW_WIDTH)
    .webp({ quality: 82, effort: 1 })
    .toBuffer()
}

function encode({
  pixels,
  width,
  format,
}: {
  pixels: Pixels
  width: number
  format: 'webp' | 'avif'
}): Promise<Buffer> {
  const { data, width: wide, height, channels } = pixels
  const picture = sharp(data, { raw: { width: wide, height, channels } }).resize(width)
  return (format === 'webp' ? picture.webp(webp) : picture.avif(avif)).toBuffer()
}

export const tasks = {
  readPhoto,
  readDrawing,
  readLogo,
  composePicture,
  composePreview,
  encode,
  printFile,
  checkFile,
  drawShare,
}

import sharp from 'sharp'
import type { Placement } from '#domain/pictures/picture-models.ts'

/** The longest side of a print file, in pixels: 36 inches at 150 dots per inch and more. */
const SIDE_MAX = 6000

type PrintFileTask = { drawing: Uint8Array; area: { width: number; height: number }; placement: Placement }

/** A drawing in its place on a transparent print area, as PNG; smaller than the area in pixels where that is very large. */
export async function printFile({ drawing, area, placement }: PrintFileTask): Promise<Uint8Array> {
  const scale = Math.min(1, SIDE_MAX / Math.max(area.width, area.height))
  const [width, height] = [Math.round(area.width * scale), Math.round(area.height * scale)]
  const drawn = await sharp(drawing).metadata()
  const box = { width: placement.width * width, height: placement.height * height }
  const fitted = Math.min(box.width / drawn.width, box.height / drawn.height)
  const size = {
    width: Math.min(width, Math.max(1, Math.round(drawn.width * fitted))),
    height: Math.min(height, Math.max(1, Math.round(drawn.height * fitted))),
  }
  const offset = (center: number, side: number, whole: number) =>
    Math.min(whole - side, Math.max(0, Math.round(center * whole - side / 2)))
  const input = await sharp(drawing, { density: Math.min(2400, Math.max(24, 72 * fitted)) })
    .rotate()
    .resize({ ...size, fit: 'fill' })
    .png()
    .toBuffer()
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  return sharp({ create: { width, height, channels: 4, background } })
    .composite([{ input, left: offset(placement.x, size.width, width), top: offset(placement.y, size.height, height) }])
    .withMetadata({ density: 150 })
    .png({ compressionLevel: 6 })
    .toBuffer()
}

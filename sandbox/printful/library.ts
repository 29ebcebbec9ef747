import { createHash } from 'node:crypto'

import sharp from 'sharp'

import type { Kit } from '../kit/types.ts'
import { PrintfulError } from './answers.ts'
import { threads } from './catalog-rows.ts'

/** Printful's file library: files are added by their address, read a moment later, and then `ok` or `failed`. */

export type LibraryFile = {
  id: number
  url: string
  filename: string
  visible: boolean
  status: 'waiting' | 'ok' | 'failed'
  created: number
  /** The rest is known once the file was read. */
  hash: string | null
  mime: string | null
  size: number
  width: number | null
  height: number | null
  dpi: number | null
  /** As it was read, at most `KEPT_PIXELS` wide and high; for previews. */
  image?: Buffer
}

/** Where a file lies in a print area, in the area's pixels. */
export type Position = {
  area_width: number
  area_height: number
  width: number
  height: number
  top: number
  left: number
}

/** Before the shop first asks whether a file was read. */
const READ_AFTER_MS = 500
const SIZE_MAX = 50 * 1024 * 1024
const KEPT_PIXELS = 1200
const FETCH_MS = 30_000
const PIXELS_MAX = 200_000_000
const mimes: Readonly<Record<string, string>> = { png: 'image/png', jpeg: 'image/jpeg' }

/** The sandbox reads only from this machine. */
const isLoopback = (url: string): boolean =>
  URL.canParse(url) &&
  /^https?:$/.test(new URL(url).protocol) &&
  /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(url).hostname)

/** @throws Error when there is no picture that Printful can print */
async function download(url: string): Promise<Buffer> {
  if (!isLoopback(url)) throw new Error('not on this machine')
  const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) })
  if (!answer.ok) throw new Error(`the address answered ${answer.status}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (bytes.length > SIZE_MAX) throw new Error('larger than 50 MB')
  return bytes
}

/**
 * @param onRead called with every file that was read, or failed
 * @param firstId of files; a shop may still know the files of an earlier run
 */
export function openLibrary(kit: Kit, onRead: (file: LibraryFile) => void, firstId: number) {
  const files = new Map<number, LibraryFile>()
  let lastId = firstId

  async function read(file: LibraryFile): Promise<void> {
    try {
      const bytes = await download(file.url)
      const image = sharp(bytes, { limitInputPixels: PIXELS_MAX })
      const { format, width, height, density } = await image.metadata()
      const mime = mimes[format ?? '']
      if (!mime || !width || !height) throw new Error('not a picture that can be printed')
      file.image = await image
        .resize(KEPT_PIXELS, KEPT_PIXELS, { fit: 'inside', withoutEnlargement: true })
        .png()
        .toBuffer()
      Object.assign(file, {
        status: 'ok',
        hash: createHash('md5').update(bytes).digest('hex'),
        mime,
        size: bytes.length,
        width,
        height,
        dpi: density ? Math.round(density) : 72,
      })
    } catch (error) {
      file.status = 'failed'
      kit.witness('printful', 'file failed', { url: file.url, why: error instanceof Error ? error.message : '' })
    }
    onRead(file)
  }

  return {
    /** A file with the same address is the same file. @throws PrintfulError when it is no address */
    add(url: unknown, { filename, visible = true }: { filename?: string; visible?: boolean } = {}): LibraryFile {
      if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
        throw new PrintfulError(400, 'The file URL provided is invalid')
      const known = [...files.values()].find((file) => file.url === url)
      if (known) return known
      const file: LibraryFile = {
        id: (lastId += 1),
        url,
        filename: filename ?? (new URL(url).pathname.split('/').at(-1) || 'file'),
        visible,
        status: 'waiting',
        created: Math.floor(kit.clock.now().getTime() / 1000),
        hash: null,
        mime: null,
        size: 0,
        width: null,
        height: null,
        dpi: null,
      }
      files.set(file.id, file)
      kit.clock.later(READ_AFTER_MS, `read file ${file.id}`, () => read(file))
      return file
    },
    find: (id: number): LibraryFile | undefined => files.get(id),
    /** Colors of thread nearest to those of a picture, most of it first. @throws PrintfulError */
    async threadColors(url: unknown): Promise<string[]> {
      if (typeof url !== 'string' || !isLoopback(url)) throw new PrintfulError(400, 'The file URL provided is invalid')
      try {
        return await nearestThreads(await download(url))
      } catch {
        throw new PrintfulError(400, 'The file image could not be processed')
      }
    },
    reset(): void {
      files.clear()
    },
  }
}

export type Library = ReturnType<typeof openLibrary>

const SAMPLE = 48
const COLORS_MAX = 6
/** Smaller parts of a picture are its soft edges. */
const SHARE_MIN = 0.02

async function nearestThreads(bytes: Buffer): Promise<string[]> {
  const { data } = await sharp(bytes, { limitInputPixels: PIXELS_MAX })
    .resize(SAMPLE, SAMPLE, { fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const counts = new Map<string, number>()
  let seen = 0
  for (let at = 0; at + 3 < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    if (alpha < 128) continue
    seen += 1
    const far = (hex: string) =>
      [red, green, blue].reduce((sum, part, index) => {
        const other = Number.parseInt(hex.slice(1 + index * 2, 3 + index * 2), 16)
        return sum + (part - other) ** 2
      }, 0)
    const [nearest = ''] = Object.keys(threads).toSorted((a, b) => far(a) - far(b))
    counts.set(nearest, (counts.get(nearest) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count >= seen * SHARE_MIN)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, COLORS_MAX)
    .map(([hex]) => hex)
}

/** A file fitted into a print area, or covering it. */
export function fittedPosition(
  area: { width: number; height: number; fill: string },
  file: { width: number | null; height: number | null },
): Position {
  const { width, height } = { width: file.width ?? area.width, height: file.height ?? area.height }
  const scales = [area.width / width, area.height / height]
  const scale = area.fill === 'cover' ? Math.max(...scales) : Math.min(...scales)
  const fitted = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return {
    area_width: area.width,
    area_height: area.height,
    ...fitted,
    top: Math.round((area.height - fitted.height) / 2),
    left: Math.round((area.width - fitted.width) / 2),
  }
}

/** A picture of a blank: its color, with a file where it is printed, at the print area's proportions. */
export async function render(
  hex: string | null,
  prints: readonly { image: Buffer; position: Position }[],
  size: number,
  format: 'png' | 'webp' | 'jpg',
): Promise<Buffer> {
  const [first] = prints
  const { area_width = 1, area_height = 1 } = first?.position ?? {}
  const scale = size / Math.max(area_width, area_height)
  const width = Math.max(1, Math.round(area_width * scale))
  const height = Math.max(1, Math.round(area_height * scale))
  const layers = await Promise.all(
    prints.map(async ({ image, position }) => {
      const left = Math.round(position.left * scale)
      const top = Math.round(position.top * scale)
      const resized = await sharp(image)
        .resize(Math.max(1, Math.round(position.width * scale)), Math.max(1, Math.round(position.height * scale)), {
          fit: 'fill',
        })
        .toBuffer({ resolveWithObject: true })
      // What reaches beyond the area is cut off, as in print.
      const seen = {
        left: Math.max(0, -left),
        top: Math.max(0, -top),
        width: Math.min(width - Math.max(0, left), resized.info.width - Math.max(0, -left)),
        height: Math.min(height - Math.max(0, top), resized.info.height - Math.max(0, -top)),
      }
      if (seen.width < 1 || seen.height < 1) return []
      const input = await sharp(resized.data).extract(seen).toBuffer()
      return [{ input, left: Math.max(0, left), top: Math.max(0, top) }]
    }),
  )
  const picture = sharp({ create: { width, height, channels: 3, background: hex ?? '#f2f2f2' } }).composite(
    layers.flat(),
  )
  return format === 'jpg' ? picture.jpeg().toBuffer() : picture.toFormat(format).toBuffer()
}

import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Picture } from '#contract/catalog.ts'
import type { Reader } from '#server/db/db.ts'
import { findCopiedPicture, type ProductWithVariants } from './store.ts'

/** The partner's mock-ups are square, and this large in every shop that does not ask for more. */
const COPY_PIXELS = 1000

/** @param file name without width and ending */
export const pictureAddress = (file: string, widths: readonly number[]): string =>
  sizeAddress(file, Math.max(...widths))

const sizeAddress = (file: string, width: number) => `/pictures/${file}.${width}.webp`

const copyAddress = (file: string): string => `/pictures/copied/${file}`

/** What links to a product are shared with lies among its pictures, and is shown on no page. */
const SHARE_VIEW = 'share'

/** @returns the address of the picture that links to a product are shared with; undefined when it has none */
export function sharePictureOf({ pictures }: Pick<ProductWithVariants, 'pictures'>): string | undefined {
  const shared = pictures.find(({ view }) => view === SHARE_VIEW)
  return shared && pictureAddress(shared.file, shared.widths)
}

/** A product's pictures: our own, or else the partner's previews, one of each color. */
export function picturesOf({
  pictures,
  variants,
  copies,
}: Pick<ProductWithVariants, 'pictures' | 'variants' | 'copies'>): Picture[] {
  const own = pictures.filter(({ view }) => view !== SHARE_VIEW)
  if (own.length)
    return own.map(({ file, widths, width, height, view, color }) => ({
      src: pictureAddress(file, widths),
      srcSet: widths.map((one) => `${sizeAddress(file, one)} ${one}w`).join(', '),
      width,
      height,
      view,
      color,
    }))
  const shown = new Set<string>()
  return variants.flatMap(({ color, previewUrl }) => {
    const copy = copies.find(({ sourceUrl }) => sourceUrl === previewUrl)
    if (!copy || shown.has(copy.file)) return []
    shown.add(copy.file)
    const src = copyAddress(copy.file)
    return [{ src, srcSet: `${src} ${COPY_PIXELS}w`, width: COPY_PIXELS, height: COPY_PIXELS, view: 'front', color }]
  })
}

/** The picture that shows a color, else the product's first; undefined when it has none. */
export const pictureFor = (pictures: readonly Picture[], color: string | null): Picture | undefined =>
  pictures.find((picture) => picture.color === color) ?? pictures[0]

const finished = new URL('../../../pictures/finished/', import.meta.url)

/** The bytes of a picture that pages show. @param address as in `Picture.src` @returns undefined for one that is not there */
export async function readPicture(db: Reader, address: string): Promise<Uint8Array | undefined> {
  const copied = /^\/pictures\/copied\/([\w.-]+)$/.exec(address)?.[1]
  if (copied !== undefined) return (await findCopiedPicture(db, copied))?.body
  const own = /^\/pictures\/([\w.-]+\.webp)$/.exec(address)?.[1]
  if (own === undefined) return undefined
  return readFile(new URL(own, finished)).catch(() => undefined)
}

const index = new URL('../../../pictures/finished/index.json', import.meta.url)
const Index = z.array(z.object({ type: z.string(), file: z.string(), widths: z.array(z.int()) }))

/** @returns the address of the store's own stand-in picture among the finished ones; undefined when there is none */
export function findDefaultPicture(): string | undefined {
  if (!existsSync(index)) return undefined
  const entry = Index.parse(JSON.parse(readFileSync(index, 'utf8'))).find(({ type }) => type === 'default')
  return entry && pictureAddress(entry.file, entry.widths)
}

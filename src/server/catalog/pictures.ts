import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Picture } from '#contract/catalog.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findPictures, readStoredFile } from '#server/pictures/pictures.ts'
import { finished, successorOf } from '#server/pictures/shipped.ts'
import type { ProductWithVariants } from './store.ts'

/** @param file name without width and extension */
export const pictureAddress = (file: string, widths: readonly number[]): string =>
  sizeAddress(file, Math.max(...widths))

export const sizeAddress = (file: string, width: number) => `/pictures/${file}.${width}.webp`

/** The view of the picture for shared links; pages do not show it. */
export const SHARE_VIEW = 'share'

/** @returns the address of the picture for shared links, if there is one */
export function sharingPictureOf({ pictures }: Pick<ProductWithVariants, 'pictures'>): string | undefined {
  const shared = pictures.find(({ view }) => view === SHARE_VIEW)
  return shared && pictureAddress(shared.file, shared.widths)
}

/** A product's pictures: our own, otherwise the printer's previews, one per color. */
export function picturesOf({
  pictures,
  variants,
  copies,
}: Pick<ProductWithVariants, 'pictures' | 'variants' | 'copies'>): Picture[] {
  const own = pictures.filter(({ view }) => view !== SHARE_VIEW)
  if (own.length)
    return own.map(({ file, widths, width, height, view, color, alt, avif }) => ({
      src: pictureAddress(file, widths),
      srcSet: widths.map((size) => `${sizeAddress(file, size)} ${size}w`).join(', '),
      width,
      height,
      view,
      color,
      ...(alt !== null && { alt }),
      ...(avif && { avif }),
    }))
  const seen = new Set<string>()
  return variants.flatMap(({ color, previewUrl }) => {
    const copy = copies.get(previewUrl ?? '')
    if (!copy || seen.has(copy.file)) return []
    seen.add(copy.file)
    const { src, srcSet, width, height } = copy
    return [{ src, srcSet, width, height, view: 'front', color, avif: true as const }]
  })
}

/** @param address as in `Picture.src` @returns undefined for an unknown picture */
export async function readPicture(db: Reader, address: string): Promise<Uint8Array | undefined> {
  const name = /^\/pictures\/([\w.-]+\.webp)$/.exec(address)?.[1]
  if (name === undefined) return undefined
  return readFile(new URL(successorOf(name) ?? name, finished)).catch(
    async () => (await readStoredFile(db, name))?.body,
  )
}

/** Whether a picture exists in all these widths: an owner's upload, or one of the demo's. */
async function hasPicture(db: Reader, { file, widths }: { file: string; widths: readonly number[] }): Promise<boolean> {
  const stored = (await findPictures(db, [file])).get(file)
  return widths.every((width) =>
    stored ? stored.widths.includes(width) : existsSync(new URL(`${file}.${width}.webp`, finished)),
  )
}

/** @throws Refusal `invalid`, at the field, for a picture that does not exist */
export async function requirePicture(
  db: Reader,
  field: string,
  picture: { file: string; widths: readonly number[] } | null,
): Promise<void> {
  if (picture && !(await hasPicture(db, picture)))
    throw new Refusal('invalid', {}, { [field]: 'This picture does not exist. Please upload it again.' })
}

const index = new URL('index.json', finished)
const Index = z.array(z.object({ type: z.string(), file: z.string(), widths: z.array(z.int()) }))

/** @returns the address of the default picture, if there is one */
export function findDefaultPicture(): string | undefined {
  if (!existsSync(index)) return undefined
  const entry = Index.parse(JSON.parse(readFileSync(index, 'utf8'))).find(({ type }) => type === 'default')
  return entry && pictureAddress(entry.file, entry.widths)
}

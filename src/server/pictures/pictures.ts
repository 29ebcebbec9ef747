import { createHash, randomBytes } from 'node:crypto'
import type { Logo } from '#site/settings.ts'
import type { StoredPicture, UploadKind } from '#contract/admin-pictures.ts'
import { groundOf } from '#domain/pictures/logo-ground.ts'
import { iconFileOf, iconSizes } from '#domain/pictures/logo.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { assert } from '#shared/assert.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import type { PictureProcess } from './picture-process.ts'
import {
  deletePhotoRows,
  findBytes,
  findOriginal,
  findPictureRows,
  findRowsBySource,
  insertPicture,
  listPictureRows,
} from './store.ts'
import type { PictureFileRow, PictureRow } from './store.ts'
import { SHARE, SHARE_VERSION, type ShareTask } from './share-picture.ts'
import type { Pixels } from './tasks.ts'

/** Our sizes, the widest first. A picture gets those that it fills. */
const sizes = {
  product: [1200, 960, 640, 320],
  hero: [1600, 800],
  printer: [1200, 960, 640, 320],
  customer: [1200, 640, 320],
  blank: [320],
} as const

const PAGE = 60

/** Part of every name: raise it when the same file would give other pictures. */
const VERSION = 1

export const nameOf = (kind: PictureRow['kind'], ...content: (string | Uint8Array)[]): string => {
  const hash = createHash('sha256').update(`${VERSION}`)
  for (const part of content) hash.update(part)
  return `${kind}.${hash.digest('hex').slice(0, 16)}`
}

const addressOf = (file: string, width: number, format: 'webp' | 'avif'): string =>
  `/pictures/${file}.${width}.${format}`

const addressesOf = ({ file, widths, width }: PictureRow) => ({
  src: addressOf(file, width, 'webp'),
  srcSet: widths.map((size) => `${addressOf(file, size, 'webp')} ${size}w`).join(', '),
})

function toStoredPicture(row: PictureRow): StoredPicture {
  const { file, kind, alt, widths, width, height, drawing, createdAt } = row
  // The library has none of the customers' photos.
  assert(kind !== 'customer', 'a customer’s photo among the pictures of the shop')
  return {
    ...{ file, kind, alt, widths, width, height, avif: kind !== 'logo' },
    ...addressesOf(row),
    createdAt: createdAt.toISOString(),
    ...(drawing && { drawing }),
  }
}

/** Every size as WebP and AVIF, one task each: a preview never waits for a whole picture. */
export async function encodeSizes(
  process: PictureProcess,
  pixels: Pixels,
  widths: readonly number[],
  options: { urgent: boolean },
): Promise<Omit<PictureFileRow, 'file'>[]> {
  const files: Omit<PictureFileRow, 'file'>[] = []
  for (const width of widths)
    for (const format of ['webp', 'avif'] as const)
      files.push({ width, format, body: Buffer.from(await process.run('encode', { pixels, width, format }, options)) })
  return files
}

type Storing = Needs<'db' | 'clock' | 'pictureProcess'>

/**
 * Stores what an owner uploads. The same file again is the same picture.
 * @param isUrgent unless nobody waits for it
 * @throws Refusal for a file that is no picture, damaged, too large, too small or unsafe; nothing is stored then
 */
export async function storeUpload(
  shop: Storing,
  { bytes, kind, alt, isUrgent = true }: { bytes: Uint8Array; kind: UploadKind; alt: string; isUrgent?: boolean },
): Promise<StoredPicture> {
  const [known] = await findPictureRows(shop.db, [nameOf(kind, bytes)])
  if (known) return toStoredPicture(await shop.db.transaction((tx) => insertPicture(tx, { ...known, alt }, [])))
  if (kind === 'logo') return toStoredPicture(await storeLogo(shop, { bytes, alt }))
  return toStoredPicture(
    kind === 'drawing'
      ? await storeDrawing(shop, { bytes, alt })
      : await storePhoto(shop, { bytes, kind, alt, isUrgent }),
  )
}

async function storePhoto(
  { db, clock, pictureProcess }: Storing,
  {
    bytes,
    kind,
    isUrgent: urgent,
    salt = '',
    ...described
  }: { bytes: Uint8Array; kind: keyof typeof sizes; alt: string; isUrgent: boolean; salt?: string; sourceUrl?: string },
): Promise<PictureRow> {
  // Hashed with its address: two addresses with the same picture need two rows.
  const file = nameOf(kind, described.sourceUrl ?? '', salt, bytes)
  const { pixels, widths } = await pictureProcess.run('readPhoto', { bytes, widths: sizes[kind] }, { urgent })
  const files = await encodeSizes(pictureProcess, pixels, widths, { urgent })
  const row = { file, kind, ...described, widths, width: pixels.width, height: pixels.height, createdAt: clock.now() }
  return db.transaction((tx) => insertPicture(tx, row, files))
}

/** A customer's photo: its description, which way is up and the place it was taken at are not kept. */
export type CustomerPhoto = { file: string; src: string; srcSet: string; width: number; height: number }

const toCustomerPhoto = (row: PictureRow): CustomerPhoto => ({
  ...{ file: row.file, width: row.width, height: row.height },
  ...addressesOf(row),
})

/**
 * Stores a photo of a customer. Its name cannot be guessed, even by somebody who has the same file.
 * @throws Refusal like `storeUpload`
 */
export async function storeCustomerPhoto(shop: Storing, bytes: Uint8Array): Promise<CustomerPhoto> {
  const salt = randomBytes(16).toString('hex')
  return toCustomerPhoto(await storePhoto(shop, { bytes, kind: 'customer', alt: '', isUrgent: true, salt }))
}

/** @returns the photos that exist, by their names */
export async function findCustomerPhotos(db: Reader, files: readonly string[]): Promise<Map<string, CustomerPhoto>> {
  return new Map((await findPictureRows(db, files)).map((row) => [row.file, toCustomerPhoto(row)]))
}

/** A photo in its largest size as WebP; undefined if no photo has this name. */
export async function readCustomerPhoto(db: Reader, name: string): Promise<Buffer | undefined> {
  const [row] = await findPictureRows(db, [name])
  return row && findBytes(db, { file: name, width: row.width, format: 'webp' })
}

/** Nothing may refer to them any more. */
export async function deleteCustomerPhotos(tx: Tx, files: readonly string[]): Promise<void> {
  if (files.length > 0) await deletePhotoRows(tx, files)
}

async function storeDrawing(
  { db, clock, pictureProcess }: Storing,
  { bytes, alt }: { bytes: Uint8Array; alt: string },
): Promise<PictureRow> {
  const { original, workingCopy, preview, drawing } = await pictureProcess.run('readDrawing', { bytes })
  const widths = [preview.width, ...[640, 320].filter((width) => width < preview.width)]
  const files = await encodeSizes(pictureProcess, preview, widths, { urgent: true })
  const row = {
    ...{ file: nameOf('drawing', bytes), kind: 'drawing' as const, alt, widths, drawing, createdAt: clock.now() },
    ...{ width: preview.width, height: preview.height },
  }
  for (const copy of [original, workingCopy]) if (copy) files.push({ ...copy, body: Buffer.from(copy.body) })
  return db.transaction((tx) => insertPicture(tx, row, files))
}

/** With its square versions, which are a picture of their own. */
async function storeLogo(
  { db, clock, pictureProcess }: Storing,
  { bytes, alt }: { bytes: Uint8Array; alt: string },
): Promise<PictureRow> {
  const { width, height, files, icons, drawing } = await pictureProcess.run('readLogo', { bytes })
  const row = { file: nameOf('logo', bytes), kind: 'logo' as const, alt, widths: [width], width, height, drawing }
  const side = Math.max(...iconSizes)
  const icon = {
    ...row,
    file: iconFileOf(row.file),
    kind: 'icon' as const,
    widths: [...iconSizes],
    width: side,
    height: side,
  }
  const createdAt = clock.now()
  return db.transaction(async (tx) => {
    const squares = icons.map(({ width: size, body }) => ({
      width: size,
      format: 'png' as const,
      body: Buffer.from(body),
    }))
    await insertPicture(tx, { ...icon, drawing: null, createdAt }, squares)
    const sizes = files.map(({ format, body }) => ({ width, format, body: Buffer.from(body) }))
    return insertPicture(tx, { ...row, createdAt }, sizes)
  })
}

/** A stored logo as a setting; undefined for any other picture. */
export const logoOf = ({ kind, file, width, height, drawing }: StoredPicture): Logo | undefined =>
  kind === 'logo' && drawing ? { file, width, height, ground: groundOf(drawing) } : undefined

/** The bytes of a logo for a paper, which is white; undefined where it could not be seen. */
export async function readPaperLogo(db: Reader, logo: Logo | null): Promise<Buffer | undefined> {
  if (!logo || logo.ground === 'dark') return undefined
  return findBytes(db, { file: logo.file, width: logo.width, format: 'png' })
}

/**
 * Takes over a picture of the printer in our own sizes, unless we have it.
 * @param sourceUrl on the printer's file host
 * @param kind `blank` for lists of the admin
 * @throws Refusal like `storeUpload`; ProviderRefusal and ProviderUnavailable like the download
 */
export async function takePrinterPicture(
  shop: Storing & Needs<'printful'>,
  { sourceUrl, alt, kind = 'printer' }: { sourceUrl: string; alt: string; kind?: 'printer' | 'blank' },
): Promise<StoredPicture> {
  const [known] = await findRowsBySource(shop.db, [sourceUrl])
  if (known) return toStoredPicture(known)
  const { body } = await shop.printful.downloadPicture(sourceUrl)
  return toStoredPicture(await storePhoto(shop, { bytes: body, kind, alt, sourceUrl, isUrgent: false }))
}

/** By their address on the printer's file host. */
export type PrinterPictures = ReadonlyMap<string, StoredPicture>

/** @returns the printer's pictures that we have */
export async function findPrinterPictures(db: Reader, sourceUrls: readonly string[]): Promise<PrinterPictures> {
  const rows = await findRowsBySource(db, sourceUrls)
  return new Map(rows.map((row) => [row.sourceUrl ?? '', toStoredPicture(row)]))
}

/** @param picture the address of the picture in it */
export type ShareRecipe = Omit<ShareTask, 'picture'> & { picture: string | null }

/** The name of a picture for the preview of a link: the same texts are the same picture. */
export const nameOfShare = (recipe: ShareRecipe): string =>
  nameOf('composed', `share ${SHARE_VERSION}`, JSON.stringify(recipe))

/**
 * Makes a picture for the preview of a link, unless it is there.
 * @param read the bytes of a picture by its address
 * @throws Refusal `picture_too_complex`, `unavailable`
 */
export async function makeSharePicture(
  { db, clock, pictureProcess }: Storing,
  recipe: ShareRecipe,
  read: (address: string) => Promise<Uint8Array | undefined>,
): Promise<void> {
  const file = nameOfShare(recipe)
  if ((await findPictures(db, [file])).size > 0) return
  const { picture: address, ...texts } = recipe
  const picture = address === null ? undefined : await read(address)
  const options = { urgent: false }
  const pixels = await pictureProcess.run('drawShare', { ...texts, ...(picture && { picture }) }, options)
  const widths = [SHARE.width]
  const files = await encodeSizes(pictureProcess, pixels, widths, options)
  const row = { file, kind: 'composed' as const, alt: `${recipe.title}, for links`, widths, ...SHARE }
  await db.transaction((tx) => insertPicture(tx, { ...row, createdAt: clock.now() }, files))
}

/** @returns the pictures that exist, by their names */
export async function findPictures(db: Reader, files: readonly string[]): Promise<Map<string, StoredPicture>> {
  const rows = (await findPictureRows(db, files)).filter(({ kind }) => kind !== 'customer')
  return new Map(rows.map((row) => [row.file, toStoredPicture(row)]))
}

export async function listPictures(
  db: Reader,
  { kind, before }: { kind: StoredPicture['kind'] | undefined; before: string | undefined },
): Promise<{ pictures: StoredPicture[]; hasMore: boolean }> {
  const rows = await listPictureRows(db, { kind, before, limit: PAGE + 1 })
  return { pictures: rows.slice(0, PAGE).map(toStoredPicture), hasMore: rows.length > PAGE }
}

/** A drawing's original, for printing. @throws Refusal `unknown_picture` */
export async function readDrawingFile(
  db: Reader,
  file: string,
): Promise<{ body: Buffer; format: 'png' | 'jpg' | 'svg'; picture: StoredPicture }> {
  const [row] = await findPictureRows(db, [file])
  const original = row?.kind === 'drawing' ? await findOriginal(db, file) : undefined
  if (!row || !original) throw new Refusal('unknown_picture')
  const format = original.format === 'jpg' || original.format === 'svg' ? original.format : 'png'
  return { body: original.body, format, picture: toStoredPicture(row) }
}

/** @param name `<file>.<width>.webp` or `.avif`, as in a picture's address; of logos and icons also `.png` */
export async function readStoredFile(
  db: Reader,
  name: string,
): Promise<{ body: Buffer; type: `image/${'webp' | 'avif' | 'png'}` } | undefined> {
  const [, file, width, format] = /^([a-z0-9.-]+)\.(\d{1,4})\.(webp|avif|png)$/.exec(name) ?? []
  if (file === undefined || (format !== 'webp' && format !== 'avif' && format !== 'png')) return undefined
  // Drawings are for printing only.
  if (format === 'png' && !/^(?:logo|icon)\./.test(file)) return undefined
  const body = await findBytes(db, { file, width: Number(width), format })
  return body && { body, type: `image/${format}` }
}

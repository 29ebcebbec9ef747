import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, asc, eq, getTableColumns, gt, inArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import { pictureKinds } from '#contract/admin-pictures.ts'
import { fieldChanges, type FieldChange } from '#domain/catalog/difference-text.ts'
import { autocommitWrite, type Db, type Reader } from '#server/db/db.ts'
import type { OpenZip } from '#server/files/unzip.ts'
import type { ZipEntry } from '#server/files/zip.ts'
import { Refusal, ownerSentenceOf } from '#server/http/refusal.ts'
import type { PictureProcess } from './picture-process.ts'
import { picture, pictureFile } from './schema.ts'

const { unusedSince: _, ...columns } = getTableColumns(picture)

// Pictures in an archive of the whole catalog: a row each, and a file per size and format.

const formats = ['webp', 'avif', 'png', 'jpg', 'svg'] as const
const pixels = z.int().check(z.gte(1), z.lte(100_000))
const colors = z.array(z.object({ hex: z.string().check(z.regex(/^#[0-9a-f]{6}$/i)), share: z.number() }))

const SizeInFile = z.object({ width: pixels, format: z.enum(formats) })
type SizeInFile = z.output<typeof SizeInFile>

const hasEveryOnce = (files: SizeInFile[]): boolean =>
  new Set(files.map(({ width, format }) => `${width}.${format}`)).size === files.length

/** A picture in the catalog file; its bytes are in the archive under `nameIn`. */
export const PictureInFile = z.object({
  /** As the shop names pictures: the kind and a hash of the content. */
  file: z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{7,119}$/, 'Not the name of a picture')),
  kind: z.enum(pictureKinds),
  alt: z.string().check(z.maxLength(500)),
  widths: z.array(pixels).check(z.minLength(1), z.maxLength(20)),
  width: pixels,
  height: pixels,
  drawing: z.nullable(
    z.object({
      width: pixels,
      height: pixels,
      isVector: z.boolean(),
      hasTransparency: z.boolean(),
      ink: colors,
      edge: colors,
    }),
  ),
  /** Where the printer has it. */
  sourceUrl: z.nullable(z.url()),
  createdAt: z.iso.datetime(),
  files: z.array(SizeInFile).check(z.minLength(1), z.maxLength(50), z.refine(hasEveryOnce, 'A size is there twice')),
})
export type PictureInFile = z.output<typeof PictureInFile>

const nameIn = (file: string, { width, format }: SizeInFile): string => `pictures/${file}.${width}.${format}`

const PICTURES_PER_QUERY = 500

/** All pictures but customers' photos, by name. In a transaction, they are of one moment. */
export async function* listForArchive(db: Reader): AsyncGenerator<PictureInFile> {
  let after = ''
  for (;;) {
    const rows = await db
      .select(columns)
      .from(picture)
      .where(gt(picture.file, after))
      .orderBy(asc(picture.file))
      .limit(PICTURES_PER_QUERY)
    if (!rows.length) return
    const sizes = await db
      .select({ file: pictureFile.file, width: pictureFile.width, format: pictureFile.format })
      .from(pictureFile)
      .where(
        inArray(
          pictureFile.file,
          rows.map(({ file }) => file),
        ),
      )
      .orderBy(asc(pictureFile.file), asc(pictureFile.width), asc(pictureFile.format))
    const sizesOf = Map.groupBy(sizes, ({ file }) => file)
    for (const { createdAt, kind, ...row } of rows)
      if (kind !== 'customer')
        yield {
          ...row,
          kind,
          createdAt: createdAt.toISOString(),
          files: (sizesOf.get(row.file) ?? []).map(({ width, format }) => ({ width, format })),
        }
    after = rows.at(-1)?.file ?? after
  }
}

/** The pictures' files for an archive. Their content never changes, so they need no transaction. */
export async function* filesForArchive(db: Db, pictures: AsyncIterable<PictureInFile>): AsyncGenerator<ZipEntry> {
  for await (const { file, files } of pictures)
    for (const size of files)
      yield { name: nameIn(file, size), isStored: size.format !== 'svg', bytes: bytesOf(db, file, size) }
}

async function* bytesOf(db: Db, file: string, { width, format }: SizeInFile): AsyncGenerator<Uint8Array> {
  const [found] = await db
    .select({ body: pictureFile.body })
    .from(pictureFile)
    .where(and(eq(pictureFile.file, file), eq(pictureFile.width, width), eq(pictureFile.format, format)))
  if (!found) throw new Error(`a picture that is gone: ${file}`)
  yield found.body
}

/** What an archive brings. */
export type PictureArchive = { pictures: readonly PictureInFile[]; zip: OpenZip }

/** A drawing's original is the largest file that is stored; see `uploads.ts`. */
const FILE_MAX_BYTES = 100 * 1024 * 1024

/** What is wrong with a picture in an archive, by its number. */
export type PictureMistake = { row: number; problem: string }

/**
 * Checks the files of pictures that the shop does not have, one at a time: each is complete, of its format and size, and no drawing does
 * anything but draw.
 */
export async function checkArchive(
  db: Reader,
  pictureProcess: PictureProcess,
  { pictures, zip }: PictureArchive,
): Promise<PictureMistake[]> {
  const known = await findKnown(db, pictures)
  const mistakes: PictureMistake[] = []
  for (const [index, { file, files }] of pictures.entries()) {
    if (known.has(file)) continue
    for (const size of files) {
      try {
        const bytes = await zip.read(nameIn(file, size), FILE_MAX_BYTES)
        await pictureProcess.run('checkFile', { bytes, ...size }, { urgent: false })
      } catch (error) {
        if (!(error instanceof Error)) throw error
        const problem = error instanceof Refusal ? `${nameIn(file, size)}: ${ownerSentenceOf(error)}` : error.message
        mistakes.push({ row: index + 1, problem })
        break
      }
    }
  }
  return mistakes
}

/** Those of these pictures that the shop does not have. */
export async function findMissing(db: Reader, files: readonly string[]): Promise<Set<string>> {
  const named = [...new Set(files)]
  const known = await findKnown(
    db,
    named.map((file) => ({ file })),
  )
  return new Set(named.filter((file) => !known.has(file)))
}

async function findKnown(
  db: Reader,
  pictures: readonly Pick<PictureInFile, 'file'>[],
): Promise<Map<string, { alt: string }>> {
  const known = new Map<string, { alt: string }>()
  for (let from = 0; from < pictures.length; from += PICTURES_PER_QUERY) {
    await nextTurn()
    const names = pictures.slice(from, from + PICTURES_PER_QUERY).map(({ file }) => file)
    const rows = await db
      .select({ file: picture.file, alt: picture.alt })
      .from(picture)
      .where(inArray(picture.file, names))
    for (const { file, alt } of rows) known.set(file, { alt })
  }
  return known
}

type PictureDifference = { name: string; what: 'new' | 'changed'; changes: FieldChange[] }

/**
 * Stores the pictures that the shop lacks, each in a transaction and one file in memory at a time, and takes over descriptions of the others.
 * @param archive checked by `checkArchive` @param writes false only compares
 */
export async function importPictures(
  db: Db,
  { pictures, zip }: PictureArchive,
  { writes }: { writes: boolean },
): Promise<PictureDifference[]> {
  const known = await findKnown(db, pictures)
  const differences: PictureDifference[] = []
  for (const { files, createdAt, ...row } of pictures) {
    const { file, alt } = row
    const before = known.get(file)
    if (before) {
      if (before.alt === alt) continue
      differences.push({ name: file, what: 'changed', changes: fieldChanges(before, { alt }) })
      if (writes) await autocommitWrite(db, (tx) => tx.update(picture).set({ alt }).where(eq(picture.file, file)))
      continue
    }
    differences.push({ name: file, what: 'new', changes: [] })
    if (writes)
      await db.transaction(async (tx) => {
        // The printer's address may belong to a picture that the shop took over itself.
        const stored = await tx
          .insert(picture)
          .values({ ...row, createdAt: new Date(createdAt) })
          .onConflictDoNothing()
          .returning({ file: picture.file })
        if (!stored.length) return
        for (const size of files)
          await tx
            .insert(pictureFile)
            .values({ file, ...size, body: await zip.read(nameIn(file, size), FILE_MAX_BYTES) })
      })
  }
  return differences
}

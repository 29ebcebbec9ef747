import { and, asc, desc, eq, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { CompositionRequest } from '#domain/pictures/composition.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { composition, picture, pictureFile } from './schema.ts'

export type PictureRow = typeof picture.$inferSelect
export type PictureFileRow = typeof pictureFile.$inferSelect

/** Does nothing if the picture exists, except for a new description. */
export async function insertPicture(
  tx: Tx,
  row: typeof picture.$inferInsert,
  files: readonly Omit<PictureFileRow, 'file'>[],
): Promise<PictureRow> {
  const [stored] = await tx
    .insert(picture)
    .values(row)
    .onConflictDoUpdate({ target: picture.file, set: { alt: sql`excluded.alt`, unusedSince: null } })
    .returning()
  if (!stored) throw new Error('a picture was neither inserted nor found')
  for (const one of files)
    await tx
      .insert(pictureFile)
      .values({ file: row.file, ...one })
      .onConflictDoNothing()
  return stored
}

export async function listPictureRows(
  db: Reader,
  { kind, before, limit }: { kind: PictureRow['kind'] | undefined; before: string | undefined; limit: number },
): Promise<PictureRow[]> {
  const [mark] = before ? await db.select().from(picture).where(eq(picture.file, before)) : []
  return db
    .select()
    .from(picture)
    .where(
      and(
        kind ? eq(picture.kind, kind) : ne(picture.kind, 'customer'),
        mark &&
          or(
            lt(picture.createdAt, mark.createdAt),
            and(eq(picture.createdAt, mark.createdAt), lt(picture.file, mark.file)),
          ),
      ),
    )
    .orderBy(desc(picture.createdAt), desc(picture.file))
    .limit(limit)
}

export const findPictureRows = async (db: Reader, files: readonly string[]): Promise<PictureRow[]> =>
  files.length > 0
    ? db
        .select()
        .from(picture)
        .where(inArray(picture.file, [...new Set(files)]))
    : []

export const findRowsBySource = async (db: Reader, sourceUrls: readonly string[]): Promise<PictureRow[]> =>
  sourceUrls.length > 0
    ? db
        .select()
        .from(picture)
        .where(inArray(picture.sourceUrl, [...new Set(sourceUrls)]))
    : []

export async function findBytes(
  db: Reader,
  { file, width, format }: Pick<PictureFileRow, 'file' | 'width' | 'format'>,
): Promise<Buffer | undefined> {
  const [found] = await db
    .select({ body: pictureFile.body })
    .from(pictureFile)
    .where(and(eq(pictureFile.file, file), eq(pictureFile.width, width), eq(pictureFile.format, format)))
  return found?.body
}

const ofDrawing = (file: string) => and(eq(pictureFile.file, file), inArray(pictureFile.format, ['png', 'jpg', 'svg']))

/** What a drawing is printed from. */
export async function findOriginal(db: Reader, file: string): Promise<PictureFileRow | undefined> {
  const [found] = await db.select().from(pictureFile).where(ofDrawing(file)).orderBy(desc(pictureFile.width)).limit(1)
  return found
}

/** A smaller copy for composing, or the original where it is small. */
export async function findWorkingCopy(db: Reader, file: string): Promise<Buffer | undefined> {
  const [found] = await db.select().from(pictureFile).where(ofDrawing(file)).orderBy(asc(pictureFile.width)).limit(1)
  return found?.body
}

export const deletePhotoRows = (tx: Tx, files: readonly string[]) =>
  tx.delete(picture).where(and(eq(picture.kind, 'customer'), inArray(picture.file, [...files])))

export async function insertComposition(
  tx: Tx,
  row: { id: string; request: CompositionRequest; createdAt: Date },
): Promise<void> {
  // Sent again, it gets another chance.
  await tx
    .insert(composition)
    .values(row)
    .onConflictDoUpdate({ target: composition.id, set: { failure: null, createdAt: row.createdAt } })
}

export async function findComposition(db: Reader, id: string): Promise<typeof composition.$inferSelect | undefined> {
  const [found] = await db.select().from(composition).where(eq(composition.id, id))
  return found
}

export async function failComposition(tx: Tx, id: string, failure: string): Promise<void> {
  await tx.update(composition).set({ failure }).where(eq(composition.id, id))
}

import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, lt, notInArray, or, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import type { PrinterBlankSummary, PrinterCategory } from '#server/providers/printful/blanks.ts'
import { blank, blankCategory } from './schema.ts'

export type BlankRow = typeof blank.$inferSelect

const { details: _, ...summaryColumns } = getTableColumns(blank)

/** All blanks by title, hundreds of rows. */
export const listSummaryRows = (db: Reader) =>
  db.select(summaryColumns).from(blank).orderBy(asc(blank.title), asc(blank.id))

export const listCategories = (db: Reader) => db.select().from(blankCategory).orderBy(asc(blankCategory.id))

export const listTitles = (db: Reader, ids: readonly number[]) =>
  db
    .select({ id: blank.id, title: blank.title, discontinuedAt: blank.discontinuedAt })
    .from(blank)
    .where(inArray(blank.id, [...ids]))

export async function findRow(db: Reader, id: number): Promise<BlankRow | undefined> {
  const [found] = await db.select().from(blank).where(eq(blank.id, id))
  return found
}

/** Waits for others that write it. @returns undefined before it is first read */
export async function lockRow(tx: Tx, id: number): Promise<BlankRow | undefined> {
  const [found] = await tx.select().from(blank).where(eq(blank.id, id)).for('update')
  return found
}

/** Blanks that were opened once and read before a time, oldest first. */
export async function listStale(db: Reader, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: blank.id })
    .from(blank)
    .where(and(isNotNull(blank.fetchedAt), lt(blank.fetchedAt, before), isNull(blank.discontinuedAt)))
    .orderBy(asc(blank.fetchedAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Blanks whose costs were never read, as the list shows them, then those read before a time. */
export async function listWithoutCosts(db: Reader, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: blank.id })
    .from(blank)
    .where(and(isNull(blank.discontinuedAt), or(isNull(blank.costsReadAt), lt(blank.costsReadAt, before))))
    .orderBy(sql`${blank.costsReadAt} nulls first`, asc(blank.title), asc(blank.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function saveCosts(
  tx: Tx,
  id: number,
  costs: Partial<Pick<BlankRow, 'costFromCents' | 'costToCents'>> & Pick<BlankRow, 'costsReadAt'>,
): Promise<void> {
  await tx.update(blank).set(costs).where(eq(blank.id, id))
}

export const countMade = (db: Reader): Promise<number> => db.$count(blank, isNull(blank.discontinuedAt))

/** @param discontinuedAt for those that the printer says it discontinued; the first time we saw it stays */
export async function saveSummaries(
  tx: Tx,
  blanks: readonly PrinterBlankSummary[],
  discontinuedAt: Date,
): Promise<void> {
  if (blanks.length === 0) return
  await tx
    .insert(blank)
    .values(
      blanks.map(({ isDiscontinued, ...summary }) => ({
        ...summary,
        discontinuedAt: isDiscontinued ? discontinuedAt : null,
      })),
    )
    .onConflictDoUpdate({
      target: blank.id,
      set: {
        title: sql`excluded.title`,
        brand: sql`excluded.brand`,
        model: sql`excluded.model`,
        kind: sql`excluded.kind`,
        categoryId: sql`excluded.category_id`,
        techniques: sql`excluded.techniques`,
        variantCount: sql`excluded.variant_count`,
        imageUrl: sql`excluded.image_url`,
        discontinuedAt: sql`case when excluded.discontinued_at is not null
          then coalesce(${blank.discontinuedAt}, excluded.discontinued_at) end`,
      },
    })
}

/** Those that the printer's list no longer has. */
export async function markDiscontinued(tx: Tx, except: readonly number[], at: Date): Promise<void> {
  await tx
    .update(blank)
    .set({ discontinuedAt: at })
    .where(and(isNull(blank.discontinuedAt), notInArray(blank.id, [...except])))
}

export async function saveDetails(
  tx: Tx,
  id: number,
  details: Pick<BlankRow, 'details' | 'costFromCents' | 'costToCents' | 'costsReadAt' | 'costChangedAt' | 'fetchedAt'>,
): Promise<void> {
  await tx.update(blank).set(details).where(eq(blank.id, id))
}

export async function replaceCategories(tx: Tx, categories: readonly PrinterCategory[]): Promise<void> {
  await tx.delete(blankCategory)
  if (categories.length > 0) await tx.insert(blankCategory).values([...categories])
}

import { and, desc, eq, gte, ne, sql } from 'drizzle-orm'
import { draftCanBecome, type DraftContent, type DraftState } from '#domain/studio/draft.ts'
import { assert } from '#shared/assert.ts'
import type { SyncProductId } from '#shared/ids.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import type { SyncProductHead } from '#server/providers/printful/shapes.ts'
import type { StoreProduct } from '#server/providers/printful/store-products.ts'
import { printerProduct, productDraft } from './schema.ts'

export type StoredDraft = typeof productDraft.$inferSelect

const DRAFTS_LISTED = 100

/** Latest first, without those that are in the catalog. */
export const listOpenDrafts = (db: Reader): Promise<StoredDraft[]> =>
  db
    .select()
    .from(productDraft)
    .where(ne(productDraft.state, 'published'))
    .orderBy(desc(productDraft.updatedAt), desc(productDraft.id))
    .limit(DRAFTS_LISTED)

export async function findDraft(db: Reader, id: number): Promise<StoredDraft | undefined> {
  const [found] = await db.select().from(productDraft).where(eq(productDraft.id, id))
  return found
}

export async function lockDraft(tx: Tx, id: number): Promise<StoredDraft | undefined> {
  const [found] = await tx.select().from(productDraft).where(eq(productDraft.id, id)).for('update')
  return found
}

/** Whether another draft of this address is being made. Until the transaction ends, no other one begins. */
export async function isAddressBeingMade(tx: Tx, { id, content: { slug } }: StoredDraft): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`draft ${slug}`}, 0))`)
  const isSame = sql`${productDraft.content} ->> 'slug' = ${slug}`
  const found = await tx
    .select({ id: productDraft.id })
    .from(productDraft)
    .where(and(eq(productDraft.state, 'creating'), isSame, ne(productDraft.id, id)))
  return found.length > 0
}

export async function insertDraft(
  tx: Tx,
  { content, by, now }: { content: DraftContent; by: string; now: Date },
): Promise<StoredDraft> {
  const [row] = await tx
    .insert(productDraft)
    .values({ version: 1, step: 'blank', state: 'open', content, updatedBy: by, createdAt: now, updatedAt: now })
    .returning()
  assert(row, 'an inserted draft is returned')
  return row
}

type DraftChange = Partial<Omit<StoredDraft, 'id' | 'state' | 'createdAt'>>

/** @param draft locked. @throws Bug for a state that does not follow */
export async function updateDraft(
  tx: Tx,
  draft: StoredDraft,
  { state = draft.state, ...change }: DraftChange & { state?: DraftState },
): Promise<StoredDraft> {
  assert(draftCanBecome(draft.state, state), `a draft that is ${draft.state} cannot become ${state}`)
  const [row] = await tx
    .update(productDraft)
    .set({ ...change, state })
    .where(eq(productDraft.id, draft.id))
    .returning()
  assert(row, 'a locked draft is updated')
  return row
}

/** Of a draft whose product is being made. */
export const changeDraft = (db: Db, id: number, change: DraftChange): Promise<StoredDraft> =>
  db.transaction(async (tx) => {
    const locked = await lockDraft(tx, id)
    assert(locked, 'a draft that is being made is not deleted')
    return updateDraft(tx, locked, change)
  })

export async function deleteDraftRow(tx: Tx, id: number): Promise<void> {
  await tx.delete(productDraft).where(eq(productDraft.id, id))
}

/** Drafts whose product is being made. */
export const listDraftsInTheMaking = (db: Reader): Promise<StoredDraft[]> =>
  db.select().from(productDraft).where(eq(productDraft.state, 'creating'))

const takenOver = sql<string | null>`${productDraft.content}->>'takenOver'`
const isTakingOver = and(ne(productDraft.state, 'published'), sql`${takenOver} is not null`)

/** Drafts that take a product of the printer's over, by its id. */
export async function listTakingOver(db: Reader): Promise<Map<SyncProductId, number>> {
  const rows = await db.select({ id: productDraft.id, takenOver }).from(productDraft).where(isTakingOver)
  return new Map(rows.map((row) => [Number(row.takenOver) as SyncProductId, row.id]))
}

export async function findTakingOver(tx: Tx, id: SyncProductId): Promise<StoredDraft | undefined> {
  const [found] = await tx
    .select()
    .from(productDraft)
    .where(and(isTakingOver, eq(takenOver, String(id))))
  return found
}

export type StoredPrinterProduct = typeof printerProduct.$inferSelect

/** PostgreSQL allows 65,535 parameters per statement. */
const ROWS_PER_STATEMENT = 1000

/** Products of the printer's list that the catalog does not have. What changed is to be looked at again. */
export async function saveSeen(tx: Tx, heads: readonly SyncProductHead[], at: Date): Promise<void> {
  for (let from = 0; from < heads.length; from += ROWS_PER_STATEMENT)
    await tx
      .insert(printerProduct)
      .values(heads.slice(from, from + ROWS_PER_STATEMENT).map((head) => ({ ...head, seenAt: at })))
      .onConflictDoUpdate({
        target: printerProduct.id,
        set: {
          externalId: sql`excluded.external_id`,
          name: sql`excluded.name`,
          thumbnailUrl: sql`excluded.thumbnail_url`,
          variantCount: sql`excluded.variant_count`,
          syncedCount: sql`excluded.synced_count`,
          // Read again at once.
          detailsReadAt: sql`case when (${printerProduct.name}, ${printerProduct.externalId}, ${printerProduct.variantCount}, ${printerProduct.syncedCount}, ${printerProduct.thumbnailUrl})
            is not distinct from (excluded.name, excluded.external_id, excluded.variant_count, excluded.synced_count, excluded.thumbnail_url)
            then ${printerProduct.detailsReadAt} end`,
          seenAt: sql`greatest(${printerProduct.seenAt}, excluded.seen_at)`,
        },
      })
}

/** Latest first. */
export const listPrinterProductsSeen = (db: Reader, since: Date): Promise<StoredPrinterProduct[]> =>
  db.select().from(printerProduct).where(gte(printerProduct.seenAt, since)).orderBy(desc(printerProduct.id))

export async function findPrinterProduct(db: Reader, id: SyncProductId): Promise<StoredPrinterProduct | undefined> {
  const [found] = await db.select().from(printerProduct).where(eq(printerProduct.id, id))
  return found
}

export async function lockPrinterProduct(tx: Tx, id: SyncProductId): Promise<StoredPrinterProduct | undefined> {
  const [found] = await tx.select().from(printerProduct).where(eq(printerProduct.id, id)).for('update')
  return found
}

export async function saveDetails(tx: Tx, details: StoreProduct, at: Date): Promise<void> {
  await tx.update(printerProduct).set({ details, detailsReadAt: at }).where(eq(printerProduct.id, details.id))
}

export async function setIgnored(tx: Tx, id: SyncProductId, ignoredAt: Date | null): Promise<void> {
  await tx.update(printerProduct).set({ ignoredAt }).where(eq(printerProduct.id, id))
}

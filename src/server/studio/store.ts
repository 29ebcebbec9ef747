import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { draftCanBecome, type DraftContent, type DraftState } from '#domain/studio/draft.ts'
import { assert } from '#shared/assert.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { productDraft } from './schema.ts'

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

export async function insertDraft(tx: Tx, content: DraftContent, by: string, now: Date): Promise<StoredDraft> {
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

export async function deleteDraftRow(tx: Tx, id: number): Promise<void> {
  await tx.delete(productDraft).where(eq(productDraft.id, id))
}

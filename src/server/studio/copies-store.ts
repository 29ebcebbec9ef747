import { asc, eq, sql } from 'drizzle-orm'
import type { DraftContent } from '#domain/studio/draft.ts'
import { assert } from '#shared/assert.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { productDraft } from './schema.ts'
import type { StoredDraft } from './store.ts'

/** In the order they were made. */
export const listBatchRows = (db: Reader, batch: string): Promise<StoredDraft[]> =>
  db.select().from(productDraft).where(eq(productDraft.batch, batch)).orderBy(asc(productDraft.id))

/** The draft that a product of the catalog was made from. */
export async function findDraftOfProduct(db: Reader, productId: ProductId): Promise<StoredDraft | undefined> {
  const [found] = await db.select().from(productDraft).where(eq(productDraft.productId, productId))
  return found
}

/** Whether a draft has an address, in any state. */
export const hasDraftSlug = async (db: Reader, slug: string): Promise<boolean> =>
  (await db.$count(productDraft, sql`${productDraft.content} ->> 'slug' = ${slug}`)) > 0

/** @returns the one that is there when the blank has a draft in the batch already */
export async function insertCopy(
  tx: Tx,
  { batch, blankId, content }: { batch: string; blankId: number; content: DraftContent },
  by: string,
  now: Date,
): Promise<StoredDraft> {
  await tx
    .insert(productDraft)
    .values({
      ...{ version: 1, step: 'preview', state: 'open', content, batch, batchBlankId: blankId },
      ...{ updatedBy: by, createdAt: now, updatedAt: now },
    })
    .onConflictDoNothing({ target: [productDraft.batch, productDraft.batchBlankId] })
  const made = (await listBatchRows(tx, batch)).find(({ batchBlankId }) => batchBlankId === blankId)
  assert(made, 'a draft that is inserted or was there is found')
  return made
}

import { asc, eq, sql } from 'drizzle-orm'
import type { CopyPlan } from '#domain/studio/copies.ts'
import type { DraftContent } from '#domain/studio/draft.ts'
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

/** Blanks that have a draft in the batch keep it. */
export async function insertUnfilled(
  tx: Tx,
  batch: string,
  drafts: readonly { blankId: number; content: DraftContent }[],
  { copyPlan, by, now }: { copyPlan: CopyPlan; by: string; now: Date },
): Promise<void> {
  await tx
    .insert(productDraft)
    .values(
      drafts.map(({ blankId, content }) => ({
        ...{ version: 1, step: 'blank' as const, state: 'open' as const, content, batch, batchBlankId: blankId },
        ...{ copyPlan, updatedBy: by, createdAt: now, updatedAt: now },
      })),
    )
    .onConflictDoNothing({ target: [productDraft.batch, productDraft.batchBlankId] })
}

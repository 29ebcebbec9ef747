import { and, desc, eq, lt } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import { ownerAction } from '#server/audit-log/schema.ts'

export type StoredAction = typeof ownerAction.$inferSelect

export async function addAction(tx: Tx, row: typeof ownerAction.$inferInsert): Promise<void> {
  await tx.insert(ownerAction).values(row)
}

export const selectActions = (
  db: Reader,
  {
    olderThan,
    about,
    limit,
  }: { olderThan?: number | undefined; about?: { kind: string; id?: string } | undefined; limit: number },
): Promise<StoredAction[]> =>
  db
    .select()
    .from(ownerAction)
    .where(
      and(
        olderThan === undefined ? undefined : lt(ownerAction.id, olderThan),
        about && eq(ownerAction.aboutKind, about.kind),
        about?.id === undefined ? undefined : eq(ownerAction.aboutId, about.id),
      ),
    )
    .orderBy(desc(ownerAction.id))
    .limit(limit)

export const findAction = async (db: Reader, id: number): Promise<StoredAction | undefined> =>
  (await db.select().from(ownerAction).where(eq(ownerAction.id, id)))[0]

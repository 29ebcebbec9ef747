import { and, desc, eq } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import { saveRows } from '#server/db/save-rows.ts'
import { catalogRevision, type RevisionKind } from './schema.ts'

export type Revision = typeof catalogRevision.$inferSelect

/** The caller has locked the rows and gives each its new version, which must not exist yet. */
export const recordRevisions = (tx: Tx, revisions: readonly Revision[]): Promise<void> =>
  saveRows(tx, catalogRevision, revisions)

export const recordRevision = (tx: Tx, revision: Revision): Promise<void> => recordRevisions(tx, [revision])

/** Newest first. */
export const listRevisions = (db: Reader, kind: RevisionKind, key: string, limit = 100): Promise<Revision[]> =>
  db
    .select()
    .from(catalogRevision)
    .where(and(eq(catalogRevision.kind, kind), eq(catalogRevision.key, key)))
    .orderBy(desc(catalogRevision.version))
    .limit(limit)

export async function findRevision(
  db: Reader,
  kind: RevisionKind,
  key: string,
  version: number,
): Promise<Revision | undefined> {
  const [found] = await db
    .select()
    .from(catalogRevision)
    .where(and(eq(catalogRevision.kind, kind), eq(catalogRevision.key, key), eq(catalogRevision.version, version)))
  return found
}

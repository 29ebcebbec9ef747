import { and, desc, eq } from 'drizzle-orm'
import type { CatalogVersion } from '#contract/catalog-version.ts'
import { changedMembers } from '#domain/catalog/product-content.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { saveRows } from '#server/db/save-rows.ts'
import { Refusal } from '#server/http/refusal.ts'
import { holdPictures } from '#server/pictures/unused.ts'
import { catalogRevision, type RevisionKind } from './schema.ts'

export type Revision = typeof catalogRevision.$inferSelect

/**
 * The caller has locked the rows and gives each its new version, which must not exist yet. Their pictures are held meanwhile; files may
 * name some that the shop does not have.
 */
export async function recordRevisions(tx: Tx, revisions: readonly Revision[]): Promise<string[]> {
  const missing = await holdPictures(
    tx,
    revisions.map(({ content }) => content),
  )
  await saveRows(tx, catalogRevision, revisions)
  return missing
}

/** @throws Refusal `unknown_picture` for one that was deleted since it was chosen */
export async function recordRevision(tx: Tx, revision: Revision): Promise<void> {
  const missing = await recordRevisions(tx, [revision])
  if (!missing.length || revision.source !== 'admin') return
  const before = await findRevision(tx, revision.kind, revision.key, revision.version - 1)
  const known = JSON.stringify(before?.content ?? {})
  if (missing.some((file) => !known.includes(file))) throw new Refusal('unknown_picture')
}

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

/** For the owner, as listed; the first version changed nothing. @param wordsOf a member, as the editor calls it */
export const versionsOf = (revisions: readonly Revision[], wordsOf: (member: string) => string): CatalogVersion[] =>
  revisions.map(({ version, source, by, at, content }, index) => {
    const before = revisions[index + 1]?.content
    return {
      ...{ version, source, by, at: at.toISOString() },
      changes: before ? changedMembers<Record<string, unknown>>({ ...before }, { ...content }).map(wordsOf) : [],
    }
  })

/** Who changed what since a version: `olga changed name and badge`. */
export async function changesSince(
  tx: Tx,
  { kind, key, version }: Pick<Revision, 'kind' | 'key' | 'version'>,
  content: object,
  wordsOf: (member: string) => string,
): Promise<string> {
  const known = await findRevision(tx, kind, key, version)
  const [last] = await listRevisions(tx, kind, key, 1)
  const names = changedMembers<Record<string, unknown>>({ ...known?.content }, { ...content }).map(wordsOf)
  const changed = names.length ? new Intl.ListFormat('en-US').format(names) : 'and restored it'
  const by = last?.by ?? 'somebody'
  return `${by === 'shop' ? 'the shop' : by} changed ${changed}`
}

/** `sizeTable` becomes `size table`. */
export const memberWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

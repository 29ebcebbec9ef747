import { asc, eq } from 'drizzle-orm'
import type { AdminCollection } from '#contract/admin-collections.ts'
import type { CatalogVersion } from '#contract/catalog-version.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { clearListingCache } from './listing-cache.ts'
import { findRevision, listRevisions, recordRevisions, versionsOf, type Revision } from './revisions.ts'
import { collection, type RevisionSource } from './schema.ts'

const KEY = { kind: 'collection_order', key: 'all' } as const
/** Before anybody changed the order. */
const FIRST_VERSION = 1

/** Its version now, and all versions, each with the collections' names in its order. */
export async function readOrderHistory(
  db: Reader,
  collections: readonly AdminCollection[],
): Promise<{ version: number; history: CatalogVersion[] }> {
  const revisions = await listRevisions(db, KEY.kind, KEY.key)
  const names = new Map(collections.map(({ id, name }) => [id, name]))
  const history = versionsOf(revisions, String).map((version, index) => ({
    ...version,
    changes: idsOf(revisions[index]).map((id) => names.get(id) ?? id),
  }))
  return { version: revisions[0]?.version ?? FIRST_VERSION, history }
}

type Change = { version: number; by: Actor; source?: 'admin' | 'undo' }

/**
 * Sets the order in menus and lists.
 * @param to the ids in their new order; receives them as they are
 * @throws Refusal `collections_changed` unless all are named once and the order is still of that version
 */
export async function arrangeCollections(
  { db, clock }: Needs<'db' | 'clock'>,
  { version, by, source = 'admin' }: Change,
  to: (now: readonly string[]) => readonly string[],
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    // Few rows, locked in one order.
    const rows = await tx
      .select({ id: collection.id, position: collection.position })
      .from(collection)
      .orderBy(asc(collection.id))
      .for('update')
    const was = rows.toSorted((a, b) => a.position - b.position).map(({ id }) => id)
    const ids = to(was)
    const [last] = await listRevisions(tx, KEY.kind, KEY.key, 1)
    if (version !== (last?.version ?? FIRST_VERSION) || ids.toSorted().join() !== was.toSorted().join())
      throw new Refusal('collections_changed')
    for (const [index, id] of ids.entries())
      await tx
        .update(collection)
        .set({ position: index + 1 })
        .where(eq(collection.id, id))
    await recordOrder(tx, { was, ids, source, by: by.name, at })
    await recordAction(tx, {
      ...{ by, at, what: 'arranged', about: { kind: 'collection', id: 'all' } },
      before: { order: was.join(', ') },
      after: { order: ids.join(', ') },
    })
  })
  clearListingCache(db)
}

/** Collections that are newer than the version come last. @throws Refusal as `arrangeCollections` */
export async function restoreOrder(shop: Needs<'db' | 'clock'>, change: Change, to: number): Promise<void> {
  const earlier = idsOf(await findRevision(shop.db, KEY.kind, KEY.key, to))
  if (!earlier.length) throw new Refusal('collections_changed')
  await arrangeCollections(shop, { ...change, source: 'undo' }, (now) => [
    ...earlier.filter((id) => now.includes(id)),
    ...now.filter((id) => !earlier.includes(id)),
  ])
}

type OrderChange = { was: readonly string[]; ids: readonly string[]; source: RevisionSource; by: string; at: Date }

/** The first change also records how it was before. The caller has locked the collections. */
export async function recordOrder(tx: Tx, { was, ids, source, by, at }: OrderChange): Promise<void> {
  const [last] = await listRevisions(tx, KEY.kind, KEY.key, 1)
  const version = (last?.version ?? FIRST_VERSION) + 1
  await recordRevisions(tx, [
    ...(last
      ? []
      : [{ ...KEY, version: FIRST_VERSION, source: 'import' as const, by: 'shop', at, content: { ids: was } }]),
    { ...KEY, version, source, by, at, content: { ids } },
  ])
}

const idsOf = (revision: Revision | undefined): string[] =>
  (revision?.content as { ids: string[] } | undefined)?.ids ?? []

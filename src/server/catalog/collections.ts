import { asc, inArray, sql } from 'drizzle-orm'
import { knownCollections } from '#site/collections/known.ts'
import { house } from '#site/house.ts'
import type { CollectionInput } from '#contract/admin-collections.ts'
import type { PicturedTheme } from '#domain/catalog/collection-theme.ts'
import { findCollection, shownCollections, type Collection } from '#domain/catalog/collections.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { cachedAnswer, createDbCache } from '#server/limits/db-cache.ts'
import { recordRevisions } from './revisions.ts'
import { collection, product, type RevisionSource } from './schema.ts'

export type Row = typeof collection.$inferSelect

const toCollection = ({ content, id, slug, formerSlugs, state, inMenu, onHome }: Row): Collection => ({
  ...content,
  ...{ id, slug, formerSlugs, state, inMenu, onHome },
})

/** What the owner edits of a row. */
export const toInput = ({ slug, state, publishAt, inMenu, onHome, content }: Row): CollectionInput => ({
  ...content,
  ...{ slug, state, inMenu, onHome },
  publishAt: publishAt?.toISOString() ?? null,
  keywords: [...content.keywords],
  promises: content.promises.map((promise) => ({ ...promise })),
})

/** What the history keeps of a row. */
export const revisionOf = (row: Row, source: RevisionSource, by: string) => ({
  ...{ kind: 'collection' as const, key: row.id, version: row.version, source, by },
  content: toInput(row),
  at: row.updatedAt,
})

/** All collections in menu order, hidden ones too. In a transaction or where a minute matters; otherwise `readCollections`. */
export async function listCollections(db: Reader): Promise<Collection[]> {
  const rows = await db.select().from(collection).orderBy(asc(collection.position), asc(collection.id))
  return rows.map(toCollection)
}

const lists = createDbCache<string, Promise<Collection[]>>(1)

/** The same, cached because every page needs it. */
export const readCollections = (db: Db): Promise<Collection[]> =>
  cachedAnswer(lists.of(db), 'all', () => listCollections(db))

/** Call after committing a change. */
export const clearCollectionCache = lists.clear

/** The theme of an order's emails and of pages: the collection's, else that of the first in the menu, else the label's own. */
export const themeOf = (collections: readonly Collection[], id: string): PicturedTheme =>
  findCollection(collections, id) ?? shownCollections(collections)[0] ?? house

/** For emails, which are written in a transaction. */
export const readTheme = async (tx: Reader, id: string): Promise<PicturedTheme> =>
  themeOf(await listCollections(tx), id)

/**
 * Adds the collections of the specification that products name and that have no row: databases and catalog files from before
 * collections were rows name them only by their id.
 */
export async function addKnownCollections(tx: Tx, now: Date): Promise<void> {
  const ids = knownCollections.map(({ id }) => id)
  const named = await tx
    .selectDistinct({ id: product.collection })
    .from(product)
    .where(inArray(product.collection, ids))
  if (named.length === 0) return
  const [last] = await tx.select({ position: sql<number>`coalesce(max(${collection.position}), 0)` }).from(collection)
  const wanted = knownCollections.filter(({ id }) => named.some((one) => one.id === id))
  const added = await tx
    .insert(collection)
    .values(
      wanted.map(({ id, inMenu, onHome, ...content }, index) => ({
        ...{ id, slug: id, formerSlugs: [], inMenu, onHome, content },
        state: 'published' as const,
        position: (last?.position ?? 0) + index + 1,
        version: 1,
        updatedAt: now,
      })),
    )
    .onConflictDoNothing()
    .returning()
  await recordRevisions(
    tx,
    added.map((row) => revisionOf(row, 'import', 'shop')),
  )
}

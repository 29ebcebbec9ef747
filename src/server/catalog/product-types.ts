import { and, asc, eq, inArray, max } from 'drizzle-orm'
import { fieldChanges, type FieldChange } from '#domain/catalog/difference-text.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import type { ImportOptions } from './collection-file.ts'
import { cacheList } from './listing-cache.ts'
import { recordRevisions } from './revisions.ts'
import { catalogRevision, productType, type RevisionSource } from './schema.ts'
import { forgetMisses } from './search-words.ts'

/** All types in the order of the filter, cached. */
export const readProductTypes = (db: Db): Promise<ProductType[]> =>
  cacheList(db, 'product-types', () => listProductTypes(db))

/** The same as stored. */
export const listProductTypes = async (db: Reader): Promise<ProductType[]> =>
  (await db.select().from(productType).orderBy(asc(productType.position), asc(productType.key))).map(contentOf)

export type Row = typeof productType.$inferSelect

export function contentOf({ version: _version, updatedAt: _updatedAt, ...content }: Row): ProductType {
  return content
}

/**
 * Writes types with their history, and has search forget what it missed of their words. The caller has locked the rows. A type that
 * was deleted continues its versions when it comes back.
 */
export async function writeProductTypes(
  tx: Tx,
  types: readonly ProductType[],
  { by, source, at }: { by: string; source: RevisionSource; at: Date },
): Promise<void> {
  if (types.length === 0) return
  const isOfThese = and(
    eq(catalogRevision.kind, 'product_type'),
    inArray(
      catalogRevision.key,
      types.map(({ key }) => key),
    ),
  )
  const latest = await tx
    .select({ key: catalogRevision.key, version: max(catalogRevision.version) })
    .from(catalogRevision)
    .where(isOfThese)
    .groupBy(catalogRevision.key)
  const saved = types.map((content) => {
    const version = (latest.find(({ key }) => key === content.key)?.version ?? 0) + 1
    return { content, row: { ...content, version, updatedAt: at } }
  })
  for (const { row } of saved)
    await tx.insert(productType).values(row).onConflictDoUpdate({ target: productType.key, set: row })
  await recordRevisions(
    tx,
    saved.map(({ content, row: { key, version } }) => ({
      kind: 'product_type',
      key,
      version,
      content,
      source,
      by,
      at,
    })),
  )
  await forgetMisses(
    tx,
    types.flatMap(({ synonyms }) => synonyms),
  )
}

/** Those that a file lacks stay, because products may be of them. @returns the types that are new or changed, with what changed */
export async function importProductTypes(
  tx: Tx,
  types: readonly ProductType[],
  { at, by, source, replaces }: ImportOptions,
): Promise<{ name: string; what: 'new' | 'changed'; changes: FieldChange[] }[]> {
  const stored = new Map((await tx.select().from(productType).for('update')).map((row) => [row.key, contentOf(row)]))
  const saved = types.flatMap((type) => {
    const before = stored.get(type.key)
    const changes = before && replaces ? fieldChanges(before, type) : []
    return before && !changes.length ? [] : [{ type, changes, what: before ? ('changed' as const) : ('new' as const) }]
  })
  await writeProductTypes(
    tx,
    saved.map(({ type }) => type),
    { by, source, at },
  )
  return saved.map(({ type: { name }, what, changes }) => ({ name, what, changes }))
}

import { and, asc, eq, getTableColumns, inArray, max, sql } from 'drizzle-orm'
import type { AdminProductType, ProductTypeContent, ProductTypeVersion } from '#contract/admin-product-types.ts'
import { fieldChanges, type FieldChange } from '#domain/catalog/difference-text.ts'
import { changedMembers } from '#domain/catalog/product-content.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { ActionFacts } from '#server/audit-log/schema.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import type { ImportOptions } from './collection-file.ts'
import { cacheList, clearListingCache } from './listing-cache.ts'
import { findRevision, listRevisions, recordRevisions } from './revisions.ts'
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

export async function listForOwner(db: Reader): Promise<AdminProductType[]> {
  const rows = await db
    .select({
      ...getTableColumns(productType),
      products: sql<number>`(select count(*)::int from product where type = ${productType.key})`,
    })
    .from(productType)
    .orderBy(asc(productType.position), asc(productType.key))
  return rows.map(({ products, ...row }) => ({ content: contentOf(row), version: row.version, products }))
}

/** Newest first. */
export const listProductTypeVersions = async (db: Reader, key: string): Promise<ProductTypeVersion[]> =>
  (await listRevisions(db, 'product_type', key)).map(({ version, source, by, at, content }) => ({
    ...{ version, source, by, at: at.toISOString() },
    content: content as ProductTypeContent,
  }))

/**
 * Saves a type, or makes one; shoppers see it immediately.
 * @param version the one that the edit was based on; 0 for a new type
 * @throws Refusal `unknown_product_type`; `product_changed` when somebody else saved since; `invalid` for a key in use
 */
export async function saveProductType(
  { db, clock }: Needs<'db' | 'clock'>,
  key: string,
  { version, content }: { version: number; content: ProductTypeContent },
  by: Actor,
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    const before = await lockProductType(tx, key)
    if (version === 0 && before) throw new Refusal('invalid', {}, { key: 'Another product type has this key' })
    if (version > 0 && !before) throw new Refusal('unknown_product_type')
    if (content.key !== key) throw new Refusal('invalid', {}, { key: 'The key of a product type stays' })
    if (before && before.version !== version)
      throw new Refusal('product_changed', { changes: await changesSince(tx, version, before) })
    const names = changedMembers<ProductType>(before ? contentOf(before) : {}, content)
    if (names.length === 0) return
    await writeProductTypes(tx, [content], { by: by.name, source: 'admin', at })
    await recordAction(tx, {
      by,
      what: before ? 'changed' : 'created',
      about: { kind: 'product type', id: key },
      ...(before && { before: factsOf(before, names) }),
      after: factsOf(content, names),
      at,
    })
  })
  clearListingCache(db)
}

async function lockProductType(tx: Tx, key: string): Promise<Row | undefined> {
  const [found] = await tx.select().from(productType).where(eq(productType.key, key)).for('update')
  return found
}

/** For the audit log. */
const factsOf = (content: ProductType, names: readonly (keyof ProductType)[]): ActionFacts =>
  Object.fromEntries(
    names.map((name) => {
      const value = content[name]
      return [name, value !== null && typeof value === 'object' ? JSON.stringify(value) : value]
    }),
  )

/** Who changed what since a version: `olga changed name and synonyms`. */
async function changesSince(tx: Tx, version: number, row: Row): Promise<string> {
  const known = await findRevision(tx, 'product_type', row.key, version)
  const [last] = await listRevisions(tx, 'product_type', row.key, 1)
  const content = contentOf(row)
  const names = changedMembers<ProductType>(known?.content ?? {}, content)
  return `${last?.by ?? 'Somebody'} changed ${new Intl.ListFormat('en-US').format(names.map(wordsOf))}`
}

/** `sizeTable` becomes `size table`. */
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

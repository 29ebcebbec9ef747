import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { AdminProductType, ProductTypeContent, ProductTypeVersion } from '#contract/admin-product-types.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { ActionFacts } from '#server/audit-log/schema.ts'
import type { Db, Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { cacheList, clearListingCache } from './listing-cache.ts'
import { findRevision, listRevisions, recordRevision } from './revisions.ts'
import { productType, type RevisionSource } from './schema.ts'
import { forgetMisses } from './search-words.ts'

/** All types in the order of the filter, cached. */
export const readProductTypes = (db: Db): Promise<ProductType[]> =>
  cacheList(db, 'product-types', () => listProductTypes(db))

/** The same as stored. */
export const listProductTypes = async (db: Reader): Promise<ProductType[]> =>
  (await db.select().from(productType).orderBy(asc(productType.position), asc(productType.key))).map(contentOf)

type Row = typeof productType.$inferSelect

function contentOf({ version: _version, updatedAt: _updatedAt, ...content }: Row): ProductType {
  return content
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
    const names = before ? changedNames(contentOf(before), content) : namesIn(content)
    if (names.length === 0) return
    await writeProductTypes(tx, [{ content, version: (before?.version ?? 0) + 1 }], {
      by: by.name,
      source: 'admin',
      at,
    })
    await forgetMisses(tx, content.synonyms)
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

/** Writes new versions with their history. The caller has locked the rows. */
async function writeProductTypes(
  tx: Tx,
  types: readonly { content: ProductType; version: number }[],
  { by, source, at }: { by: string; source: RevisionSource; at: Date },
): Promise<void> {
  for (const { content, version } of types) {
    const { key, ...values } = content
    const set = { ...values, version, updatedAt: at }
    await tx
      .insert(productType)
      .values({ key, ...set })
      .onConflictDoUpdate({ target: productType.key, set })
    await recordRevision(tx, { kind: 'product_type', key, version, content, source, by, at })
  }
}

const namesIn = (content: ProductType) => Object.keys(content) as (keyof ProductType)[]

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Members that differ; the order of their own members does not count. */
const changedNames = (before: ProductType, after: ProductType): (keyof ProductType)[] =>
  namesIn(after).filter((name) => !isSame(sorted(before[name]), sorted(after[name])))

/** JSON from the database has its members in another order. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, member]) => member !== undefined)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, member]) => [name, sorted(member)]),
        )
      : value

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
  const names = known ? changedNames(known.content as ProductType, content) : namesIn(content)
  return `${last?.by ?? 'Somebody'} changed ${new Intl.ListFormat('en-US').format(names.map(wordsOf))}`
}

/** `sizeTable` becomes `size table`. */
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

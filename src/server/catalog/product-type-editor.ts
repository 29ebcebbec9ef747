import { asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import type { AdminProductType } from '#contract/admin-product-types.ts'
import type { CatalogVersion } from '#contract/catalog-version.ts'
import { productTypeFromBlank } from '#domain/catalog/blank-type.ts'
import { changedMembers } from '#domain/catalog/product-content.ts'
import type { ProductType } from '#domain/catalog/product-types.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { ActionFacts } from '#server/audit-log/schema.ts'
import { listBlankTitles, showBlank } from '#server/blanks/blanks.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { clearListingCache } from './listing-cache.ts'
import { contentOf, listProductTypes, writeProductTypes, type Row } from './product-types.ts'
import { changesSince, findRevision, listRevisions, memberWords, versionsOf } from './revisions.ts'
import { product, productType, type RevisionSource } from './schema.ts'

/** All types in the order of the filter. */
export async function listForOwner(db: Reader): Promise<AdminProductType[]> {
  const rows = await db
    .select({
      ...getTableColumns(productType),
      products: count(product.id),
      published: sql<number>`(count(*) filter (where ${product.state} = 'published'))::int`,
    })
    .from(productType)
    .leftJoin(product, eq(product.type, productType.key))
    .groupBy(productType.key)
    .orderBy(asc(productType.position), asc(productType.key))
  const blanks = await listBlankTitles(
    db,
    rows.flatMap(({ blankId }) => blankId ?? []),
  )
  return rows.map(({ products, published, ...row }) => ({
    ...{ content: contentOf(row), version: row.version, products, published },
    blank: blanks.get(row.blankId ?? 0) ?? null,
  }))
}

/** Newest first. */
export const listProductTypeVersions = async (db: Reader, key: string): Promise<CatalogVersion[]> =>
  versionsOf(await listRevisions(db, 'product_type', key), memberWords)

/**
 * A new type as a blank of the printer has it, not saved, and the type of the shop nearest to it.
 * @throws Refusal `unknown_blank`, `blank_not_read`
 */
export async function draftProductType(
  shop: Needs<'db' | 'clock' | 'printful'>,
  blankId: number,
): Promise<{ content: ProductType; similar: string | null }> {
  const { content, similar } = productTypeFromBlank(await showBlank(shop, blankId), await listProductTypes(shop.db))
  return { content, similar: similar ?? null }
}

/**
 * Saves a type, or makes one; shoppers see it immediately.
 * @param version the one that the edit was based on; 0 for a new type
 * @throws Refusal `unknown_product_type`; `product_changed` when somebody else saved since; `invalid` for a key in use
 */
export async function saveProductType(
  shop: Needs<'db' | 'clock'>,
  key: string,
  { version, content }: { version: number; content: ProductType },
  by: Actor,
): Promise<void> {
  if (content.key !== key) throw new Refusal('invalid', {}, { key: 'The key of a product type stays' })
  await change(shop, key, { version, by, source: 'admin' }, () => Promise.resolve(content))
}

/** Saves an earlier version again. @throws as `saveProductType` */
export const restoreProductType = (
  shop: Needs<'db' | 'clock'>,
  key: string,
  { version, restored }: { version: number; restored: number },
  by: Actor,
): Promise<void> =>
  change(shop, key, { version, by, source: 'undo' }, async (tx) => {
    const revision = await findRevision(tx, 'product_type', key, restored)
    if (!revision) throw new Refusal('unknown_product_type')
    return revision.content as ProductType
  })

async function change(
  { db, clock }: Needs<'db' | 'clock'>,
  key: string,
  { version, by, source }: { version: number; by: Actor; source: RevisionSource },
  edit: (tx: Tx) => Promise<ProductType>,
): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    const before = await lockProductType(tx, key)
    if (version === 0 && before) throw new Refusal('invalid', {}, { key: 'Another product type has this key' })
    if (version > 0 && !before) throw new Refusal('unknown_product_type')
    if (before && before.version !== version)
      throw new Refusal('product_changed', {
        changes: await changesSince(tx, { kind: 'product_type', key, version }, contentOf(before), memberWords),
      })
    const content = await edit(tx)
    const names = changedMembers<ProductType>(before ? contentOf(before) : {}, content)
    if (names.length === 0) return
    await writeProductTypes(tx, [content], { by: by.name, source, at })
    await recordAction(tx, {
      by,
      what: before ? 'changed' : 'created',
      about: { kind: 'product type', id: key },
      ...(before && { before: factsOf(contentOf(before), names) }),
      after: factsOf(content, names),
      at,
    })
  })
  clearListingCache(db)
}

/** @throws Refusal `unknown_product_type`, `product_type_used` */
export async function deleteProductType({ db, clock }: Needs<'db' | 'clock'>, key: string, by: Actor): Promise<string> {
  const at = clock.now()
  const name = await db.transaction(async (tx) => {
    const row = await lockProductType(tx, key)
    if (!row) throw new Refusal('unknown_product_type')
    const used = await tx.$count(product, eq(product.type, key))
    if (used > 0)
      throw new Refusal('product_type_used', {
        count: used === 1 ? '1 product is' : `${used.toLocaleString('en-US')} products are`,
      })
    await tx.delete(productType).where(eq(productType.key, key))
    const { name, plural } = row
    await recordAction(tx, {
      by,
      what: 'deleted',
      about: { kind: 'product type', id: key },
      before: { name, plural },
      at,
    })
    return name
  })
  clearListingCache(db)
  return name
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

import { and, asc, desc, eq, inArray, isNull, lt, lte, max, ne, notExists, or, sql } from 'drizzle-orm'
import type { Copies, VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { catalogChange, catalogSync, product, variant, type ChangeState, type SyncTrigger } from '#server/db/schema.ts'

export type StoredSync = typeof catalogSync.$inferSelect
export type StoredChange = typeof catalogChange.$inferSelect
/** A product that the catalog file names. */
export type KnownProduct = { id: ProductId; slug: string; syncProductId: SyncProductId | null }

/** A statement has at most 65,535 parameters; a row of these tables has fewer than twenty. */
const ROWS_A_STATEMENT = 1000

function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += ROWS_A_STATEMENT) yield all.slice(from, from + ROWS_A_STATEMENT)
}

// ---- products and variants

export const listKnownProducts = (db: Reader): Promise<KnownProduct[]> =>
  db.select({ id: product.id, slug: product.slug, syncProductId: product.syncProductId }).from(product)

export async function findKnownProduct(
  db: Reader,
  by: { syncProductId: SyncProductId } | { slug: string },
): Promise<KnownProduct | undefined> {
  const [found] = await db
    .select({ id: product.id, slug: product.slug, syncProductId: product.syncProductId })
    .from(product)
    .where('slug' in by ? eq(product.slug, by.slug) : eq(product.syncProductId, by.syncProductId))
  return found
}

/** Products whose variants on this blank are not in the state that the partner tells of, by its catalog variants' ids. */
export const listWronglyMapped = (
  db: Reader,
  blankId: number,
  { out, discontinued }: { out: readonly number[]; discontinued: readonly number[] },
): Promise<KnownProduct[]> => {
  const unmade = [...out, ...discontinued]
  const listed = unmade.length ? inArray(variant.catalogVariantId, unmade) : sql`false`
  return db
    .selectDistinct({ id: product.id, slug: product.slug, syncProductId: product.syncProductId })
    .from(product)
    .innerJoin(variant, eq(variant.productId, product.id))
    .where(
      and(
        or(eq(variant.blankId, blankId), isNull(variant.blankId)),
        isNull(variant.goneAt),
        sql`(${variant.availability} = 'active') = (${listed})`,
      ),
    )
}

/**
 * Locks a product for an answer about it.
 * @param askedAt when the partner was asked
 * @param syncProductId by which the partner knows it; left out where it does not
 * @returns false when an answer to a later question is here already
 */
export async function claimAnswer(
  tx: Tx,
  id: ProductId,
  askedAt: Date,
  syncProductId?: SyncProductId,
): Promise<boolean> {
  const claimed = await tx
    .update(product)
    .set({ askedAt, ...(syncProductId !== undefined && { syncProductId }) })
    .where(and(eq(product.id, id), or(isNull(product.askedAt), lte(product.askedAt, askedAt))))
    .returning({ id: product.id })
  return claimed.length > 0
}

/** Takes the partner's product away from another one of ours that it may have been before. */
export async function unmapProduct(tx: Tx, syncProductId: SyncProductId, exceptId: ProductId): Promise<void> {
  await tx
    .update(product)
    .set({ syncProductId: null })
    .where(and(eq(product.syncProductId, syncProductId), ne(product.id, exceptId)))
}

export async function lockProducts(tx: Tx, ids: readonly ProductId[]): Promise<void> {
  await tx
    .select({ id: product.id })
    .from(product)
    .where(inArray(product.id, [...ids]))
    .orderBy(asc(product.id))
    .for('update')
}

type StoredVariant = typeof variant.$inferSelect

/** A row without what only the table knows. */
const copyOf = (row: StoredVariant): VariantCopy => ({
  productId: row.productId,
  catalogVariantId: row.catalogVariantId,
  blankId: row.blankId,
  position: row.position,
  name: row.name,
  color: row.color,
  size: row.size,
  sku: row.sku,
  unitPrice: row.unitPrice,
  costCents: row.costCents,
  availability: row.availability,
  previewUrl: row.previewUrl,
})

const copiesOf = (rows: readonly StoredVariant[]): Map<VariantId, VariantCopy> =>
  new Map(rows.filter(({ goneAt }) => goneAt === null).map((row) => [row.id, copyOf(row)]))

/**
 * A product's variants, and those of the ids, which may be another product's so far.
 * @returns `isNew` when the product never had any
 */
export async function listCopiesOf(
  db: Reader,
  productId: ProductId,
  ids: readonly VariantId[],
): Promise<{ copies: Map<VariantId, VariantCopy>; isNew: boolean }> {
  const rows = await db
    .select()
    .from(variant)
    .where(or(eq(variant.productId, productId), ids.length ? inArray(variant.id, [...ids]) : undefined))
    .orderBy(asc(variant.position), asc(variant.id))
  return { copies: copiesOf(rows), isNew: !rows.some((row) => row.productId === productId) }
}

export async function listCopies(db: Reader, ids: readonly VariantId[]): Promise<Map<VariantId, VariantCopy>> {
  const rows: StoredVariant[] = []
  for (const some of chunks(ids)) rows.push(...(await db.select().from(variant).where(inArray(variant.id, some))))
  return copiesOf(rows)
}

/** On conflict the new row's value. */
const incoming = (column: string) => sql.raw(`excluded.${column}`)

/** Writes what the copies say of these variants: one that is not among them is marked as gone, and its row stays. */
export async function saveCopies(tx: Tx, copies: Copies, ids: readonly VariantId[], now: Date): Promise<void> {
  const rows = ids.flatMap((id) => {
    const copy = copies.get(id)
    return copy ? [{ ...copy, id, updatedAt: now }] : []
  })
  for (const some of chunks(rows))
    await tx
      .insert(variant)
      .values(some)
      .onConflictDoUpdate({
        target: variant.id,
        set: {
          productId: incoming('product_id'),
          catalogVariantId: incoming('catalog_variant_id'),
          blankId: incoming('blank_id'),
          position: incoming('position'),
          name: incoming('name'),
          color: incoming('color'),
          size: incoming('size'),
          sku: incoming('sku'),
          unitPrice: incoming('unit_price_cents'),
          costCents: incoming('cost_cents'),
          availability: incoming('availability'),
          previewUrl: incoming('preview_url'),
          goneAt: null,
          updatedAt: incoming('updated_at'),
        },
      })
  for (const some of chunks(ids.filter((id) => !copies.has(id))))
    await tx.update(variant).set({ goneAt: now, updatedAt: now }).where(inArray(variant.id, some))
}

// ---- syncs

export async function insertSync(
  tx: Tx,
  sync: { trigger: SyncTrigger; whole: boolean; startedAt: Date },
): Promise<number> {
  const [row] = await tx
    .insert(catalogSync)
    .values({ ...sync, state: 'running', remarks: [] })
    .returning({ id: catalogSync.id })
  if (!row) throw new Error('an insert without a row')
  return row.id
}

export async function updateSync(tx: Tx, id: number, set: Partial<StoredSync>): Promise<void> {
  await tx.update(catalogSync).set(set).where(eq(catalogSync.id, id))
}

/** Forgets syncs that found nothing: one is made every quarter of an hour. */
export async function deleteEmptySyncs(tx: Tx, before: Date): Promise<void> {
  await tx
    .delete(catalogSync)
    .where(
      and(
        lt(catalogSync.startedAt, before),
        notExists(
          tx.select({ id: catalogChange.id }).from(catalogChange).where(eq(catalogChange.syncId, catalogSync.id)),
        ),
      ),
    )
}

export async function findSync(db: Reader, id: number): Promise<StoredSync | undefined> {
  const [found] = await db.select().from(catalogSync).where(eq(catalogSync.id, id))
  return found
}

/** The latest first. */
export const listSyncs = (db: Reader, limit: number): Promise<StoredSync[]> =>
  db.select().from(catalogSync).orderBy(desc(catalogSync.id)).limit(limit)

/** Syncs of which changes wait and the owner was not told yet. */
export const listUnreported = (db: Reader): Promise<{ id: number }[]> =>
  db
    .selectDistinct({ id: catalogSync.id })
    .from(catalogSync)
    .innerJoin(catalogChange, eq(catalogChange.syncId, catalogSync.id))
    .where(and(isNull(catalogSync.toldAt), eq(catalogChange.state, 'waiting')))
    .orderBy(asc(catalogSync.id))

/** When the partner's whole store was last looked at to the end. */
export async function findLastWhole(db: Reader): Promise<Date | undefined> {
  const [found] = await db
    .select({ at: max(catalogSync.startedAt) })
    .from(catalogSync)
    .where(and(eq(catalogSync.whole, true), inArray(catalogSync.state, ['done', 'not_believed'])))
  return found?.at ?? undefined
}

// ---- changes

export async function insertChanges(tx: Tx, rows: readonly (typeof catalogChange.$inferInsert)[]): Promise<void> {
  for (const some of chunks(rows)) await tx.insert(catalogChange).values(some)
}

/** What waits for the owner about a product, and what the owner has said no to. */
export const listUndecidedOrRejected = (db: Reader, productId: ProductId): Promise<StoredChange[]> =>
  db
    .select()
    .from(catalogChange)
    .where(
      and(eq(catalogChange.productId, productId), inArray(catalogChange.state, ['waiting', 'declined', 'reverted'])),
    )

export async function setStates(tx: Tx, ids: readonly number[], state: ChangeState, now: Date): Promise<void> {
  for (const some of chunks(ids))
    await tx.update(catalogChange).set({ state, decidedAt: now }).where(inArray(catalogChange.id, some))
}

/** In the order in which they were found. */
export const listChanges = (
  db: Reader,
  syncId: number,
  states: readonly ChangeState[],
): Promise<(StoredChange & { slug: string; variantName: string | null })[]> =>
  db
    .select({ change: catalogChange, slug: product.slug, variantName: variant.name })
    .from(catalogChange)
    .innerJoin(product, eq(product.id, catalogChange.productId))
    .leftJoin(variant, eq(variant.id, catalogChange.variantId))
    .where(and(eq(catalogChange.syncId, syncId), inArray(catalogChange.state, [...states])))
    .orderBy(asc(catalogChange.id))
    .then((rows) => rows.map(({ change, ...names }) => ({ ...change, ...names })))

/** How many changes of each sync wait. */
export async function countWaiting(db: Reader): Promise<Map<number, number>> {
  const rows = await db
    .select({ syncId: catalogChange.syncId, count: sql<number>`count(*)::int` })
    .from(catalogChange)
    .where(eq(catalogChange.state, 'waiting'))
    .groupBy(catalogChange.syncId)
    .orderBy(asc(catalogChange.syncId))
  return new Map(rows.map(({ syncId, count }) => [syncId, count]))
}

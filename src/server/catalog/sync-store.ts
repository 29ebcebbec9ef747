import { and, asc, desc, eq, inArray, isNull, lt, lte, max, ne, notExists, or, sql } from 'drizzle-orm'
import { MADE } from '#domain/catalog/buyable.ts'
import type { Copies, VariantCopy } from '#domain/catalog/sync-diff.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { saveRows } from '#server/db/save-rows.ts'
import {
  catalogChange,
  catalogSync,
  product,
  variant,
  type ChangeState,
  type SyncTrigger,
} from '#server/catalog/schema.ts'

export type StoredSync = typeof catalogSync.$inferSelect
export type StoredChange = typeof catalogChange.$inferSelect
/** A product of the shop. `slug`: what the printer calls it, our first slug. */
export type KnownProduct = { id: ProductId; slug: string; syncProductId: SyncProductId | null }

const printerSlug = sql<string>`coalesce(${product.externalId}, ${product.slug})`
const knownProduct = { id: product.id, slug: printerSlug, syncProductId: product.syncProductId }

/** PostgreSQL allows 65,535 parameters per statement; these tables have fewer than twenty columns. */
const ROWS_PER_STATEMENT = 1000

function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT) yield all.slice(from, from + ROWS_PER_STATEMENT)
}

// ---- products and variants

export const listKnownProducts = (db: Reader): Promise<KnownProduct[]> => db.select(knownProduct).from(product)

export async function findKnownProduct(
  db: Reader,
  by: { syncProductId: SyncProductId } | { slug: string },
): Promise<KnownProduct | undefined> {
  const [found] = await db
    .select(knownProduct)
    .from(product)
    .where('slug' in by ? eq(printerSlug, by.slug) : eq(product.syncProductId, by.syncProductId))
  return found
}

/** Products of the printer that the catalog has: by their id there, or by the name that the sync finds them by. */
export async function findTiedProducts(
  db: Reader,
  theirs: readonly { id: SyncProductId; externalId: string | null }[],
): Promise<Set<SyncProductId>> {
  const ids = theirs.map(({ id }) => id)
  const names = theirs.flatMap(({ externalId }) => externalId ?? [])
  const rows = await db
    .select({ sync: product.syncProductId, provider: product.providerProductId, name: printerSlug })
    .from(product)
    .where(
      or(
        sql`${product.syncProductId} = any (${sql.param(ids)}::bigint[])`,
        sql`${product.providerProductId} = any (${sql.param(ids)}::bigint[])`,
        sql`${printerSlug} = any (${sql.param(names)}::text[])`,
      ),
    )
  const known = new Set<unknown>(rows.flatMap(({ sync, provider, name }) => [sync, provider, name]))
  return new Set(
    theirs.flatMap(({ id, externalId }) => (known.has(id) || (externalId !== null && known.has(externalId)) ? id : [])),
  )
}

/** Products with a variant of this blank whose availability differs from the printer's lists of catalog variant ids. */
export const listWithOutdatedStock = (
  db: Reader,
  blankId: number,
  { out, discontinued }: { out: readonly number[]; discontinued: readonly number[] },
): Promise<KnownProduct[]> => {
  const unavailable = [...out, ...discontinued]
  const listed = unavailable.length ? inArray(variant.catalogVariantId, unavailable) : sql`false`
  return db
    .selectDistinct(knownProduct)
    .from(product)
    .innerJoin(variant, eq(variant.productId, product.id))
    .where(
      and(
        or(eq(variant.blankId, blankId), isNull(variant.blankId)),
        isNull(variant.goneAt),
        sql`(${variant.availability} = ${MADE}) = (${listed})`,
      ),
    )
}

/**
 * Locks a product to store the printer's answer about it.
 * @param askedAt when the request was sent
 * @param syncProductId the printer's id, if it knows the product
 * @returns false when the answer to a later request is already stored
 */
export async function claimNewerAnswer(
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

/** Removes the printer's product from any other product that was mapped to it. */
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

/** A row without the columns that only our table has. */
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
 * A product's variants, plus those with the given ids, which may belong to other products.
 * @returns `isNew` when the product never had any; `pricedHere`: whose price the owner set, and the printer does not have yet
 */
export async function listCopiesOf(
  db: Reader,
  productId: ProductId,
  ids: readonly VariantId[],
): Promise<{ copies: Map<VariantId, VariantCopy>; isNew: boolean; pricedHere: Set<VariantId> }> {
  const rows = await db
    .select()
    .from(variant)
    .where(or(eq(variant.productId, productId), ids.length ? inArray(variant.id, [...ids]) : undefined))
    .orderBy(asc(variant.position), asc(variant.id))
  return {
    copies: copiesOf(rows),
    isNew: !rows.some((row) => row.productId === productId),
    pricedHere: new Set(rows.flatMap(({ id, priceSetAt }) => (priceSetAt === null ? [] : id))),
  }
}

export async function listCopies(db: Reader, ids: readonly VariantId[]): Promise<Map<VariantId, VariantCopy>> {
  const rows: StoredVariant[] = []
  for (const chunk of chunks(ids)) rows.push(...(await db.select().from(variant).where(inArray(variant.id, chunk))))
  return copiesOf(rows)
}

/** The variants of these products, plus those with the given ids, which may belong to other products. */
export async function listCopiesOfProducts(
  db: Reader,
  products: readonly ProductId[],
  ids: readonly VariantId[],
): Promise<Map<VariantId, VariantCopy>> {
  const rows = await db
    .select()
    .from(variant)
    .where(
      or(
        sql`${variant.productId} = any (${sql.param([...products])}::int[])`,
        sql`${variant.id} = any (${sql.param([...ids])}::bigint[])`,
      ),
    )
  return copiesOf(rows)
}

/** Saves these variants; those without a copy are marked as gone, and their rows stay. */
export async function saveCopies(tx: Tx, copies: Copies, ids: readonly VariantId[], now: Date): Promise<void> {
  const rows = ids.flatMap((id) => {
    const copy = copies.get(id)
    return copy ? [{ ...copy, id, goneAt: null, updatedAt: now }] : []
  })
  await saveRows(tx, variant, rows, ['id'])
  for (const chunk of chunks(ids.filter((id) => !copies.has(id))))
    await tx.update(variant).set({ goneAt: now, updatedAt: now }).where(inArray(variant.id, chunk))
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

/** Deletes old syncs without changes; there is one every 15 minutes. */
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

/** Newest first. */
export const listSyncs = (db: Reader, limit: number): Promise<StoredSync[]> =>
  db.select().from(catalogSync).orderBy(desc(catalogSync.id)).limit(limit)

/** Syncs with undecided changes that the owner has not been emailed about. */
export const listUnreported = (db: Reader): Promise<{ id: number }[]> =>
  db
    .selectDistinct({ id: catalogSync.id })
    .from(catalogSync)
    .innerJoin(catalogChange, eq(catalogChange.syncId, catalogSync.id))
    .where(and(isNull(catalogSync.toldAt), eq(catalogChange.state, 'waiting')))
    .orderBy(asc(catalogSync.id))

/** When the last full sync that finished was started. */
export async function findLastFullSyncStart(db: Reader): Promise<Date | undefined> {
  const [found] = await db
    .select({ at: max(catalogSync.startedAt) })
    .from(catalogSync)
    .where(and(eq(catalogSync.whole, true), inArray(catalogSync.state, ['done', 'not_believed'])))
  return found?.at ?? undefined
}

// ---- changes

export async function insertChanges(tx: Tx, rows: readonly (typeof catalogChange.$inferInsert)[]): Promise<void> {
  for (const chunk of chunks(rows)) await tx.insert(catalogChange).values(chunk)
}

/** A product's undecided changes and those the owner declined or reverted. */
export const listUndecidedOrRejected = (db: Reader, productId: ProductId): Promise<StoredChange[]> =>
  db
    .select()
    .from(catalogChange)
    .where(
      and(eq(catalogChange.productId, productId), inArray(catalogChange.state, ['waiting', 'declined', 'reverted'])),
    )

export async function setStates(tx: Tx, ids: readonly number[], state: ChangeState, now: Date): Promise<void> {
  for (const chunk of chunks(ids))
    await tx.update(catalogChange).set({ state, decidedAt: now }).where(inArray(catalogChange.id, chunk))
}

/** In the order they were found. */
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

/** Changes of a sync that decide what is left of a piece, with the rest of the variant and of its product as they are now. */
export const listPriceChanges = (db: Reader, syncId: number) =>
  db
    .select({
      ...{ id: catalogChange.id, kind: catalogChange.kind, before: catalogChange.before, after: catalogChange.after },
      ...{ unitPrice: variant.unitPrice, costCents: variant.costCents },
      ...{ blankId: variant.blankId, productId: catalogChange.productId, metadata: product.metadata },
    })
    .from(catalogChange)
    .innerJoin(product, eq(product.id, catalogChange.productId))
    .leftJoin(variant, eq(variant.id, catalogChange.variantId))
    .where(and(eq(catalogChange.syncId, syncId), inArray(catalogChange.kind, ['new', 'gone', 'price', 'cost'])))
    .orderBy(asc(catalogChange.id))

export async function countUndecidedChanges(db: Reader): Promise<Map<number, number>> {
  const rows = await db
    .select({ syncId: catalogChange.syncId, count: sql<number>`count(*)::int` })
    .from(catalogChange)
    .where(eq(catalogChange.state, 'waiting'))
    .groupBy(catalogChange.syncId)
    .orderBy(asc(catalogChange.syncId))
  return new Map(rows.map(({ syncId, count }) => [syncId, count]))
}

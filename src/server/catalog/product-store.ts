import { and, asc, desc, eq, ilike, inArray, sql } from 'drizzle-orm'
import type { ProductContent, ProductPicture } from '#domain/catalog/product-content.ts'
import type { ProductId, SyncProductId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { containsPattern } from '#server/db/like.ts'
import { saveRows } from '#server/db/save-rows.ts'
import { formerSlug, product, productPicture } from './schema.ts'

// Products as owners and files know them: their content by id, read and written whole.

export type StoredContent = { version: number; content: ProductContent }

export const listProductIds = async (db: Reader): Promise<ProductId[]> =>
  (await db.select({ id: product.id }).from(product).orderBy(asc(product.id))).map(({ id }) => id)

/** @param only all products without it */
export async function readContents(db: Reader, only?: readonly ProductId[]): Promise<Map<ProductId, StoredContent>> {
  const [ofProduct, ofPicture] = only
    ? [
        sql`${product.id} = any (${sql.param([...only])}::int[])`,
        sql`${productPicture.productId} = any (${sql.param([...only])}::int[])`,
      ]
    : []
  const rows = await db.select().from(product).where(ofProduct).orderBy(asc(product.id))
  const pictures = Map.groupBy(
    await db
      .select()
      .from(productPicture)
      .where(ofPicture)
      .orderBy(asc(productPicture.productId), asc(productPicture.position)),
    ({ productId }) => productId,
  )
  return new Map(
    rows.map((row) => [
      row.id,
      {
        version: row.version,
        content: {
          slug: row.slug,
          externalId: row.externalId,
          name: row.name,
          description: row.description,
          collection: row.collection,
          type: row.type,
          badge: row.badge,
          metadata: row.metadata,
          requiresOptions: row.requiresOptions,
          providerProductId: row.providerProductId,
          colors: row.colors,
          pictures: (pictures.get(row.id) ?? []).map(({ alt, avif, ...picture }) => toPicture(picture, alt, avif)),
          place: row.place,
          state: row.state,
          publishAt: row.publishAt?.toISOString() ?? null,
        },
      },
    ]),
  )
}

/** Without what most pictures lack, so that a version from before those members were added is no change. */
const toPicture = (
  { view, color, file, widths, width, height }: Omit<typeof productPicture.$inferSelect, 'alt' | 'avif'>,
  alt: string | null,
  avif: boolean,
): ProductPicture => ({
  ...{ view, color, file, widths, width, height },
  ...(alt !== null && { alt }),
  ...(avif && { avif }),
})

/** Waits for a concurrent save of the product, and makes others wait until the transaction ends. */
export async function lockContent(tx: Tx, id: ProductId): Promise<StoredContent | undefined> {
  await tx.select({ id: product.id }).from(product).where(eq(product.id, id)).for('update')
  return (await readContents(tx, [id])).get(id)
}

/** One import at a time, and no edit during it. */
export const lockAllProducts = (tx: Tx) => tx.execute(sql`lock table product in share row exclusive mode`)

export type ContentToSave = StoredContent & { id: ProductId; before: ProductContent | undefined }

/** Creates and changes products. The caller has locked them, and checked that slugs are unique. */
export async function writeContents(tx: Tx, saves: readonly ContentToSave[], now: Date): Promise<void> {
  await freeUniqueValues(tx, saves)
  await saveRows(
    tx,
    product,
    saves.map(({ id, version, content: { pictures: _pictures, publishAt, ...content } }) => ({
      ...content,
      id,
      version,
      providerProductId: content.providerProductId as SyncProductId | null,
      publishAt: publishAt === null ? null : new Date(publishAt),
      updatedAt: now,
    })),
    ['id'],
  )
  await rememberSlugs(tx, saves)
  await replacePictures(
    tx,
    saves.filter(({ before, content }) => JSON.stringify(before?.pictures) !== JSON.stringify(content.pictures)),
  )
}

/** Slugs and mappings may move between products, and the unique constraints are checked row by row. */
async function freeUniqueValues(tx: Tx, saves: readonly ContentToSave[]): Promise<void> {
  const idsWith = (name: 'slug' | 'providerProductId') =>
    saves.flatMap(({ id, before, content }) => (before && before[name] !== content[name] ? id : []))
  const [renamed, remapped] = [idsWith('slug'), idsWith('providerProductId')]
  if (renamed.length)
    await tx
      .update(product)
      .set({ slug: sql`'-' || ${product.id}` })
      .where(inArray(product.id, renamed))
  if (remapped.length) await tx.update(product).set({ providerProductId: null }).where(inArray(product.id, remapped))
}

async function rememberSlugs(tx: Tx, saves: readonly ContentToSave[]): Promise<void> {
  const slugs = saves.map(({ content }) => content.slug)
  await tx.delete(formerSlug).where(sql`${formerSlug.slug} = any (${sql.param(slugs)}::text[])`)
  const former = saves.flatMap(({ id, before, content: { slug } }) =>
    before && before.slug !== slug && !slugs.includes(before.slug) ? { slug: before.slug, productId: id } : [],
  )
  await saveRows(tx, formerSlug, former, ['slug'])
}

export type FormerSlug = typeof formerSlug.$inferSelect

/** @param only all products without it */
export const readFormerSlugs = (db: Reader, only?: readonly ProductId[]): Promise<FormerSlug[]> =>
  db
    .select()
    .from(formerSlug)
    .where(only && sql`${formerSlug.productId} = any (${sql.param([...only])}::int[])`)
    .orderBy(asc(formerSlug.productId), asc(formerSlug.slug))

/** The caller has checked that no product has them. */
export const saveFormerSlugs = (tx: Tx, rows: readonly FormerSlug[]): Promise<void> =>
  saveRows(tx, formerSlug, rows, ['slug'])

async function replacePictures(tx: Tx, saves: readonly ContentToSave[]): Promise<void> {
  const ids = saves.map(({ id }) => id)
  await tx.delete(productPicture).where(sql`${productPicture.productId} = any (${sql.param(ids)}::int[])`)
  const rows = saves.flatMap(({ id, content }) =>
    content.pictures.map((picture, position) => ({
      ...picture,
      alt: picture.alt ?? null,
      avif: picture.avif ?? false,
      productId: id,
      position,
    })),
  )
  await saveRows(tx, productPicture, rows)
}

/** Products that have these slugs, or had them before, by slug. */
export async function listSlugOwners(db: Reader, slug: string): Promise<ProductId[]> {
  const now = await db.select({ id: product.id }).from(product).where(eq(product.slug, slug))
  const before = await db.select({ id: formerSlug.productId }).from(formerSlug).where(eq(formerSlug.slug, slug))
  return [...now, ...before].map(({ id }) => id)
}

/** The ids of products made in the shop; smaller ones are those of files. */
const FIRST_OWN_ID = 1_000_001

/** The caller holds `lockAllProducts`, or creates one product in its transaction and retries. */
export async function nextProductId(db: Reader): Promise<ProductId> {
  const [last] = await db.select({ id: product.id }).from(product).orderBy(desc(product.id)).limit(1)
  return Math.max(FIRST_OWN_ID, (last?.id ?? 0) + 1) as ProductId
}

/** Scheduled products whose time has come, locked; those another instance is publishing are left to it. */
export const lockDueProducts = (tx: Tx, now: Date): Promise<{ id: ProductId }[]> =>
  tx
    .select({ id: product.id })
    .from(product)
    .where(sql`${product.state} = 'scheduled' and ${product.publishAt} <= ${now.toISOString()}::timestamptz`)
    .orderBy(asc(product.id))
    .for('update', { skipLocked: true })

/** All products in any state, by id, with the price of the cheapest variant. */
export const listForOwner = (db: Reader, after: ProductId | undefined, limit: number) =>
  db
    .select({
      product,
      // Drizzle would write the product's id without its table, which here is the variant's own.
      from: sql<
        number | null
      >`(select min(v.unit_price_cents) from variant v where v.product_id = product.id and v.gone_at is null)`.mapWith(
        Number,
      ),
    })
    .from(product)
    .where(after === undefined ? undefined : sql`${product.id} > ${after}`)
    .orderBy(asc(product.id))
    .limit(limit)

/** By part of the name. The first condition has an index. */
export const listNamed = (db: Reader, text: string, limit: number) =>
  db
    .select({ id: product.id, name: product.name, state: product.state })
    .from(product)
    .where(
      and(
        sql`lower(${product.name} || ' ' || ${product.description}) like ${containsPattern(text.toLowerCase())}`,
        ilike(product.name, containsPattern(text)),
      ),
    )
    .orderBy(desc(product.id))
    .limit(limit)

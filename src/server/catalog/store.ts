import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import { applyOverride, type FileValues, type Override } from '#domain/catalog/overrides.ts'
import type { SearchTerm } from '#domain/catalog/search-terms.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { copiedPicture, product, productOverride, productPicture, setting, variant } from '#server/db/schema.ts'
import type { ProductToImport } from './catalog-file.ts'

export type StoredProduct = typeof product.$inferSelect
type StoredPicture = typeof productPicture.$inferSelect
export type StoredVariant = typeof variant.$inferSelect
/** A partner's picture that we keep a copy of. */
type CopiedPicture = { file: string; sourceUrl: string }
/** A product with all that a page shows of it. */
export type ProductWithVariants = {
  product: StoredProduct
  pictures: Omit<StoredPicture, 'productId' | 'position'>[]
  variants: StoredVariant[]
  copies: CopiedPicture[]
}

// ---- reading

/** Visible products with their pictures and the variants that the partner still has. */
export async function listProductsWithVariants(db: Reader, only: readonly ProductId[]): Promise<ProductWithVariants[]> {
  const products = await db
    .select()
    .from(product)
    .where(and(eq(product.visible, true), inArray(product.id, [...only])))
    .orderBy(asc(product.id))
  const ids = products.map(({ id }) => id)
  if (!ids.length) return []
  const pictures = await db
    .select()
    .from(productPicture)
    .where(inArray(productPicture.productId, ids))
    .orderBy(asc(productPicture.productId), asc(productPicture.position))
  const variants = await db
    .select()
    .from(variant)
    .where(and(inArray(variant.productId, ids), isNull(variant.goneAt)))
    .orderBy(asc(variant.productId), asc(variant.position))
  const pictured = new Set(pictures.map(({ productId }) => productId))
  const copies = await listCopies(
    db,
    variants.flatMap(({ productId, previewUrl }) => (pictured.has(productId) ? [] : (previewUrl ?? []))),
  )
  const picturesOf = Map.groupBy(pictures, ({ productId }) => productId)
  const variantsOf = Map.groupBy(variants, ({ productId }) => productId)
  const copyOf = new Map(copies.map((copy) => [copy.sourceUrl, copy]))
  return products.map((one) => {
    const own = variantsOf.get(one.id) ?? []
    return {
      product: one,
      pictures: picturesOf.get(one.id) ?? [],
      variants: own,
      copies: own.flatMap(({ previewUrl }) => (previewUrl && copyOf.get(previewUrl)) || []),
    }
  })
}

/** Copies of the partner's previews, which stand in where there is no picture of our own. */
async function listCopies(db: Reader, previews: readonly string[]): Promise<CopiedPicture[]> {
  if (!previews.length) return []
  return db
    .select({ file: copiedPicture.file, sourceUrl: copiedPicture.sourceUrl })
    .from(copiedPicture)
    .where(inArray(copiedPicture.sourceUrl, [...new Set(previews)]))
}

export async function findProduct(db: Reader, id: ProductId): Promise<StoredProduct | undefined> {
  const [found] = await db
    .select()
    .from(product)
    .where(and(eq(product.id, id), eq(product.visible, true)))
  return found
}

export async function findProductByProviderId(db: Reader, id: SyncProductId): Promise<StoredProduct | undefined> {
  const [found] = await db
    .select()
    .from(product)
    .where(and(eq(product.providerProductId, id), eq(product.visible, true)))
  return found
}

/** The variants that the partner still has, sold out or not. */
export const listVariants = (db: Reader, productId: ProductId): Promise<StoredVariant[]> =>
  db
    .select()
    .from(variant)
    .where(and(eq(variant.productId, productId), isNull(variant.goneAt)))
    .orderBy(asc(variant.position))

/** Variants as they stand with their product's own pictures, gone ones and those of invisible products too. */
export const listVariantsWithProducts = (db: Reader, ids: readonly VariantId[]) =>
  db
    .select({
      variant,
      product,
      pictures: sql<ProductWithVariants['pictures']>`(
        select coalesce(json_agg(json_build_object('file', f.file, 'widths', f.widths, 'width', f.width,
          'height', f.height, 'view', f.view, 'color', f.color) order by f.position), '[]')
        from product_picture f where f.product_id = ${product.id})`,
    })
    .from(variant)
    .innerJoin(product, eq(product.id, variant.productId))
    // One parameter, so that carts of every size are the same statement.
    .where(sql`${variant.id} = any(${sql.param([...ids])}::bigint[])`)

/** Products without a picture of our own, for which the partner's previews stand in. */
export const listProductsWithoutPictures = (db: Reader): Promise<{ id: ProductId }[]> =>
  db
    .select({ id: product.id })
    .from(product)
    .leftJoin(productPicture, eq(productPicture.productId, product.id))
    .where(isNull(productPicture.productId))

/** Addresses of previews that are not copied yet. */
export async function listUncopiedPreviews(db: Reader, products: ProductId[]): Promise<string[]> {
  if (!products.length) return []
  const rows = await db
    .selectDistinct({ url: variant.previewUrl })
    .from(variant)
    .leftJoin(copiedPicture, eq(copiedPicture.sourceUrl, variant.previewUrl))
    .where(and(inArray(variant.productId, products), isNull(variant.goneAt), isNull(copiedPicture.file)))
  return rows.flatMap(({ url }) => url ?? [])
}

export async function findCopiedPicture(db: Reader, file: string) {
  const [found] = await db.select().from(copiedPicture).where(eq(copiedPicture.file, file))
  return found
}

/** Whether there is anything that could be sold. */
export const hasVariants = async (db: Reader): Promise<boolean> =>
  (await db.select({ id: variant.id }).from(variant).where(isNull(variant.goneAt)).limit(1)).length > 0

/** Whether the partner was ever copied from. */
export const hasEverHadVariants = async (db: Reader): Promise<boolean> =>
  (await db.select({ id: variant.id }).from(variant).limit(1)).length > 0

export async function findSetting(db: Reader, name: string): Promise<string | undefined> {
  const [found] = await db.select().from(setting).where(eq(setting.name, name))
  return found?.value
}

/**
 * How generously words are taken: as words of the language in any form (`hats`), also as beginnings of words (`sherl`), also as
 * what looks much alike (`portriat`).
 */
export type Reading = 'words' | 'beginnings' | 'lookalikes'

// Generated columns that only a search reads; the table's type does not name them, so nothing else loads them.
const searchWordsColumn = sql.raw('product.search_words')
const searchNamesColumn = sql.raw('product.search_names')

const searchLetters = sql.raw(`lower(product.name || ' ' || product.description)`)

const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`

const asPhrases = ({ text, alike }: SearchTerm): SQL =>
  sql`(${sql.join(
    [text, ...alike].map((one) => sql`phraseto_tsquery('english', ${one})`),
    sql` || `,
  )})`

/** A query of letters and digits alone: nothing in it is an operator of the search language. */
const asBeginning = ({ text }: SearchTerm): SQL | undefined =>
  /^[\p{L}\p{N}]{2,}$/u.test(text) ? sql`to_tsquery('english', ${`${text}:*`})` : undefined

const LOOKALIKE_LENGTH_MIN = 4

/** What can be looked for letter by letter without reading every product: their index knows three letters in a row. */
const isIndexed = ({ text }: SearchTerm): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/** The ways in which a product can have a term. */
function matchConditions(term: SearchTerm, reading: Reading, isWhole: boolean): SQL[] {
  const ways = [
    // A word of which the language makes nothing, such as `who`, is looked for as it stands.
    (term.literal || reading === 'words') && (isWhole || isIndexed(term))
      ? sql`(${term.literal ? sql`true` : sql`numnode(${asPhrases(term)}) = 0`} and ${searchLetters} like ${containsPattern(term.text)})`
      : undefined,
    term.literal ? undefined : sql`${searchWordsColumn} @@ ${asPhrases(term)}`,
    term.types.length ? inArray(product.type, [...term.types]) : undefined,
    term.collections.length ? inArray(product.collection, [...term.collections]) : undefined,
  ]
  if (!term.literal && reading !== 'words') {
    const beginning = asBeginning(term)
    ways.push(beginning && sql`${searchWordsColumn} @@ ${beginning}`)
  }
  if (!term.literal && reading === 'lookalikes' && term.text.length >= LOOKALIKE_LENGTH_MIN)
    ways.push(sql`${term.text} <% ${searchNamesColumn}`)
  return ways.filter((way) => way !== undefined)
}

/** Of words in the description (C), the kind and colors (B) and the name (A); D is not used. */
const weights = sql.raw(`'{0, 0.1, 0.4, 1}'::real[]`)

/** Kinds of goods that were named count most, then words in the name, its kind and colors, the description. */
function rankOf(term: SearchTerm): SQL {
  const beginning = asBeginning(term)
  const phrases = term.literal ? sql`''::tsquery` : asPhrases(term)
  return sql.join(
    [
      sql`ts_rank(${weights}, ${searchWordsColumn}, ${phrases})`,
      ...(beginning ? [sql`ts_rank(${weights}, ${searchWordsColumn}, ${beginning}) / 4`] : []),
      ...(term.types.length ? [sql`case when ${inArray(product.type, [...term.types])} then 1 else 0 end`] : []),
      sql`word_similarity(${term.text}, ${searchNamesColumn}) / 8`,
    ],
    sql` + `,
  )
}

/** Whether a product has every one of the terms. @param isWhole whether the catalog is small enough to read all of it */
export const hasTerms = (terms: readonly SearchTerm[], reading: Reading, isWhole: boolean): SQL | undefined =>
  and(...terms.map((term) => or(...matchConditions(term, reading, isWhole)) ?? sql`false`))

/** So many that fit are ranked, and no more. */
export const MATCHES_MAX = 1000

/** Of a large catalog: visible products that have every one of the terms, in no order, `MATCHES_MAX` and one at most. */
export const listMatches = async (db: Reader, terms: readonly SearchTerm[]): Promise<ProductId[]> =>
  (
    await db
      .select({ id: product.id })
      .from(product)
      .where(and(eq(product.visible, true), hasTerms(terms, 'words', false)))
      .limit(MATCHES_MAX + 1)
  ).map(({ id }) => id)

/** Visible products that have every one of the terms. @returns how well each fits, by its id; small differences do not count */
export async function findMatches(
  db: Reader,
  terms: readonly SearchTerm[],
  reading: Reading,
  isWhole: boolean,
): Promise<Map<ProductId, number>> {
  if (!terms.length) return new Map()
  const rows = await db
    .select({ id: product.id, rank: sql<number>`round((${sql.join(terms.map(rankOf), sql` + `)})::numeric, 1)::real` })
    .from(product)
    .where(and(eq(product.visible, true), hasTerms(terms, reading, isWhole)))
    .limit(MATCHES_MAX + 1)
  return new Map(rows.map(({ id, rank }) => [id, rank]))
}

// ---- writing

export async function saveSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx.insert(setting).values({ name, value }).onConflictDoUpdate({ target: setting.name, set: { value } })
}

/** On conflict the new row's value. */
const incoming = (column: string) => sql.raw(`excluded.${column}`)

const inFileOf = ({ badge, description, metadata }: ProductToImport) => ({
  badge,
  description,
  visible: true,
  metadata,
})

/** A statement takes 65,535 values at most. */
const ROWS_AT_ONCE = 500

function* chunks<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) yield rows.slice(first, first + ROWS_AT_ONCE)
}

/** What the owner's words make of the file's is written at once: whoever reads products need not know of either. */
export async function upsertProducts(tx: Tx, products: readonly ProductToImport[], now: Date): Promise<void> {
  const overrides = new Map((await tx.select().from(productOverride)).map((row) => [row.productId, row]))
  // Mappings may have moved from one product to another; the constraint looks at each row by itself.
  await tx.update(product).set({ providerProductId: null }).where(isNotNull(product.providerProductId))
  for (const some of chunks(products)) await upsertSome(tx, some, overrides, now)
}

async function upsertSome(
  tx: Tx,
  products: readonly ProductToImport[],
  overrides: ReadonlyMap<ProductId, Override>,
  now: Date,
): Promise<void> {
  await tx
    .insert(product)
    .values(
      products.map((one) => {
        const inFile = inFileOf(one)
        return { ...one, ...applyOverride(inFile, overrides.get(one.id)), inFile, updatedAt: now }
      }),
    )
    .onConflictDoUpdate({
      target: product.id,
      set: {
        slug: incoming('slug'),
        name: incoming('name'),
        description: incoming('description'),
        collection: incoming('collection'),
        type: incoming('type'),
        badge: incoming('badge'),
        rating: incoming('rating'),
        reviewCount: incoming('review_count'),
        metadata: incoming('metadata'),
        requiresOptions: incoming('requires_options'),
        providerProductId: incoming('provider_product_id'),
        colors: incoming('colors'),
        visible: incoming('visible'),
        place: incoming('place'),
        inFile: incoming('in_file'),
        updatedAt: incoming('updated_at'),
      },
    })
}

/** @returns how many were visible until now */
export async function hideOthers(tx: Tx, ids: readonly ProductId[], now: Date): Promise<number> {
  const hidden = await tx
    .update(product)
    .set({ visible: false, inFile: sql`${product.inFile} || '{"visible": false}'::jsonb`, updatedAt: now })
    .where(and(eq(product.visible, true), sql`${product.id} <> all (${sql.param([...ids])}::int[])`))
    .returning({ id: product.id })
  return hidden.length
}

export async function replacePictures(tx: Tx, products: readonly ProductToImport[]): Promise<void> {
  const ids = products.map(({ id }) => id)
  await tx.delete(productPicture).where(sql`${productPicture.productId} = any (${sql.param(ids)}::int[])`)
  const rows = products.flatMap(({ id, pictures }) =>
    pictures.map((picture, position) => ({ ...picture, productId: id, position })),
  )
  for (const some of chunks(rows)) await tx.insert(productPicture).values(some)
}

export async function addCopiedPicture(tx: Tx, picture: typeof copiedPicture.$inferInsert): Promise<void> {
  await tx.insert(copiedPicture).values(picture).onConflictDoNothing()
}

// ---- the owner's words

export async function lockProduct(tx: Tx, id: ProductId): Promise<StoredProduct | undefined> {
  const [found] = await tx.select().from(product).where(eq(product.id, id)).for('update')
  return found
}

export async function findOverride(db: Reader, id: ProductId): Promise<Override | undefined> {
  const [found] = await db.select().from(productOverride).where(eq(productOverride.productId, id))
  return found
}

export async function saveOverride(tx: Tx, id: ProductId, override: Override, now: Date): Promise<void> {
  const set = { ...override, updatedAt: now }
  await tx
    .insert(productOverride)
    .values({ productId: id, ...set })
    .onConflictDoUpdate({ target: productOverride.productId, set })
}

export async function setProductDisplay(
  tx: Tx,
  id: ProductId,
  { badge, description, visible, place, metadata }: FileValues & { place: number | null },
  now: Date,
): Promise<void> {
  await tx
    .update(product)
    .set({ badge, description, visible, place, metadata, updatedAt: now })
    .where(eq(product.id, id))
}

/** Every product, shown or not, in the order of their ids. */
export const listForOwner = (db: Reader, after: ProductId | undefined, limit: number) =>
  db
    .select({
      product,
      override: productOverride,
      from: sql<
        number | null
      >`(select min(v.unit_price_cents) from variant v where v.product_id = ${product.id} and v.gone_at is null)`.mapWith(
        Number,
      ),
    })
    .from(product)
    .leftJoin(productOverride, eq(productOverride.productId, product.id))
    .where(after === undefined ? undefined : gt(product.id, after))
    .orderBy(asc(product.id))
    .limit(limit)

import { and, asc, eq, inArray, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SearchTerm } from '#domain/catalog/search-terms.ts'
import type { ProductId, SyncProductId, VariantId } from '#shared/ids.ts'
import { PLANNED_FOR_ITS_VALUES, type Reader } from '#server/db/db.ts'
import { findPrinterPictures, type PrinterPictures } from '#server/pictures/pictures.ts'
import { product, productPicture, variant } from '#server/catalog/schema.ts'

export type StoredProduct = typeof product.$inferSelect
type StoredPicture = typeof productPicture.$inferSelect
export type StoredVariant = typeof variant.$inferSelect
/** A product with everything its page shows. */
export type ProductWithVariants = {
  product: StoredProduct
  pictures: Omit<StoredPicture, 'productId' | 'position'>[]
  variants: StoredVariant[]
  /** The printer's previews in our own sizes, by their address there; shown for products without a picture of our own. */
  copies: PrinterPictures
  /** Undefined without a published review. */
  rating: Rating | undefined
}

/** The average of a product's published reviews, out of 5 with one decimal, and their number. */
type Rating = { rating: number; reviewCount: number }

/** Visible products with their pictures and the variants that the printer still has. */
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
  const copies = await findPrinterPictures(
    db,
    variants.flatMap(({ productId, previewUrl }) => (pictured.has(productId) ? [] : (previewUrl ?? []))),
  )
  const ratings = await readRatings(db, ids)
  const picturesOf = Map.groupBy(pictures, ({ productId }) => productId)
  const variantsOf = Map.groupBy(variants, ({ productId }) => productId)
  return products.map((row) => {
    const own = variantsOf.get(row.id) ?? []
    return {
      product: row,
      pictures: picturesOf.get(row.id) ?? [],
      variants: own,
      copies,
      rating: ratings.get(row.id),
    }
  })
}

/** From the view that the area of reviews keeps for all others. */
async function readRatings(db: Reader, ids: readonly ProductId[]): Promise<Map<ProductId, Rating>> {
  const { rows } = await db.execute<{ id: ProductId; rating: string; count: number }>(sql`
    select product_id as id, rating, review_count as count from product_rating
    where product_id = any(${sql.param([...ids])}::int[])`)
  return new Map(rows.map(({ id, rating, count }) => [id, { rating: Number(rating), reviewCount: count }]))
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

export const listIdsOfCollection = async (db: Reader, id: string): Promise<ProductId[]> =>
  (await db.select({ id: product.id }).from(product).where(eq(product.collection, id))).map((row) => row.id)

export const listNames = async (db: Reader, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map(
    (
      await db
        .select({ id: product.id, name: product.name })
        .from(product)
        .where(sql`${product.id} = any(${sql.param([...ids])}::int[])`)
    ).map(({ id, name }) => [id, name]),
  )

export const listTypes = async (db: Reader, ids: readonly ProductId[]): Promise<Map<ProductId, string>> =>
  new Map(
    (
      await db
        .select({ id: product.id, type: product.type })
        .from(product)
        .where(inArray(product.id, [...ids]))
    ).map(({ id, type }) => [id, type]),
  )

/** The variants that the printer still has, including sold-out ones. */
export const listVariants = (db: Reader, productId: ProductId): Promise<StoredVariant[]> =>
  db
    .select()
    .from(variant)
    .where(and(eq(variant.productId, productId), isNull(variant.goneAt)))
    .orderBy(asc(variant.position))

/** Variants with their product and its own pictures, including discontinued variants and hidden products. */
export const listVariantsWithProducts = (db: Reader, ids: readonly VariantId[]) =>
  db
    .select({
      variant,
      product,
      pictures: sql<ProductWithVariants['pictures']>`(
        select coalesce(json_agg(json_build_object('file', f.file, 'widths', f.widths, 'width', f.width,
          'height', f.height, 'view', f.view, 'color', f.color, 'alt', f.alt, 'avif', f.avif) order by f.position), '[]')
        from product_picture f where f.product_id = ${product.id})`,
    })
    .from(variant)
    .innerJoin(product, eq(product.id, variant.productId))
    // A single parameter keeps the statement the same for carts of any size.
    .where(sql`${variant.id} = any(${sql.param([...ids])}::bigint[])`)

/** Products without a picture of our own; they show the printer's previews. */
export const listProductsWithoutPictures = (db: Reader): Promise<{ id: ProductId }[]> =>
  db
    .select({ id: product.id })
    .from(product)
    .leftJoin(productPicture, eq(productPicture.productId, product.id))
    .where(isNull(productPicture.productId))

/** Addresses of the printer's previews. */
export async function listPreviews(db: Reader, products: ProductId[]): Promise<string[]> {
  if (!products.length) return []
  const rows = await db
    .selectDistinct({ url: variant.previewUrl })
    .from(variant)
    .where(and(inArray(variant.productId, products), isNull(variant.goneAt)))
  return rows.flatMap(({ url }) => url ?? [])
}

/** Addresses of previews that we have not taken over yet. */
export async function listUncopiedPreviews(db: Reader, products: ProductId[]): Promise<string[]> {
  const urls = await listPreviews(db, products)
  const known = await findPrinterPictures(db, urls)
  return urls.filter((url) => !known.has(url))
}

/** Whether there is anything to sell. */
export const hasVariants = async (db: Reader): Promise<boolean> =>
  (await db.select({ id: variant.id }).from(variant).where(isNull(variant.goneAt)).limit(1)).length > 0

/** Whether a sync has ever brought variants. */
export const hasEverHadVariants = async (db: Reader): Promise<boolean> =>
  (await db.select({ id: variant.id }).from(variant).limit(1)).length > 0

/**
 * How loosely words match: `words` in any grammatical form (`hats`), then also `beginnings` of words (`sherl`), then also
 * `lookalikes` (`portriat`).
 */
export type MatchMode = 'words' | 'beginnings' | 'lookalikes'

// Generated columns for search only; the table's type leaves them out, so other queries do not load them.
const searchWordsColumn = sql.raw('product.search_words')
const searchNamesColumn = sql.raw('product.search_names')

const searchLetters = sql.raw(`lower(product.name || ' ' || product.description)`)

const asPhrases = ({ text, alike }: SearchTerm): SQL =>
  sql`(${sql.join(
    [text, ...alike].map((phrase) => sql`phraseto_tsquery('english', ${phrase})`),
    sql` || `,
  )})`

/** Only for letters and digits, which cannot be operators of tsquery. */
const asBeginning = ({ text }: SearchTerm): SQL | undefined =>
  /^[\p{L}\p{N}]{2,}$/u.test(text) ? sql`to_tsquery('english', ${`${text}:*`})` : undefined

const LOOKALIKE_LENGTH_MIN = 4

/** The trigram index needs three letters in a row. Any other text is searched in the first products of the list only. */
const SEARCHED_WITHOUT_INDEX = 1000

function containsLetters({ text }: SearchTerm): SQL {
  const pattern = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`
  const isIndexed = /[\p{L}\p{N}]{3}/u.test(text)
  return isIndexed
    ? sql`${searchLetters} like ${pattern}`
    : sql`(${searchLetters} like ${pattern} and ${product.id} in (
        select product_id from listed_product order by listing_key, product_id limit ${SEARCHED_WITHOUT_INDEX}))`
}

const hasSize = ({ sizes }: SearchTerm): SQL =>
  sql`${product.id} in (select product_id from variant where gone_at is null and size = any(${sql.param([...sizes])}::text[]))`

function matchConditions(term: SearchTerm, reading: MatchMode): SQL[] {
  if (term.sizes.length > 0) return [hasSize(term)]
  const conditions = [
    term.literal ? containsLetters(term) : undefined,
    // A stop word such as `who` has no lexemes, so it is matched literally.
    !term.literal && reading === 'words'
      ? sql`(numnode(${asPhrases(term)}) = 0 and ${containsLetters(term)})`
      : undefined,
    term.literal ? undefined : sql`${searchWordsColumn} @@ ${asPhrases(term)}`,
    term.types.length ? inArray(product.type, [...term.types]) : undefined,
    term.collections.length ? inArray(product.collection, [...term.collections]) : undefined,
  ]
  if (!term.literal && reading !== 'words') {
    const beginning = asBeginning(term)
    conditions.push(beginning && sql`${searchWordsColumn} @@ ${beginning}`)
  }
  if (!term.literal && reading === 'lookalikes' && term.text.length >= LOOKALIKE_LENGTH_MIN)
    conditions.push(sql`${term.text} <% ${searchNamesColumn}`)
  return conditions.filter((condition) => condition !== undefined)
}

/** Weights of D (unused), description (C), type and colors (B), and name (A). */
const weights = sql.raw(`'{0, 0.1, 0.4, 1}'::real[]`)

/** A named product type counts most, then words in the name, in type and colors, in the description. `similarityOf` is added. */
function rankOf(term: SearchTerm): SQL {
  const beginning = asBeginning(term)
  const phrases = term.literal ? sql`''::tsquery` : asPhrases(term)
  return sql.join(
    [
      sql`ts_rank(${weights}, ${searchWordsColumn}, ${phrases})`,
      ...(beginning ? [sql`ts_rank(${weights}, ${searchWordsColumn}, ${beginning}) / 4`] : []),
      ...(term.types.length ? [sql`case when ${inArray(product.type, [...term.types])} then 1 else 0 end`] : []),
    ],
    sql` + `,
  )
}

/** How similar a word of the names is, as a part of the rank. It is 1 for the same word, which costs a tenth of comparing trigrams. */
function similarityOf({ text }: SearchTerm): SQL {
  const similarity = sql`word_similarity(${text}, f.search_names)`
  return /^[a-z0-9]+(?: [a-z0-9]+)*$/.test(text)
    ? sql`case when f.search_names ~ ${String.raw`\m${text}\M`} then 1::real else ${similarity} end / 8`
    : sql`${similarity} / 8`
}

/** The sizes of all variants that the printer has. Jumps along the index from size to size. */
export async function listSizes(db: Reader): Promise<string[]> {
  const { rows } = await db.execute<{ size: string }>(sql`
    with recursive known (size) as (
      select min(size) from variant where gone_at is null
      union all
      select (select min(v.size) from variant v where v.gone_at is null and v.size > known.size)
      from known where known.size is not null)
    select size from known where size is not null`)
  return rows.map(({ size }) => size)
}

/** Whether a product matches every term; a term with sizes, by a variant of such a size. */
export const hasTerms = (terms: readonly SearchTerm[], reading: MatchMode): SQL | undefined =>
  and(...terms.map((term) => or(...matchConditions(term, reading)) ?? sql`false`))

/** At most this many matches are ranked. */
export const MATCHES_MAX = 1000

/** Visible products that match every term, unordered; `MATCHES_MAX` plus one at most. */
export const listMatches = async (db: Reader, terms: readonly SearchTerm[]): Promise<ProductId[]> =>
  (
    await db
      .select({ id: product.id })
      .from(product)
      .where(and(eq(product.visible, true), hasTerms(terms, 'words')))
      .limit(MATCHES_MAX + 1)
  ).map(({ id }) => id)

export type Match = { id: ProductId; collection: string }

const sumOf = (parts: readonly SQL[]): SQL => sql.join([sql`0`, ...parts], sql` + `)

/** Numbers of products by collection. */
export type Group = { collection: string; count: number }

/** `matches`: the best first. Of more than `MATCHES_MAX`, those that were asked for; then `isMore`. `groups`: the best match's first. */
export type Matches = { matches: Match[]; groups: Group[]; isMore: boolean }

/** Equal ranks: differences of less than a tenth do not count. A numeric would round the same, and take five times as long. */
const inTenths = (rank: SQL): SQL => sql`floor((${rank}) * 10 + 0.500000001)`

/**
 * Listed products that match every term, the best first: by rank, then by collection, then as in the list. Of more than `MATCHES_MAX` the
 * newest are ranked, without similarity, and equal ones are sorted by collection and age: comparing spellings and looking up places in the
 * list would take most of the time; a product without anything to sell leaves a gap among them. Of lookalikes any are ranked, because each
 * has to be compared.
 * @param query `within` limits it to these products; `upTo` is how many of many are returned
 * @param collections in the order of the shop
 */
export async function rankMatches(
  db: Reader,
  query: { terms: readonly SearchTerm[]; reading: MatchMode; within?: SQLWrapper | undefined; upTo: number },
  collections: readonly string[],
): Promise<Matches> {
  const { terms, reading, within, upTo } = query
  if (!terms.length) return { matches: [], groups: [], isMore: false }
  const words = terms.filter(({ sizes }) => sizes.length === 0)
  const { rows } = await db.execute<{ matches: [ProductId, string][]; counts: [string, number][]; is_more: boolean }>(
    sql`
    with found as materialized (
      select ${product.id}, ${product.collection}, ${searchNamesColumn}, ${sumOf(words.map(rankOf))} as rank from ${product}
      where ${product.visible} and ${hasTerms(terms, reading)} ${within && sql`and ${product.id} in ${within}`}
      ${reading === 'lookalikes' ? undefined : sql`order by ${product.id} desc`} limit ${MATCHES_MAX + 1}
    ), counted as materialized (select count(*) > ${MATCHES_MAX} as is_more from found
    ), listed as materialized (
      select f.*, c.is_more, l.listing_key from found f cross join counted c
      left join lateral (select listing_key from listed_product where product_id = f.id and not c.is_more offset 0) l on true
      where c.is_more or l.listing_key is not null)
    select (select is_more from counted),
      (select coalesce(json_agg(json_build_array(best.id, best.collection)), '[]') from (
        select f.id, f.collection from listed f
        order by ${inTenths(sql`f.rank + case when f.is_more then 0 else ${sumOf(words.map(similarityOf))} end`)} desc,
          array_position(${sql.param([...collections])}::text[], f.collection), f.listing_key,
          case when f.is_more then -f.id else f.id end
        limit (select case when is_more then least(${upTo}::int, ${MATCHES_MAX}) else ${MATCHES_MAX} end from counted)
      ) best) as matches,
      (select coalesce(json_agg(json_build_array(g.collection, g.count)), '[]') from (
        select collection, count(*) as count from listed group by collection
        order by array_position(${sql.param([...collections])}::text[], collection)) g) as counts${PLANNED_FOR_ITS_VALUES}`,
  )
  const [{ matches, counts, is_more: isMore } = { matches: [], counts: [], is_more: false }] = rows
  const count = new Map(counts)
  const bestFirst = new Set([...matches.map(([, collection]) => collection), ...count.keys()])
  return {
    matches: matches.map(([id, collection]) => ({ id, collection })),
    groups: [...bestFirst].map((collection) => ({ collection, count: count.get(collection) ?? 0 })),
    isMore,
  }
}

import {
  and,
  arrayOverlaps,
  asc,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  lt,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import { BEST_SELLER } from '#domain/catalog/badge.ts'
import type { FacetChoice } from '#domain/catalog/facets.ts'
import type { ListSort } from '#domain/catalog/list-sort.ts'
import type { SearchTerm } from '#domain/catalog/search-terms.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { facetCount, formerSlug, listedProduct, product } from '#server/catalog/schema.ts'
import { hasTerms, type MatchMode } from './store.ts'

export const PRODUCT_ID_MAX = 2 ** 31 - 1

/** Filters of a list. @property ids limits it to these products */
export type ListFilter = {
  collection?: string | undefined
  /** Any of these; empty means all. */
  collections?: readonly string[]
  terms?: readonly SearchTerm[]
  /** How terms match; as words if unset. */
  reading?: MatchMode
  ids?: readonly ProductId[] | undefined
  chosen?: FacetChoice
}

/** A filtered list is counted up to this many products. */
export const COUNT_MAX = 1000

/** Values of one facet are alternatives; different facets must all match. */
function narrowingCondition(
  db: Reader,
  { collection, collections = [], terms = [], reading = 'words', ids, chosen }: ListFilter,
): SQL | undefined {
  const oneOf = (name: string, values: readonly string[]) =>
    values.length > 0
      ? arrayOverlaps(
          listedProduct.facets,
          values.map((value) => `${name}:${value}`),
        )
      : undefined
  const { type = [], color = [], size = [], price = null } = chosen ?? {}
  return and(
    collection === undefined ? undefined : eq(listedProduct.collection, collection),
    collections.length > 0 ? isAny(listedProduct.collection, collections, 'text') : undefined,
    oneOf('type', type),
    oneOf('color', color),
    oneOf('size', size),
    price ? gte(listedProduct.lowestPrice, price.from) : undefined,
    price?.to ? lt(listedProduct.lowestPrice, price.to) : undefined,
    ids && isAny(listedProduct.productId, ids, 'int'),
    terms.length > 0 && !ids
      ? exists(
          db
            .select({ one: sql`1` })
            .from(product)
            .where(and(eq(product.id, listedProduct.productId), hasTerms(terms, reading))),
        )
      : undefined,
  )
}

/** A single parameter keeps the statement the same for lists of any length. */
const isAny = (column: SQLWrapper, values: readonly (string | number)[], type: 'int' | 'text'): SQL =>
  sql`${column} = any(${sql.param([...values])}::${sql.raw(type)}[])`

/** A product's position in the list, for keyset pagination. */
export type ListPosition = { id: ProductId; key: string | number }

/** What lists are sorted by, and then by id. New products have the highest ids. */
const sortColumns = {
  featured: listedProduct.listingKey,
  price: listedProduct.lowestPrice,
  'price-down': listedProduct.lowestPrice,
  newest: listedProduct.productId,
  rating: listedProduct.ratingRank,
} satisfies Record<ListSort, SQLWrapper>

const isDescending = (sort: ListSort): boolean => sort === 'newest' || sort === 'price-down'

export async function findListPosition(
  db: Reader,
  id: ProductId,
  sort: ListSort = 'featured',
): Promise<ListPosition | undefined> {
  if (id > PRODUCT_ID_MAX) return undefined
  const [found] = await db
    .select({ id: listedProduct.productId, key: sql<string | number>`${sortColumns[sort]}` })
    .from(listedProduct)
    .where(eq(listedProduct.productId, id))
  return found
}

type Page = {
  after?: ListPosition | undefined
  before?: ListPosition | undefined
  sort?: ListSort
  limit: number
}

/** One page. @param page the position that it starts after or ends before */
export async function listedPage(
  db: Reader,
  filter: ListFilter,
  { after, before, sort = 'featured', limit }: Page,
): Promise<ListPosition[]> {
  const isReversed = (before === undefined) === isDescending(sort)
  const direction = isReversed ? desc : asc
  const column = sortColumns[sort]
  const position = before ?? after
  // The list is ordered by type: reading each chosen type from its start skips everything in between.
  const types = sort === 'featured' ? (filter.chosen?.type ?? []) : []
  const rest = types.length > 0 && filter.chosen ? { ...filter.chosen, type: [] } : filter.chosen
  const ordered = db
    .select({
      id: sql<ProductId>`${listedProduct.productId}`.as('id'),
      key: sql<string | number>`${column}`.as('key'),
    })
    .from(listedProduct)
    .where(
      and(
        types.length > 0 ? sql`${listedProduct.type} = kind.type` : undefined,
        narrowingCondition(db, { ...filter, ...(rest && { chosen: rest }) }),
        position &&
          sql`(${column}, ${listedProduct.productId}) ${isReversed ? sql`<` : sql`>`} (${position.key}, ${position.id})`,
      ),
    )
    .orderBy(direction(column), direction(listedProduct.productId))
    .limit(limit)
  const rows = types.length > 0 ? await pageOfTypes(db, types, ordered, direction, limit) : await ordered
  return before === undefined ? rows : rows.toReversed()
}

async function pageOfTypes(
  db: Reader,
  types: readonly string[],
  ordered: SQLWrapper,
  direction: typeof asc,
  limit: number,
) {
  const kinds = sql.join(
    types.map((type) => sql`(${type})`),
    sql`, `,
  )
  const { rows } = await db.execute<ListPosition>(sql`
    select listed.id, listed.key from (values ${kinds}) kind (type) cross join lateral ${ordered} listed
    order by ${direction(sql`listed.key`)}, ${direction(sql`listed.id`)} limit ${limit}`)
  return rows
}

/** @param wanted ids, slugs, and slugs that products had before */
export async function findListedIds(db: Reader, wanted: readonly string[]): Promise<ProductId[]> {
  const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= PRODUCT_ID_MAX
  const ids = wanted.filter(isId).map((text) => Number(text) as ProductId)
  const rows = await db
    .select({ id: listedProduct.productId, slug: product.slug })
    .from(listedProduct)
    .innerJoin(product, eq(product.id, listedProduct.productId))
    .where(or(inArray(product.id, ids), inArray(product.slug, [...wanted])))
  const unknown = wanted.filter((text) => !isId(text) && !rows.some(({ slug }) => slug === text))
  const renamed = unknown.length
    ? await db
        .select({ id: listedProduct.productId })
        .from(formerSlug)
        .innerJoin(listedProduct, eq(listedProduct.productId, formerSlug.productId))
        .where(inArray(formerSlug.slug, unknown))
    : []
  return [...rows, ...renamed].map(({ id }) => id)
}

/** Candidates for related products: some of the collection, the first of each type in it, and the same type in other collections. */
export async function listRelatedCandidates(
  db: Reader,
  { collection, type }: { collection: string; type: string },
  count: number,
) {
  const { rows } = await db.execute<{ id: ProductId; collection: string; type: string; available: boolean }>(sql`
    with pets as (select distinct collection from facet_count where count > 0),
      kinds as (select substr(facet, 6) as type from facet_count where collection = ${collection} and facet like 'type:%' and count > 0)
    select l.product_id as id, l.collection, l.type, l.available, l.listing_key from (
      (select one.* from kinds cross join lateral (
        select * from listed_product l where l.collection = ${collection} and l.type = kinds.type and l.available
        order by listing_key, product_id limit 1) one)
      union
      (select * from listed_product where collection = ${collection} and available order by listing_key, product_id limit ${count})
      union
      (select one.* from pets cross join lateral (
        select * from listed_product l where l.collection = pets.collection and l.type = ${type} and l.available
        order by listing_key, product_id limit ${count}) one)
    ) l order by l.listing_key, l.product_id`)
  return rows
}

/** Per collection: a product of each type, preferably a best seller, the first in the list and the cheapest. */
export async function listShowcase(db: Reader): Promise<ProductId[]> {
  const { rows } = await db.execute<{ id: ProductId }>(sql`
    select id from (
      select one.product_id as id, one.listing_key from facet_count c cross join lateral (
        select l.product_id, l.listing_key from (
          select * from listed_product
          where collection = c.collection and type = substr(c.facet, 6) order by listing_key, product_id limit 24) l
        join product p on p.id = l.product_id
        order by p.badge = ${BEST_SELLER} desc nulls last, l.listing_key, l.product_id limit 1) one
      where c.facet like 'type:%' and c.count > 0
      union
      select one.product_id, one.listing_key from facet_count c cross join lateral (
        (select * from listed_product where collection = c.collection order by lowest_price_cents, product_id limit 1)
        union
        (select * from listed_product where collection = c.collection order by listing_key, product_id limit 1)) one
      where c.facet = 'all' and c.count > 0) shown
    order by listing_key, id`)
  return rows.map(({ id }) => id)
}

/** The non-empty ranges of `size` product ids each. */
export async function listNumberRanges(db: Reader, size: number): Promise<number[]> {
  const { rows } = await db.execute<{ range: number }>(sql`
    with recursive range (at) as (
      select min(product_id) / ${size} from listed_product
      union all
      select (select min(product_id) / ${size} from listed_product where product_id >= (at + 1) * ${size})
      from range where at is not null)
    select at as range from range where at is not null`)
  return rows.map(({ range }) => range)
}

/** Listed products by id. @param from inclusive @param to exclusive */
export const listNumbers = async (
  db: Reader,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<ProductId[]> =>
  (
    await db
      .select({ id: listedProduct.productId })
      .from(listedProduct)
      .where(and(gte(listedProduct.productId, from as ProductId), lt(listedProduct.productId, to as ProductId)))
      .orderBy(asc(listedProduct.productId))
      .limit(limit)
  ).map(({ id }) => id)

export const listFacetCounts = (db: Reader) => db.select().from(facetCount).where(gt(facetCount.count, 0))

/** Counts each facet's values in a filtered list; `all` above `COUNT_MAX` means that there are more. */
export async function countFacetValues(db: Reader, filter: ListFilter): Promise<Map<string, number>> {
  const counted = db
    .select({ facets: listedProduct.facets })
    .from(listedProduct)
    .where(narrowingCondition(db, filter))
    .limit(COUNT_MAX + 1)
    .as('counted')
  const rows = await db
    .select({ facet: sql<string>`facet`, count: sql<number>`count(*)::int` })
    .from(sql`${counted}, unnest(${counted.facets}) as facet`)
    .groupBy(sql`facet`)
  return new Map(rows.map(({ facet, count }) => [facet, count]))
}

/** The ids of a filtered list, in no order; also as a subquery. */
export const listedIds = (db: Reader, filter: ListFilter) =>
  db.select({ id: listedProduct.productId }).from(listedProduct).where(narrowingCondition(db, filter))

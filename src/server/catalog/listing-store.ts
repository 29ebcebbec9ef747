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
import type { FacetChoice } from '#domain/catalog/facets.ts'
import type { SearchTerm } from '#domain/catalog/search-terms.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { facetCount, listedProduct, product } from '#server/db/schema.ts'
import { hasTerms } from './store.ts'

export const PRODUCT_ID_MAX = 2 ** 31 - 1

/** What a list is narrowed to. @property ids the only ones that come into question */
export type Narrowing = {
  collection?: string | undefined
  terms?: readonly SearchTerm[]
  ids?: readonly ProductId[] | undefined
  chosen?: FacetChoice
}

/** So many products of a narrowed list are counted, and no more. */
export const COUNT_MAX = 1000

/** Of one list: what is chosen of a facet widens it, facets together narrow it. */
function narrowingCondition(db: Reader, { collection, terms = [], ids, chosen }: Narrowing): SQL | undefined {
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
    oneOf('type', type),
    oneOf('color', color),
    oneOf('size', size),
    price ? gte(listedProduct.lowestPrice, price.from) : undefined,
    price?.to ? lt(listedProduct.lowestPrice, price.to) : undefined,
    ids && inArray(listedProduct.productId, [...ids]),
    terms.length > 0 && !ids
      ? exists(
          db
            .select({ one: sql`1` })
            .from(product)
            .where(and(eq(product.id, listedProduct.productId), hasTerms(terms, 'words', false))),
        )
      : undefined,
  )
}

/** A product as a place in the list. */
export type ListPosition = { id: ProductId; key: string }

export async function findListPosition(db: Reader, id: ProductId): Promise<ListPosition | undefined> {
  if (id > PRODUCT_ID_MAX) return undefined
  const [found] = await db
    .select({ id: listedProduct.productId, key: listedProduct.listingKey })
    .from(listedProduct)
    .where(eq(listedProduct.productId, id))
  return found
}

type Page = { after?: ListPosition | undefined; before?: ListPosition | undefined; limit: number }

const key = sql`(${listedProduct.listingKey}, ${listedProduct.productId})`

/** The products of a page in the order of the listing. @param page what stands before it or after it */
export async function listedPage(
  db: Reader,
  narrowing: Narrowing,
  { after, before, limit }: Page,
): Promise<ListPosition[]> {
  const way = before === undefined ? asc : desc
  const types = narrowing.chosen?.type ?? []
  const rest = types.length > 0 && narrowing.chosen ? { ...narrowing.chosen, type: [] } : narrowing.chosen
  const ordered = db
    .select({
      id: sql<ProductId>`${listedProduct.productId}`.as('id'),
      key: sql<string>`${listedProduct.listingKey}`.as('key'),
    })
    .from(listedProduct)
    .where(
      and(
        types.length > 0 ? sql`${listedProduct.type} = kind.type` : undefined,
        narrowingCondition(db, { ...narrowing, ...(rest && { chosen: rest }) }),
        after && sql`${key} > (${after.key}, ${after.id})`,
        before && sql`${key} < (${before.key}, ${before.id})`,
      ),
    )
    .orderBy(way(listedProduct.listingKey), way(listedProduct.productId))
    .limit(limit)
  // The list is ordered by kind: each chosen one is read from where it begins, instead of everything that stands between them.
  const rows = types.length > 0 ? await ofKinds(db, types, ordered, way, limit) : await ordered
  return before === undefined ? rows : rows.toReversed()
}

async function ofKinds(db: Reader, types: readonly string[], ordered: SQLWrapper, way: typeof asc, limit: number) {
  const kinds = sql.join(
    types.map((type) => sql`(${type})`),
    sql`, `,
  )
  const { rows } = await db.execute<ListPosition>(sql`
    select one.id, one.key from (values ${kinds}) kind (type) cross join lateral ${ordered} one
    order by ${way(sql`one.key`)}, ${way(sql`one.id`)} limit ${limit}`)
  return rows
}

/** @param wanted numbers and slugs */
export async function findListedIds(db: Reader, wanted: readonly string[]): Promise<ProductId[]> {
  const isNumber = (one: string) => /^[1-9]\d{0,9}$/.test(one) && Number(one) <= PRODUCT_ID_MAX
  const numbers = wanted.filter(isNumber).map((one) => Number(one) as ProductId)
  const rows = await db
    .select({ id: listedProduct.productId })
    .from(listedProduct)
    .innerJoin(product, eq(product.id, listedProduct.productId))
    .where(or(inArray(product.id, numbers), inArray(product.slug, [...wanted])))
  return rows.map(({ id }) => id)
}

/** What stands beside a product: some of its collection, of each other kind of it one, and some of its kind elsewhere. */
export async function listedRelatives(
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

/** The first of each kind of each collection, a best seller where there is one, and what costs least in it. */
export async function listedOneOfEach(db: Reader): Promise<ProductId[]> {
  const { rows } = await db.execute<{ id: ProductId }>(sql`
    select id from (
      select one.product_id as id, one.listing_key from facet_count c cross join lateral (
        select l.product_id, l.listing_key from (
          select * from listed_product
          where collection = c.collection and type = substr(c.facet, 6) order by listing_key, product_id limit 24) l
        join product p on p.id = l.product_id
        order by p.badge = 'BEST SELLER' desc nulls last, l.listing_key, l.product_id limit 1) one
      where c.facet like 'type:%' and c.count > 0
      union
      select one.product_id, one.listing_key from facet_count c cross join lateral (
        select * from listed_product where collection = c.collection order by lowest_price_cents, product_id limit 1) one
      where c.facet = 'all' and c.count > 0) shown
    order by listing_key, id`)
  return rows.map(({ id }) => id)
}

/** Which ranges of numbers, `size` of them each, have a product that is listed. */
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

/** Listed products by their numbers. @param from included @param to no longer included */
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

/** How many are listed with each facet's value, collection by collection. */
export const listFacetCounts = (db: Reader) => db.select().from(facetCount).where(gt(facetCount.count, 0))

/** How many of a narrowed list have each facet's value; `all` above `COUNT_MAX` says that there are more than were counted. */
export async function countFacetValues(db: Reader, narrowing: Narrowing): Promise<Map<string, number>> {
  const counted = db
    .select({ facets: listedProduct.facets })
    .from(listedProduct)
    .where(narrowingCondition(db, narrowing))
    .limit(COUNT_MAX + 1)
    .as('counted')
  const rows = await db
    .select({ facet: sql<string>`facet`, count: sql<number>`count(*)::int` })
    .from(sql`${counted}, unnest(${counted.facets}) as facet`)
    .groupBy(sql`facet`)
  return new Map(rows.map(({ facet, count }) => [facet, count]))
}

/** What a search ranks: a listed product with what facets are counted by. */
export const listedFacts = (db: Reader, ids: readonly ProductId[]) =>
  db
    .select()
    .from(listedProduct)
    .where(inArray(listedProduct.productId, [...ids]))
    .orderBy(asc(listedProduct.listingKey), asc(listedProduct.productId))

import type { ListingPage, Product, ProductWithRelated } from '#contract/catalog.ts'
import {
  facetsFrom,
  hasFacetsChosen,
  NO_FACETS_CHOSEN,
  type FacetChoice,
  type FacetCounts,
} from '#domain/catalog/facets.ts'
import { RELATED_COUNT, relatedProducts } from '#domain/catalog/related.ts'
import { parseSearchTerms } from '#domain/catalog/search-terms.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Db } from '#server/db/db.ts'
import { hasWholeCatalog, WHOLE_CATALOG_MAX } from './catalog-size.ts'
import { Refusal } from '#server/http/refusal.ts'
import { cacheList } from './listing-cache.ts'
import {
  findListedIds,
  findListPosition,
  listShowcase,
  listedPage,
  listRelatedCandidates,
  listFacetCounts,
  countFacetValues,
  COUNT_MAX,
  type ListFilter,
  type ListPosition,
} from './listing-store.ts'
import { productsOf } from './product-view.ts'
import { listMatches, MATCHES_MAX } from './store.ts'

/** Page size of a catalog that is too large for a single list. */
export const PRODUCTS_A_PAGE = 24

/**
 * All products in listing order, or the first page of a large catalog; at most a minute old.
 */
export const listProducts = (db: Db): Promise<Product[]> =>
  cacheList(db, 'listing', async () => {
    const limit = (await hasWholeCatalog(db)) ? WHOLE_CATALOG_MAX : PRODUCTS_A_PAGE
    return productsAt(db, await listedPage(db, {}, { limit }))
  })

/** The next page of a large catalog; empty when the product is not listed. */
export async function listProductsAfter(db: Db, id: ProductId): Promise<Product[]> {
  const after = await findListPosition(db, id)
  return after ? productsAt(db, await listedPage(db, {}, { after, limit: PRODUCTS_A_PAGE })) : []
}

const productsAt = (db: Db, places: readonly ListPosition[]): Promise<Product[]> =>
  productsOf(
    db,
    places.map(({ id }) => id),
  )

/** @returns the last product if more follow */
export const nextAfter = async (db: Db, products: readonly Product[]): Promise<ProductId | undefined> =>
  products.length === PRODUCTS_A_PAGE && !(await hasWholeCatalog(db)) ? products.at(-1)?.id : undefined

/** All products of a filtered list, read page by page. */
export async function* walkProducts(db: Db, filter: ListFilter): AsyncGenerator<Product> {
  let after: ListPosition | undefined
  for (;;) {
    const places = await listedPage(db, filter, { after, limit: PRODUCTS_A_PAGE })
    yield* await productsAt(db, places)
    after = places.at(-1)
    if (places.length < PRODUCTS_A_PAGE) return
  }
}

/** @param wanted id or slug */
export async function findProductView(db: Db, wanted: string): Promise<Product | undefined> {
  return (await productsOf(db, await findListedIds(db, [wanted])))[0]
}

/** The products that cards need: those requested by id or slug, and the showcase with each collection's types and lowest price. */
export async function productsForCards(db: Db, wanted: readonly string[]): Promise<Product[]> {
  if (await hasWholeCatalog(db)) return listProducts(db)
  return [...(await showcase(db)), ...(await productsOf(db, await findListedIds(db, wanted)))]
}

/** @throws Refusal `unknown_product` */
export async function getProductWithRelated(db: Db, wanted: string): Promise<ProductWithRelated> {
  const product = await findProductView(db, wanted)
  if (!product) throw new Refusal('unknown_product')
  const relatives = relatedProducts(product, await listRelatedCandidates(db, product, RELATED_COUNT + 1), RELATED_COUNT)
  return {
    product,
    related: await productsOf(
      db,
      relatives.map(({ id }) => id),
    ),
  }
}

/** Per collection one product of each type and the cheapest, for pictures and prices on other pages. */
export const showcase = (db: Db): Promise<Product[]> =>
  cacheList(db, 'showcase', async () => productsOf(db, await listShowcase(db)))

/** Counts each facet's values in a collection, or in the whole catalog. */
export async function countedFacets(db: Db, collection?: string) {
  const all = await cacheList(db, 'facets', () => listFacetCounts(db))
  const counts = all.filter((row) => collection === undefined || row.collection === collection)
  return [...Map.groupBy(counts, ({ facet }) => facet)].map(([facet, rows]) => ({
    facet,
    hex: rows.find(({ hex }) => hex !== null)?.hex ?? null,
    count: rows.reduce((sum, { count }) => sum + count, 0),
  }))
}

type ListingRequest = {
  collection: string | undefined
  search: string
  chosen: FacetChoice
  after: ProductId | undefined
  before: ProductId | undefined
}

/** A page of a filtered list, with its facets. */
export async function readListing(
  db: Db,
  { collection, search, chosen, after, before }: ListingRequest,
): Promise<ListingPage> {
  const terms = parseSearchTerms(search)
  // Few matches are looked up by id. Many are found quickly while reading the list in order.
  const matches = terms.length > 0 ? await listMatches(db, terms) : undefined
  const filter = { collection, terms, ids: matches && matches.length > MATCHES_MAX ? undefined : matches, chosen }
  // One extra row shows whether there is a next page.
  const limit = PRODUCTS_A_PAGE + 1
  // After a product that is no longer listed, the list starts over.
  const place = {
    after: after && (await findListPosition(db, after)),
    before: before && (await findListPosition(db, before)),
  }
  const found = await listedPage(db, filter, { ...place, limit })
  const isBack = place.before !== undefined
  const pageItems = isBack ? found.slice(-PRODUCTS_A_PAGE) : found.slice(0, PRODUCTS_A_PAGE)
  const hasMore = found.length === limit
  return {
    products: await productsAt(db, pageItems),
    ...(await countFacets(db, filter)),
    next: isBack || hasMore ? (pageItems.at(-1)?.id ?? null) : null,
    previous: (isBack ? hasMore : place.after !== undefined) ? (pageItems[0]?.id ?? null) : null,
  }
}

/**
 * Counts how many products each facet value would show together with the choices in other facets. The whole list's counts are
 * cached; a filtered list with more than `COUNT_MAX` products has none.
 */
async function countFacets(db: Db, filter: ListFilter & { chosen: FacetChoice }) {
  const { collection, terms = [], chosen } = filter
  const all = await countedFacets(db, collection)
  const isWhole = (choice: FacetChoice) => terms.length === 0 && !hasFacetsChosen(choice)
  const countsOf = async (choice: FacetChoice): Promise<FacetCounts> => {
    if (isWhole(choice)) return toFacetCounts(all)
    const counts = await countFacetValues(db, { ...filter, chosen: choice })
    return (counts.get('all') ?? 0) > COUNT_MAX ? undefined : counts
  }
  const current = await countsOf(chosen)
  const countsFor = async (name: keyof FacetChoice) => {
    const isNarrowed = name === 'price' ? chosen.price !== null : chosen[name].length > 0
    return isNarrowed ? countsOf({ ...chosen, [name]: NO_FACETS_CHOSEN[name] }) : current
  }
  return {
    facets: facetsFrom(all, {
      type: await countsFor('type'),
      color: await countsFor('color'),
      size: await countsFor('size'),
      price: await countsFor('price'),
    }),
    count: current ? (current.get('all') ?? 0) : COUNT_MAX,
    isMore: current === undefined,
  }
}

const toFacetCounts = (all: readonly { facet: string; count: number }[]): FacetCounts =>
  new Map(all.map(({ facet, count }) => [facet, count]))

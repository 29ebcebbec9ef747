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
import { hasWholeCatalog, WHOLE_CATALOG_MAX } from '#server/http/catalog-size.ts'
import { Refusal } from '#server/http/refusal.ts'
import { cacheList } from './listing-cache.ts'
import {
  findListedIds,
  findListPosition,
  listedOneOfEach,
  listedPage,
  listedRelatives,
  listFacetCounts,
  countFacetValues,
  COUNT_MAX,
  type Narrowing,
  type ListPosition,
} from './listing-store.ts'
import { productsOf } from './product-view.ts'
import { listMatches, MATCHES_MAX } from './store.ts'

/** Of a catalog that is not one list. */
export const PRODUCTS_A_PAGE = 24

/**
 * All products in the order of the listing where they are one list, otherwise the first page of them; at most a minute old.
 */
export const listProducts = (db: Db): Promise<Product[]> =>
  cacheList(db, 'listing', async () => {
    const limit = (await hasWholeCatalog(db)) ? WHOLE_CATALOG_MAX : PRODUCTS_A_PAGE
    return productsAt(db, await listedPage(db, {}, { limit }))
  })

/** The same after a product; nothing after one that is not listed. */
export async function listProductsAfter(db: Db, id: ProductId): Promise<Product[]> {
  const after = await findListPosition(db, id)
  return after ? productsAt(db, await listedPage(db, {}, { after, limit: PRODUCTS_A_PAGE })) : []
}

const productsAt = (db: Db, places: readonly ListPosition[]): Promise<Product[]> =>
  productsOf(
    db,
    places.map(({ id }) => id),
  )

/** @returns the product after which a list that was answered goes on; undefined where it does not */
export const nextAfter = async (db: Db, products: readonly Product[]): Promise<ProductId | undefined> =>
  products.length === PRODUCTS_A_PAGE && !(await hasWholeCatalog(db)) ? products.at(-1)?.id : undefined

/** Every product of a narrowed list, read a page at a time. */
export async function* walkProducts(db: Db, narrowing: Narrowing): AsyncGenerator<Product> {
  let after: ListPosition | undefined
  for (;;) {
    const places = await listedPage(db, narrowing, { after, limit: PRODUCTS_A_PAGE })
    yield* await productsAt(db, places)
    after = places.at(-1)
    if (places.length < PRODUCTS_A_PAGE) return
  }
}

/** @param wanted number or slug */
export async function findProductView(db: Db, wanted: string): Promise<Product | undefined> {
  return (await productsOf(db, await findListedIds(db, [wanted])))[0]
}

/** What cards tell of: products by their numbers or slugs, and of each collection its kinds and its lowest price. */
export async function productsForCards(db: Db, wanted: readonly string[]): Promise<Product[]> {
  if (await hasWholeCatalog(db)) return listProducts(db)
  return [...(await showcase(db)), ...(await productsOf(db, await findListedIds(db, wanted)))]
}

/** A product with others that somebody may like who looks at it. @throws Refusal `unknown_product` */
export async function getProductWithRelated(db: Db, wanted: string): Promise<ProductWithRelated> {
  const product = await findProductView(db, wanted)
  if (!product) throw new Refusal('unknown_product')
  const relatives = relatedProducts(product, await listedRelatives(db, product, RELATED_COUNT + 1), RELATED_COUNT)
  return {
    product,
    related: await productsOf(
      db,
      relatives.map(({ id }) => id),
    ),
  }
}

/** One product of each kind of each collection, a best seller where there is one, and the cheapest: what pages adorn themselves with. */
export const showcase = (db: Db): Promise<Product[]> =>
  cacheList(db, 'showcase', async () => productsOf(db, await listedOneOfEach(db)))

/** How many are listed with each facet's value, in a collection or in all. */
export async function countedFacets(db: Db, collection?: string) {
  const all = await cacheList(db, 'facets', () => listFacetCounts(db))
  const wanted = all.filter((one) => collection === undefined || one.collection === collection)
  return [...Map.groupBy(wanted, ({ facet }) => facet)].map(([facet, rows]) => ({
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

/** A page of a list that is too long for one, narrowed, with its facets. */
export async function readListing(
  db: Db,
  { collection, search, chosen, after, before }: ListingRequest,
): Promise<ListingPage> {
  const terms = parseSearchTerms(search)
  // Few are known by their numbers; where there are many, one soon comes to them on the way through the list.
  const matches = terms.length > 0 ? await listMatches(db, terms) : undefined
  const narrowing = { collection, terms, ids: matches && matches.length > MATCHES_MAX ? undefined : matches, chosen }
  // One more than is shown: whether the list goes on there.
  const limit = PRODUCTS_A_PAGE + 1
  // A product that is no longer listed marks no place any more: the list begins anew.
  const place = {
    after: after && (await findListPosition(db, after)),
    before: before && (await findListPosition(db, before)),
  }
  const found = await listedPage(db, narrowing, { ...place, limit })
  const isBack = place.before !== undefined
  const pageItems = isBack ? found.slice(-PRODUCTS_A_PAGE) : found.slice(0, PRODUCTS_A_PAGE)
  const goesOn = found.length === limit
  return {
    products: await productsAt(db, pageItems),
    ...(await countFacets(db, narrowing)),
    next: isBack || goesOn ? (pageItems.at(-1)?.id ?? null) : null,
    previous: (isBack ? goesOn : place.after !== undefined) ? (pageItems[0]?.id ?? null) : null,
  }
}

/**
 * What each value would show beside what is chosen in the other facets. Of the whole list the counts are kept; of a narrowed one
 * as many products are counted as stand for anything, and beyond that a value has no count.
 */
async function countFacets(db: Db, narrowing: Narrowing & { chosen: FacetChoice }) {
  const { collection, terms = [], chosen } = narrowing
  const all = await countedFacets(db, collection)
  const isWhole = (one: FacetChoice) => terms.length === 0 && !hasFacetsChosen(one)
  const countsOf = async (one: FacetChoice): Promise<FacetCounts> => {
    if (isWhole(one)) return toFacetCounts(all)
    const counts = await countFacetValues(db, { ...narrowing, chosen: one })
    return (counts.get('all') ?? 0) > COUNT_MAX ? undefined : counts
  }
  const shown = await countsOf(chosen)
  const beside = async (name: keyof FacetChoice) => {
    const isNarrowed = name === 'price' ? chosen.price !== null : chosen[name].length > 0
    return isNarrowed ? countsOf({ ...chosen, [name]: NO_FACETS_CHOSEN[name] }) : shown
  }
  return {
    facets: facetsFrom(all, {
      type: await beside('type'),
      color: await beside('color'),
      size: await beside('size'),
      price: await beside('price'),
    }),
    count: shown ? (shown.get('all') ?? 0) : COUNT_MAX,
    isMore: shown === undefined,
  }
}

const toFacetCounts = (all: readonly { facet: string; count: number }[]): FacetCounts =>
  new Map(all.map(({ facet, count }) => [facet, count]))

import type { ListingPage, Product, ProductCard, ProductWithRelated } from '#contract/catalog.ts'
import { BEST_SELLER } from '#domain/catalog/badge.ts'
import { bestSellers } from '#domain/catalog/best-sellers.ts'
import {
  facetsFrom,
  hasFacetsChosen,
  NO_FACETS_CHOSEN,
  type FacetChoice,
  type FacetCounts,
} from '#domain/catalog/facets.ts'
import type { ListSort } from '#domain/catalog/list-sort.ts'
import { productTypeOf } from '#domain/catalog/product-types.ts'
import { RELATED_COUNT, relatedProducts } from '#domain/catalog/related.ts'
import { literalTerms } from '#domain/catalog/search-terms.ts'
import { specsOf } from '#domain/catalog/specs.ts'
import type { ProductId } from '#shared/ids.ts'
import type { Db } from '#server/db/db.ts'
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
import { readProductTypes } from './product-types.ts'
import { productsOf, toCards, toListCards } from './product-view.ts'
import { listMatches, MATCHES_MAX } from './store.ts'

/** Page size of lists and search results. */
export const PRODUCTS_A_PAGE = 60

type Page = { products: Product[] } & Pick<ListingPage, 'next' | 'previous'>

/** All products in listing order, a page at a time. @param after empty when this product is not listed */
export async function listProducts(db: Db, after?: ProductId): Promise<Page> {
  if (after === undefined) return cacheList(db, 'listing', () => readPage(db, {}, {}))
  const position = await findListPosition(db, after)
  return position ? readPage(db, {}, { after: position }) : { products: [], next: null, previous: null }
}

async function readPage(
  db: Db,
  filter: ListFilter,
  { after, before, sort }: { after?: ListPosition | undefined; before?: ListPosition | undefined; sort?: ListSort },
): Promise<Page> {
  // One extra row shows whether there is another page.
  const found = await listedPage(db, filter, { after, before, ...(sort && { sort }), limit: PRODUCTS_A_PAGE + 1 })
  const hasMore = found.length > PRODUCTS_A_PAGE
  const rows = before ? found.slice(-PRODUCTS_A_PAGE) : found.slice(0, PRODUCTS_A_PAGE)
  return {
    products: await productsOf(db, idsOf(rows)),
    next: before || hasMore ? (rows.at(-1)?.id ?? null) : null,
    previous: (before ? hasMore : after) ? (rows[0]?.id ?? null) : null,
  }
}

const idsOf = (rows: readonly { id: ProductId }[]): ProductId[] => rows.map(({ id }) => id)

/** All products of a filtered list, read page by page. */
export async function* walkProducts(db: Db, filter: ListFilter): AsyncGenerator<Product> {
  let after: ListPosition | undefined
  do {
    const rows = await listedPage(db, filter, { after, limit: PRODUCTS_A_PAGE })
    yield* await productsOf(db, idsOf(rows))
    after = rows.length === PRODUCTS_A_PAGE ? rows.at(-1) : undefined
  } while (after)
}

/** @param wanted id or slug */
export async function findProductView(db: Db, wanted: string): Promise<Product | undefined> {
  return (await productsOf(db, await findListedIds(db, [wanted])))[0]
}

/** The products that cards need: those requested by id or slug, and the showcase. */
export const productsForCards = async (db: Db, wanted: readonly string[]): Promise<Product[]> => [
  ...(await showcase(db)),
  ...(await productsOf(db, await findListedIds(db, wanted))),
]

/** @throws Refusal `unknown_product` */
export async function getProductWithRelated(db: Db, wanted: string): Promise<ProductWithRelated> {
  const product = await findProductView(db, wanted)
  if (!product) throw new Refusal('unknown_product')
  const relatives = relatedProducts(product, await listRelatedCandidates(db, product, RELATED_COUNT + 1), RELATED_COUNT)
  return {
    product,
    related: toCards(await productsOf(db, idsOf(relatives))),
    specs: specsOf(productTypeOf(await readProductTypes(db), product.type), product),
  }
}

/** Per collection one product of each type, the first and the cheapest, for pictures and prices on other pages. */
const showcase = (db: Db): Promise<Product[]> =>
  cacheList(db, 'showcase', async () => productsOf(db, await listShowcase(db)))

/** The best sellers among the showcase. */
export const listBestSellers = (db: Db): Promise<ProductCard[]> =>
  cacheList(db, 'best sellers', async () => toCards(bestSellers(await showcase(db))))

/**
 * A product for each piece, preferably a best seller; without pieces all.
 * @param pieces collection and type: `rudy:mug`
 * @param view of the cards' pictures; unset for each product's first
 */
export async function showcaseOf(db: Db, pieces: readonly string[], view?: string): Promise<ProductCard[]> {
  const all = await showcase(db)
  const chosen = new Set<Product>()
  for (const piece of new Set(pieces)) {
    const wanted = all.filter(({ collection, type }) => piece === `${collection}:${type}`)
    // A collection that does not have this type is shown by another product.
    const own =
      wanted.length > 0 ? wanted : all.filter((one) => piece.startsWith(`${one.collection}:`) && !chosen.has(one))
    const best = own.find(({ badge }) => badge === BEST_SELLER) ?? own[0]
    if (best) chosen.add(best)
  }
  const shown = pieces.length > 0 ? [...chosen] : all
  return toCards(shown).map((card, index) => {
    const ofView = shown[index]?.images.find(
      ({ view: its, color }) => its === view && (color === null || color === card.picture?.color),
    )
    return ofView ? { ...card, picture: ofView } : card
  })
}

/** How many products each collection has of each facet's value, cached. */
export const readFacetCounts = (db: Db) => cacheList(db, 'facets', () => listFacetCounts(db))

/** Counts each facet's values in some collections, or in the whole catalog. */
async function countedFacets(db: Db, { collection, collections = [] }: ListFilter) {
  const only = collection === undefined ? collections : [collection]
  const counts = (await readFacetCounts(db)).filter((row) => only.length === 0 || only.includes(row.collection))
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
  sort: ListSort
  after: ProductId | undefined
  before: ProductId | undefined
}

/** A page of a filtered list, with its facets. Every word of `search` must occur in the name or description. */
export async function readListing(
  db: Db,
  { collection, search, chosen, sort, after, before }: ListingRequest,
): Promise<ListingPage> {
  const terms = literalTerms(search)
  // Few matches are looked up by id. Many are found quickly while reading the list in order.
  const matches = terms.length > 0 ? await listMatches(db, terms) : undefined
  const filter = { collection, terms, ids: matches && matches.length > MATCHES_MAX ? undefined : matches, chosen }
  const { products, ...ends } = await readPage(db, filter, {
    // After a product that is no longer listed, the list starts over.
    after: after && (await findListPosition(db, after, sort)),
    before: before && (await findListPosition(db, before, sort)),
    sort,
  })
  return {
    products: toListCards(products, chosen.color, collection === undefined ? 'all' : 'collection'),
    ...ends,
    ...(await countFacets(db, filter)),
  }
}

/**
 * Counts how many products each facet value would show together with the choices in other facets. The whole list's counts are
 * cached; a filtered list with more than `COUNT_MAX` products has none.
 * @param known what need not be counted: `isMany` that there are more without a choice, `found` the list itself, or that there are more in it
 */
export async function countFacets(
  db: Db,
  filter: ListFilter & { chosen: FacetChoice },
  { isMany = false, found }: { isMany?: boolean; found?: readonly ProductId[] | 'many' } = {},
) {
  const { terms = [], ids, chosen } = filter
  const all = await countedFacets(db, filter)
  const countsOf = async (choice: FacetChoice): Promise<FacetCounts> => {
    if (isMany && !hasFacetsChosen(choice)) return undefined
    if (terms.length === 0 && !ids && !hasFacetsChosen(choice)) return toFacetCounts(all)
    const counts = await countFacetValues(db, { ...filter, chosen: choice })
    return (counts.get('all') ?? 0) > COUNT_MAX ? undefined : counts
  }
  const countsOfFound = () => (found === 'many' ? undefined : countFacetValues(db, { ids: found }))
  const current = await (found ? countsOfFound() : countsOf(chosen))
  const unfiltered = hasFacetsChosen(chosen) ? await countsOf(NO_FACETS_CHOSEN) : current
  const countsFor = async (name: keyof FacetChoice) => {
    const isNarrowed = name === 'price' ? chosen.price !== null : chosen[name].length > 0
    return isNarrowed ? countsOf({ ...chosen, [name]: NO_FACETS_CHOSEN[name] }) : current
  }
  return {
    facets: facetsFrom(
      unfiltered ? all.filter(({ facet }) => unfiltered.has(facet)) : all,
      {
        type: await countsFor('type'),
        color: await countsFor('color'),
        size: await countsFor('size'),
        price: await countsFor('price'),
      },
      await readProductTypes(db),
      chosen.type,
    ),
    count: current ? (current.get('all') ?? 0) : COUNT_MAX,
    isMore: current === undefined,
  }
}

const toFacetCounts = (all: readonly { facet: string; count: number }[]): FacetCounts =>
  new Map(all.map(({ facet, count }) => [facet, count]))

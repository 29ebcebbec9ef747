import type { ListingPage, Product, ProductWithRelated } from '#contract/catalogue.ts'
import { facetsFrom, isChosen, nothingChosen, type Chosen, type FacetTally } from '#domain/catalogue/facets.ts'
import { RELATED_COUNT, relatedTo } from '#domain/catalogue/related.ts'
import { termsOf } from '#domain/catalogue/search-terms.ts'
import type { ProductId } from '#kernel/ids.ts'
import type { Db } from '#server/db/db.ts'
import { hasWholeCatalogue, WHOLE_CATALOGUE_MAX } from '#server/http/catalogue-size.ts'
import { Refused } from '#server/http/refused.ts'
import { rememberList } from './listing-cache.ts'
import {
  findListedIds,
  findPlace,
  listedOneOfEach,
  listedPage,
  listedRelatives,
  listFacetCounts,
  tallyFacets,
  TALLY_MAX,
  type Narrowing,
  type Place,
} from './listing-store.ts'
import { productsOf } from './shown.ts'
import { listMatches, MATCHES_MAX } from './store.ts'

/** Of a catalogue that is not one list. */
export const PRODUCTS_A_PAGE = 24

/**
 * All products in the order of the listing where they are one list, otherwise the first page of them; at most a minute old.
 */
export const listProducts = (db: Db): Promise<Product[]> =>
  rememberList(db, 'listing', async () => {
    const limit = (await hasWholeCatalogue(db)) ? WHOLE_CATALOGUE_MAX : PRODUCTS_A_PAGE
    return productsAt(db, await listedPage(db, {}, { limit }))
  })

/** The same after a product; nothing after one that is not listed. */
export async function listProductsAfter(db: Db, id: ProductId): Promise<Product[]> {
  const after = await findPlace(db, id)
  return after ? productsAt(db, await listedPage(db, {}, { after, limit: PRODUCTS_A_PAGE })) : []
}

const productsAt = (db: Db, places: readonly Place[]): Promise<Product[]> =>
  productsOf(
    db,
    places.map(({ id }) => id),
  )

/** @returns the product after which a list that was answered goes on; undefined where it does not */
export const nextAfter = async (db: Db, products: readonly Product[]): Promise<ProductId | undefined> =>
  products.length === PRODUCTS_A_PAGE && !(await hasWholeCatalogue(db)) ? products.at(-1)?.id : undefined

/** Every product of a narrowed list, read a page at a time. */
export async function* walkProducts(db: Db, narrowing: Narrowing): AsyncGenerator<Product> {
  let after: Place | undefined
  for (;;) {
    const places = await listedPage(db, narrowing, { after, limit: PRODUCTS_A_PAGE })
    yield* await productsAt(db, places)
    after = places.at(-1)
    if (places.length < PRODUCTS_A_PAGE) return
  }
}

/** @param wanted number or slug */
export async function findProductShown(db: Db, wanted: string): Promise<Product | undefined> {
  return (await productsOf(db, await findListedIds(db, [wanted])))[0]
}

/** What cards tell of: products by their numbers or slugs, and of each collection its kinds and its lowest price. */
export async function productsForCards(db: Db, wanted: readonly string[]): Promise<Product[]> {
  if (await hasWholeCatalogue(db)) return listProducts(db)
  return [...(await showcase(db)), ...(await productsOf(db, await findListedIds(db, wanted)))]
}

/** A product with others that somebody may like who looks at it. @throws Refused `unknown_product` */
export async function getProductWithRelated(db: Db, wanted: string): Promise<ProductWithRelated> {
  const product = await findProductShown(db, wanted)
  if (!product) throw new Refused('unknown_product')
  const relatives = relatedTo(product, await listedRelatives(db, product, RELATED_COUNT + 1), RELATED_COUNT)
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
  rememberList(db, 'showcase', async () => productsOf(db, await listedOneOfEach(db)))

/** How many are listed with each facet's value, in a collection or in all. */
export async function countedFacets(db: Db, collection?: string) {
  const all = await rememberList(db, 'facets', () => listFacetCounts(db))
  const wanted = all.filter((one) => collection === undefined || one.collection === collection)
  return [...Map.groupBy(wanted, ({ facet }) => facet)].map(([facet, rows]) => ({
    facet,
    hex: rows.find(({ hex }) => hex !== null)?.hex ?? null,
    count: rows.reduce((sum, { count }) => sum + count, 0),
  }))
}

type Asked = {
  collection: string | undefined
  search: string
  chosen: Chosen
  after: ProductId | undefined
  before: ProductId | undefined
}

/** A page of a list that is too long for one, narrowed, with its facets. */
export async function readListing(db: Db, { collection, search, chosen, after, before }: Asked): Promise<ListingPage> {
  const terms = termsOf(search)
  // Few are known by their numbers; where there are many, one soon comes to them on the way through the list.
  const matches = terms.length > 0 ? await listMatches(db, terms) : undefined
  const narrowing = { collection, terms, ids: matches && matches.length > MATCHES_MAX ? undefined : matches, chosen }
  // One more than is shown: whether the list goes on there.
  const limit = PRODUCTS_A_PAGE + 1
  // A product that is no longer listed marks no place any more: the list begins anew.
  const place = { after: after && (await findPlace(db, after)), before: before && (await findPlace(db, before)) }
  const found = await listedPage(db, narrowing, { ...place, limit })
  const isBack = place.before !== undefined
  const shown = isBack ? found.slice(-PRODUCTS_A_PAGE) : found.slice(0, PRODUCTS_A_PAGE)
  const goesOn = found.length === limit
  return {
    products: await productsAt(db, shown),
    ...(await countFacets(db, narrowing)),
    next: isBack || goesOn ? (shown.at(-1)?.id ?? null) : null,
    previous: (isBack ? goesOn : place.after !== undefined) ? (shown[0]?.id ?? null) : null,
  }
}

/**
 * What each value would show beside what is chosen in the other facets. Of the whole list the counts are kept; of a narrowed one
 * as many products are counted as stand for anything, and beyond that a value has no count.
 */
async function countFacets(db: Db, narrowing: Narrowing & { chosen: Chosen }) {
  const { collection, terms = [], chosen } = narrowing
  const all = await countedFacets(db, collection)
  const isWhole = (one: Chosen) => terms.length === 0 && !isChosen(one)
  const tallyOf = async (one: Chosen): Promise<FacetTally> => {
    if (isWhole(one)) return tallied(all)
    const counts = await tallyFacets(db, { ...narrowing, chosen: one })
    return (counts.get('all') ?? 0) > TALLY_MAX ? undefined : counts
  }
  const shown = await tallyOf(chosen)
  const beside = async (name: keyof Chosen) => {
    const isNarrowed = name === 'price' ? chosen.price !== null : chosen[name].length > 0
    return isNarrowed ? tallyOf({ ...chosen, [name]: nothingChosen[name] }) : shown
  }
  return {
    facets: facetsFrom(all, {
      type: await beside('type'),
      colour: await beside('colour'),
      size: await beside('size'),
      price: await beside('price'),
    }),
    count: shown ? (shown.get('all') ?? 0) : TALLY_MAX,
    isMore: shown === undefined,
  }
}

const tallied = (all: readonly { facet: string; count: number }[]): FacetTally =>
  new Map(all.map(({ facet, count }) => [facet, count]))

import type { SearchAnswer, Suggestion } from '#contract/catalog.ts'
import { hasFacetsChosen, parseFacetChoice, type FacetChoice, type PriceSpan } from '#domain/catalog/facets.ts'
import { shownCollections } from '#domain/catalog/collections.ts'
import { foldCase, normalizeQuery } from '#domain/catalog/search.ts'
import {
  correctTypos,
  createVocabulary,
  parseSearchTerms,
  type SearchTerm,
  type Vocabulary,
} from '#domain/catalog/search-terms.ts'
import type { ProductId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import type { Db } from '#server/db/db.ts'
import { readCollections } from './collections.ts'
import { cacheList } from './listing-cache.ts'
import { countFacets, listProducts, PRODUCTS_A_PAGE } from './listing.ts'
import { listAmong } from './listing-store.ts'
import { readProductTypes } from './product-types.ts'
import { productsOf, toCards } from './product-view.ts'
import { readSpellings } from './search-words.ts'
import { findMatches, listSizes, MATCHES_MAX, type MatchMode } from './store.ts'

type SearchRequest = {
  q: string
  collection: string[]
  type: string[]
  color: string[]
  size: string[]
  priceFrom?: number | undefined
  priceTo?: number | undefined
  page?: number | undefined
}

type Match = { id: ProductId; collection: string }

type SearchResult = { found: Match[]; isNear: boolean; isMore: boolean }

/** What words may name, cached. */
const readVocabulary = (db: Db): Promise<Vocabulary> =>
  cacheList(db, 'vocabulary', async () =>
    createVocabulary(
      await readProductTypes(db),
      shownCollections(await readCollections(db)),
      await readSpellings(db),
      await listSizes(db),
    ),
  )

/** Corrects typos only when the literal query finds nothing. */
async function findProducts(db: Db, query: string): Promise<SearchResult> {
  const vocabulary = await readVocabulary(db)
  for (const reading of ['words', 'beginnings'] as const) {
    const { found, isMore } = await matchProducts(db, parseSearchTerms(query, vocabulary), reading)
    if (found.length) return { found, isMore, isNear: false }
  }
  const known = new Set(
    (await listProducts(db)).products.flatMap(({ name, colors }) =>
      [name, ...colors.map((color) => color.name)].flatMap(wordsOf),
    ),
  )
  const corrected = correctTypos(query, vocabulary, [...known])
  return { ...(await matchProducts(db, parseSearchTerms(corrected, vocabulary), 'lookalikes')), isNear: true }
}

type Matches = { found: Match[]; isMore: boolean }

/** A word that names a size, such as `large`, is tried as a size first, then as any other word. */
async function matchProducts(db: Db, terms: readonly SearchTerm[], reading: MatchMode): Promise<Matches> {
  const asWords = terms.map((term) => ({ ...term, sizes: [] }))
  const inSize = terms.some(({ sizes }) => sizes.length > 0) ? await rankMatches(db, terms, reading) : undefined
  return inSize?.found.length ? inSize : rankMatches(db, asWords, reading)
}

async function rankMatches(db: Db, terms: readonly SearchTerm[], reading: MatchMode): Promise<Matches> {
  const ranks = await findMatches(db, terms, reading)
  const order = (await readCollections(db)).map(({ id }) => id)
  const placeOf = ({ collection }: Match): number => order.indexOf(collection)
  // Equal ranks are sorted by collection, then as in the listing.
  const found = (await listAmong(db, { ids: [...ranks.keys()] })).toSorted(
    (a, b) => (ranks.get(b.id) ?? 0) - (ranks.get(a.id) ?? 0) || placeOf(a) - placeOf(b),
  )
  return { found: found.slice(0, MATCHES_MAX), isMore: ranks.size > MATCHES_MAX }
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

type FacetQuery = Pick<SearchRequest, 'type' | 'color' | 'size' | 'priceFrom' | 'priceTo'>

const priceSpanOf = ({ priceFrom, priceTo }: FacetQuery): PriceSpan | null =>
  priceFrom === undefined && priceTo === undefined
    ? null
    : { from: cents(priceFrom ?? 0), to: priceTo === undefined ? null : cents(priceTo) }

/** The facets chosen in a request, whose price span is given by its two ends. */
export const facetChoiceIn = (query: FacetQuery): FacetChoice => ({
  ...parseFacetChoice((name) => (name === 'price' ? [] : query[name])),
  price: priceSpanOf(query),
})

/** Search results, filtered by the chosen facets. */
export async function searchProducts(db: Db, request: SearchRequest): Promise<SearchAnswer> {
  const query = normalizeQuery(request.q)
  const all = query ? await findProducts(db, query) : { found: [], isNear: false, isMore: false }
  const within = all.found.filter(
    ({ collection }) => !request.collection.length || request.collection.includes(collection),
  )
  const chosen = facetChoiceIn(request)
  const filter = { ids: within.map(({ id }) => id), chosen }
  const left = hasFacetsChosen(chosen) && new Set((await listAmong(db, filter)).map(({ id }) => id))
  const matches = left ? within.filter(({ id }) => left.has(id)) : within
  const page = request.page ?? 1
  const pageMatches = matches.slice((page - 1) * PRODUCTS_A_PAGE, page * PRODUCTS_A_PAGE)
  const groups = Map.groupBy(matches, ({ collection }) => collection)
  return {
    query,
    products: toCards(
      await productsOf(
        db,
        pageMatches.map(({ id }) => id),
      ),
      chosen.color,
    ),
    count: matches.length,
    isMore: all.isMore,
    page,
    hasNext: matches.length > page * PRODUCTS_A_PAGE,
    groups: [...groups].map(([collection, { length: count }]) => ({ collection, count })),
    facets: (await countFacets(db, filter)).facets,
    isNear: all.isNear && all.found.length > 0,
  }
}

const SUGGESTIONS_MAX = 6
const COLLECTIONS_MAX = 2
const TYPED_MIN = 2

/** Suggestions while typing: collections whose names start with the text, then products. */
export async function suggest(db: Db, typed: string) {
  const query = normalizeQuery(typed)
  if (query.length < TYPED_MIN) return { suggestions: [], count: 0, isMore: false }
  const start = foldCase(query)
  const collections = shownCollections(await readCollections(db))
  const named = collections
    .filter(({ name, displayName, petName, keywords }) =>
      [name, petName, displayName, ...keywords].some((word) => foldCase(word).startsWith(start)),
    )
    .slice(0, COLLECTIONS_MAX)
    .map(({ slug, displayName }) => ({ kind: 'collection' as const, id: slug, text: displayName, imageUrl: null }))
  const { found, isMore } = await findProducts(db, query)
  const best = found.slice(0, SUGGESTIONS_MAX - named.length).map(({ id }) => id)
  const products = (await productsOf(db, best)).map(({ id, name, imageUrl, price, collection }): Suggestion => {
    const own = collections.find((one) => one.id === collection)
    return { kind: 'product', id: String(id), text: name, imageUrl, price, ...(own && { collection: own.displayName }) }
  })
  return { suggestions: [...named, ...products], count: found.length, isMore }
}

import type { SearchAnswer, Suggestion } from '#contract/catalog.ts'
import {
  hasFacetsChosen,
  NO_FACETS_CHOSEN,
  parseFacetChoice,
  type FacetChoice,
  type PriceSpan,
} from '#domain/catalog/facets.ts'
import { shownCollections } from '#domain/catalog/collections.ts'
import { foldCase, normalizeQuery } from '#domain/catalog/search.ts'
import {
  correctTypos,
  createVocabulary,
  parseSearchTerms,
  partNamedBy,
  type CatalogPart,
  type SearchTerm,
  type Vocabulary,
} from '#domain/catalog/search-terms.ts'
import type { Language } from '#shared/language.ts'
import { cents } from '#shared/money.ts'
import type { Db } from '#server/db/db.ts'
import { readCollections } from './collections.ts'
import { sizeAddress } from './pictures.ts'
import { cacheList } from './listing-cache.ts'
import { countFacets, listProducts, PRODUCTS_A_PAGE, readFacetCounts } from './listing.ts'
import { listedIds, listedPage } from './listing-store.ts'
import { readProductTypes } from './product-types.ts'
import { productsOf, toCards } from './product-view.ts'
import { readSpellings } from './search-words.ts'
import { listSizes, MATCHES_MAX, rankMatches, type Group, type Match, type Matches, type MatchMode } from './store.ts'

type SearchRequest = {
  q: string
  /** Whose words are understood besides English. */
  language?: Language | undefined
  collection: string[]
  type: string[]
  color: string[]
  size: string[]
  priceFrom?: number | undefined
  priceTo?: number | undefined
  page?: number | undefined
}

/** What was found and how, to narrow it. */
type SearchResult = Matches & { terms: readonly SearchTerm[]; reading: MatchMode; isNear: boolean }

/** What is chosen in the filters; `collections` may be empty, for all. `upTo`: how many of many matches are needed. */
type Narrowing = { collections: readonly string[]; chosen: FacetChoice; upTo: number }

/** What words may name, cached. */
const readVocabulary = (db: Db, language: Language): Promise<Vocabulary> =>
  cacheList(db, `vocabulary ${language}`, async () =>
    createVocabulary(
      {
        types: await readProductTypes(db),
        collections: shownCollections(await readCollections(db)),
        spellings: await readSpellings(db),
        sizes: await listSizes(db),
        colors: await readColorNames(db),
      },
      language,
    ),
  )

async function readColorNames(db: Db): Promise<string[]> {
  const names = (await readFacetCounts(db)).map(({ facet }) => /^color:(.*)$/.exec(facet)?.[1] ?? '')
  return [...new Set(names.filter(Boolean))]
}

/** Corrects typos only when the literal query finds nothing. @param upTo how many of many matches are needed */
async function findProducts(db: Db, query: string, upTo: number, language: Language = 'en'): Promise<SearchResult> {
  const vocabulary = await readVocabulary(db, language)
  for (const reading of ['words', 'beginnings'] as const) {
    const found = await matchProducts(db, parseSearchTerms(query, vocabulary), reading, upTo)
    if (found.matches.length) return { ...found, isNear: false }
  }
  const known = new Set(
    (await listProducts(db)).products.flatMap(({ name, colors }) =>
      [name, ...colors.map((color) => color.name)].flatMap(wordsOf),
    ),
  )
  const corrected = correctTypos(query, vocabulary, [...known])
  const near = await matchProducts(db, parseSearchTerms(corrected, vocabulary), 'lookalikes', upTo)
  return { ...near, isNear: near.matches.length > 0 }
}

/** A word that names a size, such as `large`, is tried as a size first, then as any other word. */
async function matchProducts(
  db: Db,
  terms: readonly SearchTerm[],
  reading: MatchMode,
  upTo: number,
): Promise<Omit<SearchResult, 'isNear'>> {
  const all = { collections: [], chosen: NO_FACETS_CHOSEN, upTo }
  if (terms.some(({ sizes }) => sizes.length > 0)) {
    const inSize = await findMatches(db, { terms, reading }, all)
    if (inSize.matches.length) return { ...inSize, terms, reading }
  }
  const asWords = terms.map((term) => ({ ...term, sizes: [] }))
  return { ...(await findMatches(db, { terms: asWords, reading }, all)), terms: asWords, reading }
}

/**
 * Ranks what is found. Where words name types and collections with too many products to rank, these are the answer, in the order of the
 * list: what only mentions them would come after.
 */
async function findMatches(
  db: Db,
  { terms, reading }: { terms: readonly SearchTerm[]; reading: MatchMode },
  { collections, chosen, upTo }: Narrowing,
): Promise<Matches> {
  const order = (await readCollections(db)).map(({ id }) => id)
  const isNarrowed = hasFacetsChosen(chosen)
  const part = isNarrowed ? undefined : partNamedBy(terms)
  if (part) {
    const among = order.filter((id) => !collections.length || collections.includes(id))
    const groups = await countPart(db, part, among)
    if (groups.reduce((sum, { count }) => sum + count, 0) > MATCHES_MAX)
      return { matches: await listPart(db, part, groups, upTo), groups, isMore: true }
  }
  const within = isNarrowed || collections.length > 0 ? listedIds(db, { collections, chosen }) : undefined
  return rankMatches(db, { terms, reading, within, upTo }, order)
}

/** How many products of each collection are in it, by the counts that triggers keep ready. @param among in the order of the shop */
async function countPart(db: Db, { types, collections }: CatalogPart, among: readonly string[]): Promise<Group[]> {
  const facets = types ? types.map((type) => `type:${type}`) : ['all']
  const counts = await readFacetCounts(db)
  return among.flatMap((collection) => {
    if (collections && !collections.includes(collection)) return []
    const own = counts.filter((row) => row.collection === collection && facets.includes(row.facet))
    const count = own.reduce((sum, row) => sum + row.count, 0)
    return count > 0 ? [{ collection, count }] : []
  })
}

/** Its first products, collection by collection as in the list. */
async function listPart(db: Db, { types }: CatalogPart, groups: readonly Group[], upTo: number): Promise<Match[]> {
  const matches: Match[] = []
  for (const { collection } of groups) {
    const limit = Math.min(upTo, MATCHES_MAX) - matches.length
    if (limit <= 0) break
    const filter = { collection, ...(types && { chosen: { ...NO_FACETS_CHOSEN, type: types } }) }
    matches.push(...(await listedPage(db, filter, { limit })).map(({ id }) => ({ id, collection })))
  }
  return matches
}

const groupsOf = (matches: readonly Match[]): Group[] =>
  [...Map.groupBy(matches, ({ collection }) => collection)].map(([collection, { length: count }]) => ({
    collection,
    count,
  }))

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
  const page = request.page ?? 1
  const upTo = page * PRODUCTS_A_PAGE
  const narrowing = { collections: request.collection, chosen: facetChoiceIn(request), upTo }
  const all = query ? await findProducts(db, query, upTo, request.language) : NOTHING_FOUND
  const { matches, groups, isMore, facets } = await (all.isMore ? narrowMany : narrowFew)(db, all, narrowing)
  const pageMatches = matches.slice(upTo - PRODUCTS_A_PAGE, upTo)
  const count = isMore ? MATCHES_MAX : matches.length
  return {
    query,
    products: toCards(
      await productsOf(
        db,
        pageMatches.map(({ id }) => id),
      ),
      narrowing.chosen.color,
    ),
    count,
    isMore,
    page,
    hasNext: count > upTo,
    groups,
    facets,
    isNear: all.isNear,
  }
}

const NOTHING_FOUND: SearchResult = {
  ...{ matches: [], groups: [], isMore: false, terms: [] },
  ...{ reading: 'words', isNear: false },
}

type Narrowed = Matches & Pick<SearchAnswer, 'facets'>

/** All matches are known. */
async function narrowFew(db: Db, all: SearchResult, { collections, chosen }: Narrowing): Promise<Narrowed> {
  const within = all.matches.filter(({ collection }) => !collections.length || collections.includes(collection))
  const filter = { ids: within.map(({ id }) => id), chosen }
  const left = hasFacetsChosen(chosen) && new Set((await listedIds(db, filter)).map(({ id }) => id))
  const matches = left ? within.filter(({ id }) => left.has(id)) : within
  return { matches, groups: groupsOf(matches), isMore: false, facets: (await countFacets(db, filter)).facets }
}

/** Filters choose among all matches, not only among those that were ranked. */
async function narrowMany(db: Db, all: SearchResult, narrowing: Narrowing): Promise<Narrowed> {
  const { collections, chosen } = narrowing
  const { terms, reading } = all
  const isChosen = hasFacetsChosen(chosen)
  const found = isChosen || collections.length > 0 ? await findMatches(db, { terms, reading }, narrowing) : all
  const { facets } = await countFacets(
    db,
    { terms, reading, collections, chosen },
    {
      isMany: collections.length === 0 || (!isChosen && found.isMore),
      found: found.isMore ? 'many' : found.matches.map(({ id }) => id),
    },
  )
  return { ...found, facets }
}

const SUGGESTIONS_MAX = 6
const COLLECTIONS_MAX = 2
const TYPED_MIN = 2

/** Suggestions while typing: collections whose names start with the text, then products. */
export async function suggest(db: Db, typed: string, language?: Language) {
  const query = normalizeQuery(typed)
  if (query.length < TYPED_MIN) return { suggestions: [], count: 0, isMore: false }
  const start = foldCase(query)
  const collections = shownCollections(await readCollections(db))
  const named = collections
    .filter(({ name, displayName, petName, keywords }) =>
      [name, petName, displayName, ...keywords].some((word) => foldCase(word).startsWith(start)),
    )
    .slice(0, COLLECTIONS_MAX)
    .map(({ slug, displayName, hero }): Suggestion => {
      const [width] = hero?.widths ?? []
      const imageUrl = hero && width ? sizeAddress(hero.file, width) : null
      return { kind: 'collection', id: slug, text: displayName, imageUrl }
    })
  const { matches, isMore } = await findProducts(db, query, SUGGESTIONS_MAX, language)
  const best = matches.slice(0, SUGGESTIONS_MAX - named.length).map(({ id }) => id)
  // In the colors that a list of them has: the first of each would often be the same black.
  const products = toCards(await productsOf(db, best)).map(({ id, name, picture, price, collection }): Suggestion => {
    const own = collections.find((one) => one.id === collection)
    const imageUrl = picture?.src ?? null
    return { kind: 'product', id: String(id), text: name, imageUrl, price, ...(own && { collection: own.displayName }) }
  })
  return { suggestions: [...named, ...products], count: isMore ? MATCHES_MAX : matches.length, isMore }
}

import { collections } from '#brand/collections/collections.ts'
import type { Product, SearchAnswer, Suggestion } from '#contract/catalogue.ts'
import { countFacets, narrowed, readChosen, type PriceSpan } from '#domain/catalogue/facets.ts'
import { folded, queryOf } from '#domain/catalogue/search.ts'
import { corrected, termsOf } from '#domain/catalogue/search-terms.ts'
import { cents } from '#kernel/money.ts'
import type { Db } from '#server/db/db.ts'
import { listProducts } from './catalogue.ts'
import { findMatches, type Reading } from './store.ts'

type Asked = {
  q: string
  collection: string[]
  type: string[]
  colour: string[]
  size: string[]
  priceFrom?: number | undefined
  priceTo?: number | undefined
}

const order = Object.keys(collections)
const placeOf = ({ collection }: Product): number => order.indexOf(collection)

/** What is typed may have slips; what is found literally goes first, so that a slip is only assumed when nothing else helps. */
async function findProducts(db: Db, query: string): Promise<{ found: Product[]; isNear: boolean }> {
  const listing = await listProducts(db)
  const read = async (text: string, reading: Reading) => {
    const ranks = await findMatches(db, termsOf(text), reading)
    // What fits equally well stands by collection, then as in the listing.
    return listing
      .filter(({ id }) => ranks.has(id))
      .toSorted((a, b) => (ranks.get(b.id) ?? 0) - (ranks.get(a.id) ?? 0) || placeOf(a) - placeOf(b))
  }

  for (const reading of ['words', 'beginnings'] as const) {
    const found = await read(query, reading)
    if (found.length) return { found, isNear: false }
  }
  const known = new Set(
    listing.flatMap(({ name, colours }) => [name, ...colours.map((dye) => dye.name)].flatMap(wordsOf)),
  )
  return { found: await read(corrected(query, [...known]), 'lookalikes'), isNear: true }
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

const spanOf = ({ priceFrom, priceTo }: Asked): PriceSpan | null =>
  priceFrom === undefined && priceTo === undefined
    ? null
    : { from: cents(priceFrom ?? 0), to: priceTo === undefined ? null : cents(priceTo) }

/** What a query finds, narrowed by what was chosen; the counts are those of `countFacets`. */
export async function searchProducts(db: Db, asked: Asked): Promise<SearchAnswer> {
  const query = queryOf(asked.q)
  const all = query ? await findProducts(db, query) : { found: [], isNear: false }
  const within = all.found.filter(({ collection }) => !asked.collection.length || asked.collection.includes(collection))
  const chosen = { ...readChosen((name) => (name === 'price' ? [] : asked[name])), price: spanOf(asked) }
  const products = narrowed(within, chosen)
  const groups = Map.groupBy(products, ({ collection }) => collection)
  return {
    query,
    products,
    groups: [...groups].map(([collection, { length: count }]) => ({ collection, count })),
    facets: countFacets(within, chosen),
    isNear: all.isNear && all.found.length > 0,
  }
}

const SUGGESTIONS_MAX = 6
const COLLECTIONS_MAX = 2
const TYPED_MIN = 2

/** For what has been typed so far: collections whose names begin so, then products. */
export async function suggest(db: Db, typed: string): Promise<Suggestion[]> {
  const query = queryOf(typed)
  if (query.length < TYPED_MIN) return []
  const start = folded(query)
  const named = Object.values(collections)
    .filter(({ name, displayName, petName, keywords }) =>
      [name, petName, displayName, ...keywords].some((one) => folded(one).startsWith(start)),
    )
    .slice(0, COLLECTIONS_MAX)
    .map(({ id, displayName }) => ({ kind: 'collection' as const, id, text: displayName, imageUrl: null }))
  const { found } = await findProducts(db, query)
  const products = found
    .slice(0, SUGGESTIONS_MAX - named.length)
    .map(({ id, name, imageUrl }) => ({ kind: 'product' as const, id: String(id), text: name, imageUrl }))
  return [...named, ...products]
}

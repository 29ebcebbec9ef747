import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListingPage, SearchAnswer } from '#contract/catalog.ts'
import { createVocabulary, parseSearchTerms, type SearchTerm } from '#domain/catalog/search-terms.ts'
import { defaultSpellings } from '#domain/catalog/synonyms.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { readCollections } from '#server/catalog/collections.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import { listProductTypes } from '#server/catalog/product-types.ts'
import { seedProducts } from '../../tools/bench/seed.ts'

// Random catalogs and questions, answered by the shop and by a plain reference, which ranks every product and sorts them all.

const COUNT = 1600
const RANKED_MAX = 1000
const A_PAGE = 60
const WORDS = 'amber birch harbor lagoon nimble portrait quiet copper gray'.split(' ')
const QUESTIONS = [
  ...[
    'mug',
    'hats',
    'rudy',
    'sherlock',
    'rudy mug',
    'sherlock hat',
    'harbor',
    'lagoons',
    'grey',
    'harb',
    'who',
    'white',
  ],
  ...[
    'quiet harbor',
    'copper mug',
    'white copper hat',
    'rudy lagoon',
    'drawn',
    'drawn amber',
    'row',
    'nimble who',
    'pipe',
  ],
]

let world: World
let collections: string[]
let vocabulary: ReturnType<typeof createVocabulary>
beforeAll(async () => {
  world = await openWorld()
  const { pool, db } = world.shop.database
  await seedProducts(pool, COUNT)
  const all = await readCollections(db)
  collections = all.map(({ id }) => id)
  vocabulary = createVocabulary({
    ...{ types: await listProductTypes(db), collections: all, spellings: defaultSpellings },
    ...{ sizes: [], colors: [] },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

/** Gives every added product words: some in most texts, some in few, in name or description. */
async function rewrite(seed: number): Promise<void> {
  const { pool, db } = world.shop.database
  const word = (salt: string) =>
    `(array['${WORDS.join(`','`)}'])[1 + floor(power(abs(hashtext(id || '${salt}${seed}')) / 2147483648.0, 2) * ${WORDS.length})::int]`
  await pool.query(
    `update product set name = initcap(${word('a')}) || ' ' || ${word('b')} || ' ' || id,
       description = 'Drawn at the ' || ${word('c')} || case when hashtext(id || 'd${seed}') % 3 = 0 then ' by those who ' || ${word('e')} else '' end || '.'
     where id >= 1000000`,
  )
  await pool.query('analyze product')
  clearListingCache(db)
}

type Row = {
  id: number
  collection: string
  type: string
  listing_key: string
  facets: string[]
  rank: number
  unlike: number
  isFound: boolean
}

/** Every listed product with its rank, by the texts alone. `unlike`: the rank without similarity. */
async function rankAll(terms: readonly SearchTerm[], reading: 'words' | 'beginnings'): Promise<Row[]> {
  const weights = `'{0, 0.1, 0.4, 1}'::real[]`
  const products = new Map<number, Row>()
  for (const { text, alike, types, collections: named } of terms) {
    const { rows } = await world.shop.database.pool.query(
      `with query as materialized (
         select phraseto_tsquery('english', $1) || coalesce((select phraseto_tsquery('english', min(a)) from unnest($2::text[]) a), ''::tsquery) as words,
           to_tsquery('english', replace($1, ' ', ' & ') || ':*') as beginning)
       select p.id, p.collection, p.type, l.listing_key, l.facets, ts_rank(${weights}, search_words, words) as words,
         ts_rank(${weights}, search_words, beginning) as beginning, word_similarity($1, search_names) as similarity,
         search_words @@ words as has_words, search_words @@ beginning as begins,
         numnode(words) = 0 and strpos(lower(name || ' ' || description), $1) > 0 as has_letters
       from product p join listed_product l on l.product_id = p.id, query`,
      [text, alike],
    )
    const isWord = !text.includes(' ')
    for (const row of rows) {
      const isNamed = types.includes(row.type) || named.includes(row.collection)
      const begins = isWord && reading === 'beginnings' && row.begins
      const hasLetters = reading === 'words' && row.has_letters
      const known = products.get(row.id) ?? { ...row, rank: 0, unlike: 0, isFound: true }
      const rank = row.words + (isWord ? row.beginning / 4 : 0) + (types.includes(row.type) ? 1 : 0)
      known.rank += rank + row.similarity / 8
      known.unlike += rank
      known.isFound &&= isNamed || row.has_words || begins || hasLetters
      products.set(row.id, known)
    }
  }
  return [...products.values()].filter(({ isFound }) => isFound)
}

const tenths = (rank: number) => Math.round(rank * 10)
const placeOf = ({ collection }: Row) => collections.indexOf(collection)
const inListOrder = (a: Row, b: Row) =>
  a.listing_key < b.listing_key ? -1 : a.listing_key > b.listing_key ? 1 : a.id - b.id
const ranked = (rows: readonly Row[]) =>
  rows.toSorted((a, b) => tenths(b.rank) - tenths(a.rank) || placeOf(a) - placeOf(b) || inListOrder(a, b))
/** Of many, the newest. */
const rankedOfMany = (rows: readonly Row[]) =>
  rows
    .toSorted((a, b) => b.id - a.id)
    .slice(0, RANKED_MAX + 1)
    .toSorted((a, b) => tenths(b.unlike) - tenths(a.unlike) || placeOf(a) - placeOf(b) || b.id - a.id)

/** What a question finds; `named`: only products of the types and collections that it names. */
async function searchPlainly(question: string): Promise<{ all: Row[]; named: Row[] }> {
  const terms = parseSearchTerms(question, vocabulary)
  const words = await rankAll(terms, 'words')
  const all = words.length > 0 ? words : await rankAll(terms, 'beginnings')
  const isNamed = terms.every(({ types, collections: ids }) => types.length + ids.length > 0)
  const named = all.filter((row) =>
    terms.every(({ types, collections: ids }) =>
      types.length > 0 ? types.includes(row.type) : ids.includes(row.collection),
    ),
  )
  return { all, named: isNamed ? named : [] }
}

async function ask(query: Record<string, string>): Promise<SearchAnswer> {
  const { status, body } = await world.shopper().send<SearchAnswer>('GET', `/api/search?${new URLSearchParams(query)}`)
  expect({ query, status }).toEqual({ query, status: 200 })
  return body
}
const numbers = ({ products }: Pick<SearchAnswer, 'products'>): number[] => products.map(({ id }) => Number(id))

const FILTERS: { query: Record<string, string>; isLeft: (row: Row) => boolean }[] = [
  { query: {}, isLeft: () => true },
  { query: { type: 'mug' }, isLeft: ({ type }) => type === 'mug' },
  { query: { color: 'White' }, isLeft: ({ facets }) => facets.includes('color:White') },
  { query: { collection: 'sherlock' }, isLeft: ({ collection }) => collection === 'sherlock' },
]

describe.each([1, 2])('in random catalog %i', (seed) => {
  beforeAll(() => rewrite(seed))

  test.each(QUESTIONS)('“%s” finds what a plain search finds, in the same order', async (q) => {
    const { all, named: allNamed } = await searchPlainly(q)
    for (const { query, isLeft } of FILTERS) {
      const [found, named] = [all.filter(isLeft), allNamed.filter(isLeft)]
      const isMany = found.length > RANKED_MAX
      const isByName = named.length > RANKED_MAX && !('type' in query || 'color' in query)
      const order = isByName
        ? named.toSorted((a, b) => placeOf(a) - placeOf(b) || inListOrder(a, b))
        : isMany
          ? rankedOfMany(found)
          : ranked(found)
      const first = await ask({ q, ...query })
      if (all.length === 0) {
        // Words that come close are tried next.
        expect(first.isNear || first.count === 0).toBe(true)
        continue
      }
      const count = Math.min(found.length, RANKED_MAX)
      expect({ q, query, count: first.count, isMore: first.isMore }).toEqual({ q, query, count, isMore: isMany })
      expect(numbers(first)).toEqual(order.slice(0, A_PAGE).map(({ id }) => id))
      if (count > A_PAGE) {
        const last = Math.ceil(count / A_PAGE)
        const ids = order.slice(0, RANKED_MAX).map(({ id }) => id)
        expect(numbers(await ask({ q, ...query, page: String(last) }))).toEqual(ids.slice((last - 1) * A_PAGE))
      }
      const groups = first.groups.map(({ collection, count: items }) => [collection, items])
      const counted = isByName ? named : isMany ? rankedOfMany(found).slice(0, RANKED_MAX + 1) : found
      const itemsOf = (collection: string) => counted.filter((row) => row.collection === collection).length
      expect(Object.fromEntries(groups)).toEqual(
        Object.fromEntries([...new Set(counted.map(({ collection }) => collection))].map((id) => [id, itemsOf(id)])),
      )
      if (all.length > RANKED_MAX) continue
      const within = all.filter((row) => !('collection' in query) || row.collection === query['collection'])
      const others = within.filter((row) => !('color' in query) || isLeft(row))
      for (const { value, count: items } of first.facets.type)
        expect([value, items]).toEqual([value, others.filter(({ type }) => type === value).length])
    }
  })
})

test('many products of a type or collection come in the order of the list, with what is on each page', async () => {
  const listed = async (query: string) =>
    (await world.shopper().send<ListingPage>('GET', `/api/listing?${query}`)).body.products.map(({ id }) => Number(id))
  const { pool, db } = world.shop.database
  await pool.query(`update product set type = 'mug' where id >= 1000000`)
  clearListingCache(db)
  const mugs = await ask({ q: 'mugs' })
  expect({ count: mugs.count, isMore: mugs.isMore, hasNext: mugs.hasNext }).toEqual({
    ...{ count: RANKED_MAX, isMore: true, hasNext: true },
  })
  expect(numbers(mugs)).toEqual(await listed('type=mug&collection=rudy'))
  expect(numbers(await ask({ q: 'rudy mug', collection: 'sherlock' }))).toEqual([])
  // Filters choose among all of them.
  const sherlocks = await ask({ q: 'mug', collection: 'sherlock' })
  expect(sherlocks.isMore).toBe(false)
  expect(mugs.groups.map(({ collection }) => collection)).toEqual(['rudy', 'sherlock', 'example'])
  expect(mugs.groups[1]?.count).toBe(sherlocks.count)
  expect(mugs.facets.color.every(({ count }) => count === null)).toBe(true)
})

test('an answer is cached until the catalog changes, except that nothing was found', async () => {
  const { pool, db } = world.shop.database
  const head = async (q: string) => (await fetch(`${world.address}/api/search?q=${q}`)).headers
  expect((await head('copper')).get('etag')).not.toBeNull()
  expect((await head('xylophone')).get('cache-control')).toBe('no-store')
  const [first] = numbers(await ask({ q: 'copper' }))
  await pool.query(`update product set state = 'retired' where id = $1`, [first])
  clearListingCache(db)
  expect(numbers(await ask({ q: 'copper' }))).not.toContain(first)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProductCard, SearchAnswer, Suggestion } from '#contract/catalog.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const send = <Body>(path: string, query: Record<string, string | string[]>) => {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) for (const value of [values].flat()) params.append(name, value)
  return world.shopper().send<Body>('GET', `${path}?${params}`)
}

async function find(q: string, more: Record<string, string | string[]> = {}): Promise<SearchAnswer> {
  const { status, body } = await send<SearchAnswer>('/api/search', { q, ...more })
  expect({ q, status }).toEqual({ q, status: 200 })
  return body
}

const typesOf = (products: readonly ProductCard[]) => [...new Set(products.map(({ type }) => type))].toSorted()

describe('a search', () => {
  test.each([
    ['hat', ['hat', 'vented-hat']],
    ['CAP', ['hat', 'vented-hat']],
    ['tee', ['t-shirt']],
    ['t-shirts', ['t-shirt']],
    ['tshirt', ['t-shirt']],
    ['cup', ['mug']],
    ['cushions', ['pillow']],
    ['throw', ['blanket']],
    ['bag', ['tote']],
    ['koozie', ['can-cooler']],
    ['mousepad', ['mouse-pad']],
    ['flask', ['water-bottle']],
  ])('for %j starts with these products: %j', async (q, types) => {
    const { products, isNear } = await find(q)
    const all = (await world.shopper().send<ProductCard[]>('GET', '/api/products')).body
    const wanted = all.filter(({ type }) => types.includes(type))
    expect(wanted.length).toBeGreaterThan(0)
    expect(typesOf(products.slice(0, wanted.length))).toEqual(types)
    expect(isNear).toBe(false)
  })

  test('finds words of the description in any form', async () => {
    const names = async (q: string) => (await find(q)).products.map(({ name }) => name)
    expect(await names('embroidering hats')).toEqual(expect.arrayContaining(['Rudy Vented Hat "Bid, Ask, Nap"']))
    expect(await names('buckles')).toContain('Rudy Hat "After Hours"')
    expect(await names('after hours')).toEqual(expect.arrayContaining(['Rudy Hat "After Hours"']))
  })

  test('needs every word, and finds nothing if no product has them all', async () => {
    expect((await find('sherlock mug')).products.every(({ collection }) => collection === 'sherlock')).toBe(true)
    expect(typesOf((await find('sherlock mug')).products.slice(0, 1))).toEqual(['mug'])
    expect((await find('sherlock visor ingots')).products).toEqual([])
  })

  test('ranks a name above a description', async () => {
    expect((await find('approximately round')).products[0]?.name).toBe('Pip T-Shirt "Approximately Round"')
  })

  test.each([
    ['hta', 'hat'],
    ['blankit', 'blanket'],
    ['moug', 'mug'],
    ['t-shrit', 't-shirt'],
    ['pilow', 'pillow'],
  ])('corrects the typo %j to %j, and says that the results are close', async (q, type) => {
    const { products, isNear } = await find(q)
    expect(products.map((product) => product.type)).toContain(type)
    expect(isNear).toBe(true)
  })

  test('finds a name that is spelled slightly differently', async () => {
    expect((await find('aproximatly')).products[0]?.name).toBe('Pip T-Shirt "Approximately Round"')
    const { products } = await find('sherlok pilow')
    expect(products.map(({ name }) => name)).toEqual(['Sherlock Pillow 18x18 "The Evidence"'])
  })

  test('finds words by their beginning', async () => {
    const { products, isNear } = await find('sherl')
    expect(new Set(products.map(({ collection }) => collection))).toEqual(new Set(['sherlock']))
    expect(isNear).toBe(false)
  })

  test('finds a collection by its keywords and the channel’s handle', async () => {
    expect((await find('guinea pig')).groups.map(({ collection }) => collection)).toContain('example')
    expect((await find('@thebullionhour')).groups).toEqual([{ collection: 'rudy', count: 24 }])
  })

  test('keeps the shop’s order of collections where they match equally well', async () => {
    expect((await find('mug')).groups.map(({ collection }) => collection)).toEqual(['rudy', 'sherlock', 'example'])
  })

  test('counts by collection and lists each product once', async () => {
    const { products, groups } = await find('mug')
    expect(groups.reduce((total, { count }) => total + count, 0)).toBe(products.length)
    expect(new Set(products.map(({ id }) => id)).size).toBe(products.length)
  })
})

describe('search results', () => {
  test('are filtered by type, color, size, price and collection, with matching counts', async () => {
    const { facets } = await find('rudy')
    for (const { value, count } of facets.type)
      expect((await find('rudy', { type: value })).products).toHaveLength(count ?? NaN)
    for (const { value, count } of facets.color.slice(0, 3))
      expect((await find('rudy', { color: value })).products).toHaveLength(count ?? NaN)
    const big = facets.size.find(({ value }) => value === '3XL')
    expect((await find('rudy', { size: '3XL' })).products).toHaveLength(big?.count ?? -1)
    for (const { from, to, count } of facets.price)
      expect(
        (await find('rudy', { priceFrom: String(from), ...(to !== null && { priceTo: String(to) }) })).products,
      ).toHaveLength(count ?? NaN)
    expect((await find('dog', { collection: 'sherlock' })).groups).toEqual([{ collection: 'sherlock', count: 8 }])
  })

  test('combine several values of one filter', async () => {
    const { products } = await find('rudy', { type: ['visor', 'tote'] })
    expect(typesOf(products)).toEqual(['tote', 'visor'])
  })

  test.each([['priceFrom'], ['priceTo']])('refuse an invalid %s', async (name) => {
    const answer = await send('/api/search', { q: 'hat', [name]: '-1' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid' } })
  })
})

describe('a hostile search', () => {
  test.each([
    ['nothing', ''],
    ['blanks', ' \t\n'],
    ['a per cent sign', '%'],
    ['an underscore', '_'],
    ['a backslash', '\\'],
    ['ten thousand per cent signs', '%'.repeat(10_000)],
    ['ten thousand letters', 'x'.repeat(10_000)],
    ['markup', '<img src=x onerror=alert(1)>'],
    ['an injection', "' OR 1=1--"],
    ['another injection', '"; DROP TABLE product; --'],
    ['search operators', '!zebra | zebra:* & <->'],
    ['a pattern', '.*'],
    ['emoji', '🐶🐶'],
    ['right-to-left text', 'قبعة كلب'],
    ['a right-to-left mark', '\u202Ezebra'],
    ['a character cut in half', '\uD83D'],
    ['nul', '\0'],
    ['unknown and ignored words', 'zzz the of'],
    ['a word of a thousand letters', 'ß'.repeat(1000)],
  ])('for %s finds nothing, without an error', async (_, q) => {
    expect((await find(q)).products).toEqual([])
  })

  test('treats wildcards as plain text (S58)', async () => {
    expect((await find('m%g')).products).toEqual([])
    expect((await find('h_t')).products).toEqual([])
  })

  test('ignores quotation marks', async () => {
    expect((await find('"after hours"')).products.map(({ name }) => name)).toContain('Rudy Hat "After Hours"')
  })

  test('of ten thousand characters is answered by its beginning (S58)', async () => {
    expect((await find('mug '.repeat(2500))).products.length).toBeGreaterThan(0)
  })

  test('leaves the catalog unchanged (S58)', async () => {
    expect((await world.shopper().send<ProductCard[]>('GET', '/api/products')).body).toHaveLength(36)
  })
})

describe('search suggestions', () => {
  const suggestionsFor = async (q: string) =>
    (await send<{ suggestions: Suggestion[] }>('/api/search/suggestions', { q })).body.suggestions

  test('are collections, then products, six at most', async () => {
    const found = await suggestionsFor('rud')
    expect(found).toHaveLength(6)
    expect(found[0]).toMatchObject({ kind: 'collection', id: 'rudy', text: 'The Rudy Collection' })
    expect(found[0]?.imageUrl).toMatch(/hero\.rudy/)
    expect(found.slice(1).every(({ kind, imageUrl }) => kind === 'product' && imageUrl !== null)).toBe(true)
  })

  test.each(['ha', 'hat', 'caps', 'blank'])('appear for %j', async (q) => {
    expect((await suggestionsFor(q)).length).toBeGreaterThan(0)
  })

  test.each(['', 'h', ' h ', '%', 'zzzz'])('do not appear for %j', async (q) => {
    expect(await suggestionsFor(q)).toEqual([])
  })
})

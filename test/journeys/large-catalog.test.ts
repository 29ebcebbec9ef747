import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListingPage, Product, ProductWithRelated, SearchAnswer } from '#contract/catalog.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import { seedProducts } from '../../tools/bench/seed.ts'

// Enough products for several pages.
const COUNT = 270
const A_PAGE = 60

/** Types in listing order; those in one row are sorted by name. */
const RANKS = [
  ...[['vented-hat'], ['hat'], ['visor'], ['t-shirt', 'polo'], ['mug'], ['water-bottle'], ['pillow'], ['tote']],
  ['blanket', 'can-cooler', 'mouse-pad'],
]

let world: World
let all: Product[]
beforeAll(async () => {
  world = await openWorld({ pages: true })
  const { pool, db } = world.shop.database
  await seedProducts(pool, COUNT)
  clearListingCache(db)
  all = await walk('/api/products')
})
afterAll(() => world[Symbol.asyncDispose]())

const ask = async <Body>(path: string) => (await world.shopper().send<Body>('GET', path)).body
const listing = (query = '') => ask<ListingPage>(`/api/listing${query}`)
const numbers = (products: readonly { id: number }[]) => products.map(({ id }) => id)
const page = async (path: string) => {
  const answer = await fetch(world.address + path)
  return { status: answer.status, text: await answer.text() }
}

/** Reads every page of a listing, following its `Link` header. */
async function walk(path: string): Promise<Product[]> {
  const products: Product[] = []
  for (let next: string | undefined = path; next;) {
    const answer: Response = await fetch(world.address + next)
    const part = (await answer.json()) as Product[]
    expect(part.length).toBeLessThanOrEqual(A_PAGE)
    products.push(...part)
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return products
}

describe('the product listing of a large catalog', () => {
  test('comes in pages that together are complete and in order', () => {
    expect(all).toHaveLength(COUNT)
    const ranks = all.map(({ type }) => RANKS.findIndex((types) => types.includes(type)))
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
    for (const [index, { name }] of all.entries())
      if (index > 0 && ranks[index] === ranks[index - 1])
        expect(name.toLowerCase() >= (all[index - 1]?.name ?? '').toLowerCase()).toBe(true)
  })

  test('pages forward and back through the same pages', async () => {
    const forth: ListingPage[] = [await listing()]
    for (let at = forth.at(-1); at?.next; at = forth.at(-1)) forth.push(await listing(`?after=${at.next}`))
    expect(forth.flatMap(({ products }) => numbers(products))).toEqual(numbers(all))
    expect(forth.map(({ previous }) => previous === null)).toEqual([true, false, false, false, false])

    const back: ListingPage[] = forth.slice(-1)
    for (let at = back.at(-1); at?.previous; at = back.at(-1)) back.push(await listing(`?before=${at.previous}`))
    expect(back.toReversed().map(({ products }) => numbers(products))).toEqual(
      forth.map(({ products }) => numbers(products)),
    )
  })

  test.each(['price', 'price-down', 'newest', 'rating'])(
    'sorted by %s, its pages are complete and in order, forward and back',
    async (sort) => {
      const forth: ListingPage[] = [await listing(`?sort=${sort}`)]
      for (let at = forth.at(-1); at?.next; at = forth.at(-1))
        forth.push(await listing(`?sort=${sort}&after=${at.next}`))
      const products = forth.flatMap((one) => one.products)
      const key = ({ id, price, rating, reviewCount }: ListingPage['products'][number]) =>
        sort === 'newest' ? [-Number(id)] : sort === 'rating' ? [reviewCount > 0 ? -rating : 0, -reviewCount] : [price]
      const down = sort === 'price-down' ? -1 : 1
      expect(numbers(products).toSorted((a, b) => a - b)).toEqual(numbers(all).toSorted((a, b) => a - b))
      const isInOrder = (a: number[], b: number[]) => {
        const at = a.findIndex((value, index) => value !== b[index])
        return at < 0 || down * ((a[at] ?? 0) - (b[at] ?? 0)) < 0
      }
      for (const [index, product] of products.entries()) {
        const before = products[index - 1]
        if (before) expect(isInOrder(key(before), key(product)), `${before.id}, ${product.id}`).toBe(true)
      }
      const back = await listing(`?sort=${sort}&before=${forth[2]?.products[0]?.id}`)
      expect(numbers(back.products)).toEqual(numbers(forth[1]?.products ?? []))
    },
  )

  test('shows the same collections, searches and filters as a small shop', async () => {
    const found = async (query: string) => {
      const ids: number[] = []
      for (let next = query; next;) {
        const part = await listing(`?${next}`)
        ids.push(...numbers(part.products))
        next = part.next === null ? '' : `${query}&after=${part.next}`
      }
      return ids
    }
    const wanted = (test_: (product: Product) => boolean) => numbers(all.filter(test_))
    expect(await found('collection=rudy')).toEqual(wanted(({ collection }) => collection === 'rudy'))
    expect(await found('type=mug&type=polo&priceFrom=2000&priceTo=3000')).toEqual(
      wanted(({ type, price }) => ['mug', 'polo'].includes(type) && price >= 2000 && price < 3000),
    )
    expect(await found('collection=rudy&search=amber')).toEqual(
      wanted(({ collection, name, description }) => collection === 'rudy' && /amber/i.test(`${name} ${description}`)),
    )
    expect(await found('collection=nobody')).toEqual([])
  })

  test.each([
    '',
    'type=mug&type=hat',
    'color=Ivory&type=mug',
    'collection=sherlock&size=XL&priceTo=5000',
    'search=amber',
  ])('counts with %j how many products each value would show', async (query) => {
    const { facets, count, isMore } = await listing(`?${query}`)
    const without = (name: string) => [...new URLSearchParams(query)].filter(([other]) => other !== name)
    const countWith = async (name: string, value: string) =>
      (await listing(`?${new URLSearchParams([...without(name), [name, value]]).toString()}`)).count
    for (const name of ['type', 'color', 'size'] as const)
      for (const { value, count: counted } of facets[name].slice(0, 4))
        expect([name, value, counted]).toEqual([name, value, await countWith(name, value)])
    expect(facets.color.every(({ hex }) => hex?.startsWith('#'))).toBe(true)
    expect({ count, isMore }).toEqual({ count: query === '' ? COUNT : expect.any(Number), isMore: false })
  })

  test('starts over after a product that does not exist', async () => {
    expect(numbers((await listing('?after=999999999')).products)).toEqual(numbers(all.slice(0, A_PAGE)))
    expect((await world.shopper().send('GET', '/api/listing?after=x')).status).toBe(422)
  })

  test('follows changes by the owner and the printer', async () => {
    const { pool, db } = world.shop.database
    const [first] = all
    await pool.query('update variant set unit_price_cents = 123456 where product_id = $1', [first?.id])
    await pool.query("update product set state = 'retired' where id = $1", [all[1]?.id])
    clearListingCache(db)
    const { products, count, facets } = await listing()
    expect(products.slice(0, 2).map(({ id, price }) => [id, price])).toEqual([
      [first?.id, 123456],
      [all[2]?.id, all[2]?.price],
    ])
    expect(count).toBe(COUNT - 1)
    expect(facets.price.at(-1)).toMatchObject({ name: '50-', count: expect.any(Number) })
    await pool.query("update product set state = 'published' where id = $1", [all[1]?.id])
    await pool.query('update variant set unit_price_cents = $2 where product_id = $1', [first?.id, first?.price])
    clearListingCache(db)
    expect(numbers((await listing()).products)).toEqual(numbers(all.slice(0, A_PAGE)))
  })
})

describe('the pages of a large catalog', () => {
  test.each(['/products', '/collections/rudy'])('link from %s to the next page without a script', async (path) => {
    const first = await page(path)
    const links = [...first.text.matchAll(/<(?:a|link)[^>]*rel="next"[^>]*>/g)].map(([tag]) => tag)
    expect(links).toHaveLength(2)
    const next = /href="([^"]+)"/.exec(links[0] ?? '')?.[1]?.replaceAll('&amp;', '&')
    const second = await page(next ?? '')
    expect(second.status).toBe(200)
    expect(second.text).toMatch(/<a[^>]*rel="prev"/)
    const productIdsIn = (text: string) =>
      new Set([...text.matchAll(/href="\/product\/(\d+)["?]/g)].map(([, id]) => id))
    expect(productIdsIn(first.text).size).toBe(A_PAGE)
    expect([...productIdsIn(first.text)].filter((id) => productIdsIn(second.text).has(id))).toEqual([])
  })

  test('show a hat, a shirt and a mug on the home page', async () => {
    const { text } = await page('/')
    for (const type of ['vented-hat', 't-shirt', 'mug'])
      expect(
        all.some(({ id, type: otherType }) => otherType === type && text.match(new RegExp(`/product/${id}["?]`))),
      ).toBe(true)
    expect((await ask<Product[]>('/api/showcase')).length).toBeLessThan(50)
  })

  test('show a product with its related products and structured data', async () => {
    const last = all.at(-1)
    const { product, related } = await ask<ProductWithRelated>(`/api/products/${last?.slug}`)
    // A list has two of its pictures.
    expect({ ...product, images: last?.images }).toEqual(last)
    expect(product.images).toEqual(expect.arrayContaining(last?.images ?? []))
    expect(related).toHaveLength(4)
    const { status, text } = await page(`/product/${last?.id}`)
    expect(status).toBe(200)
    expect(text).toContain('"productGroupID"')
    for (const { id } of related) expect(text).toMatch(new RegExp(`/product/${id}["?]`))
    expect((await page('/product/999999')).status).toBe(404)
    expect((await world.shopper().send('GET', '/api/products/nothing-here')).status).toBe(404)
  })

  test('show one page of search results, and how many there are', async () => {
    const first = await ask<SearchAnswer>('/api/search?q=mug')
    const mugs = all.filter(({ type }) => type === 'mug')
    expect(first.count).toBeGreaterThanOrEqual(mugs.length)
    expect(first.products).toHaveLength(Math.min(A_PAGE, first.count))
    const wide = await ask<SearchAnswer>('/api/search?q=rudy')
    const second = await ask<SearchAnswer>('/api/search?q=rudy&page=2')
    expect({ ...wide, page: 0 }).toMatchObject({ isMore: false, hasNext: true })
    expect(new Set([...numbers(wide.products), ...numbers(second.products)]).size).toBe(2 * A_PAGE)
    expect((await page('/search?q=rudy&page=2')).text).toContain('rel="prev"')
  })
})

test('split the sitemap into several that together list every product', async () => {
  const index = await page('/sitemap.xml')
  const maps = [...index.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address ?? '')
  const texts = await Promise.all(maps.map(async (address) => (await fetch(address)).text()))
  const listed = texts.join('').match(/\/product\/\d+<\/loc>/g) ?? []
  expect(new Set(listed).size).toBe(COUNT)
  expect(texts[0]).toContain('/collections/rudy</loc>')
  for (const name of ['0000', '999999', 'x']) expect((await page(`/sitemap/${name}.xml`)).status).toBe(404)
})

test('list every variant in the merchant feed', async () => {
  const { text } = await page('/feed.xml')
  const variants = all.reduce((sum, { variantCount }) => sum + variantCount, 0)
  expect(text.match(/<item>/g)).toHaveLength(variants)
  expect(text.trimEnd().endsWith('</rss>')).toBe(true)
  expect((await fetch(`${world.address}/feed.xml`, { method: 'HEAD' })).status).toBe(200)
})

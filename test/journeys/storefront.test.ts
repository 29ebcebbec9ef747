import { statSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#sandbox/world.ts'
import { example } from '#site/collections/example.ts'
import { rudy } from '#site/collections/rudy.ts'
import { sherlock } from '#site/collections/sherlock.ts'
import { label } from '#site/label.ts'
import type { ListingPage, Product } from '#contract/catalog.ts'
import { cents, formatUsd } from '#shared/money.ts'
import { dist } from '#server/http/bundle.ts'
import { build } from '../../tools/build.ts'

// The specification's storefront pages as the server sends them, with or without script.

let world: World
let products: readonly Product[]
beforeAll(async () => {
  await build()
  world = await openWorld({ pages: true })
  products = (await world.shopper().send<Product[]>('GET', '/api/products')).body
})
afterAll(() => world[Symbol.asyncDispose]())

const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#x27': "'", amp: '&' }
const decoded = (html: string) => html.replaceAll(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => signs[name] ?? '')

/** The text of some HTML, on one line. */
const wordsOf = (html: string): string =>
  decoded(html.replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, '').replaceAll(/<[^>]+>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()

async function open(path: string) {
  const answer = await fetch(world.address + path)
  const html = await answer.text()
  const between = (tag: string) => new RegExp(`<${tag}[ >].*?</${tag}>`, 's').exec(html)?.[0] ?? ''
  return {
    status: answer.status,
    header: between('header'),
    main: between('main'),
    footer: between('footer'),
    words: wordsOf(between('main')),
    title: wordsOf(between('h1')),
  }
}

/** The links in some HTML: target and text. */
const linksOf = (html: string): [string, string][] =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, to = '', text = '']) => [
    decoded(to),
    wordsOf(text),
  ])

const namesOfCards = (html: string): string[] =>
  [...html.matchAll(/<article.*?<\/article>/gs)].map(([card]) => wordsOf(/<h[23].*?<\/h[23]>/s.exec(card)?.[0] ?? ''))

/** The quotation marks around a name are for screen readers only, in an element of their own. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/ ?" ?/g, '"').trim()

test.each([
  ['/', 'Famous pets, properly made'],
  ['/products', 'Everything with a paw in it'],
  ['/search?q=hat', 'Search Results'],
  ['/RudyCollection', rudy.heroTitle],
  ['/collection/rudy', rudy.heroTitle],
  ['/collections/rudy', rudy.heroTitle],
  ['/rudy', rudy.heroTitle],
  ['/collections/sherlock', sherlock.heroTitle],
  ['/example', example.heroTitle],
  // As for all addresses, capitals make no difference.
  ['/SHERLOCK', sherlock.heroTitle],
  ['/rudycollection', rudy.heroTitle],
  ['/Products', 'Everything with a paw in it'],
  ['/contact', 'Contact Us'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/terms-of-service', 'Terms of Service'],
  ['/shipping-returns', 'Shipping & Returns'],
])('%s shows the screen “%s”', async (path, title) => {
  const page = await open(path)
  expect([page.status, page.title]).toEqual([200, plain(title)])
})

test.each(['/no-such-page', '/collections/popular-pets', '/collection/nobody', '/a/b/c'])(
  '%s is the 404 page',
  async (path) => {
    const page = await open(path)
    expect([page.status, page.title]).toEqual([404, '404 Page Not Found'])
  },
)

test('a missing product says so, links back to the products and shows some', async () => {
  const page = await open('/product/999999')
  expect([page.status, page.title]).toEqual([404, 'Product Not Found'])
  const [back, ...goods] = linksOf(page.main)
  expect(back).toEqual(['/products', 'Back to Products'])
  expect(new Set(goods.map(([to]) => to)).size).toBe(4)
})

test('the header has the promises, the four pages in order, and marks the current one', async () => {
  const { header } = await open('/about')
  expect(wordsOf(header)).toContain('Premium Quality • Limited Edition • Free Global Shipping Available*')
  const [main = ''] = /<nav aria-label="Main".*?<\/nav>/s.exec(header) ?? []
  expect(linksOf(main)).toEqual([
    ['/products', 'Overview'],
    ['/RudyCollection', 'The Rudy Collection'],
    ['/about', 'About Us'],
    ['/contact', 'Contact'],
  ])
  expect(main.match(/<a [^>]*aria-current="page"[^>]*>/g)).toEqual([expect.stringContaining('href="/about"')])
})

test('the footer has its columns, the year, and what powers the site', async () => {
  const { footer } = await open('/')
  expect([...footer.matchAll(/<h2.*?<\/h2>/gs)].map(([title]) => wordsOf(title))).toEqual([
    'Company',
    'Support',
    'Follow',
  ])
  const links = linksOf(footer)
  expect(links).toContainEqual(['/contact', 'Contact & Partnership'])
  expect(links).toContainEqual(['/shipping-returns', '*Shipping & Returns'])
  expect(links).toContainEqual(['/privacy-policy', 'Privacy Policy'])
  expect(links).toContainEqual(['/terms-of-service', 'Terms of Service'])
  for (const { url, name } of label.social) expect(links).toContainEqual([url, name])
  expect(wordsOf(footer)).toContain(`© ${new Date().getFullYear()} ${label.name}`)
  expect(wordsOf(footer)).toContain('Powered by AI')
})

test('the home page links to the collections, the story and Rudy, and announces two more', async () => {
  const { main } = await open('/')
  const links = linksOf(main)
  expect(links).toContainEqual(['#collections', 'Explore Collections'])
  expect(links).toContainEqual(['/about', 'Our Story'])
  expect(links.filter(([to]) => to === '/RudyCollection')).toEqual([
    ['/RudyCollection', expect.stringMatching(/Shop Now$/)],
  ])
  expect(main).toContain('id="collections"')
  const waiting = [...main.matchAll(/<article.*?<\/article>/gs)].map(([card]) => card).slice(-2)
  expect(waiting.map((card) => wordsOf(/<h3.*?<\/h3>/s.exec(card)?.[0] ?? ''))).toEqual([
    'Popular Pets',
    'Creator Series',
  ])
  for (const card of waiting) expect(card).toMatch(/<button [^>]*disabled=""[^>]*>.*Stay Tuned.*<\/button>/s)
})

test('the listing has every product, hats first, with a pet’s story and the link to its channel', async () => {
  const { main, words } = await open('/products')
  expect(namesOfCards(main).map(plain)).toEqual(products.map(({ name }) => plain(name)))
  expect(linksOf(main)).toContainEqual([label.channel.url, `Watch ${label.channel.name}`])
  expect(words).toContain('The dog who slept through the gold rush')
  expect(main).toContain('<ul class="cards cards-3">')
})

test('a collection shows only its own products, in up to four columns, and leads to the others', async () => {
  const paths = { rudy: '/RudyCollection', sherlock: '/collections/sherlock', example: '/collections/example' }
  for (const id of ['rudy', 'sherlock', 'example'] as const) {
    const { main } = await open(`/collections/${id}`)
    const own = products.filter(({ collection }) => collection === id)
    expect(namesOfCards(main).map(plain)).toEqual(own.map(({ name }) => plain(name)))
    expect(main).toContain('<ul class="cards cards-4">')
    const ways = linksOf(main).map(([to]) => to)
    for (const [other, path] of Object.entries(paths))
      expect(ways.includes(path), `${id} to ${other}`).toBe(other !== id)
  }
})

test('sherlock’s banner has a picture, the others have text only; all are introduced', async () => {
  const banner = async (id: 'rudy' | 'sherlock' | 'example') => {
    const { main } = await open(`/collections/${id}`)
    const { heroTitle, heroSubtitle, petName } = { rudy, sherlock, example }[id]
    const [hero = ''] = /<header.*?<\/header>/s.exec(main) ?? []
    expect(wordsOf(hero)).toContain(plain(heroTitle))
    expect(wordsOf(hero)).toContain(plain(heroSubtitle))
    return { hasPicture: hero.includes('<img'), isIntroduced: main.includes(`aria-label="About ${petName}"`) }
  }
  expect(await banner('sherlock')).toEqual({ hasPicture: true, isIntroduced: true })
  expect(await banner('rudy')).toEqual({ hasPicture: false, isIntroduced: true })
  expect(await banner('example')).toEqual({ hasPicture: false, isIntroduced: true })
})

test('the search parameter filters a collection by its text, and says when nothing is left', async () => {
  const found = await open('/collections/rudy?search=%20MUG%20')
  expect(namesOfCards(found.main).length).toBeGreaterThan(0)
  for (const name of namesOfCards(found.main)) expect(name).toMatch(/mug/i)
  expect((await open('/collections/rudy?search=zeppelin')).words).toContain('No products found in this collection.')
})

test('the seven cards of shirts and polos show Select Options and link to their page', async () => {
  const { main } = await open('/products')
  const leading = linksOf(main).filter(([, words]) => words.startsWith('Select Options'))
  const wanted = products.filter(({ requiresOptions, available }) => requiresOptions && available)
  expect(products.filter(({ requiresOptions }) => requiresOptions)).toHaveLength(7)
  expect(leading.map(([to, text]) => [to.split('?')[0], text])).toEqual(
    wanted.map(({ id, name }) => [`/product/${id}`, `Select Options : ${name}`]),
  )
})

test('prices on cards and pages have a dollar sign and two decimals', async () => {
  const { main } = await open('/products')
  for (const { price } of products) expect(wordsOf(main)).toContain(formatUsd(price))
  expect(formatUsd(products[0]?.price ?? cents(0))).toMatch(/^\$\d+\.\d\d$/)
})

test('a product’s page has name, price, description and a link back', async () => {
  const shirt = products.find(({ type, collection }) => type === 't-shirt' && collection === 'rudy')
  const { main, words, title } = await open(`/product/${shirt?.id}`)
  expect(plain(title)).toBe(plain(shirt?.name ?? ''))
  expect(words).toContain(shirt?.description)
  expect(words).toContain(formatUsd(shirt?.price ?? cents(0)))
  const { displayName } = rudy
  expect(linksOf(main)[0]).toEqual(['/collections/rudy', `Back to ${displayName}`])
  expect(main).toContain('grid-cols-4')
})

test('a rating shows its score out of 5 and its reviews, and no reviews means no rating', async () => {
  const rated = products.find(({ reviewCount }) => reviewCount > 1)
  const page = await open(`/product/${rated?.id}`)
  expect(page.words).toContain(`Rated ${rated?.rating} out of 5, ${rated?.reviewCount} reviews`)
  const fresh = await open(`/product/${products.find(({ reviewCount }) => reviewCount === 0)?.id}`)
  expect(fresh.words).toContain('No reviews yet')
  expect(fresh.words.split('More of')[0]).not.toMatch(/Rated \d/)
})

test('color and size are chosen only where there is more than one', async () => {
  const legends = async (product: Product | undefined) =>
    [...(await open(`/product/${product?.id}`)).main.matchAll(/<legend.*?<\/legend>/gs)].map(
      ([legend]) => wordsOf(legend).split(':')[0],
    )
  expect(await legends(products.find(({ type }) => type === 't-shirt'))).toEqual(['Color', 'Size'])
  expect(await legends(products.find(({ type }) => type === 'vented-hat'))).toEqual(['Color'])
  expect(await legends(products.find(({ variantCount }) => variantCount === 1))).toEqual([])
})

test.each([
  ['mug', /1[15] oz/],
  ['water bottle', /17 oz/],
  ['blanket', /50\s*[x×]\s*60 in/],
  ['pillow', /18\s*[x×]\s*18 in/],
  ['t-shirt', /S to 3XL/],
  ['polo', /S to 3XL/],
  ['can cooler', /in/],
  ['mouse pad', /in/],
  ['tote', /in/],
])('a %s shows its measurements', async (words, measure) => {
  const page = await open(`/product/${(await world.shopper().find(words)).id}`)
  expect(page.words.slice(page.words.indexOf('details'))).toMatch(measure)
})

test('results are grouped by collection with their counts', async () => {
  const { words, main } = await open('/search?q=mug')
  const [results = '', others = ''] = main.split('Pairs well with')
  const found = namesOfCards(results)
  expect(words).toContain('Showing results for “mug”')
  expect(words).toContain(`${found.length} products found`)
  expect(words).toMatch(/The Rudy Collection \d+ items/)
  expect(linksOf(main)).toContainEqual(['/', 'Back to Home'])
  // So few leave room for other goods.
  expect(namesOfCards(others)).toHaveLength(4)
  expect(namesOfCards(others).filter((name) => found.includes(name))).toEqual([])
})

test('an empty search asks for a search term, and one without results suggests some', async () => {
  for (const path of ['/search', '/search?q=%20%20']) {
    const { words } = await open(path)
    expect(words).toContain('No search query provided Please enter a search term to find products.')
  }
  const { main, words } = await open('/search?q=zeppelin')
  expect(words).toContain('No products found')
  const offered = linksOf(main).map(([, text]) => text)
  for (const word of ['Rudy', 'Hat', 'Mug', label.channel.handle]) expect(offered).toContain(word)
})

test.each(['/privacy-policy', '/terms-of-service', '/shipping-returns'])('%s leads to the home page', async (path) => {
  expect(linksOf((await open(path)).main)).toContainEqual(['/', 'Back to Home'])
})

test('the raffle rules are in the terms, with an address of their own', async () => {
  const { main } = await open('/terms-of-service')
  const [rules = ''] = /<section id="promotional-raffle-rules".*?<\/section>/s.exec(main) ?? []
  for (const figure of ['7-14 days', 'within 30 days', '18+']) expect(wordsOf(rules)).toContain(figure)
})

test('the contact page has four fields, all required, a box of five rows, and how to reach the owner', async () => {
  const { main, words } = await open('/contact')
  for (const name of ['name', 'email', 'subject', 'message'])
    expect(main).toMatch(new RegExp(`<(?:input|textarea) (?=[^>]*name="${name}")(?=[^>]*required="")`))
  expect(main).toMatch(/<textarea [^>]*rows="5"/)
  expect(linksOf(main).filter(([to]) => to === `mailto:${label.supportEmail}`).length).toBeGreaterThan(0)
  for (const fact of [
    'Monday-Friday 9AM-5PM EST',
    'Saturday 10AM-2PM EST',
    'Domestic 3-5 business days',
    'International 7-14 business days',
  ])
    expect(words).toContain(fact)
})

test('/auth opens on Login, the first of its two tabs', async () => {
  const { main } = await open('/auth')
  const tabs = [...main.matchAll(/<button [^>]*role="tab"[^>]*>.*?<\/button>/gs)].map(([tab]) => tab)
  expect(tabs.map(wordsOf)).toEqual(['Login', 'Register'])
  expect(tabs.map((tab) => tab.includes('aria-selected="true"'))).toEqual([true, false])
})

/** The audit measures the first page's script; this test notices when another page's code slips into it. */
test.each([
  ['/', 127],
  ['/products', 127],
  ['/RudyCollection', 127],
  ['/search?q=hat', 127],
  ['/product/1', 128],
  ['/checkout', 147],
])('the script of %s as a first page is its own: at most %i KB', async (path, limit) => {
  const html = await (await fetch(world.address + path)).text()
  const files = new Set(Array.from(html.matchAll(/assets\/[\w-]+\.js/g), ([file]) => file))
  expect(files.size).toBeGreaterThan(3)
  const weights = [...files].map((file) => statSync(new URL(`client/${file}.br`, dist)).size)
  expect(weights.reduce((sum, weight) => sum + weight, 0) / 1024).toBeLessThanOrEqual(limit)
})

test.each([
  // Three pieces, four best sellers and a pillow.
  ['/', 8],
  ['/product/1', 5],
  ['/collections/sherlock', 8],
  ['/products', 36],
  ['/contact', 0],
])('%s is sent with the %i products it shows', async (path, count) => {
  const html = await (await fetch(world.address + path)).text()
  const [, state = ''] = /id="state">(.*?)<\/script>/s.exec(html) ?? []
  const names = products.map(({ name }) => name).filter((name) => state.includes(`"name":${JSON.stringify(name)}`))
  expect(names).toHaveLength(count)
})

test('24 cards weigh at most 90 KB as a page and 60 KB as an answer', async () => {
  const html = await (await fetch(`${world.address}/RudyCollection`)).text()
  expect(namesOfCards(html)).toHaveLength(24)
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(90_000)
  const answer = products.filter(({ collection }) => collection === 'rudy')
  expect(answer).toHaveLength(24)
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(60_000)
})

test('no three neighbors of a list have one color, and a card leads to the color that it shows', async () => {
  const { products: cards } = (await world.shopper().send<ListingPage>('GET', '/api/listing')).body
  const shown = cards.map(({ picture }) => picture?.color?.split(' with ')[0])
  for (const [index, color] of shown.slice(0, -2).entries())
    if (color) expect(new Set(shown.slice(index, index + 3)).size, `from card ${index + 1}`).toBeGreaterThan(1)
  const other = cards.find(({ variant }) => variant !== undefined)
  const page = await open(`/product/${other?.id}?variant=${other?.variant}`)
  expect(page.words).toContain(`Color: ${other?.picture?.color}`)
})

test('a list is sorted by its address alone', async () => {
  const prices = async (sort: string) => {
    const { main } = await open(`/products?sort=${sort}`)
    return [...main.matchAll(/class="card-price"[^$]*\$([\d.]+)/g)].map(([, price]) => Number(price))
  }
  const up = await prices('price')
  expect(up).toHaveLength(36)
  expect(up).toEqual(up.toSorted((a, b) => a - b))
  expect(await prices('price-down')).toEqual(up.toReversed())
})

test('the catalog reaches a browser compressed to a fifth, with the same content', async () => {
  const ask = (encoding: string) => fetch(`${world.address}/api/products`, { headers: { 'accept-encoding': encoding } })
  const [plain, small] = [await ask('identity'), await ask('br')]
  expect([plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([null, 'br'])
  expect(Number(small.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 5)
  expect(await small.json()).toEqual(await plain.json())
})

import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '#sandbox/world.ts'
import { build } from '../../tools/build.ts'

let world: World
beforeAll(async () => {
  await build()
  world = await openWorld({ pages: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const ask = async (path: string) => {
  const answer = await fetch(world.address + path, { redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const askAs = async (cookie: string, path: string) => ({
  text: await (await fetch(world.address + path, { headers: { cookie } })).text(),
})

const decoded = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => decoded(found ?? ''))

type Thing = { '@type': string; '@id'?: string; [property: string]: unknown }

/** The page's structured data (schema.org). */
async function thingsAt(path: string): Promise<Thing[]> {
  const { text } = await ask(path)
  const [block] = all(text, /<script type="application\/ld\+json">(.*?)<\/script>/g)
  const data = JSON.parse(block ?? '') as { '@context': string; '@graph': Thing[] }
  expect(data['@context']).toBe('https://schema.org')
  return data['@graph']
}

const thing = (things: readonly Thing[], type: string): Thing => {
  const found = things.find((thing) => thing['@type'] === type)
  if (!found) throw new Error(`the page speaks of no ${type}`)
  return found
}

test('robots may crawl the pages and the sitemap, and not the API', async () => {
  const { status, headers, text } = await ask('/robots.txt')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^text\/plain/)
  expect(text).toContain('Disallow: /api/')
  expect(text).toContain(`Sitemap: ${world.address}/sitemap.xml`)
})

test('every page in the sitemap exists and has the same canonical address', async () => {
  const { headers, text } = await ask('/sitemap.xml')
  expect(headers.get('content-type')).toMatch(/^application\/xml/)
  const addresses = all(text, /<loc>(.*?)<\/loc>/g)
  expect(addresses.length).toBeGreaterThan(36)
  expect(new Set(addresses).size).toBe(addresses.length)
  for (const address of addresses) {
    const page = await ask(address.slice(world.address.length))
    expect(page.status, address).toBe(200)
    expect(all(page.text, /<link rel="canonical" href="(.*?)"/g), address).toEqual([address])
    expect(page.text, address).not.toContain('noindex')
  }
})

test.each(['/RudyCollection', '/collection/rudy', '/collections/rudy', '/rudy'])(
  '%s has the collection’s one canonical address',
  async (path) => {
    const { text } = await ask(path)
    expect(all(text, /<link rel="canonical" href="(.*?)"/g)).toEqual([`${world.address}/collections/rudy`])
  },
)

test('a product’s canonical address is its number, even if its name or a variant was requested', async () => {
  const { body: products } = await world.shopper().send<{ id: number; slug: string }[]>('GET', '/api/products')
  const [{ id, slug } = { id: 0, slug: '' }] = products
  for (const path of [`/product/${slug}`, `/product/${id}?variant=1`])
    expect(all((await ask(path)).text, /<link rel="canonical" href="(.*?)"/g)).toEqual([
      `${world.address}/product/${id}`,
    ])
})

test.each(['/cart', '/checkout', '/success', '/payment-success', '/search?q=hat'])(
  '%s is hidden from search engines',
  async (path) => {
    expect((await ask(path)).text).toContain('name="robots" content="noindex"')
  },
)

test.each(['/no-such-page', '/product/999999', '/collections/nobody'])(
  '%s is not found, with status 404',
  async (path) => {
    const { status, text } = await ask(path)
    expect(status).toBe(404)
    expect(text).not.toContain('application/ld+json')
    expect(text).toContain('name="robots" content="noindex"')
  },
)

test('a hat is described with every variant, its price, its availability and its picture', async () => {
  const hat = await world.shopper().find('vented hat')
  const { body: detail } = await world
    .shopper()
    .send<{ result: { sync_variants: { id: number; retail_price: string; availability_status: string }[] } }>(
      'GET',
      `/api/printful/products/${hat.providerProductId}`,
    )
  const group = thing(await thingsAt(`/product/${hat.id}`), 'ProductGroup')
  expect(group).toMatchObject({
    name: hat.name,
    productGroupID: String(hat.id),
    url: `${world.address}/product/${hat.id}`,
  })
  expect(group['variesBy']).toEqual(['https://schema.org/color'])
  const members = group['hasVariant'] as { sku: string; image: string; offers: Record<string, unknown> }[]
  expect(members.map(({ sku, offers }) => [sku, offers['price'], offers['availability']])).toEqual(
    detail.result.sync_variants.map(({ id, retail_price: price, availability_status: status }) => [
      String(id),
      price,
      `https://schema.org/${status === 'active' ? 'InStock' : 'OutOfStock'}`,
    ]),
  )
  for (const { sku, image, offers } of members) {
    expect(offers).toMatchObject({ priceCurrency: 'USD', url: `${world.address}/product/${hat.id}?variant=${sku}` })
    expect((await ask(image.slice(world.address.length))).status).toBe(200)
  }
})

test('shipping and returns are described as in the policies', async () => {
  const hat = await world.shopper().find('vented hat')
  const things = await thingsAt(`/product/${hat.id}`)
  expect(thing(things, 'MerchantReturnPolicy')).toMatchObject({ merchantReturnDays: 30 })
  expect(things.filter((thing) => thing['@type'] === 'OfferShippingDetails')).toMatchObject([
    { shippingRate: { value: '0', currency: 'USD' }, shippingDestination: { addressCountry: ['US'] } },
    { shippingRate: { value: '0' }, deliveryTime: { transitTime: { minValue: 7, maxValue: 21 } } },
  ])
})

test('a pillow ships free, except to the four countries with a surcharge', async () => {
  const pillow = await world.shopper().find('pillow')
  const shipping = (await thingsAt(`/product/${pillow.id}`)).filter(
    (thing) => thing['@type'] === 'OfferShippingDetails',
  )
  expect(shipping).toHaveLength(3)
  expect(shipping[2]).toMatchObject({
    shippingRate: { value: '34.99' },
    shippingDestination: { addressCountry: ['AU', 'BR', 'JP', 'NZ'] },
  })
})

test('search engines are told of no rating without reviews by people who bought, such as demo reviews', async () => {
  const { body: products } = await world
    .shopper()
    .send<{ id: number; rating: number; reviewCount: number }[]>('GET', '/api/products')
  const silent = products.find(({ reviewCount }) => reviewCount === 0)
  const reviewed = products.find(({ reviewCount }) => reviewCount > 0)
  expect(JSON.stringify(await thingsAt(`/product/${silent?.id}`))).not.toContain('aggregateRating')
  expect(reviewed).toBeDefined()
  expect(JSON.stringify(await thingsAt(`/product/${reviewed?.id}`))).not.toMatch(/aggregateRating|"Review"/)
})

test('a product’s breadcrumb includes its collection', async () => {
  const hat = await world.shopper().find('vented hat')
  expect(thing(await thingsAt(`/product/${hat.id}`), 'BreadcrumbList')['itemListElement']).toMatchObject([
    { position: 1, item: `${world.address}/` },
    { position: 2, item: `${world.address}/collections/rudy` },
    { position: 3, name: hat.name },
  ])
})

test('the home page names the seller', async () => {
  expect(thing(await thingsAt('/'), 'OnlineStore')).toMatchObject({ url: `${world.address}/` })
})

test.each(['/', '/products', '/collections/sherlock', '/product/1', '/about', '/contact', '/search?q=hat'])(
  '%s can be shared: a title, a sentence and a picture that exists in the size stated',
  async (path) => {
    const { text } = await ask(path)
    const tag = (name: string) => all(text, new RegExp(`<meta property="${name}" content="(.*?)"`, 'g'))
    expect(tag('og:title')).toEqual(all(text, /<title>(.*?)<\/title>/g))
    expect(tag('og:description')[0]?.length).toBeGreaterThan(40)
    const picture = await fetch(tag('og:image')[0] ?? '')
    const { width, height } = await sharp(await picture.arrayBuffer()).metadata()
    expect([tag('og:image:width'), tag('og:image:height')]).toEqual([['1200'], ['630']])
    expect([width, height]).toEqual([1200, 630])
  },
)

test('the merchant feed has one item per variant, at the shop’s price', async () => {
  const { headers, text } = await ask('/feed.xml')
  expect(headers.get('content-type')).toMatch(/^application\/xml/)
  const items = text.split('<item>').slice(1)
  const { rows } = await world.shop.database.pool.query<{ id: string; price: string }>(
    'select v.id, v.unit_price_cents as price from variant v join product p on p.id = v.product_id where p.visible and v.gone_at is null',
  )
  const prices = new Map(rows.map(({ id, price }) => [id, Number(price)]))
  expect(items).toHaveLength(prices.size)
  for (const item of items) {
    const of = (name: string) => all(item, new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))[0]
    expect(of('g:price')?.replace(/\D/g, ''), of('title')).toBe(String(prices.get(of('g:id') ?? '')))
    expect(of('link')).toBe(`${world.address}/product/${of('g:item_group_id')}?variant=${of('g:id')}`)
    expect(of('g:image_link')).toMatch(new RegExp(`^${world.address}/pictures/`))
    expect(['in_stock', 'out_of_stock']).toContain(of('g:availability'))
  }
})

test('the web app manifest lists icons that exist in their stated sizes', async () => {
  const { headers, text } = await ask('/manifest.webmanifest')
  expect(headers.get('content-type')).toMatch(/^application\/manifest\+json/)
  const { icons } = JSON.parse(text) as { icons: { src: string; sizes: string; type: string }[] }
  for (const { src, sizes, type } of icons) {
    const icon = await fetch(world.address + src)
    expect(icon.headers.get('content-type')).toContain(type)
    if (type !== 'image/png') continue
    // Width and height are at a fixed offset in every PNG.
    const bytes = Buffer.from(await icon.arrayBuffer())
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
})

// Plain forms

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(world.address + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: world.address, ...headers },
    body,
  })

const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''

test('a plain form adds a variant to the cart, changes it and removes it', async () => {
  const shopper = world.shopper()
  const hat = await shopper.find('vented hat')
  const variant = await shopper.firstVariant(hat)
  const added = await post(`/product/${hat.id}`, `variant=${variant}&quantity=2`)
  expect([added.status, added.headers.get('location')]).toEqual([303, '/cart?said=added'])
  const cookie = cookieOf(added)
  shopper.usesCookie(cookie)
  const [line] = await shopper.cart()
  expect(line).toMatchObject({ productName: hat.name, quantity: 2 })

  const page = await fetch(`${world.address}/cart?said=added`, { headers: { cookie } })
  expect(page.headers.get('cache-control')).toBe('no-store')
  const html = await page.text()
  expect(html).toContain('Added to your cart.')
  expect(html).toContain(`name="line" value="${line?.id}"`)

  await post('/cart', `line=${line?.id}&quantity=5`, { cookie })
  expect(await shopper.cart()).toMatchObject([{ quantity: 5 }])
  await post('/cart', `line=${line?.id}&quantity=0`, { cookie })
  expect(await shopper.cart()).toEqual([])
})

test('Clear Cart works as a plain form', async () => {
  const shopper = world.shopper()
  await shopper.adds('mouse pad')
  await post('/cart', 'clear=cart', { cookie: shopper.cookie() })
  expect(await shopper.cart()).toEqual([])
})

test.each([
  ['no variant chosen', 'quantity=1', 'variant_required'],
  ['an unknown variant', 'variant=1&quantity=1', 'unknown_variant'],
  ['a quantity in words', 'variant=1&quantity=many', 'invalid'],
  ['a quantity of 0', 'variant=1&quantity=0', 'invalid'],
  ['a quantity of 100', 'variant=1&quantity=100', 'invalid'],
  ['an invalid id', 'variant=0x1&quantity=1', 'invalid'],
])('a form with %s returns to the product with the reason', async (_, body, said) => {
  const hat = await world.shopper().find('vented hat')
  const answer = await post(`/product/${hat.id}`, body)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/product/${hat.id}?said=${said}`])
})

test('the product page shows why its form failed', async () => {
  const hat = await world.shopper().find('vented hat')
  const { text } = await ask(`/product/${hat.id}?said=sold_out`)
  expect(text).toContain('That color and size has just sold out. Nothing was added.')
})

test('a form for an unknown product leads to the page for unknown products', async () => {
  expect((await post('/product/999999', 'quantity=1')).headers.get('location')).toBe('/product/999999')
})

test('a form cannot change another shopper’s line', async () => {
  const owner = world.shopper()
  const { body: line } = await owner.adds('mouse pad')
  const stranger = world.shopper()
  await stranger.adds('tote')
  const answer = await post('/cart', `line=${line.id}&quantity=9`, { cookie: stranger.cookie() })
  expect(answer.headers.get('location')).toBe('/cart?said=unknown_line')
  expect(await owner.cart()).toMatchObject([{ quantity: 1 }])
})

test.each([
  ['from another site', { origin: 'https://elsewhere.example' }],
  ['from a page that hides its origin', { origin: 'null' }],
])('a form %s changes nothing', async (_, headers) => {
  const shopper = world.shopper()
  await shopper.adds('mouse pad')
  const answer = await post('/cart', 'clear=cart', { cookie: shopper.cookie(), ...headers })
  expect(answer.status).toBe(403)
  expect(await shopper.cart()).toHaveLength(1)
})

test('a form without an origin changes nothing (S75)', async () => {
  const answer = await fetch(`${world.address}/cart`, { method: 'POST', body: new URLSearchParams({ clear: 'cart' }) })
  expect(answer.status).toBe(403)
})

test.each([
  ['from another site', 'clear=cart', 403, 'This request came from a different site, so nothing was done.'],
  ['of more than a megabyte', `line=${'1'.repeat(1024 * 1024)}`, 413, 'The request is larger than 1 MB.'],
])('a form %s is refused with a page, not with JSON', async (_, body, status, sentence) => {
  const answer = await post('/cart', body, {
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    ...(status === 403 && { origin: 'https://elsewhere.example' }),
  })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const html = await answer.text()
  expect(html).toContain(sentence)
  expect(html).toContain('<a class="link-line" href="/cart">Back to the page</a>')
  // The page has the shop's styles, and nothing its policy forbids.
  expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/[\w-]+\.css" \/>/)
  expect(html).not.toMatch(/<script|<style/)
})

test('forms sent too fast are answered with a page about it', async () => {
  await using hasty = await openWorld({ env: { RATE_LIMIT_SCALE: '0.01' } })
  const send = () =>
    fetch(`${hasty.address}/cart`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: hasty.address, accept: 'text/html' },
      body: new URLSearchParams({ clear: 'cart' }),
    })
  let answer = await send()
  for (let tries = 0; answer.status === 303 && tries < 20; tries += 1) answer = await send()
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await answer.text()).toContain('Too many requests. Please wait a moment and try again.')
})

test('a call is refused in JSON, whatever its sender accepts', async () => {
  const call = await post('/api/cart', 'productId=1', { accept: 'text/html' })
  expect([call.status, await call.json()]).toMatchObject([415, { code: 'wrong_type' }])
})

test('the cart page shows what a line cost when it was added', async () => {
  const shopper = world.shopper()
  const { body: line } = await shopper.adds('mouse pad')
  await world.shop.db.execute(`update cart_line set unit_price_when_added_cents = 1000 where id = ${line.id}`)
  const { text } = await askAs(shopper.cookie(), '/cart')
  expect(text.replaceAll(/<!-- -->|<[^>]+>/g, '')).toMatch(
    /The price has gone up since you added it: \$10\.00 \$\d+\.\d\d/,
  )
})

test('forms work only at their own pages: the API takes JSON', async () => {
  expect((await post('/api/cart', 'productId=1')).status).toBe(415)
  const json = await post('/cart', '{"clear":"cart"}', { 'content-type': 'application/json' })
  expect(json.status).toBe(415)
})

test('text in a link is not shown on the cart page', async () => {
  expect((await ask('/cart?said=Send+money')).text).not.toContain('Send money')
})

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminProduct } from '#contract/admin-products.ts'
import type { CatalogFile } from '#server/catalog/catalog-file.ts'
import { importCatalog } from '#server/catalog/import.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { build } from '../../tools/build.ts'

// Pages, emails, feeds and files state the shipping that is charged.

let world: World
let owner: ReturnType<World['shopper']>
let pillows: AdminProduct[]

beforeAll(async () => {
  await build()
  world = await openWorld({ pages: true })
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  pillows = (await owner.send<{ products: AdminProduct[] }>('GET', '/api/admin/products')).body.products.filter(
    ({ type }) => type === 'pillow',
  )
})
afterAll(() => world[Symbol.asyncDispose]())

const wellington = { line1: '1 Lambton Quay', line2: null, city: 'Wellington', postal_code: '6011', country: 'NZ' }

/** React writes empty comments between texts. */
const textAt = async (path: string, cookie = ''): Promise<string> =>
  (await (await fetch(world.address + path, { headers: { cookie } })).text()).replaceAll('<!-- -->', '')

const pages = () => [
  ...['/', '/about', '/shipping-returns', '/terms-of-service', '/privacy-policy', '/contact', '/products', '/cart'],
  ...['/RudyCollection', '/search?q=pillow', '/checkout', '/checkout-with-stripe-address', '/track', '/auth'],
  ...['/partnership', '/feed.xml', '/sitemap.xml', '/api/config', '/api/products', '/no-such-page'],
  ...pillows.flatMap(({ id }) => [`/product/${id}`, `/api/products/${id}`]),
]

/** Everything a shopper reads about two pillows to Wellington, from quote to email. */
async function buysTwo() {
  const shopper = world.shopper()
  await shopper.adds('pillow', 2)
  const said = [await textAt('/cart', shopper.cookie())]
  const preview = await shopper.send('POST', '/api/calculate-shipping', { shippingAddress: wellington })
  const started = await shopper.startsPayment(wellington)
  await shopper.confirms(started.body)
  const { body } = await shopper.returnsToShop(started.body.payment_intent)
  await world.settled()
  const mail = world.mailbox.list().find(({ to }) => JSON.stringify(to).includes(shopper.customer.email))
  const token = /order-confirmation\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  expect(token).not.toBe('')
  const order = `/order-confirmation?order=${body.orderId}`
  const receipt = await fetch(`${world.address}/order-confirmation/receipt.pdf?token=${token}`)
  const pdf = Buffer.from(await receipt.arrayBuffer()).toString('latin1')
  said.push(JSON.stringify(preview.body), JSON.stringify(started.body), mail?.text ?? '', mail?.html ?? '', pdf)
  said.push(await textAt(order, shopper.cookie()), await textAt(`/api/order?token=${token}`))
  return { said, shipping: started.body.shipping_cost, preview: preview.body }
}

const everything = async (bought: readonly string[]) => [
  ...(await Promise.all(pages().map(async (path) => [path, await textAt(path)] as const))),
  ...bought.map((text, index) => [`of the purchase, ${index}`, text] as const),
]

const save = async ({ id }: AdminProduct, shippingSurcharge: object | null) => {
  const { products } = (await owner.send<{ products: AdminProduct[] }>('GET', '/api/admin/products')).body
  const now = products.find((product) => product.id === id)
  await owner.send('PUT', `/api/admin/products/${id}`, { ...now, shippingSurcharge })
}

/** @param surcharge of all pillows; as in the catalog file without it */
const saysOf = async (surcharge?: object | null) => {
  for (const pillow of pillows) await save(pillow, surcharge === undefined ? pillow.shippingSurcharge : surcharge)
}

// As whole numbers: times and sizes in bytes have such digits in their middle.
const OLD = /(?<!\d)(?:34\.99|3499|69\.98|6998)(?!\d)/
const OLD_COUNTRIES = /Brazil|four (?:far )?countries/
/** These pages list Brazil as a country that can be ordered to. */
const namesCountries = (path: string) => /checkout|feed|config/.test(path)

test('the demo shows the specification’s shipping sentences to the letter', async () => {
  const list = 'Brazil, Japan, Australia and New Zealand'
  const footer = await textAt('/about')
  expect(footer).toContain(
    `* Free shipping worldwide, except a $34.99 surcharge on premium pillow products to ${list}.`,
  )
  expect(await textAt('/')).toContain(
    'Free shipping worldwide. (Pillows to Brazil, Japan, Australia and New Zealand cost extra.)',
  )
  const terms = `except a surcharge of $34.99 USD for each of the premium pillow products sent to ${list}.`
  expect(await textAt('/terms-of-service')).toContain(terms)
  expect(await textAt('/shipping-returns')).toContain(
    `premium pillow products sent to ${list} carry a surcharge of $34.99 USD per pillow.`,
  )
  expect(await textAt(`/product/${pillows[0]?.id}`)).toContain(
    'Pillows ship as oversize parcels: each one adds $34.99 to an order going to Brazil, Japan, Australia or New Zealand.',
  )
})

test('a surcharge the owner changes is the only one shown anywhere', async () => {
  // Every page is cached with the old text.
  expect(await everything((await buysTwo()).said)).toHaveLength(pages().length + 8)
  // The owner changes the figures, and leaves the old description.
  const description = 'Bulky: each one adds $34.99 to an order going to Brazil, Japan, Australia or New Zealand.'
  await saysOf({ amount: 1250, regions: ['JP', 'NZ'], description, enabled: true })

  const { said, shipping, preview } = await buysTwo()
  expect(shipping).toBe(2500)
  expect(preview).toMatchObject({
    surcharge_disclosures: ['Each one adds $12.50 to an order going to Japan or New Zealand.'],
  })
  for (const [path, text] of await everything(said)) {
    expect(text, path).not.toMatch(OLD)
    if (!namesCountries(path)) expect(text, path).not.toMatch(OLD_COUNTRIES)
  }
  expect(await textAt('/about')).toContain(
    '* Free shipping worldwide, except a $12.50 surcharge on premium pillow products to Japan and New Zealand.',
  )
  const pillow = await textAt(`/product/${pillows[0]?.id}`)
  expect(pillow).toContain('"value":"12.50"')
  expect(pillow).toContain('"addressCountry":["JP","NZ"]')
  expect(await textAt('/feed.xml')).toContain('<g:country>JP</g:country><g:price>12.50 USD</g:price>')
  expect(said.join()).toContain('$25.00')
})

test('a surcharge for one of several pillows is shown with its name', async () => {
  await saysOf()
  const [first] = pillows
  const own = { amount: 1250, regions: ['JP'], description: 'Soft.', enabled: true }
  if (first) await save(first, own)
  const others = pillows.slice(1).map(({ name }) => name.replaceAll('"', '&quot;'))
  const footer = await textAt('/about')
  expect(footer).toContain(`; and a $12.50 surcharge on ${first?.name.replaceAll('"', '&quot;')} to Japan.`)
  for (const other of others) expect(footer).toContain(other)
})

test('without a surcharge in the catalog file, none is mentioned', async () => {
  await saysOf()
  const file = JSON.parse(readFileSync(world.simulators.settings['CATALOGUE_FILE'] ?? '', 'utf8')) as CatalogFile & {
    products: { metadata: object }[]
  }
  const without = { ...file, products: file.products.map((product) => ({ ...product, metadata: {} })) }
  await importCatalog(world.shop, without)

  const { said, shipping } = await buysTwo()
  expect(shipping).toBe(0)
  for (const [path, text] of await everything(said)) {
    expect(text, path).not.toMatch(OLD)
    if (/checkout|order-conf|purchase|api/.test(path)) continue
    // The page's state has an empty list of that name.
    expect(text.replaceAll(/[a-z_]*surcharges?\\?":\[\]/gi, ''), path).not.toMatch(/surcharge/i)
  }
  expect(await textAt('/about')).toContain('* Free shipping worldwide.')
  await importCatalog(world.shop, file)
})

test('where the shopper pays the carrier, no page, feed or search engine claims free shipping', async () => {
  await using dear = await openWorld({ pages: true, env: { SHIPPING: 'partner' } })
  for (const path of ['/', '/about', '/shipping-returns', '/terms-of-service', '/cart', `/product/${pillows[0]?.id}`]) {
    const text = await (await fetch(dear.address + path)).text()
    expect(text, path).not.toMatch(/free (?:global |worldwide )?shipping|shipping is free|shipped free/i)
    expect(text, path).not.toContain('OfferShippingDetails')
    expect(text, path).toContain('$34.99')
  }
  expect(await (await fetch(`${dear.address}/feed.xml`)).text()).not.toContain('g:shipping')
})

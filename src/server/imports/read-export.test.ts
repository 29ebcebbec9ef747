import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { FormerShop, ImportItem, ImportProblem } from '#domain/imports/former-shop.ts'
import { CsvMistake } from '#server/files/csv-reader.ts'
import { kindOfExport, readExport } from './read-export.ts'

const fixture = (name: string): Buffer => readFileSync(new URL(`../../../test/imports/${name}.csv`, import.meta.url))

async function read(shop: FormerShop, file: string | Buffer) {
  const items: ImportItem[] = []
  const problems: ImportProblem[] = []
  const bytes = typeof file === 'string' ? fixture(file) : file
  const rows = await readExport(
    shop,
    bytes,
    (item) => {
      items.push(item)
    },
    (problem) => problems.push(problem),
  )
  return { kind: await kindOfExport(shop, bytes), rows, values: items.map(({ value }) => value), problems }
}

const problemsOf = ({ problems }: Awaited<ReturnType<typeof read>>) =>
  problems.map(({ row, column }) => `${row} ${column ?? 'row'}`)

test('Shopify products: several rows of a handle are one product with its variants and pictures, in plain text', async () => {
  const { kind, values } = await read('shopify', 'shopify-products')
  expect(kind).toBe('products')
  expect(values).toMatchObject([
    {
      row: 2,
      slug: 'biscuit-dad-cap',
      description: 'A cap for Biscuit & friends.\n\n- Cotton\n- One size',
      type: 'Hats',
      wasPublished: true,
      variants: [
        { row: 2, sku: 'BIS-CAP-NVY', options: ['Navy', 'One size'], unitPrice: 2795 },
        { row: 3, sku: 'BIS-CAP-BLK', options: ['Black', 'One size'], unitPrice: 2795 },
      ],
      pictures: [{ alt: 'Navy cap' }, { alt: 'Black cap' }, { row: 4 }],
      path: '/products/biscuit-dad-cap',
    },
    { slug: 'biscuit-mug', description: 'Holds coffee, "no tea".', wasPublished: false, variants: [{ options: [] }] },
  ])
})

test('pictures of variants come once, with the variants that they show', async () => {
  const caps = await read('shopify', 'shopify-products-before-2025')
  const [front, navy, black] = ['front', 'navy', 'black'].map((name) => `https://cdn.shopify.com/${name}.jpg`)
  expect(caps.values).toMatchObject([
    {
      variants: [{ picture: navy }, { picture: black }],
      pictures: [{ url: front, alt: 'Both caps' }, { url: navy }, { url: black }],
    },
  ])
  const { values } = await read('woocommerce', 'woocommerce-products')
  expect(values[0]).toMatchObject({
    variants: [{ picture: 'https://old.example/tee-s.jpg' }, { picture: null }],
    pictures: [{}, {}, { url: 'https://old.example/tee-s.jpg' }],
  })
})

test('what of a Shopify file cannot come is named by row and column: gift cards, negative prices, formulas, an address twice', async () => {
  expect(problemsOf(await read('shopify', 'shopify-products'))).toEqual([
    '6 Gift card',
    '7 Price',
    '8 SKU',
    '9 URL handle',
  ])
})

test('Shopify’s column names of before 2025 mean the same', async () => {
  const { values, problems } = await read('shopify', 'shopify-products-before-2025')
  expect(values).toMatchObject([
    { slug: 'biscuit-dad-cap', variants: [{ sku: 'BIS-CAP-NVY' }, { options: ['Black'] }] },
  ])
  expect(problems).toEqual([])
})

test('WooCommerce variations find their parent by SKU or ID, before or after it; other types and lost variations do not come', async () => {
  const products = await read('woocommerce', 'woocommerce-products')
  expect(products.values).toMatchObject([
    {
      name: 'Biscuit Café Tee',
      slug: 'biscuit-cafe-tee',
      description: 'A tee of the café.',
      collection: 'Biscuit',
      type: 'T-Shirts',
      variants: [
        { sku: 'BIS-TEE-S', unitPrice: 2495 },
        { sku: 'BIS-TEE-M', unitPrice: 2495 },
      ],
      pictures: [{ url: 'https://old.example/tee.jpg' }, { url: 'https://old.example/tee-2.jpg' }, {}],
    },
    { slug: 'biscuit-mug', description: 'A mug', wasPublished: false, variants: [{ sku: 'BIS-MUG', unitPrice: 1800 }] },
  ])
  expect(problemsOf(products)).toEqual(['7 Type', '6 Parent'])
})

test('Shopify orders: rows of one number are one order; euros, unpaid and negative ones do not come', async () => {
  const orders = await read('shopify', 'shopify-orders')
  expect(orders.values).toMatchObject([
    {
      number: '1001',
      email: 'ada@example.com',
      name: 'Ada Example',
      placedAt: '2025-09-03T14:14:00Z',
      status: 'paid',
      lines: [
        { name: 'Biscuit Dad Cap - Navy', quantity: 2, total: 5590 },
        { name: 'Biscuit Mug', quantity: 1, total: 0 },
      ],
      shipping: 600,
      tax: 329,
      total: 6519,
    },
    { number: '1002', status: 'partially_refunded', refunded: 500 },
  ])
  expect(problemsOf(orders)).toEqual(['5 Currency', '6 Financial Status', '7 Lineitem price'])
})

test('WooCommerce orders: one row has all items; on hold was never paid, refunded in full counts as refunded', async () => {
  const orders = await read('woocommerce', 'woocommerce-orders')
  expect(orders.values).toMatchObject([
    {
      number: '188',
      name: 'Skyler Example',
      placedAt: '2024-05-15T03:17:47Z',
      lines: [
        { name: 'Biscuit Café Tee', sku: 'BIS-TEE-S', quantity: 1, total: 2000 },
        { name: 'Biscuit Mug', sku: null, quantity: 1, total: 2000 },
      ],
    },
    { number: '190', status: 'refunded' },
  ])
  expect(problemsOf(orders)).toEqual(['3 status'])
})

test('Fourthwall orders are read by the columns that we name to the owner', async () => {
  expect((await read('fourthwall', 'fourthwall-orders')).values).toMatchObject([
    { number: 'D3X-9AB', status: 'paid', lines: [{ total: 4500 }], total: 5100 },
  ])
})

test('only subscribers with a date and a source of their consent come, each once', async () => {
  const subscribers = await read('shopify', 'shopify-customers')
  expect(subscribers.values).toMatchObject([
    {
      email: 'ada@example.com',
      name: 'Ada Example',
      consentAt: '2024-03-31T00:00:00Z',
      consentSource: 'Checkbox at checkout',
    },
    { email: 'gil@example.com', consentAt: '2024-04-02T13:30:00Z' },
  ])
  expect(problemsOf(subscribers)).toEqual(['3 Consent date', '4 Accepts Email Marketing', '5 Consent date', '6 Email'])
})

test('a customers file without columns for consent brings nobody, and says which columns are missing', async () => {
  const { values, problems } = await read(
    'shopify',
    Buffer.from('Email,Accepts Email Marketing\nada@example.com,yes\n'),
  )
  expect(values).toEqual([])
  expect(problems).toEqual([{ row: 2, column: null, reason: expect.stringContaining('“Consent date”') as string }])
})

test('redirects: patterns, disabled ones, other hosts as sources and an address twice do not come', async () => {
  const ofShopify = await read('shopify', 'shopify-redirects')
  expect(ofShopify.values).toMatchObject([
    { from: '/old-cap', to: '/products/biscuit-dad-cap' },
    { from: '/pages/our-story' },
    { from: '/sale' },
    { from: '/away', to: 'https://elsewhere.example/page' },
    { from: '/loop-a' },
    { from: '/loop-b' },
  ])
  expect(problemsOf(ofShopify)).toEqual(['8 Redirect from', '9 Redirect from'])
  const ofWoo = await read('woocommerce', 'woocommerce-redirects')
  expect(ofWoo.values).toMatchObject([{ from: '/shop/tee' }])
  expect(problemsOf(ofWoo)).toEqual(['3 regex', '4 status'])
})

test.each<[FormerShop, string]>([
  ['shopify', 'woocommerce-products'],
  ['woocommerce', 'shopify-orders'],
  ['fourthwall', 'woocommerce-orders'],
])('a file that is not one of %s’s is refused with the columns that its files have (%s)', async (shop, file) => {
  await expect(read(shop, file)).rejects.toThrow(CsvMistake)
  await expect(read(shop, file)).rejects.toThrow(/recognized by these columns.*orders: .*products: /)
})

test('an order file of 100,000 rows is read with no more memory than a few of its rows take', async () => {
  const header =
    'Name,Email,Financial Status,Currency,Total,Created at,Lineitem quantity,Lineitem name,Lineitem price\n'
  const line = (index: number) =>
    `#${index},person${index}@example.com,paid,USD,25.00,2025-01-31 10:00:00 -0500,1,Biscuit Mug ${'x'.repeat(100)},25.00\n`
  const bytes = Buffer.from(header + Array.from({ length: 100_000 }, (_, index) => line(index)).join(''))
  let [orders, peak] = [0, 0]
  const before = process.memoryUsage().heapUsed
  const rows = await readExport(
    'shopify',
    bytes,
    () => {
      orders += 1
      if (orders % 5000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed)
    },
    () => {},
  )
  expect({ rows, orders }).toEqual({ rows: 100_000, orders: 100_000 })
  expect(peak - before).toBeLessThan(150 * 2 ** 20)
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FormerPictures, ImportReport } from '#contract/admin-imports.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { syncCatalog } from '#server/catalog/sync.ts'
import { writePricesLater } from '#server/catalog/variant-prices.ts'
import { zip } from '#server/files/zip.ts'
import type { SyncProductId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { ownerVerbs } from '../../src/owner-verbs.ts'

// A shop that comes from elsewhere: its products, tied to those of the printer's store, and their pictures from a local server.

let world: World
let owner: ReturnType<World['shopper']>
let gallery: Server
let picture: Buffer
const at = () => `http://127.0.0.1:${(gallery.address() as AddressInfo).port}`

/** Printful's catalog variants of shirts in the demo, with their colors and sizes. */
let shirts: { id: number; color: string; size: string }[]

beforeAll(async () => {
  picture = await sharp({ create: { width: 1300, height: 1300, channels: 3, background: '#7a5c3e' } })
    .png()
    .toBuffer()
  gallery = createServer(({ url }, answer) => {
    if (url?.startsWith('/cap')) return answer.end(picture)
    if (url === '/moved.png') return answer.writeHead(302, { location: '/cap-moved.png' }).end()
    if (url === '/text.png') return answer.end('<html>Not a picture</html>')
    return answer.writeHead(404).end()
  })
  await new Promise<void>((resolve) => gallery.listen(0, '127.0.0.1', resolve))
  world = await openWorld({ env: { PICTURE_SOURCES: 'any' } })
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  shirts = await rows(
    `select catalog_variant_id::int as id, color, size from variant where product_id in (select id from product where type = 't-shirt') order by 1 limit 3`,
  )
  const variants = (name: string) =>
    shirts.map(({ id }, index) => ({
      externalId: `${name}-${index}`,
      catalogVariantId: id,
      retailPrice: cents(2000),
      sku: `${name.toUpperCase()}-${index}`,
      files: [{ placement: 'front', url: 'https://drawings.example/biscuit.png' }],
      options: [],
    }))
  for (const externalId of ['printer-17', 'biscuit-tee'])
    await world.shop.printful.createProduct({
      externalId,
      name: externalId,
      thumbnailUrl: null,
      variants: variants(externalId),
    })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  gallery.close()
})

async function rows<Row = Record<string, unknown>>(sql: string): Promise<Row[]> {
  return (await world.shop.database.pool.query(sql)).rows as Row[]
}

type Choices = { collection?: string | null; types?: Record<string, string> }

async function imports(
  file: string | Buffer,
  { shop = 'shopify', dryRun = false, ...choices }: Choices & { shop?: string; dryRun?: boolean } = {},
) {
  const search = new URLSearchParams({
    ...(dryRun && { dryRun: '1' }),
    choices: JSON.stringify({ collection: null, types: {}, ...choices }),
  })
  const answer = await fetch(`${world.address}/api/admin/imports/${shop}?${search}`, {
    method: 'POST',
    headers: { origin: world.address, cookie: owner.cookie(), 'content-type': 'text/csv' },
    body: typeof file === 'string' ? file : new Uint8Array(file),
  })
  return { status: answer.status, body: (await answer.json()) as ImportReport & { message: string } }
}

const header =
  'Title,URL handle,Description,Vendor,Type,Tags,Published on online store,Status,SKU,Option1 name,Option1 value,Option2 name,Option2 value,Option3 value,Price,Product image URL,Image alt text,Collection,Variant image URL\n'
const shopifyFile = () =>
  Buffer.from(
    header +
      `Biscuit Staple Tee,staple-tee,"<p>Soft &amp; <b>light</b>.</p>",Shop,Tops,,TRUE,Active,PRINTER-17-0,Color,${shirts[0]?.color},Size,${shirts[0]?.size},,24.50,${at()}/cap.png,A brown tee,Rudy,${at()}/cap.png\n` +
      `,staple-tee,,,,,,,,Color,${shirts[1]?.color},Size,${shirts[1]?.size},,25.50,${at()}/moved.png,,\n` +
      `,staple-tee,,,,,,,NOWHERE-9,Color,Mauve,Size,S,Wool,26.00,${at()}/text.png,,\n` +
      `Biscuit Lamp,lamp,Shines.,Shop,Lamps,,TRUE,Active,LAMP-1,,,,,,40.00,${at()}/gone.png,,Biscuit\n` +
      `Biscuit Tee,biscuit-tee,Named like the printer’s.,Shop,T-Shirts,,TRUE,Draft,,Color,${shirts[0]?.color},Size,${shirts[0]?.size},,22.00,,,Rudy\n` +
      `Two at once,two,In two.,Shop,T-Shirts,,TRUE,Active,PRINTER-17-1,,,,,,22.00,,,Rudy\n` +
      `Dear Tee,dear-tee,In euros.,Shop,T-Shirts,,TRUE,Active,DEAR-1,,,,,,€22.00,,,Rudy\n`,
  )

test('a dry run shows what comes, what is asked, and why the rest cannot come; nothing is changed', async () => {
  const before = await rows('select count(*) from product')
  const { status, body } = await imports(shopifyFile(), { dryRun: true })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    ...{ kind: 'products', isDryRun: true, added: 2, unchanged: 0 },
    products: {
      ...{ tied: 2, drafts: 0, pictures: 3 },
      collections: [
        { id: 'rudy', isNew: false },
        { name: 'Biscuit', isNew: true },
      ],
      types: [{ word: 'Lamps', products: 1, type: null }],
    },
  })
  expect(body.problems).toEqual([
    { row: 8, column: 'Price', reason: '“€22.00” is in another currency. Prices here are in US dollars.' },
    {
      row: 4,
      column: 'SKU',
      reason:
        'This variant has 3 options, and products here have a color and a size. Its SKU is none of the printer’s.',
    },
    { row: 5, column: 'Type', reason: 'Please choose a product type for “Lamps”.' },
    { row: 7, column: 'SKU', reason: 'The printer’s product of this one is already tied to “Biscuit Staple Tee”.' },
  ])
  expect(await rows('select count(*) from product')).toEqual(before)
})

test('products come with the printer’s variants and the prices they had, what matches nothing as a draft in a new collection; the same file again changes nothing', async () => {
  const choices = { types: { Lamps: 'mug' } }
  const { body } = await imports(shopifyFile(), choices)
  expect(body).toMatchObject({ added: 3, products: { tied: 2, drafts: 1, redirects: 3 } })
  expect(body.done).toContain('1 as a draft: the printer has nothing for it yet.')
  expect(
    await rows(
      `select slug, type, collection, state, external_id, description from product where slug in ('staple-tee', 'lamp', 'biscuit-tee') order by id`,
    ),
  ).toEqual([
    {
      ...{ slug: 'staple-tee', type: 't-shirt', collection: 'rudy', state: 'published', external_id: 'printer-17' },
      description: 'Soft & light.',
    },
    { slug: 'lamp', type: 'mug', collection: 'biscuit', state: 'draft', external_id: null, description: 'Shines.' },
    expect.objectContaining({ slug: 'biscuit-tee', state: 'draft', external_id: null }),
  ])
  expect(
    await rows(
      `select v.sku, v.unit_price_cents::int as price from variant v join product p on p.id = v.product_id where p.slug = 'staple-tee' order by 2`,
    ),
  ).toEqual([
    { sku: 'PRINTER-17-0', price: 2450 },
    { sku: 'PRINTER-17-1', price: 2550 },
  ])
  expect(await rows(`select state, content->>'displayName' as name from collection where id = 'biscuit'`)).toEqual([
    { state: 'draft', name: 'The Biscuit Collection' },
  ])
  const revisions = await rows('select count(*) from catalog_revision')
  const again = (await imports(shopifyFile(), choices)).body
  expect(again).toMatchObject({ added: 0, unchanged: 3, products: { redirects: 0, pictures: 0 } })
  expect(await rows('select count(*) from catalog_revision')).toEqual(revisions)
})

test('the next sync proposes no other price, and the printer gets the one of the file', async () => {
  await syncCatalog(world.shop, 'owner')
  expect(
    await rows(
      `select c.kind from catalog_change c join variant v on v.id = c.variant_id join product p on p.id = v.product_id
       where c.kind = 'price' and p.slug = 'staple-tee'`,
    ),
  ).toEqual([])
  await writePricesLater(world.shop)
  await world.settled()
  const [{ id } = { id: 0 }] = await rows<{ id: number }>(
    `select sync_product_id::int as id from product where slug = 'staple-tee'`,
  )
  const { variants } = await world.shop.printful.getProduct(id as SyncProductId)
  expect(variants.map(({ sku, unitPrice }) => [sku, unitPrice])).toEqual([
    ['PRINTER-17-0', 2450],
    ['PRINTER-17-1', 2550],
    ['PRINTER-17-2', 2000],
  ])
})

test('pictures are fetched by a job, also after a redirect; what failed is listed and can be tried again', async () => {
  await world.settled()
  const show = async () => (await owner.send<FormerPictures>('GET', '/api/admin/imported-pictures')).body
  const shown = await show()
  expect(shown).toMatchObject({ waiting: 0, stored: 2, failedCount: 2, withoutAlt: [] })
  expect(shown.failed.map(({ product, reason }) => [product, reason])).toEqual([
    ['Biscuit Staple Tee', expect.stringContaining('PNG')],
    ['Biscuit Lamp', 'The other shop answered 404.'],
  ])
  expect(
    await rows(
      `select pp.alt, pp.width, pp.color from product_picture pp join product p on p.id = pp.product_id where p.slug = 'staple-tee' order by position`,
    ),
  ).toEqual([{ alt: 'A brown tee', width: 1200, color: shirts[0]?.color }])
  expect((await owner.send('POST', '/api/admin/imported-pictures/retry')).status).toBe(200)
  await world.settled()
  expect(await show()).toMatchObject({ waiting: 0, failedCount: 2 })
})

test('an old address leads to its product', async () => {
  const [tee] = await rows<{ id: number }>(`select id from product where slug = 'staple-tee'`)
  expect(await rows(`select to_path from redirect where from_path = '/products/staple-tee'`)).toEqual([
    { to_path: `/product/${tee?.id}` },
  ])
})

test('a draft gets its variants when the printer has its product at a later import', async () => {
  await world.shop.printful.createProduct({
    ...{ externalId: 'lamp', name: 'Lamp', thumbnailUrl: null },
    variants: [
      {
        ...{ externalId: 'lamp-0', catalogVariantId: shirts[0]?.id ?? 0, retailPrice: cents(3000), sku: 'LAMP-1' },
        ...{ files: [{ placement: 'front', url: 'https://drawings.example/lamp.png' }], options: [] },
      },
    ],
  })
  expect((await imports(shopifyFile())).body).toMatchObject({
    added: 1,
    products: { tied: 1, completed: 1, pictures: 0 },
  })
  expect(
    await rows(
      `select unit_price_cents::int as price, state, p.type from variant v join product p on p.id = v.product_id where p.slug = 'lamp'`,
    ),
  ).toEqual([{ price: 4000, state: 'draft', type: 'mug' }])
})

test('the owner command takes choices, and pictures from a folder or an archive by their names', async () => {
  const verbs = ownerVerbs(world.shop.database, async () => world.shop)
  const folder = await mkdtemp(join(tmpdir(), 'import-'))
  try {
    const woo = join(folder, 'woo.csv')
    await writeFile(
      woo,
      `\uFEFFID;Type;SKU;Name;Published;Description;Regular price;Categories;Images;Parent;Attribute 1 value(s)\n` +
        `90;simple;WOO-1;Woo Mug;1;A mug.;18,50;Rudy > Mugs;https://old.example/img/Mug%20One.png, https://old.example/img/missing.png;;\n`,
    )
    await writeFile(join(folder, 'Mug One.png'), picture)
    const archive = join(folder, 'pictures.zip')
    const chunks: Buffer[] = []
    await pipeline(
      zip([{ name: 'img/missing.png', bytes: [picture] }]),
      new Writable({
        write(chunk: Buffer, _, done) {
          chunks.push(chunk)
          done()
        },
      }),
    )
    await writeFile(archive, Buffer.concat(chunks))
    const run = (...more: string[]) => verbs(['import-from', 'woocommerce', woo, '--collection', 'sherlock', ...more])
    expect(await run('--dry-run', '--pictures', folder)).toMatchObject({
      added: 1,
      products: { drafts: 1, pictures: 2 },
    })
    expect(await run('--type', 'Mugs=mug', '--pictures', folder)).toMatchObject({
      added: 1,
      pictures: {
        failed: expect.arrayContaining([
          expect.objectContaining({ reason: 'The folder has no file named missing.png.' }),
        ]) as unknown,
      },
    })
    await run('--pictures', archive)
    expect(
      await rows(
        `select count(*)::int as pictures from product_picture pp join product p on p.id = pp.product_id where p.slug = 'woo-mug'`,
      ),
    ).toEqual([{ pictures: 1 }])
    await expect(run('--type', 'Mugs')).rejects.toThrow('Usage: npm run owner -- import-from')
    await expect(run('--pictures', woo)).rejects.toThrow('damaged or cut off')
    await expect(run('--pictures', join(folder, 'nowhere'))).rejects.toThrow('can’t be read')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  [
    'duplicate handles',
    `${header}A,a,,,Mugs,,,,,,,,,,5,,,Rudy\nB,b,,,Mugs,,,,,,,,,,5,,,Rudy\nC,a,,,Mugs,,,,,,,,,,5,,,Rudy\n`,
    'Two products of the file have the address “a”.',
  ],
  [
    'no collection',
    `${header}A,no-collection,,,Mugs,,,,,,,,,,5,,,\n`,
    'Please choose a collection for products that name none.',
  ],
  ['no type', `${header}A,no-type,,,,,,,,,,,,,5,,,Rudy\n`, 'Please choose a product type for products without one.'],
  [
    'a page’s address as a collection',
    `${header}A,x-1,,,Mugs,,,,,,,,,,5,,,Checkout\n`,
    'belongs to a page of the shop',
  ],
])('%s: the row does not come, with a sentence', async (_, file, sentence) => {
  const { body } = await imports(Buffer.from(file), { dryRun: true })
  expect(body.problems.map(({ reason }) => reason).join(' ')).toContain(sentence)
})

test('choices that are none are refused, and the printer’s silence changes nothing', async () => {
  const bad = await fetch(`${world.address}/api/admin/imports/shopify?choices=nonsense`, {
    method: 'POST',
    headers: { origin: world.address, cookie: owner.cookie(), 'content-type': 'text/csv' },
    body: shopifyFile(),
  })
  expect(bad.status).toBe(422)
  world.simulators.kit.rules.add({
    ...{ provider: 'printful', match: { method: 'GET' }, when: 'before', do: { status: 500 }, times: 50 },
  })
  const file = Buffer.from(`${header}New,new-one,,,Mugs,,TRUE,Active,NEW-1,,,,,,5,,,Rudy\n`)
  expect((await imports(file)).status).toBe(503)
  expect(await rows(`select 1 from product where slug = 'new-one'`)).toEqual([])
})

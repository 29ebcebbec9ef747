import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProductPictures, StoredPicture } from '#contract/admin-pictures.ts'
import type { Product } from '#contract/catalog.ts'
import { draftOf } from '#domain/catalog/collection-draft.ts'
import { plainProductType } from '#domain/catalog/product-types.ts'
import type { CatalogFile } from '#server/catalog/catalog-file.ts'
import { importChangedCatalog } from '#server/catalog/catalog-setup.ts'
import { product as productTable } from '#server/catalog/schema.ts'
import { catalogByOwner } from '#server/catalog/owner-catalog.ts'
import type { ImportReport } from '#server/catalog/import-upload.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { build } from '../../tools/build.ts'

// The whole catalog goes out into a file and comes in again.

type WholeFile = { [Member in keyof CatalogFile]-?: NonNullable<CatalogFile[Member]> }

let world: World
let folder: string
beforeAll(async () => {
  await build()
  world = await openWorld({ pages: true })
  folder = await mkdtemp(join(tmpdir(), 'catalog-'))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const file = (name: string) => join(folder, name)
const exportTo = (name: string) => catalogByOwner(world.shop, ['export', file(name)])
const importFrom = (name: string, ...options: string[]) =>
  catalogByOwner(world.shop, ['import', file(name), ...options]) as Promise<ImportReport>
const textAt = async (path: string) => (await fetch(world.address + path)).text()
const products = async () => JSON.parse(await textAt('/api/products')) as Product[]

/** An uploaded picture, a drawing, a product type and a collection; the first product gets all of them. */
async function addOwnThings(): Promise<{ product: number; picture: string; formerSlug: string }> {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const upload = async (kind: string, bytes: Uint8Array) => {
    const query = new URLSearchParams({ kind, alt: 'Biscuit “asleep” on a onesie' })
    const answer = await owner.send<StoredPicture>('POST', `/api/admin/pictures?${query}`, bytes)
    expect(answer.status).toBe(200)
    return answer.body.file
  }
  const photo = sharp({ create: { width: 700, height: 700, channels: 3, background: '#335577' } })
  const picture = await upload('product', await photo.png().toBuffer())
  await upload('drawing', await readFile(new URL('../../pictures/designs/pip-round.svg', import.meta.url)))
  const type = { ...plainProductType('onesie'), name: 'Onesie', plural: 'Onesies', synonyms: ['romper'] }
  const saved = await owner.send('PUT', '/api/admin/product-types/onesie', { version: 0, content: type })
  expect(saved.status).toBe(200)
  const collection = { ...draftOf('Biscuit', 'corgi'), state: 'published', publishAt: null, inMenu: true, onHome: true }
  expect((await owner.send('POST', '/api/admin/collections', collection)).status).toBe(200)
  const [first] = await products()
  await exportTo('own.json')
  const file = JSON.parse(await readFile(join(folder, 'own.json'), 'utf8')) as WholeFile
  const own = file.products.map((one) =>
    one.id === first?.id ? { ...one, slug: 'biscuit-onesie', type: 'onesie', collection: 'biscuit' } : one,
  )
  await writeFile(join(folder, 'own.json'), JSON.stringify({ ...file, products: own }))
  await importFrom('own.json')
  const id = first?.id ?? 0
  const { version } = (await owner.send<ProductPictures>('GET', `/api/admin/products/${id}/pictures`)).body
  const shown = { file: picture, alt: 'A onesie for Biscuit', color: null, view: 'front' }
  const pictured = await owner.send('PUT', `/api/admin/products/${id}/pictures`, { version, pictures: [shown] })
  expect(pictured.status).toBe(200)
  const formerSlug = file.products.find((one) => one.id === id)?.slug ?? ''
  return { product: id, picture, formerSlug }
}

async function everyPage(more: string[] = []): Promise<Map<string, string>> {
  const ids = (await products()).map(({ id }) => id)
  const paths = [
    ...['/', '/products', '/RudyCollection', '/collections/sherlock', '/collections/example', '/search?q=mug'],
    ...['/api/products', '/api/listing', '/feed.xml'],
    ...ids.flatMap((id) => [`/product/${id}`, `/api/products/${id}`]),
    ...more,
  ]
  // Pages also say when they were rendered.
  const clean = (text: string) => text.replaceAll(/"(?:dehydratedAt|dataUpdatedAt)":\d+/g, '')
  const pages = new Map<string, string>()
  // One at a time: a busy shop turns pages away.
  for (const path of paths) pages.set(path, clean(await textAt(path)))
  return pages
}

test.each(['whole.json', 'sheet.csv', 'archive.zip'])(
  'exported to %s and imported again, nothing changes',
  async (name) => {
    await exportTo(name)
    const before = await readFile(file(name))
    expect(await importFrom(name)).toMatchObject({ products: 36, variants: 0, untouched: 36, differences: [] })
    await exportTo(name)
    expect((await readFile(file(name))).equals(before)).toBe(true)
  },
)

test('an emptied database with the exported archive imported answers every page byte for byte as before', async () => {
  // What shoppers wrote is not the catalog's, and goes with the database.
  await world.shop.database.pool.query('delete from review')
  const { product, picture, formerSlug } = await addOwnThings()
  await exportTo('moved.zip')
  const own = [
    `/product/${product}`,
    '/BiscuitCollection',
    `/product/${formerSlug}`,
    `/api/products/${formerSlug}`,
    `/pictures/${picture}.640.webp`,
    `/pictures/${picture}.320.avif`,
  ]
  const before = await everyPage(own)
  expect(before.get(`/product/${formerSlug}`)?.includes('"slug":"biscuit-onesie"')).toBe(true)
  const empty = 'truncate product, collection, product_type, picture, catalog_revision cascade'
  await world.shop.database.pool.query(empty)
  // Instances hear of a change a moment after it.
  await expect.poll(() => textAt('/api/products')).toBe('[]')
  // Two pictures more than the demo has products, collections and types.
  expect((await importFrom('moved.zip')).differences).toHaveLength(36 + 4 + 13 + 2)
  const differing = async () => {
    const after = await everyPage(own)
    expect(after.size).toBe(before.size)
    return [...before].filter(([path, text]) => after.get(path) !== text).map(([path]) => path)
  }
  await expect.poll(differing, { timeout: 10_000 }).toEqual([])
  expect((await importFrom('moved.zip')).differences).toEqual([])
  // What is printed came along.
  const { rows } = await world.shop.database.pool.query(`select from picture_file where format = 'svg'`)
  expect(rows).toHaveLength(1)
  await exportTo('moved.json')
})

test('old addresses of products come back by a spreadsheet too, and only free ones', async () => {
  await exportTo('whole.json')
  const { products: all } = JSON.parse(await readFile(file('whole.json'), 'utf8')) as WholeFile
  const [first, second] = all
  const former = `was-${first?.slug}`
  const sheet = (slugs: string) =>
    writeFile(file('former.csv'), `slug,former_slugs\r\n${first?.slug},${slugs}\r\n${second?.slug},\r\n`)
  await sheet(`${former} ${former}-too`)
  expect((await importFrom('former.csv')).differences).toEqual([
    {
      ...{ kind: 'product', name: first?.slug, what: 'changed' },
      changes: [{ field: 'former addresses', before: null, after: `${former}, ${former}-too` }],
    },
  ])
  expect((await importFrom('former.csv')).differences).toEqual([])
  expect(JSON.parse(await textAt(`/api/products/${former}`))).toMatchObject({ product: { id: first?.id } })
  await sheet(second?.slug ?? '')
  await expect(importFrom('former.csv')).rejects.toThrow(
    `row 2, formerSlugs: ${second?.slug} is the slug of product ${second?.id}`,
  )
  // A product's own address among its former ones: it was renamed back.
  await sheet(`${first?.slug} ${former}`)
  expect((await importFrom('former.csv')).differences).toEqual([])
  await exportTo('former.json')
  const again = JSON.parse(await readFile(file('former.json'), 'utf8')) as WholeFile
  expect(again.products.find(({ id }) => id === first?.id)?.formerSlugs).toEqual([former, `${former}-too`])
})

test('pictures that neither the file nor the shop has are named by row', async () => {
  await exportTo('whole.json')
  const whole = JSON.parse(await readFile(file('whole.json'), 'utf8')) as WholeFile
  const picture = { view: 'front', color: null, file: 'product-0123456789ab', widths: [640], width: 640, height: 640 }
  const changed = whole.products.map((one, index) => (index === 2 ? { ...one, pictures: [picture] } : one))
  const collections = whole.collections.map((one, index) =>
    index === 1 ? { ...one, hero: { ...picture, alt: 'Pip' } } : one,
  )
  await writeFile(file('pictures.json'), JSON.stringify({ ...whole, products: changed, collections }))
  expect((await importFrom('pictures.json', '--dry-run')).warnings).toEqual([
    {
      ...{ row: 3, column: 'pictures' },
      problem: 'This shop has no picture product-0123456789ab: import the .zip, or upload it here',
    },
    {
      ...{ row: 2, column: 'collections.hero' },
      problem: 'This shop has no picture product-0123456789ab: import the .zip, or upload it here',
    },
  ])
})

test('a start whose file names an unknown collection is refused with row and column, and changes nothing', async () => {
  await exportTo('whole.json')
  const whole = JSON.parse(await readFile(file('whole.json'), 'utf8')) as WholeFile
  const moved = whole.products.map((one, index) => (index === 1 ? { ...one, collection: 'nobody' } : one))
  await writeFile(file('start.json'), JSON.stringify({ ...whole, products: moved }))
  const before = await products()
  await expect(importChangedCatalog(world.shop, file('start.json'))).rejects.toThrow(
    'The catalog file has mistakes.\nrow 2, collection: There is no collection “nobody”',
  )
  expect(await products()).toEqual(before)
})

const withRows = async (change: (rows: string[]) => string[]) => {
  await exportTo('rows.csv')
  const rows = (await readFile(file('rows.csv'), 'utf8')).trimEnd().split('\r\n')
  await writeFile(file('rows.csv'), change(rows).join('\r\n'))
}

test('a dry run shows the difference of a spreadsheet and changes nothing; the import takes it', async () => {
  const [first] = await products()
  await withRows((rows) =>
    rows.map((row) => row.replaceAll(`"${first?.name.replaceAll('"', '""')}"`, '"=HYPERLINK(1)"')),
  )
  const changes = [{ field: 'name', before: first?.name, after: '=HYPERLINK(1)' }]
  const difference = { kind: 'product', name: first?.slug, what: 'changed', changes }
  expect((await importFrom('rows.csv', '--dry-run')).differences).toEqual([difference])
  expect((await products())[0]).toEqual(first)
  expect((await importFrom('rows.csv')).differences).toEqual([difference])
  expect((await products())[0]?.name).toBe('=HYPERLINK(1)')
  // A spreadsheet must not run it.
  await exportTo('rows.csv')
  expect(await readFile(file('rows.csv'), 'utf8')).toContain(`"'=HYPERLINK(1)"`)
  expect((await importFrom('rows.csv')).differences).toEqual([])
  await importFrom('moved.json')
  expect((await products())[0]).toEqual(first)
})

test('wrong cells are listed by row and column, and nothing is imported', async () => {
  const before = await products()
  await withRows(([header = '', ...rows]) => [
    header,
    ...rows.map((row, index) => (index === 2 ? row.replace(/"\d+\.\d\d"/, '"a lot"') : row)),
  ])
  await expect(importFrom('rows.csv')).rejects.toThrow(/row 4, (?:price|cost): /)
  await writeFile(file('bad.csv'), 'slug,name,colour\r\n"x","y","z"')
  await expect(importFrom('bad.csv')).rejects.toThrow('row 1, colour: There is no such column')
  await writeFile(file('bad.csv'), 'product_id,slug\r\n1,same\r\n2,same')
  await expect(importFrom('bad.csv')).rejects.toThrow(/row 3, product_id/)
  await writeFile(file('bad.csv'), 'slug,name\r\nnew-hat,A new hat')
  await expect(importFrom('bad.csv')).rejects.toThrow(/row 2, description: A new product needs it/)
  await writeFile(file('bad.json'), '{"products": [')
  await expect(importFrom('bad.json')).rejects.toThrow('is not valid JSON')
  expect(await products()).toEqual(before)
})

test('of a spreadsheet with thousands of mistakes the first are listed, and the rest is counted', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => `hat-${index},,,rudy,hat,0`)
  await writeFile(file('large.csv'), ['slug,name,description,collection,type,place', ...rows].join('\n'))
  const failure = await importFrom('large.csv').catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: expect.stringContaining('and 2800 more') })
})

test('a file brings product types with the products that need them', async () => {
  await exportTo('types.json')
  const whole = JSON.parse(await readFile(file('types.json'), 'utf8')) as WholeFile
  const [mug] = whole.productTypes.filter(({ key }) => key === 'mug')
  const [first, ...rest] = whole.products
  const hoodie = { ...mug, key: 'hoodie', name: 'Hoodie', plural: 'Hoodies', synonyms: ['sweater'] }
  const productTypes = [
    ...whole.productTypes.map((type) => (type.key === 'mug' ? { ...type, plural: 'Cups' } : type)),
    hoodie,
  ]
  const writes = (types: object[]) =>
    writeFile(
      file('types.json'),
      JSON.stringify({ ...whole, productTypes: types, products: [{ ...first, type: 'hoodie' }, ...rest] }),
    )
  await writes(whole.productTypes)
  await expect(importFrom('types.json')).rejects.toThrow('row 1, type: There is no product type “hoodie”')
  await writes([...productTypes, hoodie, { ...hoodie, key: 'Bad key' }])
  await expect(importFrom('types.json')).rejects.toThrow(/row 16, productTypes.key: .*lower-case/)
  await writes([...productTypes, hoodie])
  await expect(importFrom('types.json')).rejects.toThrow('row 15, productTypes.key: hoodie is also in row 14')

  await writes(productTypes)
  const differences = [
    {
      ...{ kind: 'product type', name: 'Mug', what: 'changed' },
      changes: [{ field: 'plural', before: 'Mugs', after: 'Cups' }],
    },
    { kind: 'product type', name: 'Hoodie', what: 'new', changes: [] },
    {
      ...{ kind: 'product', name: first?.slug, what: 'changed' },
      changes: [{ field: 'type', before: first?.type, after: 'hoodie' }],
    },
  ]
  expect((await importFrom('types.json', '--dry-run')).differences).toEqual(differences)
  expect((await products()).find(({ type }) => type === 'hoodie')).toBeUndefined()
  expect((await importFrom('types.json')).differences).toEqual(differences)
  expect((await importFrom('types.json')).differences).toEqual([])
  expect(JSON.parse(await textAt('/api/listing?type=hoodie'))).toMatchObject({
    products: [{ name: first?.name }],
    facets: { type: expect.arrayContaining([{ value: 'hoodie', count: 1, title: 'Hoodies' }]) },
  })
})

test('what a whole file no longer has retires, except what was made in the shop', async () => {
  await exportTo('whole.json')
  const whole = JSON.parse(await readFile(file('whole.json'), 'utf8')) as { products: { id: number; slug: string }[] }
  const [gone, ...rest] = whole.products
  await writeFile(file('less.json'), JSON.stringify({ ...whole, products: rest }))
  expect((await importFrom('less.json')).differences).toEqual([
    {
      ...{ kind: 'product', name: gone?.slug, what: 'retired' },
      changes: [{ field: 'state', before: 'published', after: 'retired' }],
    },
  ])
  expect((await products()).map(({ id }) => id)).not.toContain(gone?.id)
  expect((await importFrom('less.json')).differences).toEqual([])
})

test('a long import lets the shop go on, stops where somebody else saved, and goes on with the same file', async () => {
  const { db } = world.shop
  const write = (name: string) =>
    writeFile(
      file('long.csv'),
      [
        'slug,name,description,collection,type,state',
        ...Array.from({ length: 450 }, (_, index) => `long-${index},${name} ${index},Long.,rudy,hat,draft`),
      ].join('\r\n'),
    )
  await write('First')
  expect((await importFrom('long.csv')).differences).toHaveLength(450)
  await write('Second')
  const importing = importFrom('long.csv').then(
    () => 'imported',
    (error: unknown) => String(error),
  )
  const nameOf = async (slug: string) =>
    (await db.select({ name: productTable.name }).from(productTable).where(eq(productTable.slug, slug)))[0]?.name
  while ((await nameOf('long-0')) !== 'Second 0') await setImmediate()
  expect(await nameOf('long-449')).toBe('First 449')
  await db
    .update(productTable)
    .set({ version: sql`version + 1` })
    .where(eq(productTable.slug, 'long-449'))
  expect(await importing).toContain('Product long-449 was changed while the file was imported.')
  expect(await nameOf('long-399')).toBe('Second 399')
  expect((await importFrom('long.csv')).differences).toHaveLength(50)
  expect(await nameOf('long-449')).toBe('Second 449')
  expect((await importFrom('long.csv')).differences).toEqual([])
})

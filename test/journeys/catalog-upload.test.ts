import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CatalogImport } from '#contract/admin-catalog-file.ts'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import type { Product } from '#contract/catalog.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { zip, type ZipEntry } from '#server/files/zip.ts'
import { openWorld, type World } from '#sandbox/world.ts'

// The owner's page of the catalog file, over HTTP.

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const download = async (form: 'json' | 'csv' | 'zip') => {
  const answer = await fetch(`${world.address}/api/admin/catalog-file/${form}`, { headers: { cookie: owner.cookie() } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="catalog.${form}"`)
  return Buffer.from(await answer.arrayBuffer())
}
const send = (bytes: Uint8Array, expected?: string) =>
  owner.send<CatalogImport & RefusalBody>(
    'POST',
    `/api/admin/catalog-file${expected === undefined ? '' : `?expected=${expected}`}`,
    bytes,
  )
const products = async () => (await owner.send<Product[]>('GET', '/api/products')).body
const nameOf = async (id: number) => (await products()).find((one) => one.id === id)?.name
const csv = async () => (await download('csv')).toString().trimEnd().split('\r\n')

type File = { pictures?: unknown[]; products: { id: number; name: string; collection: string }[] }
const json = async () => JSON.parse((await download('json')).toString()) as File
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))

/** Sends a file that must be refused, and that changes nothing. @returns mistakes by place */
async function refused(bytes: Uint8Array, status = 422): Promise<RefusalBody> {
  const before = await products()
  const answer = await send(bytes)
  expect(answer.status).toBe(status)
  expect(answer.body.message).toMatch(/Nothing was imported\.$/)
  expect(await products()).toEqual(before)
  return answer.body
}

test('a file is shown with old and new values first, and imported as it was shown', async () => {
  const file = await json()
  const [first] = file.products
  const before = first?.name ?? ''
  const changed = bytesOf({
    ...file,
    products: file.products.map((one) => (one === first ? { ...one, name: 'New' } : one)),
  })
  const shown = await send(changed)
  expect(shown.status).toBe(200)
  expect(shown.body).toMatchObject({
    ...{ isDryRun: true, products: 36, untouched: 35, new: 0, changed: 1, retired: 0 },
    differences: [{ kind: 'product', what: 'changed', changes: [{ field: 'name', before, after: 'New' }] }],
    done: 'This file would bring: 0 new, 1 changed, 0 retired, 35 untouched. Nothing was changed yet.',
  })
  expect(await nameOf(first?.id ?? 0)).toBe(before)

  const done = await send(changed, shown.body.fingerprint)
  expect(done.body).toMatchObject({ isDryRun: false, done: 'Imported: 0 new, 1 changed, 0 retired, 35 untouched.' })
  expect(await nameOf(first?.id ?? 0)).toBe('New')
  const { actions } = (await owner.send<{ actions: { who: string; what: string }[] }>('GET', '/api/admin/log')).body
  expect(JSON.stringify(actions[0])).toContain('imported a catalog file')

  // The same again changes nothing, and the file as it was brings it back.
  expect((await send(changed)).body).toMatchObject({ untouched: 36, differences: [] })
  const back = bytesOf(file)
  expect((await send(back, (await send(back)).body.fingerprint)).status).toBe(200)
})

test('a catalog or a file that changed since it was shown is refused, and nothing is imported', async () => {
  const file = await json()
  const rename = (name: string) =>
    bytesOf({ ...file, products: file.products.map((one, index) => (index === 0 ? { ...one, name } : one)) })
  const shown = (await send(rename('Shown'))).body.fingerprint
  const other = await send(rename('Another'), shown)
  expect([other.status, other.body.code]).toEqual([409, 'catalog_changed'])

  await world.shop.database.pool.query(`update product set name = 'Meanwhile' where id = $1`, [file.products[0]?.id])
  const late = await send(rename('Shown'), shown)
  expect([late.status, late.body.code]).toEqual([409, 'catalog_changed'])
  expect(await nameOf(file.products[0]?.id ?? 0)).toBe('Meanwhile')
  const back = bytesOf(file)
  await send(back, (await send(back)).body.fingerprint)
})

test('only the owner downloads and uploads the catalog', async () => {
  const visitor = world.shopper()
  expect((await visitor.send('POST', '/api/admin/catalog-file', Buffer.from('slug'))).status).toBe(401)
  expect((await visitor.send('GET', '/api/admin/catalog-file/json')).status).toBe(401)
})

describe('a spreadsheet', () => {
  test('as programs of Europe write it changes nothing: semicolons, decimal commas, a byte order mark, their true', async () => {
    const european = (await csv())
      .join('\r\n')
      .replaceAll('","', '";"')
      .replaceAll(/(?<=[",]),(?=[",\r])/g, ';')
      .replaceAll(/"(\d+)\.(\d\d?)"/g, '"$1,$2"')
      .replaceAll('"true"', '"WAHR"')
      .replaceAll('"false"', '"FALSCH"')
      .replaceAll(/,(?=[a-z_]+[,\r"])/g, ';')
    const rows = european.split('\r\n')
    expect(rows[1]).toContain(';')
    const answer = await send(Buffer.from(`\uFEFF${european}`))
    expect(answer.body).toMatchObject({ products: 36, untouched: 36, differences: [] })
  })

  test('in Windows-1252 keeps its letters', async () => {
    const slug = /[a-z-]+(?=",)/.exec((await csv())[1] ?? '')?.[0] ?? ''
    const bytes = Buffer.from(`slug;name\r\n${slug};Café\r\n`, 'latin1')
    const { body } = await send(bytes)
    expect(body).toMatchObject({ differences: [{ changes: [{ field: 'name', after: 'Café' }] }] })
  })

  test('with a price below its cost is shown with a warning by row', async () => {
    const [header = '', ...rows] = await csv()
    const column = header.split(',').findIndex((cell) => cell === '"price"')
    const cost = header.split(',').findIndex((cell) => cell === '"cost"')
    const at = rows.findIndex((row) => /"\d+\.\d\d","\d+\.\d\d"/.test(row))
    expect([column, cost]).not.toContain(-1)
    const changed = rows.map((row, index) =>
      index === at ? row.replace(/"\d+\.\d\d"(?=,"\d+\.\d\d")/, '"0.50"') : row,
    )
    const { body } = await send(Buffer.from([header, ...changed].join('\r\n')))
    expect(body.warnings).toMatchObject([{ row: at + 2, column: 'price', problem: expect.stringContaining('$0.50') }])
  })

  test.each([
    ['a wrong header', 'slug,colour\r\nx,y', { 'row 1, colour': 'There is no such column' }],
    ['a slug twice', 'product_id,slug\r\n1,same\r\n2,same', { 'row 3, product_id': expect.stringContaining('row 2') }],
    [
      'a shortened number',
      'slug,provider_product_id\r\nx,"4,9E+09"',
      { 'row 2, provider_product_id': expect.stringContaining('format the column as text') },
    ],
    ['a place that is no number', 'slug,place\r\nx,first', { 'row 2, place': '“first” is not a number' }],
    [
      'an unknown collection',
      'slug,name,description,collection,type\r\nnew-cap,Cap,A cap,nobody,hat',
      { 'row 2, collection': 'There is no collection “nobody”' },
    ],
  ])('with %s is refused by row and column', async (_, text, fields) => {
    expect((await refused(Buffer.from(text))).fields).toMatchObject(fields)
  })

  test('of 100,000 wrong rows is refused with the number of its mistakes', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `hat-${index},,,rudy,hat,0`)
    const { message } = await refused(Buffer.from(['slug,name,description,collection,type,place', ...rows].join('\n')))
    expect(message).toBe('The file has 300000 mistakes. Nothing was imported.')
  }, 60_000)
})

describe('a JSON file', () => {
  test('that is no JSON, no UTF-8 or empty is refused', async () => {
    const { fields } = await refused(Buffer.from('{"products": [\n1 2]}'))
    expect(fields).toEqual({ 'row 2, file': expect.stringContaining('The file is not valid JSON') })
    expect((await refused(Buffer.from('{"products": "é"}', 'latin1'))).message).toContain('not in UTF-8')
    expect((await refused(Buffer.from(''))).message).toContain('The file is empty')
  })

  test('with texts that no database stores is refused by row and column', async () => {
    const file = await json()
    const [first, ...rest] = file.products
    const { fields } = await refused(bytesOf({ ...file, products: [{ ...first, name: 'A\0B' }, ...rest] }))
    expect(fields).toEqual({ 'row 1, name': 'It has a character that can’t be stored' })
  })
})

describe('an archive', () => {
  let picture: StoredPicture
  let whole: Buffer
  let catalog: File & { pictures: { file: string }[] }

  beforeAll(async () => {
    const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#335577' } })
      .png()
      .toBuffer()
    const query = new URLSearchParams({ kind: 'product', alt: 'A hat' })
    picture = (await owner.send<StoredPicture>('POST', `/api/admin/pictures?${query}`, photo)).body
    const drawing = readFileSync(new URL('../../pictures/designs/pip-round.svg', import.meta.url))
    await owner.send('POST', '/api/admin/pictures?kind=drawing&alt=Pip', drawing)
    whole = await download('zip')
    catalog = { ...(await json()), pictures: [] }
  })

  const removePictures = () => world.shop.database.pool.query('truncate picture cascade')
  const archive = (entries: [string, string | Buffer][]) =>
    buffer(zip(entries.map(([name, content]): ZipEntry => ({ name, bytes: [Buffer.from(content)] }))))
  const row = (file: string, more: object = {}) => ({
    ...{ file, kind: 'product', alt: 'A hat', widths: [320], width: 320, height: 240, drawing: null, sourceUrl: null },
    ...{ createdAt: '2026-05-01T10:00:00.000Z', files: [{ width: 320, format: 'webp' }], ...more },
  })
  const archiveWith = (rows: object[], files: [string, string | Buffer][]) =>
    archive([['catalog.json', JSON.stringify({ ...catalog, pictures: rows })], ...files])

  test('brings its pictures and drawings byte for byte, and the same again changes nothing', async () => {
    const stored = async () =>
      (
        await world.shop.database.pool.query<{ row: string }>(
          `select row_to_json(f)::text as row from picture_file f order by file, width, format`,
        )
      ).rows.map(({ row: one }) => one)
    const before = await stored()
    await removePictures()
    const shown = await send(whole)
    expect(shown.body).toMatchObject({ new: 2, changed: 0, untouched: 36 })
    expect(await stored()).toEqual([])
    expect((await send(whole, shown.body.fingerprint)).status).toBe(200)
    expect(await stored()).toEqual(before)
    expect((await send(whole)).body.differences).toEqual([])
    expect((await fetch(world.address + picture.src)).status).toBe(200)
  })

  test('that is cut off, empty, a workbook or damaged inside is refused', async () => {
    expect((await refused(whole.subarray(0, whole.length - 200))).message).toContain('damaged or cut off')
    expect((await refused(await archive([['a.txt', 'A']]))).message).toContain('no catalog.json')
    expect((await refused(await archive([['[Content_Types].xml', '<x/>']]))).message).toContain('save it as CSV')
    await removePictures()
    const damaged = Buffer.from(whole)
    damaged.fill(0, damaged.indexOf('RIFF') + 100, damaged.indexOf('RIFF') + 140)
    expect((await refused(damaged)).message).toContain('damaged or cut off')
  })

  test('that would unpack to gigabytes is refused unread', async () => {
    const bomb = await archive([['catalog.json', Buffer.alloc(200 * 1024 * 1024, ' ')]])
    expect(bomb.length).toBeLessThan(2 * 1024 * 1024)
    expect((await refused(bomb)).message).toContain('catalog.json is larger than 128 MB')
  })

  test('with pictures that are missing, of another kind or unsafe is refused by row', async () => {
    const missing = await archiveWith([row('product.0000000000000001')], [])
    expect((await refused(missing)).message).toContain('row 1, pictures: pictures/product.0000000000000001.320.webp')
    const text: [string, string] = ['pictures/product.0000000000000001.320.webp', '<script>alert(1)</script>']
    expect((await refused(await archiveWith([row('product.0000000000000001')], [text]))).message).toContain('damaged')
    const unsafe = row('drawing.0000000000000001', { kind: 'drawing', files: [{ width: 320, format: 'svg' }] })
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const entry: [string, string] = ['pictures/drawing.0000000000000001.320.svg', svg]
    expect((await refused(await archiveWith([unsafe], [entry]))).message).toContain('contains a script')
  })
})

test('prices with which a mug loses money are shown with their countries, and imported only with a yes', async () => {
  const { id, price } = await owner.find('mug')
  const file = (await json()) as unknown as { products: { id: number; variants: object[] }[] }
  const lowered = bytesOf({
    ...file,
    products: file.products.map((one) =>
      one.id === id ? { ...one, variants: one.variants.map((variant) => ({ ...variant, price: '9.95' })) } : one,
    ),
  })
  const { body } = await send(lowered)
  expect(body.belowFloor).toMatch(/^With this, one .+ loses \$[\d.]+ when sent to .+ It concerns /)
  const refused = await send(lowered, body.fingerprint)
  expect(refused).toMatchObject({ status: 409, body: { code: 'below_floor' } })
  expect((await owner.find('mug')).price).toBe(price)
  const accepted = await send(lowered, `${body.fingerprint}&accepted=1`)
  expect(accepted.status).toBe(200)
  expect((await owner.find('mug')).price).toBe(995)
  // What gets better is not asked about.
  expect((await send(bytesOf(file))).body.belowFloor).toBeNull()
})

import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Composition, ProductPictures, StoredPicture } from '#contract/admin-pictures.ts'
import type { Product } from '#contract/catalog.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

const upload = <Body = StoredPicture>(bytes: Uint8Array, kind = 'product', alt = 'A hat on a shelf') =>
  owner.send<Body>('POST', `/api/admin/pictures?${new URLSearchParams({ kind, alt })}`, bytes)
const refused = (bytes: Uint8Array, kind?: string) => upload<RefusalBody>(bytes, kind)
const stored = async () =>
  (await owner.send<{ pictures: StoredPicture[] }>('GET', '/api/admin/pictures')).body.pictures.length
const fetched = async (path: string, cookie = '') => {
  const answer = await fetch(world.address + path, { headers: { cookie } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const photo = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#335577' } })

const bars = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><rect width="300" height="90" fill="#f3eee2"/></svg>`
const svg = (inside: string, before = '') =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
    viewBox="0 0 300 200"><rect width="300" height="90"/>${inside}</svg>`)

/** A PNG of zeros: gray, one bit per pixel. */
function pngOfZeros(width: number, height: number, bytes: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(content))
    return Buffer.concat([length, content, sum])
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(bytes))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('an uploaded picture', () => {
  test('is served in our sizes as WebP and AVIF, forever under the same address', async () => {
    const { status, body } = await upload(await photo(1500, 1000).png().toBuffer())
    expect(status).toBe(200)
    expect(body).toMatchObject({ kind: 'product', alt: 'A hat on a shelf', widths: [1200, 960, 640, 320], height: 800 })
    for (const width of body.widths)
      for (const format of ['webp', 'avif']) {
        const served = await fetched(`/pictures/${body.file}.${width}.${format}`)
        expect(served.status).toBe(200)
        expect(served.headers.get('content-type')).toBe(`image/${format}`)
        expect(served.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
        expect(await sharp(served.bytes).metadata()).toMatchObject({ width, height: Math.round(width / 1.5) })
      }
    expect((await fetched(`/pictures/${body.file}.555.webp`)).status).toBe(404)
    expect((await fetched('/pictures/default.webp')).status).toBe(200)
  })

  test('of the shop itself is shown as it is now, where an email or an order has its former address', async () => {
    const now = (await fetch(`${world.address}/pictures/default.webp`)).url
    const former = now.replace(/\.[0-9a-f]{10}\./, '.0123456789.')
    expect(former).not.toBe(now)
    const { status, redirected, url } = await fetch(former)
    expect({ status, redirected, url }).toEqual({ status: 200, redirected: true, url: now })
    expect((await fetch(former.replace('default', 'no-such'))).status).toBe(404)
    const held = await fetch(`${world.address}/pictures/polo.held.ivory.rudy-crest.0123456789.640.webp`)
    expect(held.url).toMatch(/polo\.worn\.ivory\.rudy-crest\.[0-9a-f]{10}\.640\.webp$/)
  })

  test('stands upright and tells nobody where it was taken', async () => {
    const jpeg = await photo(900, 600)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { body } = await upload(jpeg)
    expect(body).toMatchObject({ width: 320, height: 480 })
    const { exif, orientation, icc, xmp } = await sharp((await fetched(body.src)).bytes).metadata()
    expect({ exif, orientation, icc, xmp }).toEqual({})
  })

  test.each(['webp', 'avif', 'jpeg'] as const)('may be a %s file, and a hero has sizes of its own', async (format) => {
    const { body } = await upload(await photo(1700, 900).toFormat(format).toBuffer(), 'hero')
    expect(body.widths).toEqual([1600, 800])
  })

  test('sent again is the same picture, with the newer description', async () => {
    const bytes = await photo(700, 700).png().toBuffer()
    const first = await upload(bytes)
    const before = await stored()
    const again = await upload(bytes, 'product', 'The same hat')
    expect(again.body).toEqual({ ...first.body, alt: 'The same hat' })
    expect(await stored()).toBe(before)
  })

  test('needs a description, and an owner', async () => {
    const bytes = await photo(400, 400).png().toBuffer()
    const withoutAlt = await upload<RefusalBody>(bytes, 'product', ' ')
    expect(withoutAlt).toMatchObject({
      status: 422,
      body: { fields: { alt: 'Please describe what the picture shows' } },
    })
    const visitor = world.shopper()
    expect((await visitor.send('POST', '/api/admin/pictures?kind=product&alt=Hat', bytes)).status).toBe(401)
  })
})

describe('a drawing', () => {
  test('tells its colors, and is never served as it came', async () => {
    const { body } = await upload(Buffer.from(bars), 'drawing', 'Bars')
    expect(body.drawing).toMatchObject({ isVector: true, hasTransparency: true })
    expect(body.drawing?.ink[0]).toMatchObject({ hex: '#f3eee2' })
    const path = `/api/admin/pictures/${body.file}/colors?hex=%23f3eee2&hex=%231f2a44`
    expect((await owner.send('GET', path)).body).toMatchObject({ colors: [{ fit: 'poor' }, { fit: 'good' }] })
    expect((await fetched(`/pictures/${body.file}.4096.svg`)).status).toBe(404)
  })

  test('as a raster keeps its pixels for printing', async () => {
    const { body } = await upload(await photo(3000, 2400).png().toBuffer(), 'drawing', 'A photo')
    expect(body.drawing).toMatchObject({ width: 3000, height: 2400, isVector: false, hasTransparency: false })
  })
})

describe('what is refused, with nothing stored', () => {
  test('a PNG of 40,000 x 40,000 pixels, in 200 KB', async () => {
    const bomb = pngOfZeros(40_000, 40_000, 40_000 * 5001)
    expect(bomb.length).toBeLessThan(300_000)
    const before = await stored()
    for (const kind of ['product', 'drawing']) {
      const { status, body } = await refused(bomb, kind)
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'picture_too_many_pixels' })
      expect(body.message).toContain('40000 × 40000')
    }
    expect(await stored()).toBe(before)
  })

  test('a small PNG that unpacks to far more than it claims', async () => {
    const answer = await refused(pngOfZeros(400, 400, 300_000_000))
    expect([200, 422]).toContain(answer.status)
    expect((await owner.send('GET', '/api/admin/pictures')).status).toBe(200)
  })

  test('a file that is cut off', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
      const whole = await photo(800, 800).toFormat(format).toBuffer()
      for (const length of [Math.floor(whole.length * 0.6), 60]) {
        const { status, body } = await refused(whole.subarray(0, length))
        expect({ format, length, status, code: body.code }).toMatchObject({ status: 422, code: 'picture_damaged' })
      }
    }
  })

  test('a file that is no picture, whatever it is called', async () => {
    const gif = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')
    for (const bytes of [gif, Buffer.from('PK\x03\x04'), Buffer.from('%PDF-1.7'), Buffer.from('{}'), Buffer.alloc(0)])
      expect(await refused(bytes)).toMatchObject({ status: 415, body: { code: 'picture_type' } })
    const page = Buffer.from('<html><body>Hi</body></html>')
    expect(await refused(page, 'drawing')).toMatchObject({ status: 415, body: { code: 'picture_type' } })
    expect((await refused(Buffer.from(bars), 'product')).body.message).toBe(
      'This file is no PNG, JPEG, WebP or AVIF. Nothing was stored.',
    )
  })

  test('more than 50 MB', async () => {
    const { status, body } = await refused(Buffer.alloc(50 * 1024 * 1024 + 1))
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'picture_too_large' })
  })

  test('a picture smaller than our smallest size', async () => {
    const { body } = await refused(await photo(200, 200).png().toBuffer())
    expect(body.message).toBe('This picture is 200 pixels wide. Please use at least 320; nothing was stored.')
  })

  const laughs = `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>`
  const external = `<!DOCTYPE svg [<!ENTITY secret SYSTEM "file:///etc/passwd">]>`
  test.each([
    ['a script', svg('<script>alert(1)</script>'), 'contains a script'],
    [
      'a script in another prefix',
      svg('<s:script xmlns:s="http://www.w3.org/2000/svg">1</s:script>'),
      'contains a script',
    ],
    ['an event handler', svg('<g onload="alert(1)"/>'), 'contains a script'],
    ['a script address', svg('<a xlink:href="javascript:alert(1)"><path d="M0 0"/></a>'), 'outside of it'],
    ['a file of this machine', svg('<image href="file:///etc/passwd" width="9" height="9"/>'), 'outside of it'],
    ['a picture elsewhere', svg('<image xlink:href="https://evil.test/a.png"/>'), 'outside of it'],
    ['a part of another file', svg('<use href="other.svg#a"/>'), 'outside of it'],
    ['a style sheet elsewhere', svg('<style>@import "https://evil.test/a.css";</style>'), 'outside of it'],
    ['a font elsewhere', svg('<style><![CDATA[@font-face{src:url(https://evil.test/a)}]]></style>'), 'outside of it'],
    ['an address in an attribute', svg('<g fill="url(https://evil.test/a#b)"/>'), 'outside of it'],
    ['an escaped address', svg('<g style="fill:u\\72l(https://evil.test/a#b)"/>'), 'outside of it'],
    ['a style sheet instruction', svg('', '<?xml-stylesheet href="https://evil.test/a.css"?>'), 'style sheet'],
    [
      'a foreign object',
      svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>'),
      'foreignObject',
    ],
    ['entities that multiply', svg('<text>&c;</text>', laughs), 'declares entities'],
    ['an entity that reads a file', svg('<text>&secret;</text>', external), 'declares entities'],
  ])('an SVG with %s', async (_, bytes, why) => {
    const before = await stored()
    const { status, body } = await refused(bytes, 'drawing')
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'svg_unsafe' })
    expect(body.message).toContain(why)
    expect(await stored()).toBe(before)
  })

  test('an SVG that is not well-formed, or not UTF-8', async () => {
    const utf16 = Buffer.from(`\uFEFF${bars}`, 'utf16le')
    for (const bytes of [svg('<g>'), svg('<g a=1/>'), Buffer.concat([Buffer.from('<svg>'), Buffer.from([0xc3, 0x28])])])
      expect(await refused(bytes, 'drawing')).toMatchObject({ status: 422, body: { code: 'picture_damaged' } })
    expect((await refused(utf16, 'drawing')).status).toBe(415)
  })

  test('the demo’s own drawings are not among them', async () => {
    for (const name of ['rudy-night-session', 'pip-tea', 'sherlock-pipe', 'mark']) {
      const bytes = readFileSync(new URL(`../../pictures/designs/${name}.svg`, import.meta.url))
      expect((await upload(bytes, 'drawing', name)).status, name).toBe(200)
    }
  })
})

describe('a drawing on a product', () => {
  const request = (drawing: string, more: object = {}) => ({
    ...{ drawing, model: 'mug', technique: 'print', placement: { x: 0.43, y: 0.49, width: 0.44, height: 0.76 } },
    ...{ colors: [{ name: 'Ivory', hex: '#f3eee2' }], views: ['front', 'lifestyle'], ...more },
  })
  const drawing = async () => (await upload(Buffer.from(bars), 'drawing', 'Bars')).body.file
  const progress = async (id: string) => (await owner.send<Composition>('GET', `/api/admin/compositions/${id}`)).body

  test('is previewed where it was put and in its color', async () => {
    const path = `/api/admin/pictures/${await drawing()}/preview?`
    const query = { model: 'pillow', view: 'front', technique: 'print', width: '0.4', height: '0.4', hex: '#1f2a44' }
    const previewed = async (more: Record<string, string>) => {
      const { bytes } = await fetched(path + new URLSearchParams({ ...query, ...more }).toString(), owner.cookie())
      return sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    }
    const high = await previewed({ x: '0.5', y: '0.3' })
    expect(high.info).toMatchObject({ width: 640, height: 640 })
    const low = await previewed({ x: '0.5', y: '0.7' })
    const upperHalf = ({ data }: typeof high) =>
      data.subarray(0, data.length / 2).reduce((sum, level) => sum + level, 0)
    expect(upperHalf(high)).toBeGreaterThan(upperHalf(low) * 1.01)
    expect((await owner.send('GET', `${path}x=0`)).status).toBe(422)
  })

  test('becomes finished pictures, once, in every color and view', async () => {
    const file = await drawing()
    const started = await owner.send<Composition>('POST', '/api/admin/compositions', request(file))
    expect(started).toMatchObject({ status: 200, body: { state: 'working', total: 2 } })
    await world.settled()
    const done = await progress(started.body.id)
    expect(done).toMatchObject({ state: 'done', made: 2, pictures: [{ view: 'front' }, { view: 'lifestyle' }] })
    for (const { picture } of done.pictures) {
      expect(picture).toMatchObject({ kind: 'composed', widths: [960, 640, 320], avif: true })
      expect((await fetched(picture?.src ?? '')).status).toBe(200)
    }
    const before = await stored()
    const again = await owner.send<Composition>('POST', '/api/admin/compositions', request(file))
    expect(again.body).toEqual(done)
    const wider = await owner.send<Composition>(
      'POST',
      '/api/admin/compositions',
      request(file, { views: ['front', 'detail', 'lifestyle'] }),
    )
    expect(wider.body).toMatchObject({ made: 2, total: 3 })
    await world.settled()
    expect(await stored()).toBe(before + 1)
    const sewn = await owner.send<Composition>(
      'POST',
      '/api/admin/compositions',
      request(file, { technique: 'embroidery' }),
    )
    expect(sewn.body.made).toBe(0)
  })

  test('is shown worn on what one puts on, and on nothing else', async () => {
    const file = await drawing()
    const views = ['worn']
    const hat = {
      model: 'hat',
      technique: 'embroidery',
      placement: { x: 0.5, y: 0.5, width: 0.7, height: 0.74 },
      views,
    }
    const started = await owner.send<Composition>('POST', '/api/admin/compositions', request(file, hat))
    await world.settled()
    expect(await progress(started.body.id)).toMatchObject({ state: 'done', pictures: [{ view: 'worn' }] })
    const mug = await owner.send<RefusalBody>('POST', '/api/admin/compositions', request(file, { views }))
    expect(mug).toMatchObject({ status: 422, body: { fields: { views: 'The product has no such view' } } })
  })

  test('is shown held on what a hand carries, and on nothing that is worn', async () => {
    const file = await drawing()
    const views = ['held']
    const started = await owner.send<Composition>('POST', '/api/admin/compositions', request(file, { views }))
    await world.settled()
    expect(await progress(started.body.id)).toMatchObject({ state: 'done', pictures: [{ view: 'held' }] })
    for (const other of [{ model: 'hat', technique: 'embroidery' }, { model: 't-shirt' }])
      expect(
        await owner.send<RefusalBody>('POST', '/api/admin/compositions', request(file, { ...other, views })),
      ).toMatchObject({ status: 422, body: { fields: { views: 'The product has no such view' } } })
  })

  test('needs a drawing that exists', async () => {
    expect((await owner.send('POST', '/api/admin/compositions', request('drawing.0123456789abcdef'))).status).toBe(404)
    expect((await owner.send('GET', '/api/admin/compositions/01234567890123456789')).status).toBe(404)
    const hat = await upload(await photo(400, 400).png().toBuffer())
    expect((await owner.send('POST', '/api/admin/compositions', request(hat.body.file))).status).toBe(404)
  })
})

describe('a product’s pictures', () => {
  test('are added, described, ordered and removed by the owner, and shoppers see it', async () => {
    const [product] = (await owner.send<Product[]>('GET', '/api/products')).body
    const path = `/api/admin/products/${product?.id}/pictures`
    const read = async () => (await owner.send<ProductPictures>('GET', path)).body
    const before = await read()
    const listed = before.pictures.map(({ src: _src, ...picture }) => picture)
    const added = (await upload(await photo(1000, 1000).png().toBuffer(), 'product', 'Biscuit in a hat')).body
    const picture = { file: added.file, alt: added.alt, color: null, view: 'front' }
    const save = (pictures: object[], version = before.version) =>
      owner.send<RefusalBody>('PUT', path, { version, pictures })

    expect(await save([{ ...picture, alt: '' }])).toMatchObject({
      status: 422,
      body: { fields: { 'pictures.0.alt': 'Please describe what the picture shows' } },
    })
    expect((await save([{ ...picture, file: 'product.0123456789abcdef' }])).status).toBe(404)
    expect((await save([picture, picture])).status).toBe(422)
    expect(await read()).toEqual(before)

    expect((await save([picture, ...listed.slice(1)])).status).toBe(200)
    expect((await save(listed)).status).toBe(409)
    const { product: shown } = (await owner.send<{ product: Product }>('GET', `/api/products/${product?.id}`)).body
    expect(shown.images[0]).toMatchObject({ src: added.src, alt: 'Biscuit in a hat', avif: true })
    expect(shown.images).toHaveLength(before.pictures.length)
    expect(shown.shareImage).toBe(product?.shareImage)
    expect(shown.images.map(({ src }) => src)).toEqual([added.src, ...before.pictures.slice(1).map(({ src }) => src)])
  })
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { demoProducts } from '../catalog/products.ts'
import { openKit } from '../kit/kit.ts'
import { centsOf, decimalOf } from './decimal.ts'
import { startPrintful } from './printful.ts'
import { seedProducts } from './products.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const moneyOrNull = z.string().nullable()
const orderSchema = z.looseObject({
  id: z.number(),
  external_id: z.string().nullable(),
  status: z.string(),
  error: z.string().nullable(),
  recipient: z.looseObject({ name: z.string().nullable(), address2: z.string().nullable() }),
  items: z.array(z.looseObject({ sync_variant_id: z.number().nullable(), quantity: z.number(), price: z.string() })),
  costs: z.looseObject({
    subtotal: z.string(),
    shipping: z.string(),
    tax: z.string(),
    vat: z.string(),
    total: z.string(),
  }),
  retail_costs: z.looseObject({ subtotal: moneyOrNull, total: moneyOrNull }),
  shipments: z.array(
    z.looseObject({
      id: z.number(),
      tracking_number: z.string(),
      items: z.array(z.looseObject({ quantity: z.number() })),
    }),
  ),
})

const products = seedProducts(demoProducts)
const hat = products[0]?.variants[0]
const shirt = products.find(({ type }) => type === 't-shirt')
if (!hat || !shirt) throw new Error('The demo shop sells hats and shirts.')

const texan = {
  name: 'Ada Byron',
  address1: '1 Elm Street',
  city: 'Austin',
  state_code: 'TX',
  country_code: 'US',
  zip: '78701',
}
const berliner = { name: 'Ada Byron', address1: 'Torstr. 1', city: 'Berlin', country_code: 'DE', zip: '10119' }
const hats = (quantity: number) => ({ sync_variant_id: hat.id, quantity, retail_price: hat.retail_price })
const anOrder = (external_id: string, more: Record<string, unknown> = {}) => ({
  external_id,
  shipping: 'STANDARD',
  recipient: texan,
  items: [hats(2)],
  ...more,
})

/** A simulated Printful with a shop that takes its webhooks. */
async function aPartner({ pictureBase }: { pictureBase?: string } = {}) {
  const kit = openKit({ speed: 0, log: () => {} })
  closing.push(() => kit.close())
  const partner = await startPrintful(kit, {
    port: 0,
    token: 'secret',
    storeId: 77,
    products,
    ...(pictureBase && { pictureBase }),
  })
  const webhooks: { type: string; store: number; data: Record<string, unknown> }[] = []
  const shop = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      webhooks.push(JSON.parse(body) as (typeof webhooks)[number])
      outgoing.end()
    })
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => shop.close(resolve)))
  const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhooks/printful/x`
  kit.endpoints.set('printful', { url: shopUrl, secret: '' })

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${partner.url}${path}`, {
      method,
      headers: { authorization: 'Bearer secret', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const json = (await answer.json()) as {
      code: number
      result: unknown
      error?: unknown
      paging?: unknown
      data?: unknown
    }
    return { status: answer.status, headers: answer.headers, ...json }
  }
  return {
    kit,
    partner,
    shopUrl,
    webhooks,
    call,
    order: async (method: string, path: string, body?: unknown) => {
      const { status, result } = await call(method, path, body)
      return status === 200 ? orderSchema.parse(result) : { status, refused: result }
    },
    told: async () => {
      await kit.clock.advance(0)
      await kit.idle()
      return webhooks.splice(0).map(({ type }) => type)
    },
  }
}

describe('the store', () => {
  test('lists its products in pages', async () => {
    const { call } = await aPartner()
    const first = await call('GET', '/store/products?limit=10')
    const rest = await call('GET', '/store/products?limit=100&offset=10')
    expect(first.paging).toEqual({ total: 36, offset: 0, limit: 10 })
    expect((rest.result as unknown[]).length).toBe(26)
    expect((await call('GET', '/store/products?limit=many')).status).toBe(400)
  })

  test('returns a product by number and by the shop’s own id', async () => {
    const { call } = await aPartner()
    const { result } = await call('GET', `/store/products/${shirt.id}`)
    expect(result).toMatchObject({
      sync_product: { id: shirt.id, external_id: shirt.external_id, variants: shirt.variants.length },
    })
    expect((await call('GET', `/store/products/@${shirt.external_id}`)).result).toEqual(result)
    expect((await call('GET', '/store/products/1')).status).toBe(404)
  })

  test('numbers variants above 2^31, each once, and prices them in decimals', () => {
    const variants = products.flatMap((product) => product.variants)
    expect(Math.min(...variants.map(({ id }) => id))).toBeGreaterThan(2 ** 31)
    expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length)
    expect(variants.filter(({ retail_price }) => !/^\d+\.\d\d$/.test(retail_price))).toEqual([])
    expect(new Set(variants.map(({ external_id }) => external_id)).size).toBe(variants.length)
  })

  test('shows the picture of the right color, else the default, else none, by a name that outlasts its making', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
    closing.push(() => rm(folder, { recursive: true }))
    const { call, partner } = await aPartner({ pictureBase: folder })
    const preview = async () => {
      const { result } = await call('GET', `/store/products/${products[0]?.id}`)
      const { sync_variants } = result as { sync_variants: { files: { type: string; preview_url: string | null }[] }[] }
      return sync_variants[0]?.files.find(({ type }) => type === 'preview')?.preview_url
    }
    expect(await preview()).toBeNull()
    const entry = { type: 'default', view: 'front', color: null, design: null, file: 'default.1a', widths: [320, 640] }
    await writeFile(join(folder, 'default.1a.640.webp'), 'RIFF')
    await writeFile(join(folder, 'index.json'), JSON.stringify([entry]))
    expect(await preview()).toBe(`${partner.url}/files/default.webp`)
    const own = {
      ...entry,
      type: products[0]?.type,
      color: hat.color,
      design: products[0]?.design,
      file: 'hat.1b',
    }
    await writeFile(join(folder, 'index.json'), JSON.stringify([entry, { ...own, color: 'Puce', file: 'hat.2b' }, own]))
    expect(await preview()).toBe(`${partner.url}/files/hat.webp`)
    const picture = await fetch(`${partner.url}/files/default.webp`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await fetch(`${partner.url}/files/..%2Findex.webp`)).status).toBe(404)
  })

  test('reports changes of stock and price, and deleted products', async () => {
    const { partner, call, webhooks, told, kit } = await aPartner()
    const shirtPrices = async () => {
      const { result } = await call('GET', `/store/products/${shirt.id}`)
      return (result as { sync_variants: { retail_price: string }[] }).sync_variants.map(
        ({ retail_price }) => retail_price,
      )
    }
    await partner.change({ change: 'stock_out', sync_variant_id: hat.id })
    await kit.idle()
    expect(webhooks).toMatchObject([
      {
        type: 'stock_updated',
        store: 77,
        data: { variant_stock: { out: expect.arrayContaining([hat.variant_id]) as unknown } },
      },
    ])
    await partner.change({ change: 'price', sync_product_id: shirt.id, retail_price: '1.005' })
    await partner.change({ change: 'delete_product', sync_product_id: products[1]?.id })
    expect(await told()).toEqual(['stock_updated', 'product_updated', 'product_deleted'])
    expect(await shirtPrices()).toEqual(shirt.variants.map(() => '1.00'))
    partner.reset()
    expect(await shirtPrices()).toEqual(shirt.variants.map(({ retail_price }) => retail_price))
  })
})

describe('access', () => {
  test('requires the token, and the right store if one is named', async () => {
    const { call, partner } = await aPartner()
    expect(await (await fetch(`${partner.url}/stores`)).json()).toEqual({
      code: 401,
      result: 'Malformed Authorization header.',
      error: { reason: 'BadRequest', message: 'Malformed Authorization header.' },
    })
    expect((await call('GET', '/stores', undefined, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await call('GET', '/stores', undefined, { 'x-pf-store-id': '78' })).status).toBe(403)
    expect((await call('GET', '/stores', undefined, { 'x-pf-store-id': '77' })).status).toBe(200)
    expect((await call('GET', '/oauth/scopes')).result).toMatchObject({ scopes: [{ scope: 'orders' }, {}, {}, {}, {}] })
    await partner.change({ change: 'expire_token' })
    expect((await call('GET', '/stores')).status).toBe(401)
  })

  test('is limited to 120 calls a minute, then locked for a minute', async () => {
    const { call, kit, partner } = await aPartner()
    await partner.change({ change: 'rate_limit', perMinute: 3 })
    const first = await call('GET', '/stores')
    expect(first.headers.get('x-ratelimit-limit')).toBe('3')
    expect(first.headers.get('x-ratelimit-remaining')).toBe('2')
    await call('GET', '/stores')
    await call('GET', '/stores')
    expect((await call('GET', '/stores')).status).toBe(429)
    await kit.clock.advance(55_000)
    expect((await call('GET', '/stores')).status).toBe(429)
    await kit.clock.advance(10_000)
    expect((await call('GET', '/stores')).status).toBe(200)
    partner.reset()
    expect((await call('GET', '/stores')).headers.get('x-ratelimit-limit')).toBe('120')
  })

  test('refuses a body that is not JSON with its own odd status', async () => {
    const { call } = await aPartner()
    expect((await call('POST', '/orders', '{oops')).status).toBe(430)
  })

  test('reports calls that only the sandbox lacks, not those that Printful lacks, too', async () => {
    const { call, kit } = await aPartner()
    await call('GET', '/product-templates?task_key=1')
    expect(await call('GET', '/nonsense')).toMatchObject({ status: 404, error: { reason: 'NotFound' } })
    expect(kit.log.notSimulated().map(({ path }) => path)).toEqual(['/product-templates'])
  })
})

describe('costs', () => {
  test('rates have the shipping method and a decimal price, and require the catalog’s variant', async () => {
    const { call } = await aPartner()
    const body = (items: unknown, recipient: unknown = texan) => ({ recipient, items, currency: 'USD' })
    const rates = await call('POST', '/shipping/rates', body([{ variant_id: String(hat.variant_id), quantity: 2 }]))
    expect(rates.result).toMatchObject([{ id: 'STANDARD', rate: '6.35', currency: 'USD' }, { id: 'PRINTFUL_FAST' }])
    expect(
      (await call('POST', '/shipping/rates', body([{ external_variant_id: hat.external_id, quantity: 1 }]))).status,
    ).toBe(200)
    expect((await call('POST', '/shipping/rates', body([{ variant_id: hat.id, quantity: 1 }]))).status).toBe(400)
    const { state_code: _, ...stateless } = texan
    const wrong = [stateless, { ...texan, zip: '00000' }, { ...texan, country_code: 'RU' }]
    for (const recipient of wrong) {
      expect(
        (await call('POST', '/shipping/rates', body([{ variant_id: hat.variant_id, quantity: 1 }], recipient))).status,
      ).toBe(400)
    }
  })

  test('rates for more than 100 pieces are limited to five a minute', async () => {
    const { call } = await aPartner()
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) {
      const items = [{ variant_id: hat.variant_id, quantity: 101 }]
      statuses.push((await call('POST', '/shipping/rates', { recipient: texan, items })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('an estimate and an order have the same amounts, as numbers and as text', async () => {
    const { call, order } = await aPartner()
    const estimate = await call('POST', '/orders/estimate-costs', anOrder('E1', { recipient: berliner }))
    const made = await order('POST', '/orders', anOrder('E1', { recipient: berliner }))
    const { costs } = z
      .looseObject({ costs: z.looseObject({ total: z.number(), vat: z.number(), tax: z.number() }) })
      .parse(estimate.result)
    expect(costs.vat).toBeGreaterThan(0)
    expect(costs.tax).toBe(0)
    expect(made).toMatchObject({
      costs: { total: decimalOf(centsOf(costs.total)), vat: decimalOf(centsOf(costs.vat)), tax: '0.00' },
    })
  })

  test('taxes depend on the place, and all countries are listed with their states', async () => {
    const { call } = await aPartner()
    expect(
      (await call('POST', '/tax/rates', { recipient: { country_code: 'DE', zip: '10119', city: 'Berlin' } })).result,
    ).toEqual({
      required: true,
      rate: 0.19,
      shipping_taxable: true,
    })
    const { result } = await call('GET', '/countries')
    const list = z
      .array(z.object({ code: z.string(), states: z.array(z.object({ code: z.string() })).nullable() }))
      .parse(result)
    const offered = 'AU AT BE BR CA CZ DK FI FR DE GR HK HU IE IT JP MX NL NZ NO PL PT SG KR ES SE CH GB US'
    expect(offered.split(' ').filter((code) => !list.some((country) => country.code === code))).toEqual([])
    expect(
      list
        .filter(({ states }) => states)
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(['AU', 'CA', 'US'])
  })
})

describe('an order', () => {
  test('is a draft until it is confirmed, and 200 either way', async () => {
    const { order, told } = await aPartner()
    expect(await order('POST', '/orders', anOrder('A1'))).toMatchObject({
      status: 'draft',
      external_id: 'A1',
      recipient: { address2: null },
    })
    expect(await told()).toEqual(['order_created'])
    expect(await order('POST', '/orders/@A1/confirm')).toMatchObject({ status: 'pending' })
    expect(await order('POST', '/orders/@A1/confirm')).toMatchObject({ status: 400 })
    expect(await order('POST', '/orders?confirm=true', anOrder('A2'))).toMatchObject({ status: 'pending' })
    expect(await told()).toEqual(['order_updated', 'order_created'])
  })

  test('keeps its external id forever, even after it was canceled', async () => {
    const { order, call } = await aPartner()
    await order('POST', '/orders', anOrder('A1'))
    expect(await order('DELETE', '/orders/@A1')).toMatchObject({ status: 'canceled' })
    expect(await order('DELETE', '/orders/@A1')).toMatchObject({ status: 400 })
    expect(await call('POST', '/orders', anOrder('A1'))).toMatchObject({
      status: 400,
      code: 400,
      result: 'Order with this External ID already exists',
      error: { reason: 'BadRequest', message: 'Order with this External ID already exists' },
    })
    expect(await order('POST', '/orders', anOrder('A1-2'))).toMatchObject({ status: 'draft' })
    expect((await call('GET', '/orders?status=canceled')).paging).toMatchObject({ total: 1 })
  })

  test('can be changed while it is a draft, by number or by update_existing', async () => {
    const { order } = await aPartner()
    await order('POST', '/orders', anOrder('A1'))
    expect(await order('PUT', '/orders/@A1', anOrder('A1', { items: [hats(3)] }))).toMatchObject({
      items: [{ quantity: 3 }],
    })
    expect(await order('POST', '/orders?update_existing=true&confirm=1', anOrder('A1'))).toMatchObject({
      status: 'pending',
      items: [{ quantity: 2 }],
    })
    expect(await order('PUT', '/orders/@A1', anOrder('A1'))).toMatchObject({ status: 400 })
  })

  test.each([
    ['an external id of 33 characters', { external_id: 'x'.repeat(33) }],
    ['an external id with a space', { external_id: 'A 1' }],
    ['no items', { items: [] }],
    ['an unknown variant', { items: [{ sync_variant_id: 4_999_999_999, quantity: 1 }] }],
    ['two kinds of id in one item', { items: [{ ...hats(1), variant_id: hat.variant_id }] }],
    ['a blank without print files', { items: [{ variant_id: hat.variant_id, quantity: 1 }] }],
    ['no piece', { items: [hats(0)] }],
    ['one and a half pieces', { items: [hats(1.5)] }],
    ['1001 pieces', { items: [hats(1001)] }],
    [
      'the same item id twice',
      {
        items: [
          { ...hats(1), external_id: '1' },
          { ...hats(1), external_id: '1' },
        ],
      },
    ],
    ['an unknown way of shipping', { shipping: 'TELEPORT' }],
    ['no state in the United States', { recipient: { ...texan, state_code: null } }],
    ['no name', { recipient: { ...texan, name: '' } }],
    ['no tax number in Brazil', { recipient: { ...berliner, country_code: 'BR', zip: '01310-100' } }],
    [
      'a tax number without its points in Brazil',
      { recipient: { ...berliner, country_code: 'BR', zip: '01310-100', tax_number: '52998224725' } },
    ],
    ['the name FAIL ADDRESS', { recipient: { ...texan, name: 'Fail Address' } }],
    ['a price that is none', { items: [{ ...hats(1), retail_price: 'free' }] }],
  ])('with %s is refused', async (_, wrong) => {
    const { order, call } = await aPartner()
    expect(await order('POST', '/orders', anOrder('A1', wrong))).toMatchObject({ status: 400 })
    expect((await call('GET', '/orders')).paging).toMatchObject({ total: 0 })
  })

  test('to Brazil requires a tax number', async () => {
    const { order } = await aPartner()
    const recipient = { ...berliner, country_code: 'BR', zip: '01310-100', tax_number: '529.982.247-25' }
    expect(await order('POST', '/orders', anOrder('A1', { recipient }))).toMatchObject({ status: 'draft' })
  })

  test('is produced, shipped and delivered as time passes', async () => {
    const { order, kit, told, webhooks, call } = await aPartner()
    await order('POST', '/orders?confirm=1', anOrder('A1'))
    expect(await told()).toEqual(['order_created'])
    await kit.clock.advance(DAY)
    expect(await order('GET', '/orders/@A1')).toMatchObject({ status: 'inprocess' })
    expect(await order('DELETE', '/orders/@A1')).toMatchObject({ status: 400 })
    await kit.clock.advance(2 * DAY)
    await kit.idle()
    const shipped = webhooks.find(({ type }) => type === 'package_shipped')
    expect(shipped?.data).toMatchObject({
      shipment: { carrier: 'USPS', items: [{ quantity: 2 }] },
      order: { external_id: 'A1', status: 'fulfilled' },
    })
    const status = async () =>
      z
        .array(z.looseObject({ delivery_status: z.string() }))
        .parse((await call('GET', '/v2/orders/@A1/shipments')).data)[0]
    expect(await status()).toMatchObject({ delivery_status: 'in_transit', delivered_at: null, order_external_id: 'A1' })
    await kit.clock.advance(2 * DAY)
    expect(await status()).toMatchObject({ delivery_status: 'delivered', shipment_status: 'shipped' })
    expect(await order('GET', '/orders/@A1')).toMatchObject({ status: 'fulfilled' })
  })

  test('ships in several parcels, and again when one is lost', async () => {
    const { order, partner, told } = await aPartner()
    await order('POST', '/orders?confirm=1', anOrder('A1', { items: [hats(3)] }))
    await partner.change({ change: 'advance', external_id: 'A1' })
    await told()
    await partner.change({ change: 'ship', external_id: 'A1', parcel: 1, of: 2 })
    expect(await order('GET', '/orders/@A1')).toMatchObject({
      status: 'partial',
      shipments: [{ items: [{ quantity: 2 }] }],
    })
    await partner.change({ change: 'ship', external_id: 'A1', parcel: 2, of: 2 })
    expect(await order('GET', '/orders/@A1')).toMatchObject({
      status: 'fulfilled',
      shipments: [{}, { items: [{ quantity: 1 }] }],
    })
    await partner.change({ change: 'ship', external_id: 'A1', again: true })
    expect(await order('GET', '/orders/@A1')).toMatchObject({ shipments: [{}, {}, { reshipment: true }] })
    expect((await told()).filter((type) => type === 'package_shipped')).toHaveLength(3)
    await expect(partner.change({ change: 'ship', external_id: 'A1' })).rejects.toThrow('Nothing is left')
    expect(partner.ledger()).toMatchObject({
      partner_orders: [{ external_id: 'A1', status: 'fulfilled', items: [{ sync_variant_id: hat.id, quantity: 3 }] }],
      shipments: [{ status: 'shipped' }, {}, {}],
    })
  })

  test.each([
    ['HOLD', 'onhold', 'order_put_hold'],
    ['OUT OF STOCK', 'failed', 'order_failed'],
  ])('to %s becomes %s', async (name, status, event) => {
    const { order, told } = await aPartner()
    await order('POST', '/orders?confirm=1', anOrder('A1', { recipient: { ...texan, name } }))
    expect(await told()).toEqual(['order_created', 'order_updated', event])
    expect(await order('GET', '/orders/@A1')).toMatchObject({ status })
  })

  test('to SLOW is created, even if nobody waits for the response', async () => {
    const { order, partner } = await aPartner()
    const impatient = fetch(`${partner.url}/orders?confirm=1`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret' },
      body: JSON.stringify(anOrder('A1', { recipient: { ...texan, name: 'Slow' } })),
      signal: AbortSignal.timeout(100),
    })
    await expect(impatient).rejects.toThrow('aborted')
    expect(await order('GET', '/orders/@A1')).toMatchObject({ status: 'pending' })
  })

  test('on hold is released, and confirmed again if its costs were recalculated', async () => {
    const { order, partner, told, kit } = await aPartner()
    await order('POST', '/orders?confirm=1', anOrder('A1'))
    await partner.change({ change: 'hold', external_id: 'A1', resumes_as: 'draft' })
    expect(await order('POST', '/orders/@A1/confirm')).toMatchObject({ status: 400 })
    await kit.clock.advance(10 * DAY)
    expect(await order('GET', '/orders/@A1')).toMatchObject({ status: 'onhold' })
    await told()
    await partner.change({ change: 'release', external_id: 'A1' })
    expect(await told()).toEqual(['order_updated', 'order_remove_hold'])
    expect(await order('POST', '/orders/@A1/confirm')).toMatchObject({ status: 'pending' })
  })

  test('that failed is corrected and continues', async () => {
    const { order, partner } = await aPartner()
    await order('POST', '/orders?confirm=1', anOrder('A1'))
    await partner.change({ change: 'fail', external_id: 'A1', reason: 'No money' })
    expect(await order('GET', '/orders/@A1')).toMatchObject({ status: 'failed', error: 'No money' })
    expect(await order('PUT', '/orders/@A1?confirm=1', anOrder('A1'))).toMatchObject({ status: 'pending', error: null })
  })

  test('is returned or canceled by Printful', async () => {
    const { order, partner, told, call } = await aPartner()
    await order('POST', '/orders?confirm=1', anOrder('A1'))
    await order('POST', '/orders?confirm=1', anOrder('A2'))
    await told()
    await partner.change({ change: 'cancel', external_id: 'A1' })
    await partner.change({ change: 'ship', external_id: 'A2' })
    await partner.change({ change: 'return', external_id: 'A2', reason: 'Nobody there' })
    expect((await told()).toSorted()).toEqual([
      'order_canceled',
      'order_updated',
      'order_updated',
      'package_returned',
      'package_shipped',
    ])
    expect((await call('GET', '/v2/orders/@A2/shipments')).data).toMatchObject([
      { delivery_status: 'return_to_sender' },
    ])
  })

  test('alternates between two domestic carriers, or takes the requested one', async () => {
    const { order, partner } = await aPartner()
    await order('POST', '/orders?confirm=1', anOrder('A1'))
    await partner.change({ change: 'ship', external_id: 'A1', parcel: 1, of: 2 })
    await partner.change({ change: 'ship', external_id: 'A1' })
    await partner.change({ change: 'ship', external_id: 'A1', again: true, carrier: 'DHL' })
    expect(await order('GET', '/orders/@A1')).toMatchObject({
      shipments: [{ carrier: 'USPS' }, { carrier: 'FEDEX' }, { carrier: 'DHL', reshipment: true }],
    })
    const wrong = partner.change({ change: 'ship', external_id: 'A1', again: true, carrier: 'OWL' })
    await expect(wrong).rejects.toThrow('no carrier OWL')
  })

  test('waits until a changed design is approved, then continues', async () => {
    const { order, partner, told } = await aPartner()
    await order('POST', '/orders?confirm=1', anOrder('A1'))
    await told()
    await partner.change({ change: 'ask_approval', external_id: 'A1' })
    expect(await told()).toContain('order_put_hold_approval')
    expect(await order('GET', '/orders/@A1')).toMatchObject({ status: 'onhold' })
    await partner.change({ change: 'release', external_id: 'A1' })
    expect(await order('GET', '/orders/@A1')).toMatchObject({ status: 'pending' })
  })

  test('is not changed by an impossible request', async () => {
    const { partner } = await aPartner()
    await expect(partner.change({ change: 'explode' })).rejects.toThrow("no change 'explode'")
    await expect(partner.change({ change: 'ship' })).rejects.toThrow('external_id')
    await expect(partner.change({ change: 'ship', external_id: 'nobody' })).rejects.toThrow('no order nobody')
  })
})

describe('webhooks', () => {
  test('have one address and a list of types', async () => {
    const { call, order, kit, shopUrl, told } = await aPartner()
    expect((await call('GET', '/webhooks')).result).toMatchObject({ url: shopUrl })
    kit.endpoints.delete('printful')
    expect((await call('GET', '/webhooks')).result).toEqual({ url: null, types: [], params: {} })
    const set = await call('POST', '/webhooks', { url: shopUrl, types: ['order_updated'] })
    expect(set.result).toEqual({ url: shopUrl, types: ['order_updated'], params: {} })
    await order('POST', '/orders', anOrder('A1'))
    await order('POST', '/orders/@A1/confirm')
    expect(await told()).toEqual(['order_updated'])
    await call('DELETE', '/webhooks')
    expect(kit.endpoints.has('printful')).toBe(false)
  })

  test('are retried after 1, 4, 16, 64, 256 and 1024 minutes, then never', async () => {
    const { order, kit } = await aPartner()
    kit.endpoints.set('printful', { url: 'http://127.0.0.1:1/', secret: '' })
    const startedAt = kit.clock.now().getTime()
    await order('POST', '/orders', anOrder('A1'))
    await kit.idle()
    await kit.clock.advance(3 * DAY)
    const [delivery] = kit.webhooks.list()
    const minutes = delivery?.attempts.map(({ at }) => Math.round((Date.parse(at) - startedAt) / 60_000))
    expect(minutes).toEqual([0, 1, 5, 21, 85, 341, 1365])
    expect(delivery?.state).toBe('given_up')
  })
})

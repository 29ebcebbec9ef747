import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import type { VariantId } from '#shared/ids.ts'
import { cents, centsFromDecimal } from '#shared/money.ts'
import { configWith } from '#sandbox/config.ts'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import { startPrintful } from '#sandbox/printful/printful.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { RateLimited } from '../provider-errors.ts'
import { createPrintful, type PrinterOrderRequest } from './client.ts'
import { createLimiter } from './limiter.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const clientOf = (apiBase: string, token = 'secret') =>
  createPrintful({
    log: pino({ level: 'silent' }),
    config: configWith({ PRINTFUL_TOKEN: token, PRINTFUL_STORE_ID: '77', PRINTFUL_API_BASE: apiBase }),
    clock: { now: () => new Date() },
  })

const products = seedProducts(demoProducts)
const [hat] = products
if (!hat) throw new Error('The demo shop sells hats.')

async function aPartner() {
  const kit = openKit({ speed: 0, log: () => {} })
  closing.push(() => kit.close())
  const partner = await startPrintful(kit, { port: 0, token: 'secret', storeId: 77, products })
  closing.push(() => partner.close())
  return { kit, partner, printful: clientOf(partner.url) }
}

/** A printer that gives the same response to every call. */
async function aStranger(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)).then(() => server.closeAllConnections()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, printful: clientOf(url) }
}
const says = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  aStranger((_, answer) => {
    answer.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
    answer.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })

const anOrder = (more: Partial<PrinterOrderRequest> = {}): PrinterOrderRequest => ({
  externalId: 'K7QM-4T2X',
  recipient: {
    name: 'Ada Byron',
    email: 'ada@mail.example',
    phone: null,
    taxNumber: null,
    address: { line1: '1 Elm Street', line2: null, city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
  },
  lines: [
    {
      externalLineId: '1',
      variantId: (hat.variants[0]?.id ?? 0) as VariantId,
      quantity: 2,
      unitPrice: cents(3295),
      name: 'Hat',
    },
  ],
  amounts: { subtotal: cents(6590), shipping: cents(0), tax: cents(544) },
  ...more,
})

describe('the catalog', () => {
  test('all products of the store are listed, each with its variants and prices', async () => {
    const { printful } = await aPartner()
    const heads = await Array.fromAsync(printful.listProducts())
    expect(heads.map(({ externalId }) => externalId)).toEqual(demoProducts.map(({ slug }) => slug))
    const detail = await printful.getProduct('rudy-vented-hat-market-closed')
    expect(detail.variants).toHaveLength(5)
    expect(detail.variants[0]).toMatchObject({ unitPrice: 3695, availability: 'active', color: 'Charcoal with Black' })
    expect(detail.variants[0]?.id).toBeGreaterThan(2 ** 31)
  })

  test('an incomplete list is rejected', async () => {
    const { printful } = await says(200, { code: 200, result: [], paging: { total: 36, offset: 0, limit: 100 } })
    await expect(Array.fromAsync(printful.listProducts())).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  })

  test('a list with an empty middle page is rejected, and a list of three pages is complete', async () => {
    const pages =
      (isWhole: boolean): RequestListener =>
      (request, answer) => {
        const offset = Number(new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('offset'))
        const ids = Array.from({ length: offset === 200 ? 50 : 100 }, (_, index) => ({ id: offset + index + 1 }))
        answer.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
        const result = offset === 100 && !isWhole ? [] : ids
        answer.end(JSON.stringify({ code: 200, result, paging: { total: 250, offset, limit: 100 } }))
      }
    const whole = await aStranger(pages(true))
    expect((await Array.fromAsync(whole.printful.listProducts())).map(({ id }) => id)).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 1),
    )
    const broken = await aStranger(pages(false))
    await expect(Array.fromAsync(broken.printful.listProducts())).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  })

  test('amounts may be numbers, and missing ones become null', async () => {
    const { printful } = await says(200, {
      code: 200,
      result: {
        sync_product: { id: 1, name: null },
        sync_variants: [
          { id: 5_000_000_000, variant_id: 4, retail_price: 24.9 },
          { id: 2, retail_price: null },
          { id: 3, retail_price: '20.00', currency: 'EUR' },
        ],
      },
    })
    const { variants } = await printful.getProduct('x')
    expect(variants.map(({ unitPrice: price }) => price)).toEqual([2490, null, null])
    expect(variants[1]).toMatchObject({
      catalogVariantId: null,
      color: null,
      previewUrl: null,
      availability: 'active',
    })
  })
})

describe('orders', () => {
  test('a draft is found again by its external id, and confirmed', async () => {
    const { printful } = await aPartner()
    expect(await printful.findOrder('K7QM-4T2X')).toBeUndefined()
    const draft = await printful.createDraft(anOrder())
    expect(draft).toMatchObject({ externalId: 'K7QM-4T2X', status: 'draft', lines: [{ quantity: 2 }], shipments: [] })
    expect(draft.costTotal).toBeGreaterThan(0)
    expect(await printful.findOrder('K7QM-4T2X')).toEqual(draft)
    expect(await printful.confirmOrder(draft.id)).toMatchObject({ id: draft.id, status: 'pending' })
  })

  test('our prices and what was paid are sent with an order', async () => {
    const { printful, partner } = await aPartner()
    const draft = await printful.createDraft(anOrder())
    const raw = (await (
      await fetch(`${partner.url}/orders/${draft.id}`, { headers: { authorization: 'Bearer secret' } })
    ).json()) as { result: { retail_costs: object; items: object[] } }
    expect(raw.result.retail_costs).toMatchObject({ subtotal: '65.90', shipping: '0.00', tax: '5.44', total: '71.34' })
    expect(raw.result.items[0]).toMatchObject({ retail_price: '32.95', external_id: '1' })
  })

  test('a second order with the same external id is refused with its own code', async () => {
    const { printful } = await aPartner()
    await printful.createDraft(anOrder())
    await expect(printful.createDraft(anOrder())).rejects.toMatchObject({
      name: 'ProviderRefusal',
      code: 'external_id_in_use',
    })
  })

  test('a parcel lists our variants', async () => {
    const { printful, partner } = await aPartner()
    const order = anOrder()
    const { id } = await printful.createDraft(order)
    await printful.confirmOrder(id)
    await partner.change({ change: 'advance', external_id: order.externalId })
    await partner.change({ change: 'ship', external_id: order.externalId })
    const sent = await printful.findOrder(order.externalId)
    expect(sent?.shipments).toMatchObject([
      { items: [{ variantId: order.lines[0]?.variantId, quantity: 2 }], reshipment: false },
    ])
    // A link on the printer's own host is trusted, https or not.
    expect(sent?.shipments[0]?.trackingUrl).toBe(`${partner.url}/tracking/${sent?.shipments[0]?.trackingNumber}`)
    expect(sent?.shipments[0]?.shippedAt).toBeInstanceOf(Date)
  })

  test('delivery statuses come from the newer API, and may be unavailable', async () => {
    const { printful, partner } = await aPartner()
    const order = anOrder()
    const { id } = await printful.createDraft(order)
    await printful.confirmOrder(id)
    await partner.change({ change: 'ship', external_id: order.externalId, parcel: 1, of: 2 })
    await partner.change({ change: 'deliver', external_id: order.externalId })
    await partner.change({ change: 'ship', external_id: order.externalId })
    const [first, second] = (await printful.findOrder(order.externalId))?.shipments ?? []
    expect(await printful.findParcelStatuses(order.externalId)).toEqual([
      {
        ...{
          shipmentId: first?.id,
          isDelivered: true,
          deliveredAt: expect.any(Date),
          isReturned: false,
          estimate: null,
        },
        events: [
          { description: 'Delivered, AUSTIN, TX', happenedAt: expect.any(Date) },
          { description: 'Accepted by the carrier, CHARLOTTE, NC', happenedAt: expect.any(Date) },
        ],
      },
      {
        ...{ shipmentId: second?.id, isDelivered: false, deliveredAt: null, isReturned: false, estimate: null },
        events: [{ description: 'Accepted by the carrier, CHARLOTTE, NC', happenedAt: expect.any(Date) }],
      },
    ])
    for (const status of [401, 403, 404])
      expect(
        await (await says(status, { data: 'no' })).printful.findParcelStatuses('x'),
        String(status),
      ).toBeUndefined()
    for (const status of [429, 500])
      await expect((await says(status, {})).printful.findParcelStatuses('x')).rejects.toMatchObject({
        name: 'ProviderUnavailable',
      })
  })

  test('a response about another order is rejected', async () => {
    const { printful } = await says(200, { code: 200, result: { id: 2, external_id: 'y', status: 'pending' } })
    const calls = [
      printful.findOrder('x'),
      printful.confirmOrder(1),
      printful.cancelOrder(1),
      printful.createDraft(anOrder()),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  })

  test.each([
    ['https://track.example/1?a=b', 'https://track.example/1?a=b'],
    ['http://track.example/1', null],
    ['javascript:alert(1)', null],
    ['https://track.example@evil.example/1', null],
    ['https://192.168.1.1/1', null],
    ['https://track.example\u202E/1', null],
  ])('the tracking link %s becomes %s (P03)', async (given, expected) => {
    const shipment = { id: 9, carrier: 'USPS', tracking_number: 940, tracking_url: given, created: 1_790_000_000 }
    const { printful } = await says(200, {
      code: 200,
      result: { id: 1, external_id: 'x', status: 'fulfilled', shipments: [shipment] },
    })
    expect((await printful.findOrder('x'))?.shipments[0]).toMatchObject({
      trackingUrl: expected,
      trackingNumber: '940',
      shippedAt: new Date(1_790_000_000_000),
      items: [],
    })
  })
})

test('invisible characters and direction changes are removed from names and sentences (P03)', async () => {
  const hidden = 'On\u202E hold\u200B:\u0007 ask\nus'
  const shipment = { id: 9, carrier: 'U\u2066SPS', service: 'Gro\u00ADund', tracking_number: '94\u200B0' }
  const { printful } = await says(200, {
    code: 200,
    result: { id: 1, external_id: 'x', status: 'onhold', error: hidden, shipments: [shipment] },
  })
  expect(await printful.findOrder('x')).toMatchObject({
    reason: 'On hold: ask us',
    shipments: [{ carrier: 'USPS', service: 'Ground', trackingNumber: '940' }],
  })
  const refusing = await says(400, { code: 400, result: '', error: { reason: 'BadRequest', message: hidden } })
  await expect(refusing.printful.createDraft(anOrder())).rejects.toMatchObject({ message: 'On hold: ask us' })
})

describe('when Printful fails:', () => {
  test('a refusal keeps Printful’s sentence', async () => {
    const { printful } = await aPartner()
    const { recipient } = anOrder()
    await expect(
      printful.createDraft(anOrder({ recipient: { ...recipient, address: { ...recipient.address, state: 'XX' } } })),
    ).rejects.toMatchObject({ name: 'ProviderRefusal', message: 'Recipient: State code is missing or invalid' })
    await expect(printful.confirmOrder(404)).rejects.toMatchObject({ name: 'ProviderRefusal', code: 'NotFound' })
  })

  test('a wrong token is not the order’s fault, so the call is retried', async () => {
    const { partner } = await aPartner()
    await expect(clientOf(partner.url, 'wrong').ping()).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  })

  test.each([
    ['its own trouble', 500, { code: 500, result: 'x' }],
    ['HTML', 200, '<html>Maintenance</html>'],
    ['HTML with a 404', 404, '<html>No such host</html>'],
    ['HTML with a 403', 403, '<html>Blocked</html>'],
    ['another shape', 200, { code: 200, result: { id: 'seven' } }],
    ['a state that we do not know', 200, { code: 200, result: { id: 7, status: 'teleported' } }],
    ['too much', 200, Buffer.alloc(11 * 1024 * 1024, 32)],
  ])('after %s the call is retried', async (_, status, body) => {
    const { printful } = await says(status, body)
    await expect(printful.findOrder('x')).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  })

  test('the call is retried when the printer is unreachable or redirects', async () => {
    await expect(clientOf('http://127.0.0.1:1').ping()).rejects.toMatchObject({ name: 'ProviderUnavailable' })
    const { printful } = await says(302, '', { location: 'http://169.254.169.254/' })
    await expect(printful.ping()).rejects.toMatchObject({ name: 'ProviderUnavailable' })
  })

  test('after a lockout no calls are made (F28)', async () => {
    let calls = 0
    const { printful } = await aStranger((_, answer) => {
      calls += 1
      answer.writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' })
      answer.end('{"code":429,"result":"later"}')
    })
    await expect(printful.ping()).rejects.toThrow(RateLimited)
    await expect(printful.ping()).rejects.toThrow(RateLimited)
    expect(calls).toBe(1)
  })
})

test('the cost of a blank is listed per variant, in US dollars only', async () => {
  const { printful } = await aPartner()
  const costs = await printful.listCosts(hat.blank.productId)
  expect(costs.get(hat.variants[0]?.variant_id ?? 0)).toBe(centsFromDecimal(hat.variants[0]?.cost ?? ''))
  await expect(printful.listCosts(999_999)).rejects.toMatchObject({ name: 'ProviderRefusal' })

  const variants = [
    { id: 1, price: '9.85' },
    { id: 2, price: -1 },
    { id: 3, price: null },
  ]
  const inDollars = await says(200, { code: 200, result: { product: { id: 13, currency: 'USD' }, variants } })
  expect(await inDollars.printful.listCosts(13)).toEqual(new Map([[1, 985]]))
  const inEuros = await says(200, { code: 200, result: { product: { id: 13, currency: 'EUR' }, variants } })
  expect(await inEuros.printful.listCosts(13)).toEqual(new Map())
})

describe('the rate limit:', () => {
  test('an order gets through when the catalog has used up its share, but a 121st call does not (F28)', async () => {
    let time = 0
    const limiter = createLimiter(() => time)
    for (let call = 0; call < 100; call += 1) expect(await limiter.acquire('background')).toBe(true)
    for (let call = 0; call < 20; call += 1) expect(await limiter.acquire('order')).toBe(true)
    expect(await limiter.acquire('order')).toBe(false)
    time = 60_000
    expect(await limiter.acquire('order')).toBe(true)
  })

  test('Printful’s headers count, because another program may have used up the window', async () => {
    let time = 0
    const limiter = createLimiter(() => time)
    limiter.readHeaders(200, new Headers({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }))
    expect(await limiter.acquire('order')).toBe(false)
    time = 30_000
    expect(await limiter.acquire('order')).toBe(true)
  })

  test('a limit that Printful announces is followed, up and down', async () => {
    const limiter = createLimiter(() => 0)
    limiter.readHeaders(200, new Headers({ 'x-ratelimit-limit': '1000' }))
    for (let call = 0; call < 1000; call += 1) expect(await limiter.acquire('order')).toBe(true)
    expect(await limiter.acquire('order')).toBe(false)

    const lower = createLimiter(() => 0)
    lower.readHeaders(200, new Headers({ 'x-ratelimit-limit': '30' }))
    for (let call = 0; call < 30; call += 1) expect(await lower.acquire('order')).toBe(true)
    expect(await lower.acquire('order')).toBe(false)
  })

  test('the last calls of a window are reserved for orders', async () => {
    const limiter = createLimiter(() => 0)
    limiter.readHeaders(200, new Headers({ 'x-ratelimit-remaining': '20', 'x-ratelimit-reset': '30' }))
    expect(await limiter.acquire('order')).toBe(true)
    let isBackgroundOn = false
    const background = limiter.acquire('background').then((turn) => (isBackgroundOn = turn))
    await Promise.resolve()
    expect(isBackgroundOn).toBe(false)
    limiter.stopWaiting()
    expect(await background).toBe(false)
  })

  test('a shop that shuts down does not wait for background calls', async () => {
    const limiter = createLimiter(() => 0)
    limiter.stopWaiting()
    expect(await limiter.acquire('background')).toBe(false)
    expect(await limiter.acquire('order')).toBe(true)
  })
})

describe('pictures', () => {
  const picture = { 'content-type': 'image/webp' }

  test('are downloaded from Printful’s file host', async () => {
    const { printful, url } = await says(200, Buffer.from('RIFF'), picture)
    expect(await printful.downloadPicture(`${url}/files/a.webp`)).toEqual({
      body: Buffer.from('RIFF'),
      contentType: 'image/webp',
    })
  })

  test.each([
    ['another host', 'http://127.0.0.1:2/a.webp'],
    ['another scheme', 'file:///etc/passwd'],
    ['the host as a user', 'https://files.cdn.printful.com@evil.example/a.webp'],
    ['nonsense', 'a.webp'],
  ])('%s is refused (S68)', async (_, url) => {
    await expect(clientOf('http://127.0.0.1:1').downloadPicture(url)).rejects.toMatchObject({ code: 'picture_host' })
  })

  test.each([
    ['a page', 200, '<html>', { 'content-type': 'text/html' }, 'ProviderRefusal'],
    ['a drawing with scripts', 200, '<svg/>', { 'content-type': 'image/svg+xml' }, 'ProviderRefusal'],
    ['nothing', 404, 'x', picture, 'ProviderRefusal'],
    ['a redirect', 302, 'x', { ...picture, location: 'http://127.0.0.1:1/' }, 'ProviderUnavailable'],
    ['more than 5 MB', 200, Buffer.alloc(6 * 1024 * 1024), picture, 'ProviderUnavailable'],
  ] as const)('%s is no picture', async (_, status, body, headers, name) => {
    const { printful, url } = await says(status, body, headers)
    await expect(printful.downloadPicture(`${url}/a.webp`)).rejects.toMatchObject({ name })
  })
})

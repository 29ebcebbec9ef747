import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { demoProducts } from '#sandbox/catalog/products.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import type { OpenKit } from '#sandbox/kit/kit.ts'
import type { Delivery, Provider } from '#sandbox/kit/types.ts'
import { startPrintful } from '#sandbox/printful/printful.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { at, type Fields, type Json } from './json.ts'
import { readPrintfulContract } from './schema/printful-contract.ts'
import { rowsIn } from './walks/walk.ts'

/** The simulator's responses against Printful's published descriptions: version 1, and the parcels of version 2. */

const folder = process.env['PROVIDER_CONTRACTS']
if (!folder)
  console.log('Printful conformance skipped: PROVIDER_CONTRACTS names no folder with printful-v1.openapi.json')

describe.skipIf(!folder)('the simulated Printful matches Printful’s published description', () => {
  let kit: OpenKit
  let partner: Provider
  let contract: ReturnType<typeof readPrintfulContract>
  const products = seedProducts(demoProducts)
  const variant = products[0]?.variants[0]

  const recipient = {
    name: 'Ada Byron',
    address1: '1 Elm Street',
    city: 'Austin',
    state_code: 'TX',
    country_code: 'US',
    zip: '78701',
  }
  const drawing = 'http://127.0.0.1:1/drawing.png'
  const newVariant = { variant_id: 4011, retail_price: '29.00', files: [{ type: 'front', url: drawing }] }
  const newProduct = (external_id: string) => ({
    sync_product: { external_id, name: 'Biscuit' },
    sync_variants: [{ ...newVariant, external_id: `${external_id}-s` }],
  })
  const mockup = { variant_ids: [4011], files: [{ placement: 'front', image_url: drawing }] }
  const items = [{ external_id: '1', sync_variant_id: variant?.id, quantity: 2, retail_price: '32.95' }]
  const order = (external_id: string) => ({
    external_id,
    shipping: 'STANDARD',
    recipient,
    items,
    retail_costs: { shipping: '0.00', tax: '2.10' },
  })

  beforeAll(async () => {
    contract = readPrintfulContract(folder ?? '')
    kit = openKit({ speed: 0, log: () => {} })
    partner = await startPrintful(kit, { port: 0, token: 'secret', storeId: 77, products })
    await call('POST', '/orders?confirm=1', order('SHIPPED'))
    await partner.change({ change: 'ship', external_id: 'SHIPPED', parcel: 1, of: 2 })
    await call('POST', '/orders', order('DRAFT'))
    await call('POST', '/orders', order('DOOMED'))
    for (const name of ['changed', 'doomed']) await call('POST', '/store/products', newProduct(name))
    await call('POST', '/files', { url: drawing })
  })
  afterAll(() => kit?.close())

  async function call(
    method: string,
    path: string,
    body?: unknown,
    token = 'secret',
  ): Promise<{ status: number; json: Json }> {
    const answer = await fetch(`${partner.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, json: (await answer.json()) as Json }
  }

  test.each<[method: string, path: string, status: number, body?: unknown]>([
    ['GET', '/store/products?limit=5', 200],
    ['GET', `/store/products/${products[0]?.id}`, 200],
    ['GET', `/store/products/@${products[0]?.external_id}`, 200],
    ['GET', '/store/products/1', 404],
    ['GET', `/store/variants/${variant?.id}`, 200],
    ['GET', `/products/${products[0]?.blank.productId}`, 200],
    ['GET', '/products', 200],
    ['GET', '/products?category_id=24', 200],
    ['GET', '/products/146', 200],
    ['GET', '/products/71/sizes?unit=inches,cm', 200],
    ['GET', '/products/1/sizes', 404],
    ['GET', '/mockup-generator/printfiles/71?technique=EMBROIDERY', 200],
    ['GET', '/mockup-generator/printfiles/1', 200],
    ['GET', '/mockup-generator/printfiles/5', 404],
    ['POST', '/mockup-generator/create-task/71', 200, mockup],
    ['POST', '/mockup-generator/create-task/71', 400, { ...mockup, variant_ids: [] }],
    ['POST', '/mockup-generator/create-task/5', 404, mockup],
    ['GET', '/mockup-generator/task?task_key=unknown', 404],
    ['POST', '/files', 200, { url: drawing }],
    ['POST', '/files', 400, { url: 'drawing.png' }],
    ['GET', '/files/700000001', 200],
    ['GET', '/files/1', 404],
    ['POST', '/files/thread-colors', 400, { file_url: drawing }],
    ['POST', '/store/products', 200, newProduct('biscuit')],
    ['POST', '/store/products', 400, newProduct('changed')],
    ['POST', '/store/products', 400, { sync_product: { name: 'Nothing' } }],
    ['GET', '/store/products/@changed', 200],
    ['PUT', '/store/products/@changed', 200, { sync_product: { name: 'Biscuit the Second' } }],
    ['PUT', `/store/variants/${variant?.id}`, 200, { retail_price: '29.50' }],
    ['PUT', '/store/variants/@changed-s', 200, { retail_price: '31' }],
    ['PUT', `/store/variants/${variant?.id}`, 400, { retail_price: 'cheap' }],
    ['PUT', '/store/variants/1', 404, { retail_price: '29.50' }],
    ['DELETE', '/store/products/@doomed', 200],
    ['POST', '/orders', 200, order('NEW')],
    ['POST', '/orders', 400, order('SHIPPED')],
    ['POST', '/orders', 400, { external_id: 'NONE' }],
    ['GET', '/orders', 200],
    ['GET', '/orders/@SHIPPED', 200],
    ['GET', '/orders/@NOBODY', 404],
    ['PUT', '/orders/@DRAFT', 200, order('DRAFT')],
    ['POST', '/orders/@DRAFT/confirm', 200],
    ['DELETE', '/orders/@DOOMED', 200],
    ['POST', '/orders/estimate-costs', 200, order('NONE')],
    ['POST', '/shipping/rates', 200, { recipient, items: [{ variant_id: variant?.variant_id, quantity: 1 }] }],
    ['POST', '/shipping/rates', 400, { recipient: { ...recipient, zip: '00000' }, items: [] }],
    ['POST', '/tax/rates', 200, { recipient }],
    ['GET', '/countries', 200],
    ['GET', '/stores', 200],
    ['GET', '/stores/77', 200],
    ['GET', '/oauth/scopes', 200],
    ['GET', '/webhooks', 200],
    ['POST', '/webhooks', 200, { url: 'http://127.0.0.1:1/', types: ['order_updated'] }],
    ['DELETE', '/webhooks', 200],
  ])('%s %s with %i', async (method, path, status, body) => {
    const answer = await call(method, path, body)
    expect(answer.status).toBe(status)
    const validate = contract.validatorOf(method, path, status)
    validate(answer.json)
    expect(validate.errors ?? []).toEqual([])
    expect(contract.unknownWords(answer.json)).toEqual([])
  })

  test('categories come nested, as in Printful’s tutorial and against its description', async () => {
    const { json } = await call('GET', '/categories')
    const validate = contract.validatorOf('GET', '/categories', 200)
    validate({ code: 200, result: at(json, 'result', 'categories') ?? null })
    expect(validate.errors ?? []).toEqual([])
  })

  test('parcels of version 2 match the description of that version, before and after delivery', async () => {
    const v2 = readPrintfulContract(folder ?? '', 'printful-v2.openapi.json')
    const path = '/v2/orders/@SHIPPED/shipments'
    const validate = v2.validatorOf('GET', path, 200)
    const states: Json[] = []
    const read = async () => {
      const { json } = await call('GET', path)
      validate(json)
      expect(validate.errors ?? []).toEqual([])
      expect(v2.unknownWords(json)).toEqual([])
      states.push(rowsIn(json, 'data').map((one) => one['delivery_status'] ?? null))
    }
    await read()
    await partner.change({ change: 'track', external_id: 'SHIPPED', description: 'Late', estimate: '2026-12-01' })
    await read()
    await partner.change({ change: 'deliver', external_id: 'SHIPPED' })
    await read()
    expect(states).toEqual([['in_transit'], ['in_transit'], ['delivered']])
  })

  test('a wrong token is refused in the published shape', async () => {
    const answer = await call('GET', '/orders', undefined, 'wrong')
    expect(answer.status).toBe(401)
    expect(contract.validatorOf('GET', '/orders', 401)(answer.json)).toBe(true)
  })

  test('every webhook has the published shape of its type', async () => {
    const told = new Map<string, string>()
    const listening = { ...kit, deliver: ({ type, body }: Delivery) => void told.set(type, body) }
    const other = await startPrintful(listening, { port: 0, token: 'secret', storeId: 77, products })
    const post = (path: string, body?: unknown) =>
      fetch(`${other.url}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer secret' },
        body: JSON.stringify(body),
      })
    for (const external_id of ['A', 'B', 'C']) await post('/orders?confirm=1', order(external_id))
    const id = variant?.id
    for (const wanted of [
      { change: 'hold', external_id: 'A' },
      { change: 'release', external_id: 'A' },
      { change: 'ask_approval', external_id: 'A' },
      { change: 'release', external_id: 'A' },
      { change: 'fail', external_id: 'A' },
      { change: 'cancel', external_id: 'B' },
      { change: 'ship', external_id: 'C' },
      { change: 'return', external_id: 'C' },
      { change: 'stock_out', sync_variant_id: id },
      { change: 'price', sync_variant_id: id, retail_price: '1.00' },
      { change: 'delete_product', sync_variant_id: id },
    ]) {
      await other.change(wanted)
    }
    await post('/store/products', newProduct('biscuit'))
    await other.close()
    const wrong = [...told].flatMap(([type, body]) => {
      const validate = contract.eventValidator(type)
      validate(JSON.parse(body))
      return [...(validate.errors ?? []), ...contract.unknownWords(JSON.parse(body) as Json)].map((error) => ({
        type,
        error,
      }))
    })
    expect(wrong).toEqual([])
    expect([...told.keys()].toSorted()).toEqual([
      'order_canceled',
      'order_created',
      'order_failed',
      'order_put_hold',
      'order_put_hold_approval',
      'order_remove_hold',
      'order_updated',
      'package_returned',
      'package_shipped',
      'product_deleted',
      'product_synced',
      'product_updated',
      'stock_updated',
    ])
  })

  test('the check itself finds mistakes', async () => {
    const validate = contract.validatorOf('POST', '/shipping/rates', 200)
    const to = { recipient, items: [{ variant_id: variant?.variant_id, quantity: 1 }] }
    const [rate] = rowsIn((await call('POST', '/shipping/rates', to)).json, 'result')
    expect(validate({ code: 200, result: [{ ...rate }] })).toBe(true)
    expect(validate({ code: 200, result: [{ ...rate, rate: 'cheap' }] })).toBe(false)
    expect(validate({ code: 200, result: [{ ...rate, id: 7 }] })).toBe(false)
    expect(validate({ code: 200, result: [{ ...rate, currency: undefined }] })).toBe(false)
    const ofOrder = contract.validatorOf('GET', '/orders/1', 200)
    const whole = at((await call('GET', '/orders/@SHIPPED')).json, 'result') as Fields
    expect(ofOrder({ code: 200, result: whole })).toBe(true)
    expect(ofOrder({ code: 200, result: { ...whole, costs: { ...(whole['costs'] as Fields), total: 'a lot' } } })).toBe(
      false,
    )
    expect(ofOrder({ code: 200, result: { ...whole, created: '2026-01-01' } })).toBe(false)
    expect(ofOrder({ code: 200, result: { ...whole, shipments: undefined } })).toBe(false)
    expect(contract.unknownWords({ code: 200, result: [{ prise: '4.75' }] })).toEqual(['prise'])
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv } from 'ajv'
import type { ValidateFunction } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { demoProducts } from '#sandbox/catalog/products.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import type { OpenKit } from '#sandbox/kit/kit.ts'
import type { Delivery, Provider } from '#sandbox/kit/types.ts'
import { startPrintful } from '#sandbox/printful/printful.ts'
import { seedProducts } from '#sandbox/printful/products.ts'
import { at, isFields, type Json } from './json.ts'

/**
 * The simulator's responses against Printful's published description (version 1, of 2024-09). Printful's own examples do not
 * satisfy it, so it is read as they are written: every field may be null, money is text or number, and where a
 * field's example contradicts its type, the example counts too.
 */

const folder = process.env['PROVIDER_CONTRACTS']
if (!folder)
  console.log('Printful conformance skipped: PROVIDER_CONTRACTS names no folder with printful-v1.openapi.json')

const decimal = '^-?\\d+(\\.\\d+)?$'
const isMoney = (name: string, type: Json | undefined): boolean =>
  (type === 'string' || type === 'number') &&
  /^(price|retail_price|rate|subtotal|discount|shipping|digitization|additional_fee|fulfillment_fee|retail_delivery_fee|tax|vat|total|customer_pays|printful_price|profit)$/.test(
    name,
  )

/** A schema of the file as Printful means it. `name` is the described field. */
function meant(schema: Json, name = '', owner = ''): Json {
  if (Array.isArray(schema)) return schema.map((one) => meant(one, name, owner))
  if (!isFields(schema)) return schema
  const { nullable: _, example, properties, title, ...rest } = schema
  const own = typeof title === 'string' ? title : owner
  const fields = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'required' ? value : meant(value, name, own)]),
  )
  if (isFields(properties)) {
    fields['properties'] = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, meant(value, key, own)]),
    )
  }
  if (typeof rest['type'] === 'string') {
    const types = [rest['type'], 'null', ...(contradicts(example, rest['type']) ? [typeof example] : [])]
    // 'shipping' is an amount in costs and the name of a shipping method in an order.
    const money = isMoney(name, rest['type']) && !(name === 'shipping' && own !== 'Costs' && !/costs/i.test(own))
    fields['type'] = money ? ['string', 'number', 'null'] : types
    if (money) fields['pattern'] = decimal
  }
  // Measurements of size tables require a 'type' that nothing describes and no example has.
  if (isFields(properties) && Array.isArray(rest['required']))
    fields['required'] = rest['required'].filter((one) => typeof one === 'string' && Object.hasOwn(properties, one))
  if (Array.isArray(rest['enum'])) fields['enum'] = [...rest['enum'], null]
  return fields
}

const contradicts = (example: Json | undefined, type: string): boolean =>
  typeof example === 'string' && (type === 'integer' || type === 'number')

/** Fields that the description lacks but the real responses have (providers' examples), allowed by name. */
const withoutAlt = new Set(
  [
    'error errorCode notes is_sample needs_approval not_synced has_discontinued_items can_change_hold dashboard_url',
    'retail_delivery_fee stitch_count_tier paging categories',
  ]
    .join(' ')
    .split(' '),
)

/** Fields whose own fields are data, such as colors and placements. */
const maps = new Set([
  'values',
  'placements',
  'available_placements',
  'availability_regions',
  'additional_price_breakdown',
])

function readContract() {
  // Printful's file hides zero-width spaces in its addresses, and so in some keys.
  const text = readFileSync(join(folder ?? '', 'printful-v1.openapi.json'), 'utf8').replaceAll('\u200b', '')
  const contract = JSON.parse(text) as Json
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'printful', components: meant(at(contract, 'components') ?? {}) })

  const pathOf = (path: string) => path.replace(/\?.*$/, '').replace(/(^|\/)(@[^/]+|\d+)(?=\/|$)/g, '$1{id}')

  function answerSchema(method: string, path: string, status: number): Json {
    const answer = at(contract, 'paths', pathOf(path), method.toLowerCase(), 'responses', String(status))
    const named = at(answer, '$ref')
    const whole = typeof named === 'string' ? at(contract, ...named.split('/').slice(1)) : answer
    const schema = at(whole, 'content', 'application/json', 'schema')
    if (schema === undefined) throw new Error(`The description has no answer ${status} for ${method} ${pathOf(path)}.`)
    return schema
  }

  const absolute = (schema: Json): Json => {
    if (Array.isArray(schema)) return schema.map(absolute)
    if (!isFields(schema)) return schema
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [
        key,
        key === '$ref' && typeof value === 'string' ? `printful${value}` : absolute(value),
      ]),
    )
  }

  /** Every field name that the description uses: a simulator must not invent names. */
  const words = new Set<string>()
  const collect = (schema: Json): void => {
    if (Array.isArray(schema)) return schema.forEach(collect)
    if (!isFields(schema)) return
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties' && isFields(value)) for (const name of Object.keys(value)) words.add(name)
      collect(value)
    }
  }
  collect(contract)

  return {
    validatorOf: (method: string, path: string, status: number): ValidateFunction =>
      ajv.compile(absolute(meant(answerSchema(method, path, status))) as object),
    eventValidator(type: string): ValidateFunction {
      const body = at(contract, 'x-webhooks', type, 'post', 'requestBody', '$ref')
      const path = typeof body === 'string' ? body.split('/').slice(1) : []
      const schema = at(contract, ...path, 'content', 'application/json', 'schema')
      if (schema === undefined) throw new Error(`The description has no webhook ${type}.`)
      return ajv.compile(absolute(meant(schema)) as object)
    },
    unknownWords(json: Json): string[] {
      if (Array.isArray(json)) return json.flatMap((one) => this.unknownWords(one))
      if (!isFields(json)) return []
      return Object.entries(json).flatMap(([key, value]) => [
        ...(maps.has(key) ? [] : this.unknownWords(value)),
        ...(words.has(key) || withoutAlt.has(key) ? [] : [key]),
      ])
    },
  }
}

describe.skipIf(!folder)('the simulated Printful matches Printful’s published description', () => {
  let kit: OpenKit
  let partner: Provider
  let contract: ReturnType<typeof readContract>
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
    contract = readContract()
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

  test('the check itself finds mistakes', () => {
    const validate = contract.validatorOf('POST', '/shipping/rates', 200)
    expect(validate({ code: 200, result: [{ id: 'STANDARD', rate: '4.75' }] })).toBe(true)
    expect(validate({ code: 200, result: [{ id: 'STANDARD', rate: 'cheap' }] })).toBe(false)
    expect(validate({ code: 200, result: [{ id: 7, rate: '4.75' }] })).toBe(false)
    const ofOrder = contract.validatorOf('GET', '/orders/1', 200)
    const whole = { recipient: {}, items: [], costs: { total: 12.5 }, shipping: 'STANDARD' }
    expect(ofOrder({ code: 200, result: whole })).toBe(true)
    expect(ofOrder({ code: 200, result: { ...whole, costs: { total: 'a lot' } } })).toBe(false)
    expect(ofOrder({ code: 200, result: { ...whole, created: '2026-01-01' } })).toBe(false)
    expect(contract.unknownWords({ code: 200, result: [{ prise: '4.75' }] })).toEqual(['prise'])
  })
})

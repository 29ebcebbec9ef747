import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { ValidateFunction } from 'ajv'
import { at, fieldNamesOf, isFields, type Json } from '../json.ts'

/**
 * Printful's published descriptions, of 2024-09. Printful's own examples do not satisfy them, so they are read as the examples are written:
 * every field is there but may be null, money is text or number, and where a field's example contradicts its type, the example counts too.
 */

const decimal = '^-?\\d+(\\.\\d+)?$'
const isMoney = (name: string, type: Json | undefined): boolean =>
  (type === 'string' || type === 'number') &&
  /^(price|retail_price|rate|subtotal|discount|shipping|digitization|additional_fee|fulfillment_fee|retail_delivery_fee|tax|vat|total|customer_pays|printful_price|profit)$/.test(
    name,
  )

/** Described fields that answers have only sometimes, or that are part of what is not simulated. */
const leftOut = new Set(
  [
    'options position product_template_id external_product_id thumbnail warehouse_product_variant_id',
    'value min_value max_value unit', // a size is one value or a range
    'mockups printfiles error', // only when the mockup is done, or failed
    'code result paging next previous',
  ]
    .join(' ')
    .split(' '),
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
  // Printful sends every field, null where it has nothing; its own list of required ones names others that nothing describes.
  if (isFields(properties)) fields['required'] = Object.keys(properties).filter((one) => !leftOut.has(one))
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

/** @param folder of the `printful-*.openapi.json` files */
export function readPrintfulContract(folder: string, file = 'printful-v1.openapi.json') {
  // Printful's file hides zero-width spaces in its addresses, and so in some keys.
  const text = readFileSync(join(folder, file), 'utf8').replaceAll('\u200b', '')
  const contract = JSON.parse(text) as Json
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'printful', components: meant(at(contract, 'components') ?? {}) })

  const pathOf = (path: string) =>
    path.replace(/\?.*$/, '').replace(/(^|\/)(@[^/]+|\d+)(?=\/|$)/g, path.startsWith('/v2') ? '$1{order_id}' : '$1{id}')

  function answerSchema(method: string, path: string, status: number): Json | undefined {
    const answer = at(contract, 'paths', pathOf(path), method.toLowerCase(), 'responses', String(status))
    const named = at(answer, '$ref')
    const whole = typeof named === 'string' ? at(contract, ...named.split('/').slice(1)) : answer
    return at(whole, 'content', 'application/json', 'schema')
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

  function findValidator(method: string, path: string, status: number): ValidateFunction | undefined {
    const schema = answerSchema(method, path, status)
    return schema === undefined ? undefined : ajv.compile(absolute(meant(schema)) as object)
  }

  const words = fieldNamesOf(contract)

  return {
    /** @returns undefined where no such answer is described */
    findValidator,
    /** @throws Error where no such answer is described */
    validatorOf(method: string, path: string, status: number): ValidateFunction {
      const validate = findValidator(method, path, status)
      if (!validate) throw new Error(`The description has no answer ${status} for ${method} ${pathOf(path)}.`)
      return validate
    },
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

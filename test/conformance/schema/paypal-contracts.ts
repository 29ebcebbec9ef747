import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { ValidateFunction } from 'ajv'
import { at, fieldNamesOf, isFields, type Json } from '../json.ts'

/**
 * PayPal's published descriptions: Orders 2.13, Payments 2.5, Webhooks 1.11, Reporting 1.9, Disputes 1.10. They allow unknown fields; here a
 * field without a description is a mistake.
 */

/** A call and its answer. @property path without its query */
type DescribedCall = { method: string; path: string; status: number; request: unknown; answer: unknown }

const typeIn = (event: Json): string => {
  const type = at(event, 'resource_type')
  return typeof type === 'string' ? type : ''
}

const files = ['orders-v2', 'payments-v2', 'webhooks-v1', 'reporting-v1', 'disputes-v1'] as const

/** References become absolute, so any file can use another's schemas. */
function absolute(schema: Json, file: string): Json {
  if (Array.isArray(schema)) return schema.map((one) => absolute(one, file))
  if (!isFields(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `${file}${value}` : absolute(value, file),
    ]),
  )
}

/** @param folder of the `paypal-*.openapi.json` files */
export function readPaypalContracts(folder: string) {
  // One pattern of the files is not valid with the u flag.
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false })
  const contracts = files.map((file) => {
    const contract = JSON.parse(readFileSync(join(folder, `paypal-${file}.openapi.json`), 'utf8')) as Json
    ajv.addSchema({ $id: file, components: absolute(at(contract, 'components') ?? {}, file) })
    return { file, contract, words: fieldNamesOf(contract) }
  })

  const resolved = (contract: Json, json: Json | undefined): Json | undefined => {
    const named = at(json, '$ref')
    return typeof named === 'string' ? at(contract, ...named.split('/').slice(1)) : json
  }

  function contractFor({ method, path }: DescribedCall) {
    for (const { file, contract, words } of contracts) {
      const paths = at(contract, 'paths')
      for (const [pattern, calls] of Object.entries(isFields(paths) ? paths : {})) {
        const call = at(calls, method.toLowerCase())
        if (call !== undefined && fits(pattern, path)) return { file, contract, words, call }
      }
    }
    throw new Error(`No description has ${method} ${path}.`)
  }

  const compiled = new Map<string, ValidateFunction>()
  function validatorOf(file: string, schema: Json): ValidateFunction {
    const key = `${file} ${JSON.stringify(schema)}`
    const validate = compiled.get(key) ?? ajv.compile(absolute(schema, file) as object)
    compiled.set(key, validate)
    return validate
  }

  const mistakesOf = (validate: ValidateFunction, json: Json | undefined): string[] =>
    validate(json)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        )

  return {
    answerMistakes(call: DescribedCall): string[] {
      const { file, contract, words, call: described } = contractFor(call)
      const answer = resolved(
        contract,
        at(described, 'responses', String(call.status)) ?? at(described, 'responses', 'default'),
      )
      const schema = at(answer, 'content', 'application/json', 'schema')
      const json = call.answer as Json | undefined
      if (schema === undefined) return json === undefined ? [] : ['an answer where none is described']
      const strange = unknownWords(json ?? null, words)
      return [...mistakesOf(validatorOf(file, schema), json), ...strange.map((word) => `no word of theirs: ${word}`)]
    },
    requestMistakes(call: DescribedCall): string[] {
      const { file, contract, words, call: described } = contractFor(call)
      const schema = at(resolved(contract, at(described, 'requestBody')), 'content', 'application/json', 'schema')
      if (schema === undefined || call.request === undefined) return []
      const json = call.request as Json
      return [...mistakesOf(validatorOf(file, schema), json), ...unknownWords(json, words)]
    },
    eventMistakes(event: Json): string[] {
      const type = typeIn(event)
      const [file, name] = ({
        'checkout-order': ['orders-v2', 'order'],
        capture: ['payments-v2', 'capture-2'],
        refund: ['payments-v2', 'refund'],
        dispute: ['disputes-v1', 'dispute'],
      }[type] ?? ['', '']) as [string, string]
      return [
        ...mistakesOf(validatorOf('webhooks-v1', { $ref: '#/components/schemas/event' }), event),
        ...mistakesOf(validatorOf(file, { $ref: `#/components/schemas/${name}` }), at(event, 'resource')),
      ]
    },
    mistakesIn: (file: string, name: string, json: Json) =>
      mistakesOf(validatorOf(file, { $ref: `#/components/schemas/${name}` }), json),
  }
}

function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith('{') || part === given[index])
}

function unknownWords(json: Json, words: Set<string>): string[] {
  if (Array.isArray(json)) return json.flatMap((one) => unknownWords(one, words))
  if (!isFields(json)) return []
  // An event's resource is described by another file.
  return Object.entries(json).flatMap(([key, value]) => [
    ...(words.has(key) ? [] : [key]),
    ...(key === 'resource' || key === 'webhook_event' ? [] : unknownWords(value, words)),
  ])
}

import fc from 'fast-check'

// Requests of every kind to every call in the API description: valid, almost valid, and absurd.

/** The part of JSON Schema that the description uses. */
type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}

type Operation = {
  parameters?: { name: string; in: 'path' | 'query'; required?: boolean; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

export type Description = { paths: Record<string, Record<string, Operation>> }

type Kind = 'valid' | 'near' | 'absurd'

export type FuzzedRequest = {
  kind: Kind
  method: string
  /** The method and path, as the description writes them. */
  call: string
  url: string
  headers: Record<string, string>
  body: string | undefined
}

/** Existing values, by the names calls use for them. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>

const TEXT_MAX = 80
const BODY_MAX = 40_000

/** Texts that have broken shops. */
const nastyTexts = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\uffff', '\u202eabc', 'a\r\nBcc: all@mail.example', '\u001b[2J'],
  ...[
    "' or 1=1--",
    '"; drop table "order"; --',
    '%',
    '_',
    '\\',
    '%%%',
    '${7*7}',
    '{{7*7}}',
    "$&$'$`",
    '../../etc/passwd',
  ],
  ...['<img src=x onerror=alert(1)>', '</script><script>alert(1)</script>', 'javascript:alert(1)', '=HYPERLINK("x")'],
  ...[
    'null',
    'undefined',
    'true',
    'NaN',
    '-0',
    '1e400',
    '0x1',
    '１',
    '__proto__',
    'constructor',
    'toString',
    '🐕‍🦺'.repeat(9),
  ],
  ...[
    'a'.repeat(300),
    'ﷺ'.repeat(100),
    '\u0301'.repeat(100),
    '9'.repeat(400),
    '(a+)+$'.repeat(20),
    '2024-02-30',
    '0000-01-01',
  ],
]
const nastyValues = [
  ...[null, true, false, 0, -0, -1, 1.5, 99, 100, 2 ** 31, 2 ** 53, 1e21, 1e308, [], {}, [[]], [null], { a: { b: 1 } }],
  ...nastyTexts,
]

const oneOf = <T>(things: readonly T[]) => fc.constantFrom(...(things as T[]))

const textOf = ({ pattern, minLength = 0, maxLength = TEXT_MAX }: Schema): fc.Arbitrary<string> => {
  const plain = fc.string({
    unit: 'grapheme',
    minLength,
    maxLength: Math.min(maxLength, Math.max(minLength, TEXT_MAX)),
  })
  // The library cannot generate text for these patterns; most of them match plain text anyway.
  if (pattern === undefined || /\\p\{|\(\?[=!<]/.test(pattern)) return plain
  return fc.stringMatching(new RegExp(pattern), { size: 'small' })
}

/** A valid value for a schema. Known names mostly get a value that exists. */
function validValue(schema: Schema, known: KnownValues, name = ''): fc.Arbitrary<unknown> {
  const { anyOf, oneOf: choices, minimum: lowest = 0 } = schema
  const wished = (): fc.Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum) return oneOf(schema.enum)
    const alternatives = anyOf ?? choices
    if (alternatives) return fc.oneof(...alternatives.map((alternative) => validValue(alternative, known, name)))
    switch (schema.type) {
      case 'string':
        return textOf(schema)
      case 'number':
        return fc.double({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 200, 200), noNaN: true })
      case 'integer':
        return fc.integer({ min: lowest, max: Math.min(schema.maximum ?? 200, Math.max(200, lowest)) })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(validValue(schema.items ?? {}, known, name), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 3, 3),
        })
      case 'object':
        return objectOf(schema, known)
      case undefined:
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }
  const there = known[name]
  return there ? fc.oneof({ weight: 4, arbitrary: oneOf(there) }, { weight: 1, arbitrary: wished() }) : wished()
}

function objectOf({ properties = {}, required = [] }: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, validValue(property, known, name)]),
  )
  return fc.record(fields, { requiredKeys: required })
}

/** Makes one thing wrong, at a random place. */
const spoilBody = (body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(body, fc.nat(), oneOf(['replace', 'delete', 'add', 'wrap'] as const), oneOf(nastyValues))
    .map(([value, at, how, nasty]) => {
      const copy = structuredClone(value)
      const places = valuePositionsIn(copy)
      const place = places[at % places.length]
      if (!place) return nasty
      const { holder, key } = place
      if (how === 'delete') delete holder[key]
      else if (how === 'add') holder[`${key}x`] = nasty
      else holder[key] = how === 'wrap' ? [holder[key]] : nasty
      return copy
    })

type ValuePosition = { holder: Record<string, unknown>; key: string }

function valuePositionsIn(value: unknown): ValuePosition[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...valuePositionsIn(holder[key])])
}

/** Texts that need not even be JSON. */
const absurdBody: fc.Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  oneOf([
    ...[
      '',
      '{',
      '[]',
      'null',
      '0',
      '"',
      '{"a":1}{"b":2}',
      '\ufeff{}',
      '{"__proto__":{"isOwner":true}}',
      '{"a":1,"a":2}',
    ],
    ...[
      '['.repeat(20_000),
      `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
      '{"constructor":{"prototype":{"isOwner":true}}}',
    ],
    ...[`{"productId":${'9'.repeat(5000)}}`, `"${'x'.repeat(BODY_MAX)}"`, '{"quantity":NaN}', "{'a':1}", '{"a":1,}'],
  ]),
)

const textInAddress = (schema: Schema, known: KnownValues, name: string, kind: Kind): fc.Arbitrary<string> => {
  const wished = validValue(schema, known, name).map((value) =>
    Array.isArray(value) ? value.join(',') : String(value),
  )
  const nasty = oneOf(nastyTexts).map((text) => text.toWellFormed())
  return kind === 'valid' ? wished : kind === 'near' ? fc.oneof(wished, nasty) : nasty
}

function addressOf(path: string, { parameters = [] }: Operation, known: KnownValues, kind: Kind): fc.Arbitrary<string> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const values = (some: typeof parameters) =>
    fc.record(Object.fromEntries(some.map(({ name, schema }) => [name, textInAddress(schema, known, name, kind)])), {
      ...(some === inQuery && { requiredKeys: some.filter(({ required }) => required).map(({ name }) => name) }),
    }) as fc.Arbitrary<Record<string, string>>
  return fc.tuple(values(inPath), values(inQuery)).map(([ofPath, ofQuery]) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ofPath[name] || 'x'))
    const query = new URLSearchParams(ofQuery).toString()
    return query ? `${filled}?${query}` : filled
  })
}

/** Bytes a header may contain; clients send no others. */
const headerText = fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, '?'))

const headersOf = (kind: Kind): fc.Arbitrary<Record<string, string>> =>
  kind === 'valid'
    ? fc.constant({})
    : fc.record(
        {
          'user-agent': fc.oneof(headerText, fc.constant('\\x1b[2J" onload=x')),
          'idempotency-key': fc.oneof(headerText, fc.constant('k'.repeat(5000))),
          'accept-language': headerText,
          'x-forwarded-for': oneOf(['127.0.0.1', 'x', '::1', '9'.repeat(500)]),
          referer: headerText,
        },
        { requiredKeys: [] },
      )

const bodyOf = ({ requestBody }: Operation, known: KnownValues, kind: Kind): fc.Arbitrary<string | undefined> => {
  const schema = requestBody?.content['application/json'].schema
  if (!schema) return kind === 'absurd' ? fc.oneof(fc.constant(undefined), absurdBody) : fc.constant(undefined)
  const wished = validValue(schema, known)
  if (kind === 'absurd') return absurdBody
  return (kind === 'valid' ? wished : spoilBody(wished)).map((value) => JSON.stringify(value))
}

/** Repeats the call once for each text in its body, with that text replaced. @param textFor by the name of the field */
export function requestsWithText(
  method: string,
  path: string,
  operation: Operation,
  known: KnownValues,
  { seed, textFor }: { seed: number; textFor: (field: string) => string },
): FuzzedRequest[] {
  const arbitrary = fc.tuple(addressOf(path, operation, known, 'valid'), bodyOf(operation, known, 'valid'))
  const [[url, body] = ['', undefined]] = fc.sample(arbitrary, { seed, numRuns: 1 })
  const plain = { kind: 'near' as const, method: method.toUpperCase(), call: path, url, headers: {} }
  if (body === undefined) return [{ ...plain, body }]
  return valuePositionsIn(JSON.parse(body)).flatMap((_, at) => {
    const copy: unknown = JSON.parse(body)
    const place = valuePositionsIn(copy)[at]
    if (!place || typeof place.holder[place.key] !== 'string') return []
    place.holder[place.key] = textFor(place.key)
    return [{ ...plain, body: JSON.stringify(copy) }]
  })
}

const kinds: Kind[] = ['valid', 'valid', 'near', 'near', 'near', 'absurd']

/** One request to one call, of one of the three kinds. */
export function anyRequestTo(
  method: string,
  path: string,
  operation: Operation,
  known: KnownValues,
): fc.Arbitrary<FuzzedRequest> {
  const of = (kind: Kind) =>
    fc
      .tuple(addressOf(path, operation, known, kind), headersOf(kind), bodyOf(operation, known, kind))
      .map(([url, headers, body]) => ({ kind, method: method.toUpperCase(), call: path, url, headers, body }))
  return fc.oneof(...kinds.map(of))
}

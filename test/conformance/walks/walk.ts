import { isFields, type Fields, type Json } from '../json.ts'

/** One call of a walk and its answer. A step has the same name with every provider, real or simulated. */
export type Exchange = {
  step: string
  method: string
  /** With its query. */
  path: string
  request: Json
  status: number
  headers: Headers
  answer: Json
  expected: { status: number; code?: string }
}

export type CallOptions = {
  form?: Readonly<Record<string, string>>
  json?: Json
  headers?: Readonly<Record<string, string>>
  /** 200 by default. */
  status?: number
  /** The provider's code of an error, one of its words: `card_declined`, `AMOUNT_MISMATCH`, `BadRequest`. */
  code?: string
}

/** What only simulators can do: time that moves at once, and what other people do at the provider. */
export type Hand = {
  advance(ms: number): Promise<void>
  change(wanted: Record<string, unknown>): Promise<unknown>
}

export type Walk = {
  exchanges: Exchange[]
  /** Undefined in a rehearsal: such steps are left out there. */
  hand: Hand | undefined
  /** Simulated time passes at once; with a real provider nothing happens, and `until` waits. */
  pass(ms: number): Promise<void>
  call(
    step: string,
    call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
    options?: CallOptions,
  ): Promise<Json>
  /** Repeats a reading call until it fits, as real providers need seconds for what simulators do at once. Only the last one counts. */
  until(fits: (answer: Json) => boolean, read: () => Promise<Json>): Promise<Json>
}

const TIMEOUT_MS = 30_000
const PAUSE_MS = 1500
const TRIES = 12

/**
 * @param base the provider's address
 * @param headers of every call
 */
export function openWalk(
  base: string,
  headers: () => Readonly<Record<string, string>>,
  { hand, pass = hand?.advance }: { hand?: Hand; pass?: Hand['advance'] | undefined } = {},
): Walk {
  const exchanges: Exchange[] = []
  const call: Walk['call'] = async (step, line, options = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const { form, json, status = 200, code } = options
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers(),
        ...options.headers,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(form && { body: new URLSearchParams(form) }),
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    const text = await answer.text()
    const body = parsed(text)
    exchanges.push({
      step,
      method,
      path,
      request: form ?? json ?? null,
      status: answer.status,
      headers: answer.headers,
      answer: body,
      expected: { status, ...(code && { code }) },
    })
    return body
  }
  return {
    exchanges,
    hand,
    pass: async (ms) => pass?.(ms),
    call,
    async until(fits, read) {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await read()
        if (fits(answer) || pass || attempt === TRIES) return answer
        exchanges.pop()
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    },
  }
}

function parsed(text: string): Json {
  if (text === '') return null
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** The words that say why a provider refused: Stripe's type, code and parameter, PayPal's name and issues, Printful's reason. */
export function codesOf(answer: Json): string[] {
  if (!isFields(answer)) return []
  const error = isFields(answer['error']) ? answer['error'] : {}
  const details = Array.isArray(answer['details']) ? answer['details'] : []
  return [
    ...[error['type'], error['code'], error['param'], error['reason']],
    ...[answer['name'], typeof answer['error'] === 'string' ? answer['error'] : undefined],
    ...details.map((detail) => (isFields(detail) ? detail['issue'] : undefined)),
  ].filter((word) => typeof word === 'string')
}

/** What a provider answered other than the walk expects, a sentence each. */
export const surprises = (exchanges: readonly Exchange[]): string[] =>
  exchanges.flatMap(({ step, status, answer, expected }) => {
    const codes = codesOf(answer)
    if (status !== expected.status)
      return [`${step}: answers ${status} ${codes.join(' ')}`.trimEnd() + `, expected ${expected.status}`]
    return expected.code === undefined || codes.includes(expected.code)
      ? []
      : [`${step}: is refused for ${codes.join(' ') || 'no reason'}, expected ${expected.code}`]
  })

export const textIn = (json: Json | undefined, ...path: (string | number)[]): string => {
  const found = valueIn(json, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

/** The value at the end of keys and indexes; undefined where the path ends early. */
export const valueIn = (json: Json | undefined, ...path: (string | number)[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (inner, key) =>
      typeof key === 'number'
        ? Array.isArray(inner)
          ? inner[key]
          : undefined
        : isFields(inner)
          ? inner[key]
          : undefined,
    json,
  )

export const rowsIn = (json: Json | undefined, ...path: (string | number)[]): Fields[] => {
  const rows = valueIn(json, ...path)
  return Array.isArray(rows) ? rows.filter(isFields) : []
}

/** Every object inside, itself included. */
export const objectsIn = (json: Json): Fields[] =>
  Array.isArray(json)
    ? json.flatMap(objectsIn)
    : isFields(json)
      ? [json, ...Object.values(json).flatMap(objectsIn)]
      : []

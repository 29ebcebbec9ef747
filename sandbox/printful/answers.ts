import type { Answer } from '../kit/types.ts'

/** A refusal with Printful's own message; becomes `{code, result, error: {reason, message}}`. */
export class PrintfulError extends Error {
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

const reasons: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
}

/** Printful answers 200 even for a creation, never 201. */
export const ok = (result: unknown): Answer => ({ status: 200, body: { code: 200, result } })

const PAGE_MAX = 100
const PAGE_DEFAULT = 20

export function page<T>(things: readonly T[], query: URLSearchParams, shape: (thing: T) => unknown): Answer {
  const limit = Math.min(wholeNumber(query, 'limit', PAGE_DEFAULT, 1), PAGE_MAX)
  const offset = wholeNumber(query, 'offset', 0, 0)
  const result = things.slice(offset, offset + limit).map(shape)
  return { status: 200, body: { code: 200, result, paging: { total: things.length, offset, limit } } }
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number, least: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  if (!/^\d+$/.test(text) || Number(text) < least) throw new PrintfulError(400, `Invalid ${name} parameter`)
  return Number(text)
}

export function refusal({ status, message, headers }: PrintfulError): Answer {
  // A wrong token has the reason of a bad request, as in the published description.
  const reason = status === 401 ? 'BadRequest' : (reasons[status] ?? 'BadRequest')
  return { status, headers, body: { code: status, result: message, error: { reason, message } } }
}

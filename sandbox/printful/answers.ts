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

/** A page of version 1. */
export function page<T>(things: readonly T[], query: URLSearchParams, shape: (thing: T) => unknown): Answer {
  const { rows, paging } = pageOf(things, query)
  return { status: 200, body: { code: 200, result: rows.map(shape), paging } }
}

/** A page of version 2, which links to its neighbors. @param address of the list, without a query */
export function pageV2<T>(
  things: readonly T[],
  { address, query }: { address: string; query: URLSearchParams },
  shape: (thing: T) => unknown,
): Answer {
  const { rows, paging } = pageOf(things, query)
  const { total, limit, offset } = paging
  const at = (start: number) => ({ href: `${address}?limit=${limit}&offset=${start}` })
  const _links = {
    self: at(offset),
    first: at(0),
    last: at(Math.max(0, Math.ceil(total / limit) - 1) * limit),
    ...(offset > 0 && { previous: at(Math.max(0, offset - limit)) }),
    ...(offset + limit < total && { next: at(offset + limit) }),
  }
  return { status: 200, body: { data: rows.map(shape), paging, _links } }
}

function pageOf<T>(things: readonly T[], query: URLSearchParams) {
  const limit = Math.min(wholeNumber(query, 'limit', PAGE_DEFAULT, 1), PAGE_MAX)
  const offset = wholeNumber(query, 'offset', 0, 0)
  return { rows: things.slice(offset, offset + limit), paging: { total: things.length, offset, limit } }
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

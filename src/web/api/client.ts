import type { AnswerOf, Call, Input } from '#contract/call.ts'
import type { CallGroups } from '#contract/calls.ts'
import { spokenLanguage } from '#shared/language.ts'
import type { RefusalBody } from '#contract/refusals.ts'

type CallsOf<Group> = Group[keyof Group]

/** Types only: the schemas would be a fifth of the first page's script. */
type KnownCall = CallsOf<{ [Name in keyof CallGroups]: CallsOf<CallGroups[Name]> }>

type KeyOf<C> = C extends Call ? `${C['method']} ${C['path']}` : never

type Calls = { [C in KnownCall as KeyOf<C>]: C }

/** `PUT /api/cart/:id`. */
export type CallKey = keyof Calls

type ParamsOf<C> = C extends { params: infer P }
  ? { params: { [Name in keyof Input<P>]: string | number } }
  : { params?: never }
type QueryOf<C> = C extends { query: infer Q }
  ? {} extends Input<Q>
    ? { query?: Input<Q> }
    : { query: Input<Q> }
  : { query?: never }
type BodyOf<C> = C extends { body: infer B } ? { body: Input<B> } : { body?: never }

/** Call by call: for all of them at once, the compiler would combine every `params` with every `query` and `body`. */
type PayloadOf<C> = C extends Call ? ParamsOf<C> & QueryOf<C> & BodyOf<C> : never
export type Payload<K extends CallKey> = PayloadOf<Calls[K]>
type OptionalPayload<K extends CallKey> = {} extends Payload<K> ? [payload?: Payload<K>] : [payload: Payload<K>]

/** Only the session query treats a 401 as null (specification, section 7). */
export type Answer<K extends CallKey> = K extends 'GET /api/user' ? AnswerOf<Calls[K]> | null : AnswerOf<Calls[K]>

export type Api = <K extends CallKey>(key: K, ...payload: OptionalPayload<K>) => Promise<Answer<K>>

export type ApiRequest = { method: string; path: string; body?: unknown }
/** `text` is the raw body, needed only for failures; `body` is its JSON, undefined if it has none. */
export type ApiResponse = { status: number; statusText: string; text: string; body: unknown }
/** `fetch` in the browser, in process on the server. */
export type Transport = (request: ApiRequest) => Promise<ApiResponse>

/** Any status but 2xx. The message follows the specification (section 8): `409: {"code":…}`. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** Undefined when something else answered, such as a proxy. */
  readonly refusal: RefusalBody | undefined

  constructor({ status, statusText, text, body }: ApiResponse) {
    super(`${status}: ${readableText(text) || statusText || (statusTexts[status] ?? 'Unknown error')}`)
    this.status = status
    this.refusal = isRefusal(body) ? body : undefined
  }
}

const TEXT_MAX = 500

/** Empty for HTML, such as a proxy's error page. */
const readableText = (text: string): string => (/^\s*</.test(text) ? '' : text.trim().slice(0, TEXT_MAX))

/** HTTP/2 and 3 send no status text: names from RFC 9110. */
const statusTexts: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

const isRefusal = (body: unknown): body is RefusalBody =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body && typeof body.message === 'string'

type LoosePayload = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly string[] | null | undefined>
  body?: unknown
}

/**
 * @returns a typed client. It rejects with ApiError on any status but 2xx, and with the transport's error when there was no answer
 */
export function createApi(send: Transport): Api {
  const api = async (key: string, payload: LoosePayload = {}): Promise<unknown> => {
    const [method = 'GET', pattern = '/'] = key.split(' ', 2)
    const response = await send({
      method,
      path: addressOf(pattern, payload),
      ...('body' in payload && { body: payload.body }),
    })
    if (response.status === 401 && key === 'GET /api/user') return null
    if (response.status < 200 || response.status > 299) throw new ApiError(response)
    return response.status === 204 ? undefined : response.body
  }
  return api as Api
}

function addressOf(pattern: string, { params = {}, query = {} }: LoosePayload): string {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [value].flat().map((item) => [name, String(item)]),
    ),
  )
  return search.size > 0 ? `${path}?${search}` : path
}

/** Sent by the server with the first answer of a new session. */
const NEW_SESSION = { header: 'x-session', value: 'new' }

/** @param onNewSession called when the server has started a new session */
export function createFetchTransport(onNewSession: () => void = () => {}): Transport {
  return async ({ method, path, body }) => {
    const response = await fetch(path, {
      method,
      credentials: 'include',
      headers: {
        'accept-language': spokenLanguage(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.headers.get(NEW_SESSION.header) === NEW_SESSION.value) onNewSession()
    const text = await response.text()
    return { status: response.status, statusText: response.statusText, text, body: parseJson(text) }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

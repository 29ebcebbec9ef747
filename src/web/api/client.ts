import type { AnswerOf, Call, Input } from '#contract/call.ts'
import type { CallGroups } from '#contract/calls.ts'
import type { RefusalBody } from '#contract/refusals.ts'

type CallsOf<Group> = Group[keyof Group]

/** Every call that pages make. Types only: the schemas behind them would be a fifth of the first page's script. */
type KnownCall = CallsOf<{ [Name in keyof CallGroups]: CallsOf<CallGroups[Name]> }>

type KeyOf<C> = C extends Call ? `${C['method']} ${C['path']}` : never

type Calls = { [C in KnownCall as KeyOf<C>]: C }

/** How pages name a call: `PUT /api/cart/:id`. */
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

/** What a call takes besides its name. */
export type Payload<K extends CallKey> = ParamsOf<Calls[K]> & QueryOf<Calls[K]> & BodyOf<Calls[K]>
type OptionalPayload<K extends CallKey> = {} extends Payload<K> ? [payload?: Payload<K>] : [payload: Payload<K>]

/** The session query alone reads a 401 as 'nobody' (specification, section 7). */
export type Answer<K extends CallKey> = K extends 'GET /api/user' ? AnswerOf<Calls[K]> | null : AnswerOf<Calls[K]>

export type Api = <K extends CallKey>(key: K, ...payload: OptionalPayload<K>) => Promise<Answer<K>>

export type ApiRequest = { method: string; path: string; body?: unknown }
/** `text` is the body as it came; only failures need it. `body` is its JSON, undefined when it is none. */
export type ApiResponse = { status: number; statusText: string; text: string; body: unknown }
/** Carries a request: by `fetch` in the browser, in process on the server. */
export type Transport = (request: ApiRequest) => Promise<ApiResponse>

/** A call that was answered with anything but success. The message is the specification's (section 8): `409: {"code":…}`. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** The shop's own 'no'; undefined when something else answered, such as a proxy. */
  readonly refusal: RefusalBody | undefined

  constructor({ status, statusText, text, body }: ApiResponse) {
    super(`${status}: ${readableText(text) || statusText || (statusTexts[status] ?? 'Unknown error')}`)
    this.status = status
    this.refusal = isRefusal(body) ? body : undefined
  }
}

const TEXT_MAX = 500

/** A body as a person can read it. A page of markup is for a browser window, not for a line beside a button. */
const readableText = (text: string): string => (/^\s*</.test(text) ? '' : text.trim().slice(0, TEXT_MAX))

/** HTTP/2 and 3 send no status text. The names of RFC 9110 for what stands between the shop and a browser. */
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
 * The one way to the shop's calls, in the browser and while rendering on the server.
 * @returns a function whose promise rejects with ApiError on any status but 2xx, and with the carrier's own error when no answer came
 */
export function createApi(send: Transport): Api {
  const api = async (key: string, payload: LoosePayload = {}): Promise<unknown> => {
    const [method = 'GET', pattern = '/'] = key.split(' ', 2)
    const received = await send({
      method,
      path: addressOf(pattern, payload),
      ...('body' in payload && { body: payload.body }),
    })
    if (received.status === 401 && key === 'GET /api/user') return null
    if (received.status < 200 || received.status > 299) throw new ApiError(received)
    return received.status === 204 ? undefined : received.body
  }
  return api as Api
}

function addressOf(pattern: string, { params = {}, query = {} }: LoosePayload): string {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [value].flat().map((one) => [name, String(one)]),
    ),
  )
  return asked.size > 0 ? `${path}?${asked}` : path
}

/** Set by the shop on its first answer to a browser that it has not seen, or no longer knows. */
const NEW_SESSION = { header: 'x-session', value: 'new' }

/** Sends by `fetch` with the session's cookie. @param onNewSession called when the shop says that the session has just begun */
export function fetchSend(onNewSession: () => void = () => {}): Transport {
  return async ({ method, path, body }) => {
    const response = await fetch(path, {
      method,
      credentials: 'include',
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
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

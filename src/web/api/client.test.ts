import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import type { SessionUser } from '#contract/accounts.ts'
import type { CartLine } from '#contract/cart.ts'
import { ApiError, createApi, createFetchTransport, type ApiResponse, type ApiRequest } from './client.ts'
import { NO_ANSWER, sentenceOf } from './error-sentence.ts'

const answering = (response: Partial<ApiResponse>) => {
  const sent: ApiRequest[] = []
  const api = createApi((request) => {
    sent.push(request)
    return Promise.resolve({ status: 200, statusText: '', text: '', body: undefined, ...response })
  })
  return { api, sent }
}

describe('a call', () => {
  test('sends its parameters in the path and its payload as the body', async () => {
    const { api, sent } = answering({ body: {} })
    await api('PUT /api/cart/:id', { params: { id: 7 }, body: { quantity: 3 } })
    expect(sent).toEqual([{ method: 'PUT', path: '/api/cart/7', body: { quantity: 3 } }])
  })

  test('without a payload sends no body', async () => {
    const { api, sent } = answering({ body: [] })
    await api('GET /api/cart')
    expect(sent).toEqual([{ method: 'GET', path: '/api/cart' }])
  })

  test('repeats a query parameter with several values and leaves out missing ones', async () => {
    const { api, sent } = answering({ body: {} })
    await api('GET /api/search', { query: { q: 'a & b', type: ['hat', 'mug'] } })
    expect(sent[0]?.path).toBe('/api/search?q=a+%26+b&type=hat&type=mug')
  })

  test('escapes parameters, so they cannot change the path', async () => {
    const { api, sent } = answering({ body: {} })
    await api('GET /api/printful/products/:id', { params: { id: '../user?' } })
    expect(sent[0]?.path).toBe('/api/printful/products/..%2Fuser%3F')
  })

  test('answered with 204 returns nothing', async () => {
    const { api } = answering({ status: 204, body: 'ignored' })
    expect(await api('DELETE /api/cart')).toBeUndefined()
  })

  test('has the types of the contract, and an unknown call does not compile', () => {
    const { api } = answering({})
    expectTypeOf(api<'GET /api/cart'>).returns.resolves.toEqualTypeOf<CartLine[]>()
    expectTypeOf(api<'GET /api/user'>).returns.resolves.toEqualTypeOf<SessionUser | null>()
    // @ts-expect-error there is no such call
    void api('GET /api/nothing').catch(() => {})
    // @ts-expect-error a payload is required
    void api('PUT /api/cart/:id').catch(() => {})
  })
})

describe('a failed call', () => {
  test.each([
    [{ status: 409, statusText: 'Conflict', text: '{"code":"sold_out"}' }, '409: {"code":"sold_out"}'],
    [{ status: 502, statusText: 'Bad Gateway', text: '' }, '502: Bad Gateway'],
    [{ status: 500, statusText: 'Internal Server Error', text: 'upstream died\n' }, '500: upstream died'],
    [{ status: 503, statusText: '', text: '' }, '503: Service Unavailable'],
    [{ status: 502, statusText: 'Bad Gateway', text: '<html><h1>nginx</h1>' }, '502: Bad Gateway'],
  ])('%o becomes the error %s', async (received, message) => {
    await expect(answering(received).api('GET /api/products')).rejects.toThrow(
      new ApiError({ body: undefined, ...received }),
    )
    await expect(answering(received).api('GET /api/products')).rejects.toThrow(message)
  })

  test('is shown with its status and text; the connection is blamed only when nothing answered', async () => {
    const sentenceFor = async (call: Promise<unknown>) => sentenceOf(await call.catch((error: unknown) => error))
    expect(await sentenceFor(answering({ status: 500, text: 'text' }).api('GET /api/cart'))).toBe('500: text')
    expect(await sentenceFor(answering({ status: 503 }).api('GET /api/cart'))).toBe('503: Service Unavailable')
    const refusal = { code: 'sold_out', message: 'Sold out.' }
    expect(await sentenceFor(answering({ status: 409, body: refusal }).api('GET /api/cart'))).toBe('Sold out.')
    expect(await sentenceFor(Promise.reject(new TypeError('Failed to fetch')))).toBe(NO_ANSWER)
  })

  test('carries the shop’s refusal', async () => {
    const body = { code: 'sold_out', message: 'Sold out.', fields: { variantId: 'Sold out' } }
    const error: unknown = await answering({ status: 409, body })
      .api('GET /api/cart')
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ status: 409, refusal: body })
  })

  test('with 401 means nobody is signed in for the session query, and is an error for all others', async () => {
    expect(await answering({ status: 401 }).api('GET /api/user')).toBeNull()
    await expect(answering({ status: 401 }).api('GET /api/cart')).rejects.toThrow(ApiError)
  })
})

describe('a request in the browser', () => {
  test('carries the cookie and the page’s language, and a JSON body only with a payload', async () => {
    const fetch = vi.fn(() => Promise.resolve(new Response('[]')))
    vi.stubGlobal('fetch', fetch)
    const api = createApi(createFetchTransport())
    await api('GET /api/cart')
    await api('POST /api/cart', { body: { productId: 1 } })
    expect(fetch.mock.calls).toEqual([
      ['/api/cart', { method: 'GET', credentials: 'include', headers: { 'accept-language': 'en' } }],
      [
        '/api/cart',
        {
          method: 'POST',
          credentials: 'include',
          headers: { 'accept-language': 'en', 'content-type': 'application/json' },
          body: '{"productId":1}',
        },
      ],
    ])
    vi.unstubAllGlobals()
  })

  test('reports when the server has started a new session', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('[]', { headers: { 'x-session': 'new' } })))
    const onNewSession = vi.fn()
    await createApi(createFetchTransport(onNewSession))('GET /api/cart')
    expect(onNewSession).toHaveBeenCalledOnce()
    vi.unstubAllGlobals()
  })
})

import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import type { SessionUser } from '#contract/accounts.ts'
import type { CartLine } from '#contract/cart.ts'
import { ApiError, createApi, fetchSend, type ApiResponse, type ApiRequest } from './client.ts'
import { NO_ANSWER, sentenceOf } from './error-sentence.ts'

const answering = (received: Partial<ApiResponse>) => {
  const sent: ApiRequest[] = []
  const api = createApi((request) => {
    sent.push(request)
    return Promise.resolve({ status: 200, statusText: '', text: '', body: undefined, ...received })
  })
  return { api, sent }
}

describe('a call', () => {
  test('names its parameters in the address and carries its body', async () => {
    const { api, sent } = answering({ body: {} })
    await api('PUT /api/cart/:id', { params: { id: 7 }, body: { quantity: 3 } })
    expect(sent).toEqual([{ method: 'PUT', path: '/api/cart/7', body: { quantity: 3 } }])
  })

  test('without a payload has no body', async () => {
    const { api, sent } = answering({ body: [] })
    await api('GET /api/cart')
    expect(sent).toEqual([{ method: 'GET', path: '/api/cart' }])
  })

  test('says several values of one name one after the other, and leaves out what is not said', async () => {
    const { api, sent } = answering({ body: {} })
    await api('GET /api/search', { query: { q: 'a & b', type: ['hat', 'mug'] } })
    expect(sent[0]?.path).toBe('/api/search?q=a+%26+b&type=hat&type=mug')
  })

  test('cannot lead out of its address by a parameter', async () => {
    const { api, sent } = answering({ body: {} })
    await api('GET /api/printful/products/:id', { params: { id: '../user?' } })
    expect(sent[0]?.path).toBe('/api/printful/products/..%2Fuser%3F')
  })

  test('that answers 204 gives nothing', async () => {
    const { api } = answering({ status: 204, body: 'ignored' })
    expect(await api('DELETE /api/cart')).toBeUndefined()
  })

  test('has the types of the contract, and an unknown one does not compile', () => {
    const { api } = answering({})
    expectTypeOf(api<'GET /api/cart'>).returns.resolves.toEqualTypeOf<CartLine[]>()
    expectTypeOf(api<'GET /api/user'>).returns.resolves.toEqualTypeOf<SessionUser | null>()
    // @ts-expect-error there is no such call
    void api('GET /api/nothing').catch(() => {})
    // @ts-expect-error a payload is required
    void api('PUT /api/cart/:id').catch(() => {})
  })
})

describe('an answer that is no success', () => {
  test.each([
    [{ status: 409, statusText: 'Conflict', text: '{"code":"sold_out"}' }, '409: {"code":"sold_out"}'],
    [{ status: 502, statusText: 'Bad Gateway', text: '' }, '502: Bad Gateway'],
    [{ status: 500, statusText: 'Internal Server Error', text: 'upstream died\n' }, '500: upstream died'],
    [{ status: 503, statusText: '', text: '' }, '503: Service Unavailable'],
    [{ status: 502, statusText: 'Bad Gateway', text: '<html><h1>nginx</h1>' }, '502: Bad Gateway'],
  ])('%o is the error %s', async (received, message) => {
    await expect(answering(received).api('GET /api/products')).rejects.toThrow(
      new ApiError({ body: undefined, ...received }),
    )
    await expect(answering(received).api('GET /api/products')).rejects.toThrow(message)
  })

  test('is shown with its status and text, and the connection is blamed only when nothing came', async () => {
    const shownOf = async (asked: Promise<unknown>) => sentenceOf(await asked.catch((error: unknown) => error))
    expect(await shownOf(answering({ status: 500, text: 'text' }).api('GET /api/cart'))).toBe('500: text')
    expect(await shownOf(answering({ status: 503 }).api('GET /api/cart'))).toBe('503: Service Unavailable')
    const refusal = { code: 'sold_out', message: 'Sold out.' }
    expect(await shownOf(answering({ status: 409, body: refusal }).api('GET /api/cart'))).toBe('Sold out.')
    expect(await shownOf(Promise.reject(new TypeError('Failed to fetch')))).toBe(NO_ANSWER)
  })

  test('brings the refusal along', async () => {
    const body = { code: 'sold_out', message: 'Sold out.', fields: { variantId: 'Sold out' } }
    const error: unknown = await answering({ status: 409, body })
      .api('GET /api/cart')
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ status: 409, refusal: body })
  })

  test('401 means nobody for the session query, and an error for all others', async () => {
    expect(await answering({ status: 401 }).api('GET /api/user')).toBeNull()
    await expect(answering({ status: 401 }).api('GET /api/cart')).rejects.toThrow(ApiError)
  })
})

describe('fetching', () => {
  test('sends the cookie, and a JSON body only when there is a payload', async () => {
    const fetch = vi.fn(() => Promise.resolve(new Response('[]')))
    vi.stubGlobal('fetch', fetch)
    const api = createApi(fetchSend())
    await api('GET /api/cart')
    await api('POST /api/cart', { body: { productId: 1 } })
    expect(fetch.mock.calls).toEqual([
      ['/api/cart', { method: 'GET', credentials: 'include' }],
      [
        '/api/cart',
        {
          method: 'POST',
          credentials: 'include',
          headers: { 'content-type': 'application/json' },
          body: '{"productId":1}',
        },
      ],
    ])
    vi.unstubAllGlobals()
  })

  test('tells when the shop says that the session has just begun', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('[]', { headers: { 'x-session': 'new' } })))
    const onNewSession = vi.fn()
    await createApi(fetchSend(onNewSession))('GET /api/cart')
    expect(onNewSession).toHaveBeenCalledOnce()
    vi.unstubAllGlobals()
  })
})

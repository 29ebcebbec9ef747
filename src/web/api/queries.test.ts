import { expect, test, vi } from 'vitest'
import type { Api } from './client.ts'
import { createQueries, productsQuery, providerDetailQuery } from './queries.ts'

test('a query asks once: no answer goes stale, none is asked again by time or a look, nothing is retried', async () => {
  const api = vi.fn(() => Promise.reject(new Error('503: busy')))
  const queries = createQueries(api)
  expect(queries.getDefaultOptions()).toMatchObject({
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity, retry: false },
    mutations: { retry: false },
  })
  await expect(queries.fetchQuery(productsQuery)).rejects.toThrow('503: busy')
  expect(api.mock.calls).toEqual([['GET /api/products']])
})

test('the partner’s detail is kept five minutes, and asked for by the partner’s number', async () => {
  expect(providerDetailQuery(7).staleTime).toBe(300_000)
  const api = vi.fn(() => Promise.resolve({ result: {} }))
  await createQueries(api as unknown as Api).fetchQuery(providerDetailQuery(7))
  expect(api.mock.calls).toEqual([['GET /api/printful/products/:id', { params: { id: 7 } }]])
})

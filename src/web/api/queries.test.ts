import { expect, test, vi } from 'vitest'
import type { Api } from './client.ts'
import { createQueries, productsQuery, providerDetailQuery } from './queries.ts'

test('a query is sent once: answers never go stale, nothing is refetched on focus or by time, and nothing is retried', async () => {
  const api = vi.fn(() => Promise.reject(new Error('503: busy')))
  const queries = createQueries(api)
  expect(queries.getDefaultOptions()).toMatchObject({
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity, retry: false },
    mutations: { retry: false },
  })
  await expect(queries.fetchQuery(productsQuery)).rejects.toThrow('503: busy')
  expect(api.mock.calls).toEqual([['GET /api/products']])
})

test('Printful’s detail is cached for five minutes and requested by Printful’s product id', async () => {
  expect(providerDetailQuery(7).staleTime).toBe(300_000)
  const api = vi.fn(() => Promise.resolve({ result: {} }))
  await createQueries(api as unknown as Api).fetchQuery(providerDetailQuery(7))
  expect(api.mock.calls).toEqual([['GET /api/printful/products/:id', { params: { id: 7 } }]])
})

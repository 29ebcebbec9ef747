import { expect, test, vi } from 'vitest'
import { createProviderCache } from './provider-cache.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'

function createTestCache() {
  // The cache takes a start at 0 for none.
  let time = 1
  const cached = createProviderCache<number>({ ttlMs: 1000, pauseMs: 100, entriesMax: 2, now: () => time })
  return { cached, advance: (ms: number) => (time += ms) }
}
const down = () => Promise.reject(new ProviderUnavailable('printful', new Error('down')))

test('a request is sent once until its response expires, also for two callers at the same time', async () => {
  const { cached, advance } = createTestCache()
  const fetch = vi.fn(() => Promise.resolve(7))
  expect(await Promise.all([cached('a', fetch), cached('a', fetch)])).toEqual([7, 7])
  advance(999)
  await cached('a', fetch)
  expect(fetch).toHaveBeenCalledTimes(1)
  advance(2)
  await cached('a', fetch)
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('a refusal is cached like a success', async () => {
  const { cached } = createTestCache()
  const fetch = vi.fn(() => Promise.reject(new ProviderRefusal('printful', 'no')))
  await expect(cached('a', fetch)).rejects.toThrow('no')
  await expect(cached('a', fetch)).rejects.toThrow('no')
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('a provider that is down is not called for a moment; cached responses are still used', async () => {
  const { cached, advance } = createTestCache()
  const fetch = vi.fn(() => Promise.resolve(7))
  await cached('a', fetch)
  await expect(cached('b', down)).rejects.toThrow('unavailable')
  await expect(cached('c', fetch)).rejects.toThrow('unavailable')
  expect(await cached('a', fetch)).toBe(7)
  expect(fetch).toHaveBeenCalledTimes(1)
  advance(100)
  expect(await cached('b', fetch)).toBe(7)
})

test('the cache is limited, and the least recently used entry is removed first', async () => {
  const { cached } = createTestCache()
  const fetch = vi.fn(() => Promise.resolve(7))
  for (const about of ['a', 'b', 'c', 'b', 'a']) await cached(about, fetch)
  expect(fetch.mock.calls).toHaveLength(4)
})

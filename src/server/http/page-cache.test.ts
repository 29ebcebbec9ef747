import { expect, test, vi } from 'vitest'
import type { Db } from '#server/db/db.ts'
import { createPageCache, clearPageCache, type Answer } from './page-cache.ts'
import { Refusal } from './refusal.ts'

const MB = 1024 * 1024
const page = (of: string, bytes = 10, isShared = true): Answer => ({
  status: 200,
  type: 'text/html',
  body: Buffer.alloc(bytes, of),
  isShared,
})
const wordOf = ({ body }: Answer) => body.toString('utf8', 0, 1)
const cacheOver = (db: object = {}) => createPageCache(db as Db, { now: () => new Date() })

test('simultaneous requests for the same page render it once', async () => {
  const cache = cacheOver()
  const make = vi.fn(() => Promise.resolve(page('a')))
  const all = await Promise.all([1, 2, 3].map(() => cache.answer('/', make)))
  expect([make.mock.calls.length, new Set(all.map(wordOf))]).toEqual([1, new Set('a')])
  expect(cache.fresh('/')).toBeDefined()
})

test('pages are cached until the shop’s data change', async () => {
  const [mine, other] = [{}, {}]
  const [one, same, another] = [cacheOver(mine), cacheOver(mine), cacheOver(other)]
  for (const cache of [one, same, another]) await cache.answer('/', () => Promise.resolve(page('a')))
  clearPageCache(mine as Db)
  expect([one, same, another].map((cache) => cache.fresh('/') !== undefined)).toEqual([false, false, true])
})

test('a page rendered during a change is sent but not cached', async () => {
  const db = {}
  const cache = cacheOver(db)
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const asked = cache.answer('/', () => promise)
  clearPageCache(db as Db)
  const afterwards = await cache.answer('/', () => Promise.resolve(page('b')))
  resolve(page('a'))
  expect([wordOf(await asked), wordOf(afterwards)]).toEqual(['a', 'b'])
  expect(wordOf(cache.fresh('/') ?? page('-'))).toBe('b')
})

test('after a minute the old page is sent while a new one renders; after two minutes it is not sent any more', async () => {
  vi.useFakeTimers()
  try {
    const cache = cacheOver()
    await cache.answer('/', () => Promise.resolve(page('a')))
    vi.advanceTimersByTime(61_000)
    const words = [wordOf(await cache.answer('/', () => Promise.resolve(page('b'))))]
    await Promise.resolve()
    words.push(wordOf(await cache.answer('/', () => Promise.resolve(page('c')))))
    vi.advanceTimersByTime(121_000)
    words.push(wordOf(await cache.answer('/', () => Promise.resolve(page('d')))))
    expect(words).toEqual(['a', 'b', 'd'])
  } finally {
    vi.useRealTimers()
  }
})

test('during an outage the last complete page is sent, but a page that was removed is gone', async () => {
  const db = {}
  const cache = cacheOver(db)
  await cache.answer('/', () => Promise.resolve(page('a')))
  clearPageCache(db as Db)
  const given = [
    await cache.answer('/', () => Promise.reject(new Error('the database is away'))),
    await cache.answer('/', () => Promise.resolve(page('b', 10, false))),
    await cache.answer('/', () => Promise.resolve({ ...page('c', 10, false), status: 503 })),
  ]
  expect(given.map(wordOf)).toEqual(['a', 'a', 'a'])
  await expect(cache.answer('/', () => Promise.reject(new Refusal('unknown_product')))).rejects.toThrow('unknown')
  await expect(cache.answer('/', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
})

test('an answer that is made for each request replaces the cached one', async () => {
  const db = {}
  const cache = cacheOver(db)
  await cache.answer('/', () => Promise.resolve(page('a')))
  clearPageCache(db as Db)
  const make = vi.fn(() => Promise.resolve({ ...page('b', 10, false), isOnce: true }))
  expect(wordOf(await cache.answer('/', make))).toBe('b')
  expect(wordOf(await cache.answer('/', make))).toBe('b')
  expect(make).toHaveBeenCalledTimes(2)
})

test('crawling a thousand pages stays within the cache’s size and does not push out popular pages', async () => {
  const cache = cacheOver()
  const asked: string[] = []
  const ask = (url: string) =>
    cache.answer(url, () => {
      asked.push(url)
      return Promise.resolve(page('a', MB))
    })
  for (const url of ['/', '/products', '/', '/products']) await ask(url)
  const flood = Array.from({ length: 1000 }, (_, n) => `/product/${n}`)
  for (const url of flood) await ask(url)
  await ask('/')
  await ask('/products')
  expect(asked).toEqual(['/', '/products', ...flood])
  const kept = flood.filter((url) => cache.fresh(url))
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.length).toBeLessThanOrEqual(8)
})

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
const cacheOver = (db: object = {}) => createPageCache(db as Db)

test('however many ask for an address at the same time, its answer is made once', async () => {
  const cache = cacheOver()
  const make = vi.fn(() => Promise.resolve(page('a')))
  const all = await Promise.all([1, 2, 3].map(() => cache.answer('/', make)))
  expect([make.mock.calls.length, new Set(all.map(wordOf))]).toEqual([1, new Set('a')])
  expect(cache.fresh('/')).toBeDefined()
})

test('answers are kept until something of their shop has changed', async () => {
  const [mine, other] = [{}, {}]
  const [one, same, another] = [cacheOver(mine), cacheOver(mine), cacheOver(other)]
  for (const cache of [one, same, another]) await cache.answer('/', () => Promise.resolve(page('a')))
  clearPageCache(mine as Db)
  expect([one, same, another].map((cache) => cache.fresh('/') !== undefined)).toEqual([false, false, true])
})

test('what was being made while something changed is given to who asked, and not kept', async () => {
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

test('an answer of more than a minute ago is given while the next one is made, and after two minutes no more', async () => {
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

test('while nothing whole can be made the last whole answer is given; what is gone is gone', async () => {
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

test('a walk through a thousand addresses takes no more room than it may, and pushes no asked-for page out', async () => {
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

import { expect, test } from 'vitest'
import { createPageCache, forgetPages, type Cached } from './page-cache.ts'

const page = (bytes: number): Cached => ({ status: 200, html: Buffer.alloc(bytes), etag: '"a"', freshUntil: Infinity })

test('pages are kept until something that they show has changed', () => {
  const [one, other] = [createPageCache(), createPageCache()]
  one.keep('/', page(10))
  other.keep('/about', page(10))
  expect(one.find('/')).toBeDefined()
  forgetPages()
  expect([one.find('/'), other.find('/about')]).toEqual([undefined, undefined])
  other.close()
  other.keep('/about', page(10))
  forgetPages()
  expect(other.find('/about')).toBeDefined()
})

test('the page that was made longest ago makes room', () => {
  const cache = createPageCache()
  for (const url of ['/1', '/2', '/3', '/2', '/4']) cache.keep(url, page(10 * 1024 * 1024))
  expect(['/1', '/2', '/3', '/4'].filter((url) => cache.find(url))).toEqual(['/2', '/4'])
  cache.close()
})

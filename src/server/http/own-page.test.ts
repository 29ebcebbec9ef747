import { expect, test } from 'vitest'
import { ownPage } from './own-page.ts'

test.each([
  ['/product/1?variant=2#more', '/product/1?variant=2#more'],
  ['//evil.example/', undefined],
  ['/\\evil.example/', undefined],
  ['https://evil.example/', undefined],
  ['/x/..//evil.example/', '/evil.example/'],
])('%s leads to %s', (path, page) => {
  expect(ownPage(path)).toBe(page)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearPurchase, readStored, removeStored, writeStored } from './browser-storage.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  for (const storage of ['localStorage', 'sessionStorage'])
    vi.stubGlobal(storage, {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    })
})
afterEach(() => vi.unstubAllGlobals())

test('what was kept is found again', () => {
  writeStored('currentCollection', 'sherlock')
  expect(readStored('currentCollection', isText)).toBe('sherlock')
  removeStored('currentCollection')
  expect(readStored('currentCollection', isText)).toBeUndefined()
})

test.each([
  ['nothing', undefined],
  ['no JSON', 'sherlock'],
  ['another version', '{"version":0,"value":"sherlock"}'],
  ['another shape', '{"version":1,"value":["sherlock"]}'],
  ['a bare value', '"sherlock"'],
  ['null', 'null'],
])('%s is read as nothing', (_, text) => {
  if (text !== undefined) kept.set('currentCollection', text)
  expect(readStored('currentCollection', isText)).toBeUndefined()
})

test('a browser that keeps nothing does not stop the shop', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  writeStored('backup-cart', [])
  removeStored('backup-cart')
  expect(readStored('backup-cart', Array.isArray)).toBeUndefined()
})

test('after a purchase only the collection is still known', () => {
  for (const key of [
    'backup-cart',
    'currentCollection',
    'customerInfo',
    'checkoutEmail',
    'checkoutInfo',
    'checkoutReturn',
  ] as const)
    writeStored(key, 'x')
  clearPurchase()
  expect([...kept.keys()]).toEqual(['currentCollection'])
})

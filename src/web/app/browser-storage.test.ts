import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearPurchase, readStored, removeStored, writeStored } from './browser-storage.ts'

const isText = (value: unknown): value is string => typeof value === 'string'
let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  for (const storage of ['localStorage', 'sessionStorage'])
    vi.stubGlobal(storage, {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    })
})
afterEach(() => vi.unstubAllGlobals())

test('a stored value is read back', () => {
  writeStored('currentCollection', 'sherlock')
  expect(readStored('currentCollection', isText)).toBe('sherlock')
  removeStored('currentCollection')
  expect(readStored('currentCollection', isText)).toBeUndefined()
})

test.each([
  ['nothing', undefined],
  ['invalid JSON', 'sherlock'],
  ['another version', '{"version":0,"value":"sherlock"}'],
  ['another shape', '{"version":1,"value":["sherlock"]}'],
  ['a bare value', '"sherlock"'],
  ['null', 'null'],
])('storage with %s reads as empty', (_, text) => {
  if (text !== undefined) stored.set('currentCollection', text)
  expect(readStored('currentCollection', isText)).toBeUndefined()
})

test('the shop works in a browser that forbids storage', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  writeStored('backup-cart', [])
  removeStored('backup-cart')
  expect(readStored('backup-cart', Array.isArray)).toBeUndefined()
})

test('after a purchase only the collection stays stored', () => {
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
  expect([...stored.keys()]).toEqual(['currentCollection'])
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onCollectionSwitched, restoreCollection, switchCollection } from './current-collection.ts'

let stored: Map<string, string>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a new collection is stored, and listeners are called once until they unsubscribe', () => {
  restoreCollection()
  const notified: string[] = []
  const unsubscribe = onCollectionSwitched((collection) => notified.push(collection))
  switchCollection('sherlock')
  switchCollection('sherlock')
  unsubscribe()
  switchCollection('rudy')
  expect(notified).toEqual(['sherlock'])
  expect(JSON.parse(stored.get('currentCollection') ?? '')).toEqual({ version: 1, value: 'rudy' })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onCollectionSwitched, restoreCollection, switchCollection } from './current-collection.ts'

let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('switching is kept and told once, until one no longer listens', () => {
  restoreCollection()
  const told: string[] = []
  const end = onCollectionSwitched((collection) => told.push(collection))
  switchCollection('sherlock')
  switchCollection('sherlock')
  end()
  switchCollection('rudy')
  expect(told).toEqual(['sherlock'])
  expect(JSON.parse(kept.get('currentCollection') ?? '')).toEqual({ version: 1, value: 'rudy' })
})

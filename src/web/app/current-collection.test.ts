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

const page = (collection: string, by: 'page' | 'visitor') =>
  ({ dataset: { collection, collectionBy: by } }) as unknown as HTMLElement

const keep = (collection: string) => kept.set('currentCollection', JSON.stringify({ version: 1, value: collection }))

test('a page without a collection of its own wears the one of the last visit', () => {
  keep('sherlock')
  const root = page('rudy', 'visitor')
  restoreCollection(root)
  expect(root.dataset['collection']).toBe('sherlock')
})

test('a page with a collection of its own keeps it', () => {
  keep('sherlock')
  const root = page('example', 'page')
  restoreCollection(root)
  expect(root.dataset['collection']).toBe('example')
})

test.each(['', 'popular-pets', '__proto__'])('what is no collection, such as %j, is not worn', (stored) => {
  keep(stored)
  const root = page('rudy', 'visitor')
  restoreCollection(root)
  expect(root.dataset['collection']).toBe('rudy')
})

test('switching is kept and told once, until one no longer listens', () => {
  restoreCollection(page('rudy', 'visitor'))
  const told: string[] = []
  const end = onCollectionSwitched((collection) => told.push(collection))
  switchCollection('sherlock')
  switchCollection('sherlock')
  end()
  switchCollection('rudy')
  expect(told).toEqual(['sherlock'])
  expect(JSON.parse(kept.get('currentCollection') ?? '')).toEqual({ version: 1, value: 'rudy' })
})

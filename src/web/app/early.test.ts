import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wearKept } from './early.ts'

let kept: string | null
beforeEach(() => {
  kept = null
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'currentCollection' ? kept : null) })
})
afterEach(() => vi.unstubAllGlobals())

const keep = (collection: string) => {
  kept = JSON.stringify({ version: 1, value: collection })
}

/** What a page wears that was sent in `collection`, by its own choice or for want of one. */
function worn(collection: string, by: 'page' | 'visitor'): string | undefined {
  const root = { dataset: { collection, collectionBy: by } as Record<string, string> }
  wearKept(root, ['rudy', 'sherlock', 'example'])
  return root.dataset['collection']
}

test('a page without a collection of its own wears the one of the last visit', () => {
  keep('sherlock')
  expect(worn('rudy', 'visitor')).toBe('sherlock')
})

test('a page with a collection of its own keeps it', () => {
  keep('sherlock')
  expect(worn('example', 'page')).toBe('example')
})

test.each(['', 'popular-pets', '__proto__'])('what is no collection, such as %j, is not worn', (stored) => {
  keep(stored)
  expect(worn('rudy', 'visitor')).toBe('rudy')
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { afterFirstPaint, applySavedTheme } from './before-hydration.ts'

let saved: string | null
beforeEach(() => {
  saved = null
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'currentCollection' ? saved : null) })
})
afterEach(() => vi.unstubAllGlobals())

const save = (collection: string) => {
  saved = JSON.stringify({ version: 1, value: collection })
}

/** @returns the collection of a page that the server sent with `collection` */
function themeOf(collection: string, by: 'page' | 'visitor'): string | undefined {
  const root = { dataset: { collection, collectionBy: by } as Record<string, string> }
  applySavedTheme(root, ['rudy', 'sherlock', 'example'])
  return root.dataset['collection']
}

test('a page without a collection of its own uses the colors of the last visit', () => {
  save('sherlock')
  expect(themeOf('rudy', 'visitor')).toBe('sherlock')
})

test('a page with a collection of its own keeps its colors', () => {
  save('sherlock')
  expect(themeOf('example', 'page')).toBe('example')
})

test.each(['', 'popular-pets', '__proto__'])(
  'a stored value that is no collection, such as %j, is ignored',
  (stored) => {
    save(stored)
    expect(themeOf('rudy', 'visitor')).toBe('rudy')
  },
)

describe('the app starts', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setTimeout(callback, 16))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function openPage({ picture, readyState = 'interactive' }: { picture?: () => Promise<void>; readyState?: string }) {
    const page = Object.assign(new EventTarget(), {
      hidden: false,
      readyState,
      querySelector: () => (picture ? { decode: picture } : null),
    })
    const start = vi.fn()
    afterFirstPaint(page as unknown as Document, start)
    return { page, start }
  }

  test('after the first paint of a page without a large picture', async () => {
    const { start } = openPage({})
    expect(start).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(50)
    expect(start).toHaveBeenCalledOnce()
  })

  test('after the large picture, so they do not compete for bandwidth', async () => {
    const { start } = openPage({ picture: () => new Promise((resolve) => setTimeout(resolve, 400)) })
    await vi.advanceTimersByTimeAsync(400)
    expect(start).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(100)
    expect(start).toHaveBeenCalledOnce()
  })

  test.each([
    ['is broken', () => Promise.reject(new Error('EncodingError')), 100],
    ['never loads', () => new Promise<void>(() => {}), 1100],
  ])('without waiting for a picture that %s', async (_, picture, withinMs) => {
    const { start } = openPage({ picture })
    await vi.advanceTimersByTimeAsync(withinMs)
    expect(start).toHaveBeenCalledOnce()
  })

  test('immediately, and only once, on the first input', async () => {
    const { page, start } = openPage({ picture: () => new Promise(() => {}) })
    page.dispatchEvent(new Event('pointerdown'))
    page.dispatchEvent(new Event('keydown'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(start).toHaveBeenCalledOnce()
  })

  test('only when the document is complete', async () => {
    const { page, start } = openPage({ readyState: 'loading' })
    await vi.advanceTimersByTimeAsync(5000)
    expect(start).not.toHaveBeenCalled()
    page.dispatchEvent(new Event('DOMContentLoaded'))
    await vi.advanceTimersByTimeAsync(50)
    expect(start).toHaveBeenCalledOnce()
  })
})

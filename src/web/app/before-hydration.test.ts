import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { afterFirstPaint, applySavedTheme } from './before-hydration.ts'

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
  applySavedTheme(root, ['rudy', 'sherlock', 'example'])
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

describe('the app comes', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('requestAnimationFrame', (act: () => void) => setTimeout(act, 16))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A page with a large picture, or without one, and how often its app was asked for. */
  function opened({ picture, readyState = 'interactive' }: { picture?: () => Promise<void>; readyState?: string }) {
    const page = Object.assign(new EventTarget(), {
      hidden: false,
      readyState,
      querySelector: () => (picture ? { decode: picture } : null),
    })
    const start = vi.fn()
    afterFirstPaint(page as unknown as Document, start)
    return { page, start }
  }

  test('after the first paint where no large picture is waited for', async () => {
    const { start } = opened({})
    expect(start).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(50)
    expect(start).toHaveBeenCalledOnce()
  })

  test('after the large picture, which would share the line with it', async () => {
    const { start } = opened({ picture: () => new Promise((come) => setTimeout(come, 400)) })
    await vi.advanceTimersByTimeAsync(400)
    expect(start).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(100)
    expect(start).toHaveBeenCalledOnce()
  })

  test.each([
    ['is broken', () => Promise.reject(new Error('EncodingError')), 100],
    ['does not come', () => new Promise<void>(() => {}), 1100],
  ])('without a picture that %s', async (_, picture, withinMs) => {
    const { start } = opened({ picture })
    await vi.advanceTimersByTimeAsync(withinMs)
    expect(start).toHaveBeenCalledOnce()
  })

  test('at once, and once, when somebody is there', async () => {
    const { page, start } = opened({ picture: () => new Promise(() => {}) })
    page.dispatchEvent(new Event('pointerdown'))
    page.dispatchEvent(new Event('keydown'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(start).toHaveBeenCalledOnce()
  })

  test('not before the page is there to its end', async () => {
    const { page, start } = opened({ readyState: 'loading' })
    await vi.advanceTimersByTimeAsync(5000)
    expect(start).not.toHaveBeenCalled()
    page.dispatchEvent(new Event('DOMContentLoaded'))
    await vi.advanceTimersByTimeAsync(50)
    expect(start).toHaveBeenCalledOnce()
  })
})

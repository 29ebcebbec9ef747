import { readStored } from './browser-storage.ts'

/** Dispatched on the document when the whole page is hydrated. */
export const HYDRATED_EVENT = 'awake'

/**
 * Applies the collection of the last visit to a page that has none: the server's markup is the same for everybody and has the
 * default. @param collections ids of all collections
 */
export function applySavedTheme(root: Pick<HTMLElement, 'dataset'>, collections: readonly string[]): void {
  const isKnown = (value: unknown): value is string => typeof value === 'string' && collections.includes(value)
  const saved = readStored('currentCollection', isKnown)
  if (saved && root.dataset['collectionBy'] === 'visitor') root.dataset['collection'] = saved
}

/** Controls that need JavaScript. Links and forms with an action work without. */
const NEEDS_SCRIPT = 'button[type=button], input[type=radio], input[type=checkbox]'

/** Queues clicks made before hydration and replays them in order after it. */
export function replayEarlyClicks(page: Document): void {
  const queued = new Set<HTMLElement>()
  const enqueue = (event: Event) => {
    const control = event.target instanceof Element ? event.target.closest<HTMLElement>(NEEDS_SCRIPT) : null
    if (!control || control.closest('form[action]')) return
    // React would miss the change of a checkbox that is already ticked, and would handle a click twice if it saw this one too.
    event.preventDefault()
    event.stopImmediatePropagation()
    queued.add(control)
  }
  page.addEventListener('click', enqueue, true)
  page.addEventListener(
    HYDRATED_EVENT,
    () => {
      page.removeEventListener('click', enqueue, true)
      for (const control of queued) control.click()
    },
    { once: true },
  )
}

const SUBMIT_AGAIN_MS = 100

/**
 * A form without an action is submitted by the app alone. Where its part of the page is not hydrated yet, it is submitted again until it
 * is: the browser's own way would load the page again, with what was typed in the address.
 */
export function holdEarlySubmits(page: Window): void {
  const held = new WeakSet<HTMLFormElement>()
  // After React, which listens at the document.
  page.addEventListener('submit', (event) => {
    const { target: form, submitter } = event
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.hasAttribute('action')) return
    event.preventDefault()
    if (held.has(form)) return
    held.add(form)
    setTimeout(() => {
      held.delete(form)
      if (form.isConnected) form.requestSubmit(submitter)
    }, SUBMIT_AGAIN_MS)
  })
}

/** On a slower connection the app no longer waits for the picture. */
const PICTURE_TIMEOUT_MS = 1000

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs once the page and its large first picture are painted: the app is four times as large as the picture and would compete
 * for bandwidth. Runs immediately on any input, or when the tab is hidden, because hidden tabs do not paint.
 */
export function afterFirstPaint(page: Document, run: () => void): void {
  let isDone = false
  const once = () => {
    if (isDone) return
    isDone = true
    run()
  }
  if (page.hidden) return once()
  page.addEventListener('visibilitychange', once, { once: true })
  page.addEventListener('pointerdown', once, { once: true, capture: true })
  page.addEventListener('keydown', once, { once: true, capture: true })
  const waitForPaint = async () => {
    if (page.readyState === 'loading')
      await new Promise((resolve) => page.addEventListener('DOMContentLoaded', resolve, { once: true }))
    await nextPaint()
    const picture = page.querySelector<HTMLImageElement>('img[fetchpriority=high]')
    // `decode` rejects for a broken picture: no need to wait for it.
    if (picture) await Promise.race([picture.decode().then(nextPaint, nextPaint), delay(PICTURE_TIMEOUT_MS)])
    once()
  }
  void waitForPaint()
}

/**
 * @param parts the app's modules. A script tag for each starts all downloads at the same time and keeps each task short, so the
 *   page stays responsive
 */
export function startApp(page: Document, app: string, parts: readonly string[]): void {
  for (const src of [...parts, app])
    page.head.append(Object.assign(page.createElement('script'), { type: 'module', src }))
}

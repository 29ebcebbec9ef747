import { readStored } from './browser-storage.ts'

/** Sent on the document when all of the page listens; from then on nothing has to be held. */
export const HYDRATED_EVENT = 'awake'

/**
 * Puts on the collection of the last visit where the page has none of its own: the server's markup is the same for everybody and
 * wears the default. @param known the collections that exist
 */
export function applySavedTheme(root: Pick<HTMLElement, 'dataset'>, known: readonly string[]): void {
  const isKnown = (value: unknown): value is string => typeof value === 'string' && known.includes(value)
  const saved = readStored('currentCollection', isKnown)
  if (saved && root.dataset['collectionBy'] === 'visitor') root.dataset['collection'] = saved
}

/** What does nothing without script. Links, and the forms that have an address, work by themselves. */
const NEEDS_SCRIPT = 'button[type=button], input[type=radio], input[type=checkbox]'

/** Keeps what is pressed while nobody listens yet, and presses it again, in order, when somebody does. */
export function replayEarlyClicks(page: Document): void {
  const held = new Set<HTMLElement>()
  const hold = (event: Event) => {
    const control = event.target instanceof Element ? event.target.closest<HTMLElement>(NEEDS_SCRIPT) : null
    if (!control || control.closest('form[action]')) return
    // A box that is ticked already would not tell React that it was; and what React hears as well would be done twice.
    event.preventDefault()
    event.stopImmediatePropagation()
    held.add(control)
  }
  page.addEventListener('click', hold, true)
  page.addEventListener(
    HYDRATED_EVENT,
    () => {
      page.removeEventListener('click', hold, true)
      for (const control of held) control.click()
    },
    { once: true },
  )
}

/** A line that has not brought the picture by then has more to do. */
const PICTURE_WITHIN_MS = 1000

const nextPaint = () => new Promise((goOn) => requestAnimationFrame(() => setTimeout(goOn)))
const delay = (ms: number) => new Promise((goOn) => setTimeout(goOn, ms))

/**
 * Once the page stands, with the large picture that it begins with: the app is as large as four of those, and would share the line
 * with it. At once when somebody presses something, or nobody looks: then nothing is painted.
 */
export function afterFirstPaint(page: Document, act: () => void): void {
  let isDone = false
  const once = () => {
    if (isDone) return
    isDone = true
    act()
  }
  if (page.hidden) return once()
  page.addEventListener('visibilitychange', once, { once: true })
  page.addEventListener('pointerdown', once, { once: true, capture: true })
  page.addEventListener('keydown', once, { once: true, capture: true })
  const standing = async () => {
    if (page.readyState === 'loading')
      await new Promise((goOn) => page.addEventListener('DOMContentLoaded', goOn, { once: true }))
    await nextPaint()
    const picture = page.querySelector<HTMLImageElement>('img[fetchpriority=high]')
    // One that cannot be shown is not waited for.
    if (picture) await Promise.race([picture.decode().then(nextPaint, nextPaint), delay(PICTURE_WITHIN_MS)])
    once()
  }
  void standing()
}

/**
 * @param parts the modules that the app is made of. Each is a script of its own, so that it is not found behind another one, and
 *   what it does at its beginning is a step of its own: all in one would keep the page from answering
 */
export function startApp(page: Document, app: string, parts: readonly string[]): void {
  for (const src of [...parts, app])
    page.head.append(Object.assign(page.createElement('script'), { type: 'module', src }))
}

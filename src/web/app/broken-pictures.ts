import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'

/** A connection that breaks off once is asked again. */
const AGAIN_MS = 1000

/** Replaces product pictures that fail to load twice, also before the app has started. */
export function replaceBrokenPicture(page: Document): void {
  const asked = new WeakMap<HTMLImageElement, string>()
  const replace = ({ target }: Event) => {
    if (!(target instanceof HTMLImageElement)) return
    const { pathname } = new URL(target.src, location.origin)
    if (!pathname.startsWith('/pictures/') || pathname === DEFAULT_PICTURE) return
    if (asked.get(target) !== target.src) {
      asked.set(target, target.src)
      setTimeout(() => {
        // Written again, also if it is the same: the browser then chooses and loads again.
        target.src = target.getAttribute('src') ?? DEFAULT_PICTURE
      }, AGAIN_MS)
      return
    }
    // A `picture` element's sources would win over `src`. They stay: React, when it starts, expects the server's elements.
    for (const source of target.parentElement?.querySelectorAll('source') ?? []) source.removeAttribute('srcset')
    target.removeAttribute('srcset')
    target.src = DEFAULT_PICTURE
  }
  // Error events of pictures do not bubble, so capture them.
  page.addEventListener('error', replace, true)
}

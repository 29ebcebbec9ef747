import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'

/** Replaces product pictures that fail to load, also before the app has started. */
export function replaceBrokenPicture(page: Document): void {
  const replace = ({ target }: Event) => {
    if (!(target instanceof HTMLImageElement)) return
    const { pathname } = new URL(target.src, location.origin)
    if (!pathname.startsWith('/pictures/') || pathname === DEFAULT_PICTURE) return
    // A `picture` element's sources would win over `src`.
    for (const source of target.parentElement?.querySelectorAll('source') ?? []) source.remove()
    target.removeAttribute('srcset')
    target.src = DEFAULT_PICTURE
  }
  // Error events of pictures do not bubble, so capture them.
  page.addEventListener('error', replace, true)
}

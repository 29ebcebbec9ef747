import { DEFAULT_PICTURE } from '#domain/catalog/default-picture.ts'

/** Of all pictures of goods, also those that fail before the app has come. */
export function replaceBrokenPicture(page: Document): void {
  const replace = ({ target }: Event) => {
    if (!(target instanceof HTMLImageElement)) return
    const { pathname } = new URL(target.src, location.origin)
    if (!pathname.startsWith('/pictures/') || pathname === DEFAULT_PICTURE) return
    target.removeAttribute('srcset')
    target.src = DEFAULT_PICTURE
  }
  // What happens to a picture does not bubble.
  page.addEventListener('error', replace, true)
}

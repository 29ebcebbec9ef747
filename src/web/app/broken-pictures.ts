/** The shop's own, where a product's picture is missing or broken. */
export const DEFAULT_PICTURE = '/pictures/default.webp'

/** Of all pictures that come in several sizes, also those that fail before the app has come. */
export function replaceBroken(page: Document): void {
  const replace = ({ target }: Event) => {
    if (!(target instanceof HTMLImageElement) || !target.srcset) return
    target.removeAttribute('srcset')
    target.src = DEFAULT_PICTURE
  }
  // What happens to a picture does not bubble.
  page.addEventListener('error', replace, true)
}

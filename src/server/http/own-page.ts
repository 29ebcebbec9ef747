/**
 * A page of this shop, for a redirect.
 * @param path possibly from somebody else
 * @param change of the address
 * @returns undefined for a path that a browser would read as another host
 */
export function ownPage(path: string, change?: (url: URL) => void): string | undefined {
  const ours = 'http://shop.invalid'
  const url = URL.canParse(path, ours) ? new URL(path, ours) : undefined
  if (url?.origin !== ours) return undefined
  change?.(url)
  return `${url.pathname}${url.search}${url.hash}`.replace(/^\/{2,}/, '/')
}

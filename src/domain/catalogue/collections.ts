type Known = { id: string; name: string }

/** The collection that an address names, in any of its four forms. @returns undefined when it names none that exists */
export function collectionInPath(pathname: string, known: readonly Known[]): string | undefined {
  if (pathname === '/RudyCollection') return 'rudy'
  const named = /^\/(?:collections?\/)?([^/]+)\/?$/.exec(pathname)?.[1]
  return known.find(({ id }) => id === named)?.id
}

/**
 * Whose colours a page wears (specification, section 4, Current collection): the address decides, else the name of the first
 * product on it, else the default.
 */
export function currentCollection(
  page: { pathname: string; firstProductName?: string | undefined },
  known: readonly Known[],
  fallback: string,
): string {
  const named = page.firstProductName?.toLowerCase() ?? ''
  return (
    collectionInPath(page.pathname, known) ??
    known.find(({ name }) => named.split(/[^\p{L}\p{N}]+/u).includes(name.toLowerCase()))?.id ??
    fallback
  )
}

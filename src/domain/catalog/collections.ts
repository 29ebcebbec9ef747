type KnownCollection = { id: string; name: string }

/** The collection that an address names, in any of its four forms. @returns undefined when it names none that exists */
export function collectionInPath<K extends KnownCollection>(
  pathname: string,
  known: readonly K[],
): K['id'] | undefined {
  if (pathname === '/RudyCollection') return 'rudy'
  const named = /^\/(?:collections?\/)?([^/]+)\/?$/.exec(pathname)?.[1]
  return known.find(({ id }) => id === named)?.id
}

/**
 * The collection that a page has of itself: its address decides, else the name of the first product on it.
 * @returns undefined for a page that belongs to none: the visitor's own stays on, else the default (specification, section 4, Current collection)
 */
export function collectionOfPage<K extends KnownCollection>(
  page: { pathname: string; firstProductName?: string | undefined },
  known: readonly K[],
): K['id'] | undefined {
  const words = page.firstProductName?.toLowerCase().split(/[^\p{L}\p{N}]+/u) ?? []
  return collectionInPath(page.pathname, known) ?? known.find(({ name }) => words.includes(name.toLowerCase()))?.id
}

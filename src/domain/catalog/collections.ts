type KnownCollection = { id: string; name: string }

/** The collection a path names, in any of its four forms. */
export function collectionInPath<K extends KnownCollection>(
  pathname: string,
  known: readonly K[],
): K['id'] | undefined {
  if (pathname === '/RudyCollection') return 'rudy'
  const named = /^\/(?:collections?\/)?([^/]+)\/?$/.exec(pathname)?.[1]
  return known.find(({ id }) => id === named)?.id
}

/**
 * The collection a page belongs to: by its path, else by the name of the first product on it.
 * @returns undefined if it belongs to none: the visitor keeps the current one, else the default (specification,
 * section 4, Current collection)
 */
export function collectionOfPage<K extends KnownCollection>(
  page: { pathname: string; firstProductName?: string | undefined },
  known: readonly K[],
): K['id'] | undefined {
  const words = page.firstProductName?.toLowerCase().split(/[^\p{L}\p{N}]+/u) ?? []
  return collectionInPath(page.pathname, known) ?? known.find(({ name }) => words.includes(name.toLowerCase()))?.id
}

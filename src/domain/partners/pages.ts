/** Where a link may lead: public pages that sell or explain something. */
const LINKABLE_PATHS =
  /^\/(?:products|RudyCollection|about|contact|shipping-returns|search|collections?\/[\w-]+|product\/[\w-]+)?$/

/** Characters allowed in a path; no backslash or space, which browsers interpret differently. */
const PATH_CHARACTERS = /^\/(?![/\\])[\w\-./~%?=&+,:;@#!'()*$]*$/

/**
 * Reads input of the link builder: a path, or a page's full URL.
 * @param origin of the shop, without a trailing slash
 * @returns the path with its query; undefined if it is not one of our public pages
 */
export function parseShopPath(typed: string, origin: string): string | undefined {
  const address = typed.trim()
  const rest = address.startsWith(origin) ? address.slice(origin.length) || '/' : address
  if (!PATH_CHARACTERS.test(rest)) return undefined
  const [page = '/'] = rest.split('#')
  const [path = '/', query] = page.split('?')
  const plain = path === '/' ? path : path.replace(/\/$/, '')
  if (!LINKABLE_PATHS.test(plain)) return undefined
  return query ? `${plain}?${query}` : plain
}

/** A page's product, by number or slug; undefined for other pages. */
export const productOfPage = (path: string): string | undefined => /^\/product\/([\w-]+)/.exec(path)?.[1]

const LETTERS = '23456789abcdefghjkmnpqrstvwxyz'

/** A short code, easy to read aloud. @param random bytes from a cryptographic source */
export const linkCodeFrom = (random: Uint8Array): string =>
  Array.from(random, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')

/**
 * A partner's code from the name: `The Bullion Hour` becomes `the-bullion-hour`. @returns empty if no letter is left
 */
export const nameCodeOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '')

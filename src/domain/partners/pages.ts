/** What a link may lead to: pages that everybody can open, and that sell or explain something. */
const LINKABLE_PATHS =
  /^\/(?:products|RudyCollection|about|contact|shipping-returns|search|collections?\/[\w-]+|product\/[\w-]+)?$/

/** Signs that stand for themselves in an address; no backslash and no blank, which browsers read in ways of their own. */
const PATH_CHARACTERS = /^\/(?![/\\])[\w\-./~%?=&+,:;@#!'()*$]*$/

/**
 * Reads what somebody put into the link builder: a path, or the whole address of a page.
 * @param origin of the shop, without a slash at its end
 * @returns the path with its query; undefined for everything that is no public page of ours
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

/** The product that a page is about, by its number or slug; undefined for pages about several or none. */
export const productOfPage = (path: string): string | undefined => /^\/product\/([\w-]+)/.exec(path)?.[1]

const LETTERS = '23456789abcdefghjkmnpqrstvwxyz'

/** A short code that can be read aloud. @param random bytes from a cryptographic source */
export const linkCodeFrom = (random: Uint8Array): string =>
  Array.from(random, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')

/** A partner's own code from the name: `The Bullion Hour` is `the-bullion-hour`. @returns empty when no letter is left */
export const nameCodeOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '')

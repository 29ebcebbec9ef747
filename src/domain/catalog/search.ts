/** Anything longer is cut off. */
export const QUERY_LENGTH_MAX = 200

/** Trims the query, cuts it to its maximum length and removes invisible characters. */
export const normalizeQuery = (typed: string): string =>
  typed
    .slice(0, QUERY_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Ignores case and Unicode composition. */
export const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase()

type Searchable = { name: string; description: string }

/** Filters a list: every word must occur literally in the name or description. An empty query matches all. */
export function filterByQuery<P extends Searchable>(products: readonly P[], query: string): P[] {
  const words = foldCase(normalizeQuery(query)).split(' ').filter(Boolean)
  return products.filter(({ name, description }) => {
    const text = foldCase(`${name} ${description}`)
    return words.every((word) => text.includes(word))
  })
}

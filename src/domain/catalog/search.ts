/** The rest of a longer query is not read. */
export const QUERY_LENGTH_MAX = 200

/** A query as it is looked for: cut to its length, without blanks around it and signs that cannot be seen. */
export const normalizeQuery = (typed: string): string =>
  typed
    .slice(0, QUERY_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Without regard to case and to the forms in which the same letter can be written. */
export const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase()

type Searchable = { name: string; description: string }

/** Narrows a list: every word of the query stands in the name or the description, taken literally. All for an empty query. */
export function filterByQuery<P extends Searchable>(products: readonly P[], query: string): P[] {
  const words = foldCase(normalizeQuery(query)).split(' ').filter(Boolean)
  return products.filter(({ name, description }) => {
    const text = foldCase(`${name} ${description}`)
    return words.every((word) => text.includes(word))
  })
}

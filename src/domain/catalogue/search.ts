type Searchable = { name: string; description: string; collection: string }

export type Found<P> = { count: number; groups: { collection: string; products: P[] }[] }

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** What is looked for: its words, without regard to case. None for an empty query. */
const wordsOf = (query: string): string[] => folded(query).split(/\s+/u).filter(Boolean)

/** Every word of the query stands in the name or the description, taken literally (specification, section 5, Search). */
export function matching<P extends Searchable>(products: readonly P[], query: string): P[] {
  const words = wordsOf(query)
  return products.filter(({ name, description }) => {
    const text = folded(`${name} ${description}`)
    return words.every((word) => text.includes(word))
  })
}

/** Grouped by collection in the order in which the products stand; an empty query finds nothing. */
export function search<P extends Searchable>(products: readonly P[], query: string): Found<P> {
  const found = wordsOf(query).length > 0 ? matching(products, query) : []
  const groups = Map.groupBy(found, ({ collection }) => collection)
  return {
    count: found.length,
    groups: [...groups].map(([collection, members]) => ({ collection, products: members })),
  }
}

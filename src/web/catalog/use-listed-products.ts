import { useQuery } from '@tanstack/react-query'
import type { Product } from '#contract/catalog.ts'
import { configQuery, productsQuery, pageProductsQuery, showcaseQuery } from '#web/api/queries.ts'

/** Whether everything that is sold is one list, which pages narrow and search by themselves. */
export function useWholeCatalog(): boolean {
  const { data: config } = useQuery(configQuery)
  return config?.wholeCatalog ?? true
}

type Choose = (all: readonly Product[]) => readonly Product[]

/**
 * What a page shows: what was sent with it, or what it chooses from the list; of a large catalog from one of each kind.
 * @param page its name among the queries
 */
export function useListedProducts(
  page: string,
  choose: Choose,
): { products: readonly Product[] | undefined; isError: boolean } {
  const isWhole = useWholeCatalog()
  const { data: sent } = useQuery(pageProductsQuery(page))
  const { data: all, isError } = useQuery({ ...(isWhole ? productsQuery : showcaseQuery), enabled: !sent })
  return { products: sent ?? (all && choose(all)), isError }
}

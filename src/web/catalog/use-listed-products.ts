import { useQuery } from '@tanstack/react-query'
import type { Product } from '#contract/catalog.ts'
import { configQuery, productsQuery, pageProductsQuery, showcaseQuery } from '#web/api/queries.ts'

/** Whether the catalog is small enough for pages to load, filter and search it as one list. */
export function useWholeCatalog(): boolean {
  const { data: config } = useQuery(configQuery)
  return config?.wholeCatalog ?? true
}

type Choose = (all: readonly Product[]) => readonly Product[]

/**
 * The products that a page shows: embedded by the server, or chosen from the catalog (of a large one, from one product per type).
 * @param page its name in the queries
 */
export function useListedProducts(
  page: string,
  choose: Choose,
): { products: readonly Product[] | undefined; isError: boolean } {
  const isWhole = useWholeCatalog()
  const { data: embedded } = useQuery(pageProductsQuery(page))
  const { data: all, isError } = useQuery({ ...(isWhole ? productsQuery : showcaseQuery), enabled: !embedded })
  return { products: embedded ?? (all && choose(all)), isError }
}

import { useQuery } from '@tanstack/react-query'
import { configQuery, productsQuery, showcaseQuery } from '#web/api/queries.ts'
import type { Product } from '#contract/catalogue.ts'

/** Whether everything that is sold is one list, which pages narrow and search by themselves. */
export function useWholeCatalogue(): boolean {
  const { data: config } = useQuery(configQuery)
  return config?.wholeCatalogue ?? true
}

/** Products that a page adorns itself with: at least one of each kind of each collection. */
export function useShowcase(): readonly Product[] {
  const isWhole = useWholeCatalogue()
  const { data: products = [] } = useQuery(isWhole ? productsQuery : showcaseQuery)
  return products
}

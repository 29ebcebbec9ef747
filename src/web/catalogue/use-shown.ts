import { useQuery } from '@tanstack/react-query'
import type { Product } from '#contract/catalogue.ts'
import { configQuery, productsQuery, sentQuery, showcaseQuery } from '#web/api/queries.ts'

/** Whether everything that is sold is one list, which pages narrow and search by themselves. */
export function useWholeCatalogue(): boolean {
  const { data: config } = useQuery(configQuery)
  return config?.wholeCatalogue ?? true
}

type Choose = (all: readonly Product[]) => readonly Product[]

/**
 * What a page shows of a small catalogue: what was sent with it, or what it chooses from the list.
 * @param page its name among the queries
 */
export function useShown(page: string, choose: Choose): { products: readonly Product[] | undefined; isError: boolean } {
  const { data: sent } = useQuery(sentQuery(page))
  const { data: all, isError } = useQuery({ ...productsQuery, enabled: !sent })
  return { products: sent ?? (all && choose(all)), isError }
}

/** Products that a page adorns itself with. */
export function useAdornment(page: string, choose: Choose): readonly Product[] {
  const isWhole = useWholeCatalogue()
  const { data: sent } = useQuery(sentQuery(page))
  const { data: all = [] } = useQuery({ ...(isWhole ? productsQuery : showcaseQuery), enabled: !sent })
  return sent ?? choose(all)
}

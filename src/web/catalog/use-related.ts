import { useQuery } from '@tanstack/react-query'
import type { ProductCard } from '#contract/catalog.ts'
import { productQuery } from '#web/api/queries.ts'

/**
 * Products related to the first of these lines, without those that are among them. Where that leaves too few, what is related to the
 * first that is left follows.
 * @param wanted how many are enough; all that are known are returned
 */
export function useRelated(lines: readonly { productId: string | number }[], wanted: number): ProductCard[] {
  const among = new Set(lines.map(({ productId }) => String(productId)))
  const first = useRelatedTo(lines[0]?.productId).filter(({ id }) => !among.has(String(id)))
  const next = useRelatedTo(first.length < wanted ? first[0]?.id : undefined)
  const others = next.filter(({ id }) => !among.has(String(id)) && !first.some((one) => one.id === id))
  return [...first, ...others]
}

function useRelatedTo(productId: string | number | undefined): readonly ProductCard[] {
  const { data } = useQuery({ ...productQuery(String(productId)), enabled: productId !== undefined })
  return data?.related ?? []
}

import { useQuery } from '@tanstack/react-query'
import type { ProductCard } from '#contract/catalog.ts'
import { bestSellersQuery, productQuery } from '#web/api/queries.ts'

/**
 * Products related to the first of these lines, without those that are among them. Where that leaves too few, as without a line, best
 * sellers follow.
 * @param wanted how many are enough; all that are known are returned
 */
export function useRelated(lines: readonly { productId: string | number }[], wanted: number): ProductCard[] {
  const first = lines[0]?.productId
  const isAmong = ({ id }: ProductCard) => lines.some(({ productId }) => String(productId) === String(id))
  const { data } = useQuery({ ...productQuery(String(first)), enabled: first !== undefined })
  const related = first === undefined ? [] : data?.related.filter((product) => !isAmong(product))
  const { data: best = [] } = useQuery({
    ...bestSellersQuery,
    enabled: related !== undefined && related.length < wanted,
  })
  const others = best.filter((product) => !isAmong(product) && related?.every(({ id }) => id !== product.id))
  return [...(related ?? []), ...others]
}

import { useQuery } from '@tanstack/react-query'
import type { ProductCard } from '#contract/catalog.ts'
import { bestSellersQuery, productQuery } from '#web/api/queries.ts'

/**
 * Products for sale that are related to the first of these, by id, without those that are among them. Where that leaves too few, as without
 * any, best sellers follow, and then what is related to the first of them.
 * @param wanted how many are enough; all that are known are returned
 */
export function useRelated(ids: readonly (string | number)[], wanted: number): ProductCard[] {
  const first = ids[0]
  const isOffered = ({ id, available }: ProductCard) => available && ids.every((one) => String(one) !== String(id))
  const { data } = useQuery({ ...productQuery(String(first)), enabled: first !== undefined })
  const related = first === undefined ? [] : data?.related.filter(isOffered)
  const { data: best } = useQuery({
    ...bestSellersQuery,
    enabled: related !== undefined && related.length < wanted,
  })
  const withBest = [...(related ?? []), ...(best ?? []).filter(isOffered)]
  const leading = best?.find(isOffered)?.id
  const { data: more } = useQuery({
    ...productQuery(String(leading)),
    enabled: leading !== undefined && first !== undefined && withBest.length < wanted,
  })
  const all = [...withBest, ...(more?.related.filter(isOffered) ?? [])]
  return [...new Map(all.map((product) => [product.id, product])).values()]
}

import { useQuery } from '@tanstack/react-query'
import type { ProductCard } from '#contract/catalog.ts'
import { productQuery } from '#web/api/queries.ts'

/** Products related to the first of these lines, without those that are among them. */
export function useRelated(lines: readonly { productId: string | number }[]): ProductCard[] {
  const first = lines[0]?.productId
  const { data } = useQuery({ ...productQuery(String(first)), enabled: first !== undefined })
  const among = new Set(lines.map(({ productId }) => String(productId)))
  return (data?.related ?? []).filter(({ id }) => !among.has(String(id)))
}

import { useQuery } from '@tanstack/react-query'
import { configQuery } from './queries.ts'

/** The time by the shop's clock, in milliseconds since 1970; where no money is real, that clock may be turned. */
export function useShopTime(): () => number {
  const aheadMs = useQuery(configQuery).data?.aheadMs ?? 0
  return () => Date.now() + aheadMs
}

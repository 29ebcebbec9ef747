import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MINUTE_MS } from '#shared/time.ts'
import { useApi } from '#web/api/use-api.ts'

/** Pieces of a variant, null if it cannot be bought; or the cart in the state that `signature` names, null while that changes. */
export type ToDoorOf = { variant: number | null; quantity: number } | { signature: string | null }

/** What it costs to a country's door, and when it arrives there. */
export function useToDoor(of: ToDoorOf, country: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['to door', country, of],
    queryFn: () =>
      'variant' in of && of.variant !== null
        ? api('GET /api/door', {
            query: {
              ...{ country, variantId: String(of.variant) },
              // Most ask for one: those share an answer.
              ...(of.quantity > 1 && { quantity: String(of.quantity) }),
            },
          })
        : api('GET /api/cart/code', { query: { country } }).then(({ quote }) => quote ?? null),
    enabled: country !== '' && ('variant' in of ? of.variant : of.signature) !== null,
    placeholderData: keepPreviousData,
    staleTime: MINUTE_MS,
  })
}

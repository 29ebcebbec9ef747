import { useQuery } from '@tanstack/react-query'
import type { ShippingTerms } from '#domain/catalog/shipping-terms.ts'
import { configQuery } from '#web/api/queries.ts'

/** What shipping costs today; null while nobody knows. */
export const useShippingTerms = (): ShippingTerms | null => useQuery(configQuery).data?.shipping ?? null

import { useQuery } from '@tanstack/react-query'
import type { ShippingTerms } from '#domain/catalog/shipping-terms.ts'
import { configQuery } from '#web/api/queries.ts'

/** Null while unknown. */
export const useShippingTerms = (): ShippingTerms | null => useQuery(configQuery).data?.shipping ?? null

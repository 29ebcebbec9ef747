import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Product, ProviderDetail, SyncVariant } from '#contract/catalog.ts'
import { isBuyable } from '#domain/catalog/buyable.ts'
import type { OptionVariant } from '#domain/catalog/options.ts'
import { centsFromDecimal, type Cents } from '#shared/money.ts'
import { providerDetailQuery } from '#web/api/queries.ts'

export type Variant = OptionVariant & { unitPrice: Cents | undefined }

const variantOf = ({ id, color, size, retail_price, availability_status }: SyncVariant): Variant => ({
  id,
  color: color,
  size,
  unitPrice: centsFromDecimal(retail_price),
  available: isBuyable({ availability: availability_status }),
})

const variantsOf = ({ result }: ProviderDetail): Variant[] => result.sync_variants.map(variantOf)

type VariantsOptions = {
  /** Cards load variants only after their options are opened (specification, section 7). */
  enabled: boolean
  refetchOnWindowFocus?: boolean
}

/** Disabled for a product without a provider id: its only variant needs no choice. */
export function useVariants(
  { providerProductId }: Pick<Product, 'providerProductId'>,
  { enabled, refetchOnWindowFocus = false }: VariantsOptions,
): UseQueryResult<Variant[]> {
  return useQuery({
    ...providerDetailQuery(providerProductId ?? 0),
    select: variantsOf,
    enabled: enabled && providerProductId !== null,
    refetchOnWindowFocus,
  })
}

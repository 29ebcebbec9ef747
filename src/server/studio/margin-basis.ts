import type { Destination } from '#domain/catalog/margin.ts'
import type { Address } from '#domain/checkout/address.ts'
import { STANDARD_SHIPPING } from '#domain/checkout/quote.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'

const to = (country: string, city: string, postalCode: string | null, state: string | null = null): Address => ({
  ...{ line1: '1 Main Street', line2: null, city, state, postalCode, country },
})

/** One address in each of the printer's price regions that the shop delivers to, and in the dearest countries. */
const sampleAddresses: readonly Address[] = [
  to('US', 'Austin', '78701', 'TX'),
  to('CA', 'Toronto', 'M5V 3L9', 'ON'),
  to('GB', 'London', 'SW1A 1AA'),
  to('DE', 'Berlin', '10117'),
  to('NO', 'Oslo', '0150'),
  to('AU', 'Sydney', '2000', 'NSW'),
  to('JP', 'Tokyo', '100-0001'),
  to('BR', 'São Paulo', '01310-100', 'SP'),
  to('HK', 'Hong Kong', null),
]

/**
 * What the printer charges for sending one piece to each region. A country that it does not send this piece to is left out.
 * @returns `isEstimated`: the printer gave no rate, so this is the standard rate
 */
export async function shippingOf(
  { printful }: Needs<'printful'>,
  catalogVariantId: number,
): Promise<{ destinations: Destination[]; isEstimated: boolean }> {
  let isEstimated = false
  const rates = await Promise.all(
    sampleAddresses.map(async (address): Promise<Destination[]> => {
      const { country } = address
      try {
        const { cost } = await printful.shippingRate([{ catalogVariantId, quantity: 1 }], address)
        return [{ country, shipping: cost }]
      } catch (error) {
        if (error instanceof ProviderRefusal && error.code === 'address_refused') return []
        if (!(error instanceof ProviderRefusal) && !(error instanceof ProviderUnavailable)) throw error
        isEstimated = true
        return [{ country, shipping: STANDARD_SHIPPING.cost }]
      }
    }),
  )
  return { destinations: rates.flat(), isEstimated }
}

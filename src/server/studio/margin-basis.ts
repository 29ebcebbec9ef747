import type { Blank } from '#contract/admin-blanks.ts'
import type { Address } from '#domain/checkout/address.ts'
import { STANDARD_SHIPPING } from '#domain/checkout/quote.ts'
import type { Cents } from '#shared/money.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { readSiteSettingsCached, whoPaysShipping } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'

const to = (country: string, city: string, postalCode: string | null, state: string | null = null): Address => ({
  ...{ line1: '1 Main Street', line2: null, city, state, postalCode, country },
})

/**
 * Every country of the main checkout, by the printer's price regions (printful.com/shipping, 2026): one address gives the rate of all.
 */
const regions: readonly { address: Address; countries: readonly string[] }[] = [
  { address: to('US', 'Austin', '78701', 'TX'), countries: ['US'] },
  { address: to('CA', 'Toronto', 'M5V 3L9', 'ON'), countries: ['CA'] },
  { address: to('GB', 'London', 'SW1A 1AA'), countries: ['GB'] },
  {
    address: to('DE', 'Berlin', '10117'),
    countries: [
      ...['AT', 'BE', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR'],
      ...['GR', 'HU', 'IE', 'IT', 'NL', 'PL', 'PT', 'SE'],
    ],
  },
  { address: to('NO', 'Oslo', '0150'), countries: ['NO', 'CH'] },
  { address: to('AU', 'Sydney', '2000', 'NSW'), countries: ['AU', 'NZ'] },
  { address: to('JP', 'Tokyo', '100-0001'), countries: ['JP'] },
  { address: to('BR', 'São Paulo', '01310-100', 'SP'), countries: ['BR'] },
  { address: to('HK', 'Hong Kong', null), countries: ['HK', 'KR', 'MX', 'SG'] },
]

type Rate = { cost: Cents; isEstimated: boolean }

/** @returns undefined where the printer does not send it */
async function rateTo(
  { printful }: Needs<'printful'>,
  catalogVariantId: number,
  address: Address,
): Promise<Rate | undefined> {
  try {
    const { cost } = await printful.shippingRate([{ catalogVariantId, quantity: 1 }], address)
    return { cost, isEstimated: false }
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'address_refused') return undefined
    if (!(error instanceof ProviderRefusal) && !(error instanceof ProviderUnavailable)) throw error
    return { cost: STANDARD_SHIPPING.cost, isEstimated: true }
  }
}

/**
 * @param highestShare the highest share that a partner has agreed to, in basis points
 * @returns `isEstimated`: the printer gave no rate for some countries, so these have the standard one
 */
export async function marginFactsOf(shop: Needs<'db' | 'printful' | 'config'>, blank: Blank, highestShare: number) {
  const settings = await readSiteSettingsCached(shop.db)
  const variant = blank.variants.find(({ discontinuedAt }) => discontinuedAt === null)
  const rates = await Promise.all(
    regions.map(async ({ address, countries }) => ({
      countries,
      rate: variant && (await rateTo(shop, variant.id, address)),
    })),
  )
  const usual = Math.round(settings.commission.usual * BASIS_POINTS_PER_PERCENT)
  return {
    destinations: rates.flatMap(({ countries, rate }) =>
      rate ? countries.map((country) => ({ country, shipping: rate.cost })) : [],
    ),
    isEstimated: rates.some(({ rate }) => rate?.isEstimated !== false),
    shippingPaidBy: whoPaysShipping(shop.config, settings),
    partnerShares: { usual, highest: Math.max(usual, highestShare) },
  }
}

const BASIS_POINTS_PER_PERCENT = 100

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

/** What margins depend on besides price and cost, of all products alike. */
async function marginTerms({ db, config }: Needs<'db' | 'config'>, highestShare: number) {
  const settings = await readSiteSettingsCached(db)
  const usual = Math.round(settings.commission.usual * BASIS_POINTS_PER_PERCENT)
  return {
    shippingPaidBy: whoPaysShipping(config, settings),
    partnerShares: { usual, highest: Math.max(usual, highestShare) },
  }
}

type Shipping = { destinations: { country: string; shipping: Cents }[]; isEstimated: boolean }

const shippingAt = (rates: readonly { countries: readonly string[]; rate: Rate | undefined }[]): Shipping => ({
  destinations: rates.flatMap(({ countries, rate }) =>
    rate ? countries.map((country) => ({ country, shipping: rate.cost })) : [],
  ),
  isEstimated: rates.some(({ rate }) => rate?.isEstimated !== false),
})

/**
 * @param catalogVariantId null to ask the printer for nothing, and take its standard rate everywhere
 * @param highestShare the highest share that a partner has agreed to, in basis points
 * @returns `isEstimated`: the printer gave no rate for some countries, so these have the standard one
 */
export async function marginBasisOf(
  shop: Needs<'db' | 'printful' | 'config'>,
  catalogVariantId: number | null,
  highestShare: number,
) {
  const standard = { cost: STANDARD_SHIPPING.cost, isEstimated: true }
  const rates = await Promise.all(
    regions.map(async ({ address, countries }) => ({
      countries,
      rate: catalogVariantId === null ? standard : await rateTo(shop, catalogVariantId, address),
    })),
  )
  return { ...shippingAt(rates), ...(await marginTerms(shop, highestShare)) }
}

/** The same of a blank that was chosen; without variants that are made, it is sent nowhere. */
export async function marginFactsOf(shop: Needs<'db' | 'printful' | 'config'>, blank: Blank, highestShare: number) {
  const variant = blank.variants.find(({ discontinuedAt }) => discontinuedAt === null)
  if (variant) return marginBasisOf(shop, variant.id, highestShare)
  return { ...{ destinations: [], isEstimated: true }, ...(await marginTerms(shop, highestShare)) }
}

const BASIS_POINTS_PER_PERCENT = 100

import { BASIS_POINTS_PER_PERCENT } from '#site/settings.ts'
import { share, sum, times, type Cents } from '#shared/money.ts'
import { isShippingFree, quoteFor, shippingTo, type PricedLine, type Quote, type QuoteInputs } from './quote.ts'

// What a cart costs to the door of a country, before an address is known.

/** A tax that a whole country has, in its tax source's words. */
type CountryRate = { jurisdiction: string; type: string; percentage: string }

/**
 * What is known of the tax on a parcel to a country. `by_region`: the state or province decides. `none`: we collect nothing there.
 * `unknown`: the tax source does not answer.
 */
export type CountryTax =
  | { kind: 'rates'; rates: readonly CountryRate[] }
  | { kind: 'by_region' }
  | { kind: 'none' }
  | { kind: 'unknown' }

const taxedByRegion: readonly string[] = ['US', 'CA']

export const isTaxedByRegion = (country: string): boolean => taxedByRegion.includes(country)

/** Hundredths of a percent. Countries’ rates have at most two decimals. */
const basisPointsOf = ({ percentage }: CountryRate): number => Math.round(Number(percentage) * BASIS_POINTS_PER_PERCENT)

/** As tax sources round: each rate of each line and of the shipping to a cent. */
const taxAmount = (rate: CountryRate, lines: readonly PricedLine[], shipping: Cents): Cents =>
  sum(
    [...lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity)), shipping].map((taxed) =>
      share(taxed, basisPointsOf(rate)),
    ),
  )

/**
 * What a quote's total does not contain, as a sentence.
 * @param tax without it, the tax of the address is in the quote
 */
export const leftOut = (
  country: string,
  quote: Pick<Quote, 'collectedAtDelivery'>,
  tax?: CountryTax,
): string | undefined => {
  if (tax?.kind === 'by_region')
    return country === 'US' ? 'Plus state sales tax, if any.' : 'Plus provincial sales tax.'
  if (tax?.kind === 'unknown') return 'Plus tax, which we can’t tell right now.'
  return customsNotices(quote)[0]
}

export const customsNotices = ({ collectedAtDelivery }: Pick<Quote, 'collectedAtDelivery'>): string[] =>
  collectedAtDelivery ? ['Your customs may ask for taxes on delivery.'] : []

/**
 * The quote of a cart for a country: goods, shipping and surcharges as they will be charged, and the tax by the country's rate, which
 * regions such as the Canary Islands do not have. So whatever shows it calls tax and total estimated.
 */
export function quoteToDoor(
  country: string,
  lines: readonly PricedLine[],
  tax: CountryTax,
  inputs: Omit<QuoteInputs, 'tax' | 'arrival' | 'shownRate'> & Partial<Pick<QuoteInputs, 'arrival' | 'shownRate'>>,
): Quote {
  const shipping = shippingTo(country, lines, inputs.rate, isShippingFree(inputs.discounts)).cost
  const breakdown = (tax.kind === 'rates' ? tax.rates : []).map((one) => ({
    ...one,
    amount: taxAmount(one, lines, shipping),
  }))
  const estimated = tax.kind === 'by_region' || tax.kind === 'unknown'
  const amount = sum(breakdown.map((one) => one.amount))
  return quoteFor(country, lines, { amount, breakdown, estimated }, inputs)
}

import type { WireQuote } from '#contract/quote.ts'
import { arrivalWindow, datesOf, dayOf, type Window } from '#domain/catalog/arrival.ts'
import { indicativeText } from '#domain/checkout/indicative.ts'
import type { Quote } from '#domain/checkout/quote.ts'
import { taxNameOf } from '#domain/checkout/tax-name.ts'
import { leftOut, type CountryTax } from '#domain/checkout/to-door.ts'
import { plus, sum } from '#shared/money.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'

/** When what is ordered now arrives in a country. */
export const arrivalTo = async ({ db, clock }: Needs<'db' | 'clock'>, country: string): Promise<Window> =>
  arrivalWindow(dayOf(clock.now()), country, await readSiteSettingsCached(db))

/**
 * A quote as product page, cart and checkout show it.
 * @param tax what is known of it before an address
 */
export async function wireQuoteOf(
  shop: Needs<'db' | 'clock'>,
  quote: Quote,
  country: string,
  tax?: CountryTax,
): Promise<WireQuote> {
  const { currencyRates } = await readSiteSettingsCached(shop.db)
  const arrival = quote.arrival ?? (await arrivalTo(shop, country))
  const about = indicativeText(quote.total, country, currencyRates, dayOf(shop.clock.now()))
  return { ...toWireQuote({ ...quote, arrival }, country, tax), ...(about !== undefined && { about }) }
}

/** The same without the country's currency. */
export function toWireQuote(
  quote: Quote & { arrival: Window },
  country: string,
  tax?: CountryTax,
): Omit<WireQuote, 'about'> {
  const { subtotal, discounts = [], shipping, surcharge, taxLabel, vatProtection, total, giftCard } = quote
  const discount = sum(discounts.map(({ amount }) => amount))
  const left = leftOut(country, quote, tax)
  return {
    currency: 'USD',
    goods: plus(subtotal, discount),
    ...{ discount, shipping, surcharge, tax: quote.tax, taxLabel, vatProtection, total },
    taxName: taxNameOf(quote.taxBreakdown) ?? null,
    ...(giftCard && { giftCard }),
    arrival: datesOf(quote.arrival),
    collectedAtDelivery: quote.collectedAtDelivery ?? false,
    ...(left !== undefined && { left }),
  }
}

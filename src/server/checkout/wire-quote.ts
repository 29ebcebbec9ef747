import type { WireQuote } from '#contract/quote.ts'
import { arrivalWindow, datesOf, dayOf, type Window } from '#domain/catalog/arrival.ts'
import { indicativeText, rateTo } from '#domain/checkout/indicative.ts'
import type { Quote, QuoteInputs } from '#domain/checkout/quote.ts'
import { taxNameOf } from '#domain/checkout/tax-name.ts'
import { leftOut, type CountryTax } from '#domain/checkout/to-door.ts'
import { toPayOf } from '#domain/gift-cards/gift-card.ts'
import { plus, sum } from '#shared/money.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'

/** What is told beside amounts: when what is ordered now arrives in a country, and the rate of that country's currency. */
export async function toldTo(
  { db, clock }: Needs<'db' | 'clock'>,
  country: string,
): Promise<Pick<QuoteInputs, 'arrival'> & Partial<Pick<QuoteInputs, 'shownRate'>>> {
  const site = await readSiteSettingsCached(db)
  const today = dayOf(clock.now())
  const shownRate = rateTo(country, site.currencyRates, today)
  return { arrival: arrivalWindow(today, country, site), ...(shownRate && { shownRate }) }
}

/** What is charged, in the country's currency; missing without a rate. */
export const aboutOf = (quote: Pick<Quote, 'total' | 'giftCard' | 'shownRate'>): { about?: string } =>
  quote.shownRate ? { about: indicativeText(toPayOf(quote), quote.shownRate) } : {}

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
  return toWireQuote({ ...(await toldTo(shop, country)), ...quote }, country, tax)
}

/** The same of a quote that has its arrival. */
export function toWireQuote(quote: Quote & { arrival: Window }, country: string, tax?: CountryTax): WireQuote {
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
    ...aboutOf(quote),
    ...(left !== undefined && { left }),
  }
}

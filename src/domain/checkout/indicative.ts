import type { SiteSettings } from '#site/shop-rules.ts'
import { dayFromIso, type CalendarDay } from '#shared/calendar-day.ts'
import { aboutIn, type Cents } from '#shared/money.ts'

const currencies: Readonly<Record<string, string>> = {
  ...{ AU: 'AUD', BR: 'BRL', CA: 'CAD', CZ: 'CZK', DK: 'DKK', HK: 'HKD', HU: 'HUF', JP: 'JPY', MX: 'MXN', NZ: 'NZD' },
  ...{ NO: 'NOK', PL: 'PLN', SG: 'SGD', KR: 'KRW', SE: 'SEK', CH: 'CHF', GB: 'GBP' },
  ...{ AT: 'EUR', BE: 'EUR', FI: 'EUR', FR: 'EUR', DE: 'EUR', GR: 'EUR', IE: 'EUR', IT: 'EUR', NL: 'EUR', PT: 'EUR' },
  ES: 'EUR',
}

/** Of the countries we deliver to, without our own. */
export const indicativeCurrencies: readonly string[] = [...new Set(Object.values(currencies))]

/** How old a rate may be, in days. */
const RATE_DAYS_MAX = 7

/** Units of a currency for a US dollar on a day. */
export type Rate = SiteSettings['currencyRates'][number]

function isShown({ day: iso }: Pick<Rate, 'day'>, today: CalendarDay): boolean {
  const day = dayFromIso(iso)
  return day !== undefined && day <= today && today - day <= RATE_DAYS_MAX
}

/** Rates that nobody sees: older than a week, or of a day to come. */
export const hiddenRates = <R extends Pick<Rate, 'day'>>(rates: readonly R[], today: CalendarDay): R[] =>
  rates.filter((rate) => !isShown(rate, today))

/** @returns undefined at home, and without a rate of the last seven days */
export const rateTo = (country: string, rates: readonly Rate[], today: CalendarDay): Rate | undefined =>
  rates.find((rate) => rate.currency === currencies[country] && isShown(rate, today))

/** An amount in another currency, for people to compare: `about 29 EUR, charged in US dollars`. Nothing is computed from it. */
export const indicativeText = (amount: Cents, { perDollar, currency }: Pick<Rate, 'perDollar' | 'currency'>): string =>
  `about ${aboutIn(amount, perDollar)} ${currency}, charged in US dollars`

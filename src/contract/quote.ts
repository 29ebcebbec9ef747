import * as z from 'zod/mini'
import { centsAnswer } from './wire.ts'

/** What a gift card pays, named by the last characters of its code; missing without one. */
export const GiftCardAnswer = z.optional(z.object({ lastFour: z.string(), amount: centsAnswer }))

/** ISO dates, both days included. */
export const ArrivalDates = z.object({ from: z.iso.date(), to: z.iso.date() })

/**
 * A quote: the same object on product page, cart and checkout. Total = goods - discount + shipping + tax + VAT protection. Before an address is
 * known, tax and total are estimated.
 */
export const WireQuote = z.object({
  currency: z.literal('USD'),
  /** At the catalog's prices. */
  goods: centsAnswer,
  /** What codes and automatic discounts take off the goods. */
  discount: centsAnswer,
  /** With the surcharge. */
  shipping: centsAnswer,
  surcharge: centsAnswer,
  tax: centsAnswer,
  /** 'Sales Tax' for the US, otherwise 'Country Consumption Tax'. */
  taxLabel: z.string(),
  /** Such as `German VAT 19%`; null without tax. */
  taxName: z.nullable(z.string()),
  /** The printer's consumption tax. */
  vatProtection: centsAnswer,
  total: centsAnswer,
  /** Its part of the total; only at the checkout. */
  giftCard: GiftCardAnswer,
  arrival: ArrivalDates,
  /** Whether nothing is collected now, so that customs may ask. */
  collectedAtDelivery: z.boolean(),
  /** What the total does not contain, as a sentence; missing if it contains everything. */
  left: z.optional(z.string()),
  /** What is charged in the country's currency: `about 29 EUR, charged in US dollars`; missing without a rate of the last days. */
  about: z.optional(z.string()),
})
export type WireQuote = z.output<typeof WireQuote>

const COUNTRY_SENTENCE = 'Please choose a country'
export const quotedCountry = z.string(COUNTRY_SENTENCE).check(z.regex(/^[A-Z]{2}$/, COUNTRY_SENTENCE))

/** Of a quote before an address is known. */
export const quoteRefusals = [
  'country_unsupported',
  'country_blocked',
  'provider_unavailable',
  'unknown_variant',
  'sold_out',
] as const

import { spokenLanguage } from '#shared/language.ts'
import { formatUsd } from '#shared/money.ts'
import { say } from '#words/say.ts'
import { clauses, countriesOf, shippingFootnote, surchargesIn, type ShippingTerms } from './shipping-terms.ts'

// Shipping costs as legal pages describe them: apart from the other sentences, which every first page loads.

const BEFORE_PAYMENT = 'You see the shipping cost before you pay'

/** For the Terms of Service. Translations of legal pages have the footnote's words. */
export function shippingInTerms(terms: ShippingTerms | null): string {
  if (spokenLanguage() !== 'en') return shippingFootnote(terms)
  if (!terms) return `${BEFORE_PAYMENT}.`
  const asked = clauses(
    terms.surcharges.map(
      ({ amount, products, countries }) =>
        `a surcharge of ${formatUsd(amount)} USD for each of the ${products} sent to ${countriesOf(countries)}`,
    ),
  )
  if (terms.isFree) return `Shipping is free worldwide${asked && `, except ${asked}`}.`
  return `Shipping costs what the carrier charges for your address${asked && `, and ${asked}`}.`
}

/** The costs section of Shipping & Returns; `rule` is bold. */
export function shippingInPolicy(terms: ShippingTerms | null): { rule: string; exceptions: string } {
  if (spokenLanguage() !== 'en') return { rule: shippingFootnote(terms), exceptions: '' }
  if (!terms) return { rule: BEFORE_PAYMENT, exceptions: '.' }
  const { isFree, surcharges } = terms
  const rule = isFree ? 'Shipping is free worldwide' : 'Shipping costs what the carrier charges for your address'
  const asked = clauses(
    surcharges.map(
      ({ amount, products, countries, piece }) =>
        `${products} sent to ${countriesOf(countries)} carry a surcharge of ${formatUsd(amount)} USD per ${piece}`,
    ),
  )
  if (!asked) return { rule, exceptions: '.' }
  const exceptions =
    surcharges.length === 1 ? 'with one exception' : `with ${countInWords(surcharges.length)} exceptions`
  return { rule, exceptions: isFree ? `, ${exceptions}: ${asked}.` : `. Besides, ${asked}.` }
}

/**
 * The summary on Shipping & Returns: `shipped free worldwide (with a $34.99 surcharge for pillows to four countries)`.
 */
export function shippingInBrief(terms: ShippingTerms | null): string {
  if (!terms) return say('shipped worldwide')
  const shipped = terms.isFree ? say('shipped free worldwide') : say('shipped worldwide at the carrier’s rate')
  if (spokenLanguage() !== 'en') return `${shipped}${terms.surcharges.length > 0 ? ` (${surchargesIn(terms)})` : ''}`
  const asked = clauses(
    terms.surcharges.map(
      ({ amount, pieces, countries }) =>
        `a ${formatUsd(amount)} surcharge for ${pieces} to ${numberOf(countries.length, 'country', 'countries')}`,
    ),
  )
  return `${shipped}${asked && ` (with ${asked})`}`
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const countInWords = (count: number): string => numbers[count] ?? String(count)
const numberOf = (count: number, one: string, several: string): string =>
  `${countInWords(count)} ${count === 1 ? one : several}`

import { formatList } from '#site/text-format.ts'
import { countryName, isDelivered, mainCountries } from '#domain/checkout/countries.ts'
import { centsFromDecimal, formatUsd, type Cents } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'
import type { ProductMetadata } from './metadata.ts'
import { productTypeOf, type ProductType } from './product-types.ts'

/*
 * Every sentence about shipping costs and destinations, but for those of legal pages. The figures are the ones charged: from product metadata and
 * shop settings.
 */

type Surcharge = NonNullable<ProductMetadata['shippingSurcharge']>
type Restrictions = NonNullable<ProductMetadata['restrictions']>

/** Products of one type with the same surcharge. */
export type SurchargedProducts = {
  type: string
  amount: Cents
  regions: readonly string[]
  /** The total count; `names` holds the first of them. */
  count: number
  names: readonly string[]
  /** Whether these are all visible products of the type. */
  isWholeType: boolean
}

/** A surcharge as pages describe it. */
export type SurchargeTerm = {
  /** Per piece, in cents. */
  amount: Cents
  /** Codes of countries we ship to. */
  countries: readonly string[]
  /** `premium pillow products`, or the product names. */
  products: string
  /** Short singular and plural: `pillow`, `pillows`. */
  piece: string
  pieces: string
}

/** Shipping terms. `isFree`: the shop pays the carrier, except for surcharges; otherwise the shopper pays. */
export type ShippingTerms = { isFree: boolean; surcharges: readonly SurchargeTerm[] }

/** More products than this are not listed by name. */
export const NAMED_MAX = 3

const deliveredAmong = (regions: readonly string[]): string[] => [...new Set(regions.filter(isDelivered))]

/** Groups equal amounts for the same countries into one term, most expensive first. */
export function surchargeTermsOf(
  groups: readonly SurchargedProducts[],
  types: readonly ProductType[],
): SurchargeTerm[] {
  const asked = groups
    .map((group) => ({ ...group, countries: deliveredAmong(group.regions) }))
    .filter(({ amount, countries }) => amount > 0 && countries.length > 0)
  const alike = Map.groupBy(asked, ({ amount, countries }) => `${amount} ${countries.toSorted().join()}`)
  return [...alike.values()]
    .flatMap((group) => {
      const [first] = group
      if (!first) return []
      const words = productTypeOf(types, first.type)
      const isOneType = group.every(({ type }) => type === first.type)
      const { piece, pieces } = isOneType ? words : { piece: 'piece', pieces: 'some products' }
      const products = formatList(group.flatMap((products) => namesOf(products, types)))
      return [{ amount: first.amount, countries: first.countries, products, piece, pieces }]
    })
    .toSorted((a, b) => b.amount - a.amount)
}

function namesOf({ type, count, names, isWholeType }: SurchargedProducts, types: readonly ProductType[]): string[] {
  const { pieces, allProducts } = productTypeOf(types, type)
  if (isWholeType) return [allProducts ?? pieces]
  return count <= NAMED_MAX ? [...names] : [`some ${pieces}`]
}

export const countriesOf = (codes: readonly string[], last: 'and' | 'or' = 'and'): string =>
  formatList(codes.map(countryName), last)

/** Joins clauses that contain commas. */
export const clauses = ([first = '', ...more]: readonly string[]): string =>
  more.reduce(
    (before, last, index) =>
      index === more.length - 1 ? say('{before}; and {last}', { before, last }) : `${before}; ${last}`,
    first,
  )

export const surchargesIn = (terms: ShippingTerms): string =>
  clauses(
    terms.surcharges.map(({ amount, products, countries }) =>
      say('a {amount} surcharge on {products} to {countries}', {
        amount: formatUsd(amount),
        products: sayKnown(products),
        countries: countriesOf(countries),
      }),
    ),
  )

/** Every page's footnote. @param terms null if they could not be read */
export function shippingFootnote(terms: ShippingTerms | null): string {
  if (!terms) return say('You see the shipping cost before you pay.')
  const surcharges = surchargesIn(terms)
  if (terms.isFree)
    return surcharges
      ? say('Free shipping worldwide, except {surcharges}.', { surcharges })
      : say('Free shipping worldwide.')
  return surcharges
    ? say('Shipping costs what the carrier charges, with {surcharges}. It is shown before you pay.', { surcharges })
    : say('Shipping costs what the carrier charges. It is shown before you pay.')
}

/** The home page's sentence about shipping costs. */
export function shippingAtHome(terms: ShippingTerms | null): string {
  if (!terms) return say('You see the shipping cost before you pay.')
  const surcharged = clauses(
    terms.surcharges.map(({ pieces, countries }) =>
      say('{pieces} to {countries}', { pieces: sayKnown(pieces), countries: countriesOf(countries) }),
    ),
  )
  const rule = terms.isFree ? say('Free shipping worldwide.') : say('Shipping costs what the carrier charges.')
  return surcharged ? `${rule} ${say('({pieces} cost extra.)', { pieces: capitalize(surcharged) })}` : rule
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Discloses a product's surcharge before payment. Fills in `{amount}` and `{countries}` in its description. A
 * description with neither gets a sentence appended; one with other figures was written for a different surcharge and
 * is replaced.
 */
export function surchargeSentence({ amount, regions, description }: Surcharge): string {
  const codes = deliveredAmong(regions)
  const countries = countriesOf(codes, 'or')
  const written = description.replaceAll('{amount}', () => formatUsd(amount)).replaceAll('{countries}', () => countries)
  const sums = [...written.matchAll(SUMS)].map(([, dollars, decimal, named]) =>
    centsFromDecimal((dollars ?? decimal ?? named ?? '').replaceAll(',', '')),
  )
  const named = countriesIn(written)
  const fits =
    sums.every((sum) => sum === amount) &&
    (named.length === 0 || (named.length === codes.length && named.every((code) => codes.includes(code))))
  const generated = `Each one adds ${formatUsd(amount)} to an order going to ${countries}.`
  if (!fits) return generated
  if (sums.length > 0) return written
  return `${written.trim().replace(/[^.!?]$/, '$&.')} ${generated}`
}

/** Matches `$34.99`, `34.99`, `35 USD`. */
const SUMS = /\$\s?(\d[\d,]*(?:\.\d+)?)|(\d+\.\d\d)(?!\d)|(\d+)\s?(?:USD|dollars)/gi

const countriesIn = (text: string): string[] =>
  mainCountries.filter((code) => new RegExp(`\\b${countryName(code)}\\b`).test(text))

/** What a product page shows about shipping beside the price, in English (`sayNotice`). Skips countries we do not ship to. */
export function disclosuresOf({ shippingSurcharge, restrictions }: ProductMetadata): string[] {
  const isAsked = shippingSurcharge?.enabled && deliveredAmong(shippingSurcharge.regions).length > 0
  return [
    ...(isAsked ? [surchargeSentence(shippingSurcharge)] : []),
    ...(restrictions ? restrictionSentences(restrictions) : []),
  ]
}

function restrictionSentences({ blockedCountries, delayRegions, minimumAge }: Restrictions): string[] {
  const [blocked, delayed] = [deliveredAmong(blockedCountries), deliveredAmong(delayRegions)]
  return [
    ...(blocked.length > 0 ? [`Doesn’t ship to ${countriesOf(blocked, 'or')}.`] : []),
    ...(delayed.length > 0 ? [`Takes longer than usual to reach ${countriesOf(delayed)}.`] : []),
    ...(minimumAge ? [`For ages ${minimumAge} and over only.`] : []),
  ]
}

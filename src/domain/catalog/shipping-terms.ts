import { formatList } from '#site/text-format.ts'
import { countryName, isDelivered, mainCountries } from '#domain/checkout/countries.ts'
import { centsFromDecimal, formatUsd, type Cents } from '#shared/money.ts'
import type { ProductMetadata } from './metadata.ts'
import type { ProductType } from './product-types.ts'

/*
 * Every sentence about what shipping costs and where products are sent. Its figures are those that are charged: the
 * products' own metadata and the shop's setting.
 */

type Surcharge = NonNullable<ProductMetadata['shippingSurcharge']>
type Restrictions = NonNullable<ProductMetadata['restrictions']>

/** Products of one type that ask the same surcharge. */
export type SurchargedProducts = {
  type: ProductType
  amount: Cents
  regions: readonly string[]
  /** How many they are; `names` are the first of them. */
  count: number
  names: readonly string[]
  /** Whether every product of the type that shoppers see is among them. */
  isWholeType: boolean
}

/** A surcharge as pages put it into words. */
export type SurchargeTerm = {
  /** For each piece, in cents. */
  amount: Cents
  /** Codes of countries that we deliver to. */
  countries: readonly string[]
  /** `premium pillow products`, or the products’ names. */
  products: string
  /** One and several of them, shortly: `pillow`, `pillows`. */
  piece: string
  pieces: string
}

/** What shipping costs. `isFree`: but for the surcharges the shop pays the carrier, otherwise the shopper does. */
export type ShippingTerms = { isFree: boolean; surcharges: readonly SurchargeTerm[] }

type TypeNames = { piece: string; pieces: string; products?: string }

const namesByType: Readonly<Record<ProductType, TypeNames>> = {
  'vented-hat': { piece: 'vented hat', pieces: 'vented hats' },
  hat: { piece: 'hat', pieces: 'hats' },
  visor: { piece: 'visor', pieces: 'visors' },
  't-shirt': { piece: 't-shirt', pieces: 't-shirts' },
  polo: { piece: 'polo', pieces: 'polos' },
  mug: { piece: 'mug', pieces: 'mugs' },
  'water-bottle': { piece: 'water bottle', pieces: 'water bottles' },
  pillow: { piece: 'pillow', pieces: 'pillows', products: 'premium pillow products' },
  blanket: { piece: 'blanket', pieces: 'blankets' },
  tote: { piece: 'tote bag', pieces: 'tote bags' },
  'can-cooler': { piece: 'can cooler', pieces: 'can coolers' },
  'mouse-pad': { piece: 'mouse pad', pieces: 'mouse pads' },
}

/** More products than this are not named one by one. */
export const NAMED_MAX = 3

const deliveredAmong = (regions: readonly string[]): string[] => [...new Set(regions.filter(isDelivered))]

/** Everything that asks the same amount for the same countries is one term; the dearest comes first. */
export function surchargeTermsOf(groups: readonly SurchargedProducts[]): SurchargeTerm[] {
  const asked = groups
    .map((group) => ({ ...group, countries: deliveredAmong(group.regions) }))
    .filter(({ amount, countries }) => amount > 0 && countries.length > 0)
  const alike = Map.groupBy(asked, ({ amount, countries }) => `${amount} ${countries.toSorted().join()}`)
  return [...alike.values()]
    .flatMap((group) => {
      const [first] = group
      if (!first) return []
      const words = namesByType[first.type]
      const isOneType = group.every(({ type }) => type === first.type)
      const { piece, pieces } = isOneType ? words : { piece: 'piece', pieces: 'some products' }
      const products = formatList(group.flatMap(namesOf))
      return [{ amount: first.amount, countries: first.countries, products, piece, pieces }]
    })
    .toSorted((a, b) => b.amount - a.amount)
}

function namesOf({ type, count, names, isWholeType }: SurchargedProducts): string[] {
  const { pieces, products = pieces } = namesByType[type]
  if (isWholeType) return [products]
  return count <= NAMED_MAX ? [...names] : [`some ${pieces}`]
}

const countriesOf = (codes: readonly string[], last: 'and' | 'or' = 'and'): string =>
  formatList(codes.map(countryName), last)

/** Clauses that have commas in them. */
const clauses = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join('; ')}; and ${parts.at(-1)}`

const BEFORE_PAYMENT = 'What shipping costs is shown before you pay'

/** The footnote of every page. @param terms null while they cannot be read */
export function shippingFootnote(terms: ShippingTerms | null): string {
  if (!terms) return `${BEFORE_PAYMENT}.`
  const asked = clauses(
    terms.surcharges.map(
      ({ amount, products, countries }) =>
        `a ${formatUsd(amount)} surcharge on ${products} to ${countriesOf(countries)}`,
    ),
  )
  if (terms.isFree) return `Free shipping worldwide${asked && `, except ${asked}`}.`
  return `Shipping costs what the carrier charges${asked && `, with ${asked}`}. It is shown before you pay.`
}

/** The same in the Terms of Service. */
export function shippingInTerms(terms: ShippingTerms | null): string {
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

/** The section on costs of Shipping & Returns: what comes first is printed boldly. */
export function shippingInPolicy(terms: ShippingTerms | null): { rule: string; exceptions: string } {
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

/** What a hurried reader of Shipping & Returns learns: `shipped free worldwide (with a $34.99 surcharge for pillows to four countries)`. */
export function shippingInBrief(terms: ShippingTerms | null): string {
  if (!terms) return 'shipped worldwide'
  const asked = clauses(
    terms.surcharges.map(
      ({ amount, pieces, countries }) =>
        `a ${formatUsd(amount)} surcharge for ${pieces} to ${numberOf(countries.length, 'country', 'countries')}`,
    ),
  )
  return `shipped ${terms.isFree ? 'free worldwide' : 'worldwide at the carrier’s rate'}${asked && ` (with ${asked})`}`
}

/** The home page's sentence about what shipping costs. */
export function shippingAtHome(terms: ShippingTerms | null): string {
  if (!terms) return `${BEFORE_PAYMENT}.`
  const surcharged = clauses(terms.surcharges.map(({ pieces, countries }) => `${pieces} to ${countriesOf(countries)}`))
  const rule = terms.isFree ? 'Free shipping worldwide.' : 'Shipping costs what the carrier charges.'
  return surcharged ? `${rule} (${capitalize(surcharged)} cost extra.)` : rule
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const countInWords = (count: number): string => numbers[count] ?? String(count)
const numberOf = (count: number, one: string, several: string): string =>
  `${countInWords(count)} ${count === 1 ? one : several}`

/**
 * What a product's surcharge is, before payment. The description may have `{amount}` and `{countries}` in it, which are filled
 * in. Where it names neither, a sentence that does follows; where it names others, it was written for another surcharge, and
 * the sentence stands alone.
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

/** `$34.99`, `34.99`, `35 USD`. */
const SUMS = /\$\s?(\d[\d,]*(?:\.\d+)?)|(\d+\.\d\d)(?!\d)|(\d+)\s?(?:USD|dollars)/gi

const countriesIn = (text: string): string[] =>
  mainCountries.filter((code) => new RegExp(`\\b${countryName(code)}\\b`).test(text))

/**
 * What a product's page says of it beside its price, as it is quoted. A country that we deliver nothing to is not spoken of:
 * no checkout offers it.
 */
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
    ...(blocked.length > 0 ? [`Not sent to ${countriesOf(blocked, 'or')}.`] : []),
    ...(delayed.length > 0 ? [`Takes longer than usual to reach ${countriesOf(delayed)}.`] : []),
    ...(minimumAge ? [`Sold to people of ${minimumAge} and over.`] : []),
  ]
}

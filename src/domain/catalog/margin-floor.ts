import { formatList } from '#site/text-format.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { formatUsd, negate, ZERO, type Cents } from '#shared/money.ts'
import { salesBelowFloor, salesOfPiece, type MarginBasis, type SaleMargin } from './margin.ts'

export type PricedPiece = { price: Cents; basis: MarginBasis }

/** @property before missing for what was not sold before */
export type PieceChange = { product: string; before?: PricedPiece | undefined; after: PricedPiece }

/** A product of which some sales leave less than the owner's floor, and less than before. */
export type ProductBelowFloor = { product: string; worst: SaleMargin; countries: string[] }

/** Shares change; that a partner has one is the same sale. */
const saleKey = ({ country, paidBy, share }: SaleMargin): string =>
  `${country} ${paidBy} ${share === 0 ? 'alone' : 'partner'}`

/** Sales of a piece that fall below the floor by a change, or further below it. What gets better is never asked about. */
export function salesMadeWorse({ before, after }: PieceChange): SaleMargin[] {
  const below = salesBelowFloor(after.price, after.basis)
  if (!before || !below.length) return below
  const was = new Map(salesOfPiece(before.price, before.basis).map((sale) => [saleKey(sale), sale.margin]))
  return below.filter((sale) => sale.margin < (was.get(saleKey(sale)) ?? Infinity))
}

/** By product, the worst first. */
export function productsBelowFloor(changes: readonly PieceChange[]): ProductBelowFloor[] {
  const found = new Map<string, ProductBelowFloor>()
  for (const change of changes) {
    for (const sale of salesMadeWorse(change)) {
      const { product } = change
      const { worst = sale, countries = [] } = found.get(product) ?? {}
      found.set(product, {
        product,
        worst: sale.margin < worst.margin ? sale : worst,
        countries: countries.includes(sale.country) ? countries : [...countries, sale.country],
      })
    }
  }
  return [...found.values()].toSorted((a, b) => a.worst.margin - b.worst.margin)
}

const leftOf = (margin: Cents): string =>
  margin < ZERO ? `loses ${formatUsd(negate(margin))}` : `leaves ${formatUsd(margin)}`

/** `sent to Brazil, paid by PayPal, with a partner’s 12%` */
export const saleText = ({ country, paidBy, share }: SaleMargin): string =>
  `sent to ${countryName(country)}, paid by ${paidBy}${share > 0 ? `, with a partner’s ${formatRate(share)}` : ''}`

const COUNTRIES_NAMED = 5

export function countriesText(countries: readonly string[]): string {
  const more = countries.length - COUNTRIES_NAMED
  const names = countries.slice(0, more > 0 ? COUNTRIES_NAMED : undefined).map(countryName)
  return formatList(more > 0 ? [...names, `${more} more`] : names)
}

/** What the owner is asked about: the worst sale, the countries, and how many products more. @param found at least one */
export function floorSentence(found: readonly ProductBelowFloor[], floor: Cents): string {
  const [first] = found
  if (!first) return ''
  const { product, worst, countries } = first
  const more = found.length - 1
  return [
    `With this, one ${product} ${leftOf(worst.margin)} when ${saleText(worst)}.`,
    ...(floor === ZERO ? [] : [`You want at least ${formatUsd(floor)} to be left.`]),
    `It concerns ${countriesText(countries)}${more > 0 ? `, and ${more} more ${more === 1 ? 'product' : 'products'}` : ''}.`,
  ].join(' ')
}

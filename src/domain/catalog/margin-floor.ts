import { formatList } from '#site/text-format.ts'
import { countryInSentence, countryName } from '#domain/checkout/countries.ts'
import { formatRate } from '#domain/partners/rates.ts'
import type { ProductId } from '#shared/ids.ts'
import { formatUsd, negate, ZERO, type Cents } from '#shared/money.ts'
import { salesBelowFloor, salesOfPiece, type MarginBasis, type SaleMargin } from './margin.ts'

export type PricedPiece = { price: Cents; basis: MarginBasis }

/** @property productId null before there is a product @property before missing for what was not sold before */
export type PieceChange = {
  productId: ProductId | null
  product: string
  before?: PricedPiece | undefined
  after: PricedPiece
}

/** A product of which some sales leave less than the owner's floor, and less than before. */
export type ProductBelowFloor = Pick<PieceChange, 'productId' | 'product'> & { worst: SaleMargin; countries: string[] }

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
  const found = new Map<ProductId | null, ProductBelowFloor>()
  for (const change of changes) {
    for (const sale of salesMadeWorse(change)) {
      const { productId, product } = change
      const { worst = sale, countries = [] } = found.get(productId) ?? {}
      found.set(productId, {
        ...{ productId, product },
        worst: sale.margin < worst.margin ? sale : worst,
        countries: countries.includes(sale.country) ? countries : [...countries, sale.country],
      })
    }
  }
  return worstFirst([...found.values()])
}

const worstFirst = (products: readonly ProductBelowFloor[]): ProductBelowFloor[] =>
  products.toSorted((a, b) => a.worst.margin - b.worst.margin)

/** What a change of many pieces does. @property products the worst twenty, the worst first @property count of all */
export type FoundBelowFloor = {
  floor: Cents
  products: ProductBelowFloor[]
  count: number
  /** Codes and automatic discounts that were counted too, because they combine. */
  together?: string[]
}

const PRODUCTS_NAMED = 20

/** Adds a batch of changes. All pieces of a product come in one batch. */
export function addBelowFloor(
  { floor, products, count }: FoundBelowFloor,
  changes: readonly PieceChange[],
): FoundBelowFloor {
  const found = productsBelowFloor(changes)
  return {
    floor: changes[0]?.after.basis.floor ?? floor,
    products: worstFirst([...products, ...found]).slice(0, PRODUCTS_NAMED),
    count: count + found.length,
  }
}

export const NONE_BELOW_FLOOR: FoundBelowFloor = { floor: ZERO, products: [], count: 0 }

const leftOf = (margin: Cents): string =>
  margin < ZERO ? `loses ${formatUsd(negate(margin))}` : `leaves ${formatUsd(margin)}`

/** `sent to Brazil, paid by PayPal, with a partner’s 12% and RUDY10` */
export function saleText({ country, paidBy, share, code }: SaleMargin): string {
  const less = [...(share > 0 ? [`a partner’s ${formatRate(share)}`] : []), ...(code === undefined ? [] : [code])]
  return `sent to ${countryInSentence(country)}, paid by ${paidBy}${less.length > 0 ? `, with ${formatList(less)}` : ''}`
}

const COUNTRIES_NAMED = 5

export function countriesText(countries: readonly string[]): string {
  const more = countries.length - COUNTRIES_NAMED
  const names = countries.slice(0, more > 0 ? COUNTRIES_NAMED : undefined).map(countryName)
  return formatList(more > 0 ? [...names, `${more} more`] : names)
}

const DISCOUNTS_NAMED = 5

/** Of codes and automatic discounts that are counted together. */
export function togetherSentence(names: readonly string[]): string {
  const more = names.length - DISCOUNTS_NAMED
  const named = names.slice(0, more > 0 ? DISCOUNTS_NAMED : undefined)
  return `Counted is what it takes off together with ${formatList(more > 0 ? [...named, `${more} more`] : named)}.`
}

/** What the owner is asked about: the worst sale, the countries, and how many products more; empty without any. */
export function floorSentence({ floor, products: [first], count, together = [] }: FoundBelowFloor): string {
  if (!first) return ''
  const { product, worst, countries } = first
  const more = count - 1
  return [
    `With this, one ${product} ${leftOf(worst.margin)} when ${saleText(worst)}.`,
    ...(floor === ZERO ? [] : [`You want at least ${formatUsd(floor)} to be left.`]),
    `It concerns ${countriesText(countries)}${more > 0 ? `, and ${more} more ${more === 1 ? 'product' : 'products'}` : ''}.`,
    ...(together.length > 0 ? [togetherSentence(together)] : []),
  ].join(' ')
}

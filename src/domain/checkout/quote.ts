import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents, plus, share, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { surchargeTo, type ProductMetadata } from '#domain/catalog/metadata.ts'
import { surchargeSentence } from '#domain/catalog/shipping-terms.ts'
import { countryName } from './countries.ts'

/** A cart line at today's catalog, ready to be priced for a destination. */
export type PricedLine = {
  productId: ProductId
  variantId: VariantId
  productName: string
  variantName: string | null
  imageUrl: string | null
  collection: string
  unitPrice: Cents
  quantity: number
  metadata: ProductMetadata
}

type Surcharge = { productName: string; amount: Cents }

export type TaxShare = { jurisdiction: string; type: string; percentage: string; amount: Cents }

/** What a tax source said about a cart at an address. */
export type TaxAnswer = {
  amount: Cents
  breakdown: TaxShare[]
  /** The provider's calculation, kept as evidence; null for a fallback. */
  calculationId: string | null
  /** True when the source could not be asked and 0 stands in for its answer. */
  estimated: boolean
  /** Why the amount is what it is, in the source's words (`standard_rated`, `not_collecting`); evidence. */
  reasons: string[]
}

/** What carrying a cart costs before surcharges. */
export type ShippingRate = {
  cost: Cents
  method: string
  /** True when a rate had to be asked for and could not be had. */
  estimated: boolean
}

export const FREE_SHIPPING: ShippingRate = { cost: ZERO, method: 'Free Worldwide Shipping', estimated: false }

/** Stands in for a rate that could not be had (specification, section 8). */
export const STANDARD_SHIPPING: ShippingRate = { cost: cents(599), method: 'Standard shipping', estimated: true }

/** The consumption tax that the partner will charge us for a cart. */
export type VatProtection = {
  amount: Cents
  /** True when the partner could not be asked and 0 stands in for its answer. */
  estimated: boolean
}

const NO_VAT_PROTECTION: VatProtection = { amount: ZERO, estimated: false }

/** Shipping, surcharges, tax and total for a cart and an address, now. All amounts in cents; shipping includes the surcharges. */
export type Quote = {
  subtotal: Cents
  shipping: Cents
  surcharge: Cents
  tax: Cents
  taxLabel: string
  vatProtection: Cents
  total: Cents
  taxBreakdown: TaxShare[]
  shippingSurcharges: Surcharge[]
  surchargeDisclosures: string[]
  shippingMethod: string
  /** The age that the shopper has to confirm; null when anybody may buy all of it. */
  minimumAge: number | null
  notices: string[]
}

/** What keeps a cart from being sent to a country. */
export type RestrictionObjection = { kind: 'blocked'; product: string; country: string }

type ShippableLine = Pick<PricedLine, 'productName' | 'quantity' | 'metadata'>

/**
 * Shipping is free worldwide, or costs what the partner asks; a product may ask a surcharge per piece in some countries
 * on top of either (specification, section 9).
 */
export function shippingTo(country: string, lines: readonly ShippableLine[], rate: ShippingRate = FREE_SHIPPING) {
  const charged = lines.flatMap((line) => {
    const surcharge = surchargeTo(line.metadata, country)
    return surcharge
      ? [
          {
            productName: line.productName,
            amount: times(surcharge.amount, line.quantity),
            sentence: surchargeSentence(surcharge),
          },
        ]
      : []
  })
  const surcharge = sum(charged.map(({ amount }) => amount))
  return {
    cost: plus(rate.cost, surcharge),
    /** Part of the cost. */
    surcharge,
    method: rate.method,
    surcharges: charged.map(({ productName, amount }) => ({ productName, amount })),
    disclosures: [...new Set(charged.map(({ sentence }) => sentence))],
  }
}

/** The partner names a rate for at most so many pieces; larger carts travel in several parcels. */
const PIECES_PER_RATE = 100
const BASIS_POINTS_PER_PIECE = 10_000 / PIECES_PER_RATE

/** The first hundred pieces of a cart: those that a rate is asked for. */
export function firstParcel<Line extends { quantity: number }>(lines: readonly Line[]): Line[] {
  let room = PIECES_PER_RATE
  return lines.flatMap((line) => {
    const quantity = Math.min(line.quantity, room)
    room -= quantity
    return quantity > 0 ? [{ ...line, quantity }] : []
  })
}

/** What all pieces cost when the first hundred cost `rate`: a larger cart pays each further piece the same share. */
export function rateForAll(rate: Cents, lines: readonly { quantity: number }[]): Cents {
  const pieces = lines.reduce((count, { quantity }) => count + quantity, 0)
  return pieces <= PIECES_PER_RATE ? rate : share(rate, pieces * BASIS_POINTS_PER_PIECE)
}

/** The first product of the cart that may not be sent there. */
export function restrictionFor(country: string, lines: readonly ShippableLine[]): RestrictionObjection | undefined {
  const blocked = lines.find(({ metadata }) => metadata.restrictions?.blockedCountries.includes(country))
  return blocked && { kind: 'blocked', product: blocked.productName, country: countryName(country) }
}

/** Truthful remarks on a cart that can be sent: delays and age limits. */
export function noticesFor(country: string, lines: readonly ShippableLine[]): string[] {
  const notices = lines.flatMap(({ productName, metadata: { restrictions } }) => [
    ...(restrictions?.delayRegions.includes(country)
      ? [`${productName} takes longer than usual to reach ${countryName(country)}.`]
      : []),
    ...(restrictions?.minimumAge ? [`${productName} is sold to people of ${restrictions.minimumAge} and over.`] : []),
  ])
  return [...new Set(notices)]
}

/** The highest age that a product of the cart asks for, and which product that is. */
export function ageLimitOf(
  lines: readonly Pick<PricedLine, 'productName' | 'metadata'>[],
): { product: string; age: number } | undefined {
  const limits = lines.flatMap(({ productName, metadata: { restrictions } }) =>
    restrictions?.minimumAge ? [{ product: productName, age: restrictions.minimumAge }] : [],
  )
  return limits.toSorted((a, b) => b.age - a.age)[0]
}

/**
 * Whether the partner has to be asked for the consumption tax of a destination: it will charge us one abroad where the
 * tax source charges none. Never beside a tax, and never where that source could not be asked: then 0 stands in for both.
 */
export const asksVatProtection = (country: string, { amount, estimated }: Pick<TaxAnswer, 'amount' | 'estimated'>) =>
  country !== 'US' && !estimated && amount === ZERO

/** Specification, section 9. */
export const taxLabelOf = (country: string): string => (country === 'US' ? 'Sales Tax' : 'Country Consumption Tax')

/**
 * The taxes of a quote or order as people see them, wherever they see them. The partner's tax is shown above a cent only
 * (specification, section 9), and never beside a nothing of the same name.
 */
export function taxRowsOf({ tax, taxLabel, vatProtection }: Pick<Quote, 'tax' | 'taxLabel' | 'vatProtection'>) {
  const showsVatProtection = vatProtection > 1
  return [
    ...(tax > 0 || !showsVatProtection ? [{ label: taxLabel, amount: tax }] : []),
    ...(showsVatProtection ? [{ label: 'Country Consumption Tax', amount: vatProtection }] : []),
  ]
}

export const ESTIMATED_TAX_NOTICE = 'Tax could not be calculated just now and is not charged on this order.'
export const ESTIMATED_SHIPPING_NOTICE =
  'The carrier’s rate could not be asked for just now; this order ships at our standard rate.'

/** What had to be asked for to price a cart. */
export type QuoteInputs = {
  tax: Pick<TaxAnswer, 'amount' | 'breakdown' | 'estimated'>
  rate: ShippingRate
  vatProtection: VatProtection
}

/** Remarks on figures that stand in for what could not be asked. */
export const estimateNotices = ({
  tax,
  rate,
  vatProtection,
}: {
  tax?: Pick<TaxAnswer, 'estimated'>
  rate?: Pick<ShippingRate, 'estimated'>
  vatProtection?: Pick<VatProtection, 'estimated'>
}): string[] => [
  ...(rate?.estimated ? [ESTIMATED_SHIPPING_NOTICE] : []),
  ...(tax?.estimated || vatProtection?.estimated ? [ESTIMATED_TAX_NOTICE] : []),
]

export function quoteFor(
  country: string,
  lines: readonly PricedLine[],
  tax: QuoteInputs['tax'],
  { rate = FREE_SHIPPING, vatProtection = NO_VAT_PROTECTION }: Partial<QuoteInputs> = {},
): Quote {
  const shipping = shippingTo(country, lines, rate)
  const subtotal = sum(lines.map((line) => times(line.unitPrice, line.quantity)))
  return {
    subtotal,
    shipping: shipping.cost,
    surcharge: shipping.surcharge,
    tax: tax.amount,
    taxLabel: taxLabelOf(country),
    vatProtection: vatProtection.amount,
    total: sum([subtotal, shipping.cost, tax.amount, vatProtection.amount]),
    taxBreakdown: tax.breakdown,
    shippingSurcharges: shipping.surcharges,
    surchargeDisclosures: shipping.disclosures,
    shippingMethod: shipping.method,
    minimumAge: ageLimitOf(lines)?.age ?? null,
    notices: [...noticesFor(country, lines), ...estimateNotices({ tax, rate, vatProtection })],
  }
}

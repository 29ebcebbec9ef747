import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents, plus, share, sum, times, ZERO, type Cents } from '#shared/money.ts'
import type { Window } from '#domain/catalog/arrival.ts'
import { surchargeTo, type ProductMetadata } from '#domain/catalog/metadata.ts'
import { surchargeSentence } from '#domain/catalog/shipping-terms.ts'
import type { Discount } from '#domain/codes/discount.ts'
import type { GiftCardShare } from '#domain/gift-cards/gift-card.ts'
import { say, sayKnown } from '#words/say.ts'
import { countryName } from './countries.ts'
import type { Rate } from './indicative.ts'
import { sayTaxName } from './say-tax-name.ts'

/** A cart line at today's prices, ready to quote. */
export type PricedLine = {
  productId: ProductId
  variantId: VariantId
  productName: string
  variantName: string | null
  imageUrl: string | null
  collection: string
  /** What a piece costs the shopper. */
  unitPrice: Cents
  /** The catalog's price of a piece, if a code took something off. */
  listPrice?: Cents | null
  quantity: number
  metadata: ProductMetadata
}

type Surcharge = { productName: string; amount: Cents }

export type TaxShare = {
  jurisdiction: string
  type: string
  percentage: string
  /** What it is a share of; missing in evidence from before it was stored. */
  taxable?: Cents
  amount: Cents
}

/** A tax source's result for a cart and address. */
export type TaxAnswer = {
  amount: Cents
  breakdown: TaxShare[]
  /** The provider's calculation, kept as evidence; null for a fallback. */
  calculationId: string | null
  /** True if the source was unavailable and the amount is 0 instead. */
  estimated: boolean
  /** The source's reasons (`standard_rated`, `not_collecting`), kept as evidence. */
  reasons: string[]
}

/** Shipping before surcharges. */
export type ShippingRate = {
  cost: Cents
  method: string
  /** True if the rate could not be fetched. */
  estimated: boolean
}

export const FREE_SHIPPING: ShippingRate = { cost: ZERO, method: 'Free Worldwide Shipping', estimated: false }

/** The name of a way that is known to be free: all that is charged for it are surcharges. Of others a quote does not keep the name. */
export const freeMethodOf = ({ shipping, surcharge }: { shipping: Cents; surcharge: Cents }): string =>
  shipping === surcharge ? FREE_SHIPPING.method : ''

/** Used when a rate is unavailable (specification, section 8). */
export const STANDARD_SHIPPING: ShippingRate = { cost: cents(599), method: 'Standard shipping', estimated: true }

/** The consumption tax Printful will charge us for a cart. */
export type VatProtection = {
  amount: Cents
  /** True if Printful was unavailable and the amount is 0 instead. */
  estimated: boolean
}

const NO_VAT_PROTECTION: VatProtection = { amount: ZERO, estimated: false }

/** Shipping, surcharges, tax and total for a cart and address. Amounts in cents; shipping includes the surcharges. */
export type Quote = {
  /** The goods after discounts. */
  subtotal: Cents
  /** What codes took off; missing without any. */
  discounts?: Discount[]
  shipping: Cents
  surcharge: Cents
  tax: Cents
  taxLabel: string
  vatProtection: Cents
  /** With what a gift card pays. */
  total: Cents
  /** What a gift card pays of the total; missing without one. */
  giftCard?: GiftCardShare
  taxBreakdown: TaxShare[]
  shippingSurcharges: Surcharge[]
  surchargeDisclosures: string[]
  shippingMethod: string
  /** The minimum age the shopper has to confirm; null without a limit. */
  minimumAge: number | null
  notices: string[]
  /** Whether nothing is collected, so that customs may ask; missing in older copies. */
  collectedAtDelivery?: boolean
  /** When it was said to arrive; missing in older copies. */
  arrival?: Window
  /** Of the country's currency, for showing the total in it; missing without one of the last days. */
  shownRate?: Rate
}

/** Why a cart cannot ship to a country. */
export type RestrictionObjection = { kind: 'blocked'; product: string; country: string }

type ShippableLine = Pick<PricedLine, 'productName' | 'quantity' | 'metadata'>

/** Whether a code made shipping free, with its surcharges. */
export const isShippingFree = (discounts: readonly Pick<Discount, 'isShippingFree'>[] | undefined): boolean =>
  discounts?.some((discount) => discount.isShippingFree) ?? false

/**
 * Shipping is free worldwide or costs the printer's rate, plus surcharges per piece to some countries (specification,
 * section 9).
 * @param isFree a code waives the surcharges; the rate is then `FREE_SHIPPING`
 */
export function shippingTo(
  country: string,
  lines: readonly ShippableLine[],
  rate: ShippingRate = FREE_SHIPPING,
  isFree = false,
) {
  const charged = lines.flatMap((line) => {
    const surcharge = isFree ? undefined : surchargeTo(line.metadata, country)
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
    /** Included in the cost. */
    surcharge,
    method: rate.method,
    surcharges: charged.map(({ productName, amount }) => ({ productName, amount })),
    disclosures: [...new Set(charged.map(({ sentence }) => sentence))],
  }
}

/** The printer quotes up to this many pieces; larger carts ship in several parcels. */
const PIECES_PER_RATE = 100
const BASIS_POINTS_PER_PIECE = 10_000 / PIECES_PER_RATE

/** The first hundred pieces of a cart, for which a rate is requested. */
export function firstParcel<Line extends { quantity: number }>(lines: readonly Line[]): Line[] {
  let room = PIECES_PER_RATE
  return lines.flatMap((line) => {
    const quantity = Math.min(line.quantity, room)
    room -= quantity
    return quantity > 0 ? [{ ...line, quantity }] : []
  })
}

/** Scales the rate of the first hundred pieces to the whole cart. */
export function rateForAll(rate: Cents, lines: readonly { quantity: number }[]): Cents {
  const pieces = lines.reduce((count, { quantity }) => count + quantity, 0)
  return pieces <= PIECES_PER_RATE ? rate : share(rate, pieces * BASIS_POINTS_PER_PIECE)
}

/** The first product that cannot ship there. */
export function restrictionFor(country: string, lines: readonly ShippableLine[]): RestrictionObjection | undefined {
  const blocked = lines.find(({ metadata }) => metadata.restrictions?.blockedCountries.includes(country))
  return blocked && { kind: 'blocked', product: blocked.productName, country: countryName(country) }
}

/** Notices about delays and age limits. */
export function noticesFor(country: string, lines: readonly ShippableLine[]): string[] {
  const notices = lines.flatMap(({ productName, metadata: { restrictions } }) => [
    ...(restrictions?.delayRegions.includes(country)
      ? [`${productName} takes longer than usual to reach ${countryName(country)}.`]
      : []),
    ...(restrictions?.minimumAge ? [`${productName} is only for people ${restrictions.minimumAge} and over.`] : []),
  ])
  return [...new Set(notices)]
}

/** The highest age limit in the cart, and its product. */
export function ageLimitOf(
  lines: readonly Pick<PricedLine, 'productName' | 'metadata'>[],
): { product: string; age: number } | undefined {
  const limits = lines.flatMap(({ productName, metadata: { restrictions } }) =>
    restrictions?.minimumAge ? [{ product: productName, age: restrictions.minimumAge }] : [],
  )
  return limits.toSorted((a, b) => b.age - a.age)[0]
}

/**
 * Whether to ask Printful for its consumption tax: it charges us abroad where the tax source charges none. Never in
 * addition to a tax, and never when that source was unavailable: then both are 0.
 */
export const needsVatProtection = (country: string, { amount, estimated }: Pick<TaxAnswer, 'amount' | 'estimated'>) =>
  country !== 'US' && !estimated && amount === ZERO

/** Specification, section 9. */
export const taxLabelOf = (country: string): string => (country === 'US' ? 'Sales Tax' : 'Country Consumption Tax')

/** The specification's label, and the tax by its name if there is one. */
type TaxRow = { label: string; name: string | undefined; amount: Cents }

/**
 * The tax rows of a quote or order, everywhere they are shown. Printful's tax appears above one cent (specification,
 * section 9) and never beside a zero row of the same name.
 */
export function taxRowsOf({
  tax,
  taxLabel,
  taxName,
  vatProtection,
}: Pick<Quote, 'tax' | 'taxLabel' | 'vatProtection'> & { taxName?: string | undefined }): TaxRow[] {
  const showsVatProtection = vatProtection > 1
  return [
    ...(tax > 0 || !showsVatProtection
      ? [{ label: sayKnown(taxLabel), name: taxName === undefined ? undefined : sayTaxName(taxName), amount: tax }]
      : []),
    ...(showsVatProtection ? [{ label: say('Country Consumption Tax'), name: undefined, amount: vatProtection }] : []),
  ]
}

/** The same on one line, for papers and emails. */
export const taxLineOf = ({ label, name }: TaxRow): string => (name === undefined ? label : `${label} (${name})`)

export const ESTIMATED_TAX_NOTICE = 'Tax could not be calculated right now, so this order is not charged any.'
export const ESTIMATED_SHIPPING_NOTICE =
  'The carrier’s rate is unavailable right now, so this order ships at our standard rate.'

/** What providers returned for a quote. */
export type QuoteInputs = {
  tax: Pick<TaxAnswer, 'amount' | 'breakdown' | 'estimated'>
  rate: ShippingRate
  vatProtection: VatProtection
  discounts: Discount[]
  arrival: Window
  shownRate: Rate
}

/** Notices about estimated figures. */
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

export const subtotalOf = (lines: readonly Pick<PricedLine, 'unitPrice' | 'quantity'>[]): Cents =>
  sum(lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity)))

export function quoteFor(
  country: string,
  lines: readonly PricedLine[],
  tax: QuoteInputs['tax'],
  {
    rate = FREE_SHIPPING,
    vatProtection = NO_VAT_PROTECTION,
    discounts = [],
    arrival,
    shownRate,
  }: Partial<QuoteInputs> = {},
): Quote {
  const shipping = shippingTo(country, lines, rate, isShippingFree(discounts))
  const subtotal = subtotalOf(lines)
  return {
    subtotal,
    ...(discounts.length > 0 && { discounts }),
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
    // A tax that could not be estimated is ours to pay.
    collectedAtDelivery: needsVatProtection(country, tax) && vatProtection.amount === ZERO && !vatProtection.estimated,
    ...(arrival && { arrival }),
    ...(shownRate && { shownRate }),
  }
}

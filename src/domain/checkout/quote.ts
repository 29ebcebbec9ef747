import type { ProductId, VariantId } from '#kernel/ids.ts'
import { plus, sum, times, ZERO, type Cents } from '#kernel/money.ts'
import { surchargeTo, type ProductMetadata } from '#domain/catalogue/metadata.ts'
import { countryName } from './countries.ts'

/** A cart line at today's catalogue, ready to be priced for a destination. */
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

type TaxShare = { jurisdiction: string; type: string; percentage: string; amount: Cents }

/** What a tax source said about a cart at an address. */
export type TaxAnswer = {
  amount: Cents
  breakdown: TaxShare[]
  /** The provider's calculation, kept as evidence; null for a fallback. */
  calculationId: string | null
  /** True when the source could not be asked and 0 stands in for its answer. */
  estimated: boolean
}

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
  notices: string[]
}

/** What keeps a cart from being sent to a country. */
export type RestrictionObjection = { kind: 'blocked'; product: string; country: string }

const SHIPPING_METHOD = 'Free Worldwide Shipping'

type ShippableLine = Pick<PricedLine, 'productName' | 'quantity' | 'metadata'>

/**
 * Shipping is free worldwide; a product may ask a surcharge per piece in some countries
 * (pillows: 34.99 USD to BR, JP, AU and NZ; specification, section 9).
 */
export function shippingTo(country: string, lines: readonly ShippableLine[]) {
  const charged = lines.flatMap((line) => {
    const surcharge = surchargeTo(line.metadata, country)
    return surcharge
      ? [
          {
            productName: line.productName,
            amount: times(surcharge.amount, line.quantity),
            sentence: surcharge.description,
          },
        ]
      : []
  })
  return {
    cost: sum(charged.map(({ amount }) => amount)),
    method: SHIPPING_METHOD,
    surcharges: charged.map(({ productName, amount }) => ({ productName, amount })),
    disclosures: [...new Set(charged.map(({ sentence }) => sentence))],
  }
}

/** The first product of the cart that may not be sent there. */
export function restrictionAt(country: string, lines: readonly ShippableLine[]): RestrictionObjection | undefined {
  const blocked = lines.find(({ metadata }) => metadata.restrictions?.blockedCountries.includes(country))
  return blocked && { kind: 'blocked', product: blocked.productName, country: countryName(country) }
}

/** Truthful remarks on a cart that can be sent: delays and age limits. */
export function noticesAt(country: string, lines: readonly ShippableLine[]): string[] {
  const notices = lines.flatMap(({ productName, metadata: { restrictions } }) => [
    ...(restrictions?.delayRegions.includes(country)
      ? [`${productName} takes longer than usual to reach ${countryName(country)}.`]
      : []),
    ...(restrictions?.minimumAge ? [`${productName} is sold to people of ${restrictions.minimumAge} and over.`] : []),
  ])
  return [...new Set(notices)]
}

/** Specification, section 9. */
export const taxLabelOf = (country: string): string => (country === 'US' ? 'Sales Tax' : 'Country Consumption Tax')

export const ESTIMATED_TAX_NOTICE = 'Tax could not be calculated just now and is not charged on this order.'

export function quoteFor(country: string, lines: readonly PricedLine[], tax: TaxAnswer): Quote {
  const shipping = shippingTo(country, lines)
  const subtotal = sum(lines.map((line) => times(line.unitPrice, line.quantity)))
  return {
    subtotal,
    shipping: shipping.cost,
    surcharge: shipping.cost,
    tax: tax.amount,
    taxLabel: taxLabelOf(country),
    vatProtection: ZERO,
    total: plus(plus(subtotal, shipping.cost), tax.amount),
    taxBreakdown: tax.breakdown,
    shippingSurcharges: shipping.surcharges,
    surchargeDisclosures: shipping.disclosures,
    shippingMethod: shipping.method,
    notices: [...noticesAt(country, lines), ...(tax.estimated ? [ESTIMATED_TAX_NOTICE] : [])],
  }
}

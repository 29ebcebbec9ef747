import type { Address } from '#domain/checkout/address.ts'
import {
  ageLimitOf,
  needsVatProtection,
  quoteFor,
  restrictionFor,
  shippingTo,
  type PricedLine,
  type Quote,
} from '#domain/checkout/quote.ts'
import { taxBasisOf, type TaxBasis } from '#domain/checkout/tax-evidence.ts'
import type { SessionId } from '#shared/ids.ts'
import { requestedVariants } from '#server/cart/cart.ts'
import { linesAtTodaysPrices } from '#server/catalog/catalog.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { shippingRate } from './shipping.ts'
import { taxOn } from './tax.ts'
import { estimateVatProtection } from './vat-protection.ts'

export type PricingNeeds = Needs<'db' | 'stripe' | 'printful' | 'log' | 'config'>

/** The cart's lines at today's prices. @throws Refusal `cart_empty`, or the catalog's for a line no longer sold */
export async function linesOfCart({ db }: Needs<'db'>, sessionId: SessionId | undefined): Promise<PricedLine[]> {
  const requested = sessionId ? await requestedVariants(db, sessionId) : []
  if (!requested.length) throw new Refusal('cart_empty')
  return linesAtTodaysPrices(db, requested)
}

/** @throws Refusal `country_blocked` when a product is not shipped there */
export function refuseRestricted(country: string, lines: readonly PricedLine[]): void {
  const objection = restrictionFor(country, lines)
  if (objection) throw new Refusal('country_blocked', objection)
}

/** @throws Refusal `age_unconfirmed` when a line has a minimum age that the shopper has not confirmed */
export function refuseUnconfirmedAge(lines: readonly PricedLine[], ageConfirmed: boolean | undefined): void {
  const limit = ageLimitOf(lines)
  if (limit && !ageConfirmed) throw new Refusal('age_unconfirmed', limit)
}

type PricedCheckout = { quote: Quote; taxCalculationId: string | null; taxBasis: TaxBasis }

/**
 * Shipping, surcharges, tax and total for lines and an address. Calls the tax provider and, where needed, the printer, without
 * holding a database connection.
 * @param field the address's path in the request
 */
export async function quoteCheckout(
  shop: PricingNeeds,
  lines: readonly PricedLine[],
  address: Address,
  field: string,
): Promise<PricedCheckout> {
  const { country } = address
  refuseRestricted(country, lines)
  const rate = await shippingRate(shop, lines, address, field)
  const tax = await taxOn(shop, lines, shippingTo(country, lines, rate).cost, address, field)
  const vatProtection = needsVatProtection(country, tax)
    ? await estimateVatProtection(shop, lines, address, field)
    : undefined
  return {
    quote: quoteFor(country, lines, tax, { rate, ...(vatProtection && { vatProtection }) }),
    taxCalculationId: tax.calculationId,
    taxBasis: taxBasisOf(tax, vatProtection),
  }
}

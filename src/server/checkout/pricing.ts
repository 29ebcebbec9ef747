import type { Address } from '#domain/checkout/address.ts'
import {
  ageLimitOf,
  firstParcel,
  isShippingFree,
  FREE_SHIPPING,
  needsVatProtection,
  quoteFor,
  rateForAll,
  restrictionFor,
  shippingTo,
  STANDARD_SHIPPING,
  type PricedLine,
  type Quote,
  type ShippingRate,
  type TaxAnswer,
  type VatProtection,
} from '#domain/checkout/quote.ts'
import type { Discount } from '#domain/codes/discount.ts'
import { taxBasisOf, type TaxBasis } from '#domain/checkout/tax-evidence.ts'
import { assert } from '#shared/assert.ts'
import type { SessionId } from '#shared/ids.ts'
import { cents, ZERO, type Cents } from '#shared/money.ts'
import { requestedVariants } from '#server/cart/cart.ts'
import { catalogVariantsOf, linesAtTodaysPrices } from '#server/catalog/catalog.ts'
import type { Db } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { readChangedSettings, whoPaysShipping } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { toldTo } from './wire-quote.ts'
import { addressRefusal } from './wire.ts'

export type PricingNeeds = Needs<'db' | 'stripe' | 'printful' | 'log' | 'config' | 'clock'>

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
 * @param lines after the discounts
 * @param field the address's path in the request
 */
export async function quoteCheckout(
  shop: PricingNeeds,
  lines: readonly PricedLine[],
  address: Address,
  field: string,
  discounts: Discount[] = [],
): Promise<PricedCheckout> {
  const { country } = address
  refuseRestricted(country, lines)
  const isFree = isShippingFree(discounts)
  const rate = isFree ? FREE_SHIPPING : await shippingRate(shop, lines, address, field)
  const tax = await taxOn(shop, lines, shippingTo(country, lines, rate, isFree).cost, address, field)
  const vatProtection = needsVatProtection(country, tax)
    ? await estimateVatProtection(shop, lines, address, field)
    : undefined
  return {
    quote: quoteFor(country, lines, tax, {
      ...{ rate, discounts, ...(await toldTo(shop, country)) },
      ...(vatProtection && { vatProtection }),
    }),
    taxCalculationId: tax.calculationId,
    taxBasis: taxBasisOf(tax, vatProtection),
  }
}

/**
 * The cart's shipping before surcharges: free, or the printer's rate if the shop passes it through. The standard rate replaces it
 * only while the printer is down, and the quote shows the estimate.
 * @param field the address's path in the request
 * @throws Refusal `address_refused` with a sentence for the field
 * @throws Refusal `provider_unavailable` when the printer refuses or its answer is unusable: a made-up rate could cost the shop money
 */
export async function shippingRate(
  { config, db, printful, log }: Needs<'config' | 'db' | 'printful' | 'log'>,
  lines: readonly PricedLine[],
  address: Address,
  field: string,
): Promise<ShippingRate> {
  if (whoPaysShipping(config, await readChangedSettings(db)) === 'free') return FREE_SHIPPING
  try {
    const { cost, name } = await printful.shippingRate(await piecesOf(db, firstParcel(lines)), address)
    return { cost: rateForAll(cost, lines), method: name, estimated: false }
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'address_refused') throw addressRefusal(field)
    requireOutage(error, log, 'the printer refused a shipping rate')
    log.warn({ err: error, country: address.country }, 'shipping rate unavailable: using the standard rate')
    return STANDARD_SHIPPING
  }
}

/** @throws Refusal `provider_unavailable`, or the error itself, unless it is an outage of the provider */
function requireOutage(error: unknown, log: PricingNeeds['log'], refused: string): void {
  if (error instanceof ProviderRefusal || (error instanceof ProviderUnavailable && !error.isOutage)) {
    log.error({ err: error }, refused)
    throw new Refusal('provider_unavailable')
  }
  if (!(error instanceof ProviderUnavailable)) throw error
}

/** The printer's rates need its catalog variants; the shop's ids are sync variants. */
async function piecesOf(db: Db, lines: readonly PricedLine[]) {
  const catalogVariants = await catalogVariantsOf(
    db,
    lines.map(({ variantId }) => variantId),
  )
  return lines.map(({ variantId, quantity }) => {
    const catalogVariantId = catalogVariants.get(variantId)
    assert(catalogVariantId, `variant ${variantId} has no catalog variant`)
    return { catalogVariantId, quantity }
  })
}

/** Stripe's codes for an address it cannot locate. */
const addressCodes = new Set(['customer_tax_location_invalid', 'shipping_address_invalid', 'postal_code_invalid'])

/**
 * Calculates the tax. Only while the tax provider is down is it 0, and the quote shows the estimate; a refused address is never taxed
 * at 0.
 * @param field the address's path in the request
 * @throws Refusal `provider_unavailable` when the provider refuses to calculate
 * @throws Refusal `address_refused`, with a sentence for the field
 */
async function taxOn(
  { stripe, log }: Needs<'stripe' | 'log'>,
  lines: readonly PricedLine[],
  shipping: Cents,
  address: Address,
  field: string,
): Promise<TaxAnswer> {
  try {
    return await stripe.calculateTax(lines, shipping, address)
  } catch (error) {
    if (error instanceof ProviderRefusal && addressCodes.has(error.code ?? '')) throw addressRefusal(field)
    // Otherwise tax is not set up, or the key lacks a permission; untaxed sales would cost the shop money.
    requireOutage(error, log, 'the tax provider refused to calculate')
    log.warn({ err: error, country: address.country }, 'tax provider unavailable: using 0 tax')
    return { amount: ZERO, breakdown: [], calculationId: null, estimated: true, reasons: [] }
  }
}

/** Smaller amounts are not shown (specification, section 9), so they are not charged. */
const NOT_WORTH_A_LINE = cents(1)

/**
 * The consumption tax that the printer will charge the shop, by its own estimate. A missing estimate does not block the sale: the
 * shop covers the tax, and the quote shows the estimate.
 * @param field the address's path in the request
 * @throws Refusal `address_refused` with a sentence for the field: the parcel could not go there either
 */
export async function estimateVatProtection(
  { printful, log }: Needs<'printful' | 'log'>,
  lines: readonly PricedLine[],
  address: Address,
  field: string,
): Promise<VatProtection> {
  try {
    const amount = await printful.estimateTaxes(lines, address)
    return { amount: amount > NOT_WORTH_A_LINE ? amount : ZERO, estimated: false }
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'address_refused') throw addressRefusal(field)
    if (!(error instanceof ProviderRefusal) && !(error instanceof ProviderUnavailable)) throw error
    const facts = { err: error, country: address.country }
    if (error instanceof ProviderRefusal) log.error(facts, 'the printer refused to estimate its tax: using 0')
    else log.warn(facts, 'no estimate of the printer’s tax: using 0')
    return { amount: ZERO, estimated: true }
  }
}

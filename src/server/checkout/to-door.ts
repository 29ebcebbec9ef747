import type { WireQuote } from '#contract/quote.ts'
import { NOT_DELIVERED } from '#domain/checkout/address.ts'
import { FREE_SHIPPING, isShippingFree, type PricedLine } from '#domain/checkout/quote.ts'
import { isTaxedByRegion, quoteToDoor, type CountryTax } from '#domain/checkout/to-door.ts'
import type { Discount } from '#domain/codes/discount.ts'
import type { ProductId, SessionId, VariantId } from '#shared/ids.ts'
import { cents, ZERO } from '#shared/money.ts'
import { DAY_MS, SECOND_MS } from '#shared/time.ts'
import { linesAtTodaysPrices } from '#server/catalog/catalog.ts'
import { Refusal } from '#server/http/refusal.ts'
import { createProviderCache } from '#server/limits/provider-cache.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { StripeGateway } from '#server/providers/stripe/stripe.ts'
import type { Needs } from '#server/shop.ts'
import { discountCart, discountPieces } from './codes.ts'
import { estimateVatProtection, linesOfCart, refuseRestricted, shippingRate, type PricingNeeds } from './pricing.ts'
import { usualAddress } from './usual-addresses.ts'
import { toldTo, wireQuoteOf } from './wire-quote.ts'

// What is shown before an address is known. The tax source is paid by the calculation, so it is asked once a day for each country.

/** Of each tax source. */
const caches = new WeakMap<StripeGateway, ReturnType<typeof createProviderCache<CountryTax>>>()

function cacheOf(stripe: StripeGateway) {
  const known = caches.get(stripe)
  if (known) return known
  const cache = createProviderCache<CountryTax>({ ttlMs: DAY_MS, pauseMs: 15 * SECOND_MS, entriesMax: 300 })
  caches.set(stripe, cache)
  return cache
}

/** Large enough that no rate's tax is rounded away. */
const ANY_PRICE = cents(10_000)

/** The tax of a country whose regions do not decide it, by a calculation for one address. */
async function taxOf(
  { stripe, log }: Needs<'stripe' | 'log'>,
  country: string,
  variantId: VariantId,
): Promise<CountryTax> {
  if (isTaxedByRegion(country)) return { kind: 'by_region' }
  try {
    return await cacheOf(stripe)(country, async () => {
      const line = { variantId, unitPrice: ANY_PRICE, quantity: 1 }
      const { breakdown } = await stripe.calculateTax([line], ZERO, addressIn(country))
      const rates = breakdown.map(({ jurisdiction, type, percentage }) => ({ jurisdiction, type, percentage }))
      return rates.length > 0 ? { kind: 'rates', rates } : { kind: 'none' }
    })
  } catch (error) {
    if (!(error instanceof ProviderRefusal) && !(error instanceof ProviderUnavailable)) throw error
    log.warn({ err: error, country }, 'no tax rate of a country: quotes before the address are without it')
    return { kind: 'unknown' }
  }
}

/** @throws Refusal `country_unsupported` */
function addressIn(country: string) {
  const address = usualAddress(country)
  if (!address) throw new Refusal('country_unsupported', {}, { country: NOT_DELIVERED })
  return address
}

async function quoteLines(
  shop: PricingNeeds,
  country: string,
  lines: readonly PricedLine[],
  discounts: Discount[],
): Promise<WireQuote> {
  const address = addressIn(country)
  refuseRestricted(country, lines)
  const [first] = lines
  if (!first) throw new Refusal('cart_empty')
  const rate = isShippingFree(discounts) ? FREE_SHIPPING : await shippingRate(shop, lines, address, 'country')
  const tax = await taxOf(shop, country, first.variantId)
  const vatProtection =
    tax.kind === 'none'
      ? await estimateVatProtection(shop, lines, address, 'country')
      : { amount: ZERO, estimated: false }
  const inputs = { rate, discounts, vatProtection, ...(await toldTo(shop, country)) }
  const quote = quoteToDoor(country, lines, tax, inputs)
  return wireQuoteOf(shop, quote, country, tax)
}

type Pieces = {
  country: string
  variantId: VariantId
  /** Whose variant it has to be. */
  productId?: ProductId | undefined
  quantity: number
  code?: string | undefined
}

/**
 * What pieces of one kind cost to a country's door.
 * @throws Refusal `country_unsupported`, `country_blocked`, `code_unusable`, or the catalog's for a variant no longer sold
 */
export async function piecesToDoor(shop: PricingNeeds, wanted: Pieces): Promise<WireQuote> {
  const { country, variantId, productId, quantity, code } = wanted
  const listed = await linesAtTodaysPrices(shop.db, [{ variantId, quantity }])
  if (productId !== undefined && listed[0]?.productId !== productId) throw new Refusal('unknown_variant')
  const { lines, discounts } = await discountPieces(shop, listed, code)
  return quoteLines(shop, country, lines, discounts)
}

/** The same for a session's cart after its codes. @throws Refusal as `piecesToDoor`, and `cart_empty` */
export async function cartToDoor(
  shop: PricingNeeds,
  sessionId: SessionId | undefined,
  country: string,
): Promise<WireQuote> {
  const { lines, discounts } = await discountCart(shop, sessionId, await linesOfCart(shop, sessionId))
  return quoteLines(shop, country, lines, discounts)
}

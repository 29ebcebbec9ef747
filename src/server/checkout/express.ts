import { randomUUID } from 'node:crypto'
import type { OrderSummary } from '#contract/checkout.ts'
import { paths } from '#contract/paths.ts'
import { normalizeAddress, NOT_DELIVERED, validateAddress, type Address } from '#domain/checkout/address.ts'
import { ZERO, sum, times } from '#shared/money.ts'
import { paymentKey, type SessionId } from '#shared/ids.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import {
  originOf,
  type ExpressOrderRequest,
  type WalletPayer,
  type WalletPayment,
} from '#server/providers/paypal/orders.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { findCheckout } from './checkout.ts'
import { discountCart } from './codes.ts'
import { contentHash } from './frozen-checkout.ts'
import { withGiftCard } from './gift-cards.ts'
import { linesOfCart, quoteCheckout, type PricingNeeds } from './pricing.ts'
import { cartToDoor } from './to-door.ts'
import { usualAddress } from './usual-addresses.ts'
import { summaryOf } from './wire.ts'

type ExpressNeeds = PricingNeeds & Needs<'paypal'>

/** Where the address is not known yet, PayPal shows what the cart costs to this country's door. */
const NO_QUOTE = { shipping: ZERO, surcharge: ZERO, tax: ZERO, vatProtection: ZERO }

/**
 * Starts a purchase at PayPal, where the payer chooses an address of their own. Nothing is frozen: they see the total on our page
 * afterwards, and pay there.
 * @returns PayPal's page
 * @throws Refusal `cart_empty`, or the catalog's for what is no longer sold
 */
export async function startExpress(shop: ExpressNeeds, sessionId: SessionId, country: string): Promise<string> {
  const { lines } = await discountCart(shop, sessionId, await linesOfCart(shop, sessionId))
  const base = baseUrlOf(shop.config)
  const request: ExpressOrderRequest = {
    mark: markOf(sessionId),
    shopName: (await readSiteSettingsCached(shop.db)).name,
    lines,
    amounts: {
      subtotal: sum(lines.map(({ unitPrice, quantity }) => times(unitPrice, quantity))),
      ...(await quoteBefore(shop, sessionId, country)),
    },
    returnUrl: `${base}${paths.expressReturn}`,
    cancelUrl: `${base}${paths.expressCanceled}`,
  }
  return (await shop.paypal.createExpressOrder(request, `pp-express:${randomUUID()}`)).page
}

/** The country is only guessed: what cannot be sent there may be sent to the payer's address. */
async function quoteBefore(shop: PricingNeeds, sessionId: SessionId, country: string) {
  try {
    const { shipping, surcharge, tax, vatProtection } = await cartToDoor(shop, sessionId, country)
    return { shipping, surcharge, tax, vatProtection }
  } catch (error) {
    if (error instanceof Refusal && ['country_unsupported', 'country_blocked'].includes(error.code)) return NO_QUOTE
    throw error
  }
}

/** A wallet's sheet hides the street, and in some countries half of the postal code, until the shopper pays. */
type SheetPlace = { country: string } & Partial<Record<'city' | 'state' | 'postal_code', string | null | undefined>>

/**
 * The quote that Apple Pay or Google Pay shows. Paying compares it with the quote for the whole address.
 * @throws Refusal `cart_empty`, `country_unsupported`, `country_blocked` and others of a quote
 */
export async function quoteForSheet(
  shop: PricingNeeds,
  sessionId: SessionId | undefined,
  place: SheetPlace,
): Promise<OrderSummary> {
  const address = addressAt(place)
  const { lines, discounts } = await discountCart(shop, sessionId, await linesOfCart(shop, sessionId))
  const { quote } = await quoteCheckout(shop, lines, address, 'address', discounts)
  return summaryOf(await withGiftCard(shop.db, sessionId, quote))
}

/** What is hidden or unusable is as usual in that country. @throws Refusal `country_unsupported` */
function addressAt({ city, state, postal_code, country }: SheetPlace): Address {
  const usual = usualAddress(country)
  if (!usual) throw new Refusal('country_unsupported', {}, { 'address.country': NOT_DELIVERED })
  const told = { line1: usual.line1, line2: null, city: city ?? '', state, postal_code, country }
  const candidates = [told, { ...told, postal_code: usual.postalCode }]
  const usable = candidates.find((candidate) => validateAddress(candidate).length === 0)
  return usable ? normalizeAddress(usable) : usual
}

/**
 * The payer whom PayPal names after the approval.
 * @throws Refusal `unknown_payment` for an order of another session, or an expired one; `wallet_not_approved`, `already_paid`
 */
export async function readExpress(
  shop: ExpressNeeds,
  sessionId: SessionId | undefined,
  id: string,
): Promise<WalletPayer> {
  const { payment, payer } = await findExpress(shop, sessionId, id)
  requireApproved(payment)
  return payer
}

/** The same order, to become a checkout's. @throws Refusal as `readExpress` */
export async function requireExpress(shop: ExpressNeeds, sessionId: SessionId, id: string): Promise<void> {
  requireApproved((await findExpress(shop, sessionId, id)).payment)
}

async function findExpress(shop: ExpressNeeds, sessionId: SessionId | undefined, id: string) {
  const unknown = () => new Refusal('unknown_payment')
  if (sessionId === undefined) throw unknown()
  const order = await shop.paypal.readExpressOrder(id).catch((error: unknown) => {
    if (error instanceof ProviderRefusal) throw unknown()
    throw error
  })
  if (order.mark === markOf(sessionId)) return order
  // It belongs to a checkout already: the page was loaded again, or the answer to paying was lost.
  const { checkoutId } = originOf(order.mark)
  const checkout = checkoutId && (await findCheckout(shop.db, checkoutId))
  if (!checkout || checkout.sessionId !== sessionId) throw unknown()
  return order
}

function requireApproved({ id, status, approved }: WalletPayment): void {
  if (approved) return
  if (status === 'open' || status === 'cancelled') throw new Refusal('wallet_not_approved')
  throw new Refusal(status === 'held' ? 'payment_held' : 'already_paid', { payment: paymentKey('paypal', id) })
}

/** Tells whose order it is without telling PayPal the session. */
const markOf = (sessionId: SessionId): string => `express:${contentHash(`express ${sessionId}`)}`

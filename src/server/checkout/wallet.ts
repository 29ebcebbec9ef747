import type { StartWalletOrder } from '#contract/checkout.ts'
import type { WireQuote } from '#contract/quote.ts'
import { paths } from '#contract/paths.ts'
import type { Address } from '#domain/checkout/address.ts'
import { paymentKey, type Payer, type SessionId } from '#shared/ids.ts'
import { centsFromDecimal } from '#shared/money.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { withTimeout } from '#server/limits/timeout.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { WalletOrderRequest } from '#server/providers/paypal/orders.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Visitor } from '#server/partners/attribution.ts'
import type { Needs } from '#server/shop.ts'
import { countPaymentStart } from './declines.ts'
import { freezeCheckout, withSessionLock, type OfferedCheckout, timeoutError } from './frozen-checkout.ts'
import { requireExpress } from './express.ts'
import { findWalletOrder, insertWalletOrder, listWalletOrders, type WalletOrder } from './wallet-orders.ts'
import { wireQuoteOf } from './wire-quote.ts'
import { addressFrom, claimedItemsFrom, customerFrom } from './wire.ts'

type WalletCheckoutNeeds = Needs<'db' | 'stripe' | 'paypal' | 'printful' | 'log' | 'clock' | 'config' | 'jobs'>

/**
 * Freezes the session's checkout and creates its PayPal order, or finds the existing one of an equal request.
 * @returns PayPal's order id, which is harmless to disclose before approval
 * @throws Refusal `summary_changed` with the fresh summary when the browser saw other amounts; nothing was started
 * @throws Refusal `wallet_address` when PayPal does not accept the address; nothing was started
 * @throws Refusal `already_paid` or `payment_held` when the checkout was paid in the meantime
 * @throws ProviderUnavailable when creating takes longer than a shopper waits; an equal request finds the order afterwards
 */
export async function startWalletPayment(
  shop: WalletCheckoutNeeds,
  sessionId: SessionId,
  wanted: StartWalletOrder,
  visitor: Visitor,
  payer: Payer,
): Promise<{ id: string; quote: WireQuote }> {
  if (wanted.intent !== undefined && wanted.intent !== 'CAPTURE') throw new Refusal('wrong_intent')
  const starting = withSessionLock(sessionId, async () => {
    const offered = await freezeCheckout(shop, sessionId, {
      ...wanted,
      amount: amountIn(wanted.amount),
      cartItems: claimedItemsFrom(wanted.cartItems),
      ...walletCustomerFrom(wanted),
      visitor,
    })
    const { id, quoteHash } = offered.checkout
    await countPaymentStart(shop, offered.checkout, payer)
    const existing = await listWalletOrders(shop.db, id)
    const last = existing.find((order) => order.quoteHash === quoteHash)
    const { quote, shippingAddress } = offered.frozen
    const attempt = last ? last.attempt + 1 : 1
    const { expressOrder } = wanted
    const { id: orderId } =
      expressOrder !== undefined
        ? await takeExpressOrder(shop, offered, { id: expressOrder, attempt }, existing)
        : last && (await isPayable(shop, last))
          ? last
          : await createWalletOrder(shop, offered, attempt, existing)
    return { id: orderId, quote: await wireQuoteOf(shop, quote, shippingAddress.country) }
  })
  return withTimeout(starting, () => {
    throw timeoutError('paypal')
  })
}

/** A number is in cents; text is PayPal's decimal form. Anything else becomes NaN, which differs from every total. */
function amountIn(amount: number | string | undefined): number | undefined {
  return typeof amount === 'string' ? (centsFromDecimal(amount) ?? Number.NaN) : amount
}

/** The address may be inside the customer or beside it. Two different addresses are refused: it would be unclear which was priced. */
function walletCustomerFrom({ customerInfo, shippingAddress: outer }: StartWalletOrder) {
  const { address, shippingAddress: inner = address, ...who } = customerInfo
  const wire = inner ?? outer
  if (!wire) throw new Refusal('invalid', {}, { 'customerInfo.shippingAddress': 'Required' })
  const from = customerFrom({ ...who, shippingAddress: wire })
  const isElsewhere = (other: Address) => JSON.stringify(other) !== JSON.stringify(from.shippingAddress)
  if (inner && outer && isElsewhere(addressFrom(outer, 'shippingAddress')))
    throw new Refusal('invalid', {}, { shippingAddress: 'This address differs from the customer’s address.' })
  return { ...from, customer: { ...from.customer, phone: who.phone || null } }
}

/** @returns false for a finally declined or expired order @throws Refusal `already_paid` or `payment_held` */
async function isPayable({ paypal }: WalletCheckoutNeeds, { id }: WalletOrder): Promise<boolean> {
  try {
    const { status } = await paypal.readOrder(id)
    if (status === 'open') return true
    if (status === 'cancelled') return false
    throw new Refusal(status === 'held' ? 'payment_held' : 'already_paid', { payment: paymentKey('paypal', id) })
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'RESOURCE_NOT_FOUND') return false
    throw error
  }
}

/**
 * Makes the order that the payer has approved the checkout's.
 * @throws Refusal `wallet_not_approved` when it belongs to an earlier version: PayPal's page would have to show the new one
 */
async function takeExpressOrder(
  shop: WalletCheckoutNeeds,
  offered: OfferedCheckout,
  { id, attempt }: { id: string; attempt: number },
  existing: readonly WalletOrder[],
): Promise<{ id: string }> {
  const { sessionId, quoteHash } = offered.checkout
  await requireExpress(shop, sessionId, id)
  const taken = await findWalletOrder(shop.db, id)
  if (taken?.checkoutId === offered.checkout.id && taken.quoteHash === quoteHash) return taken
  if (taken) throw new Refusal('wallet_not_approved')
  return createWalletOrder(shop, offered, attempt, existing, id)
}

/** Ends the retries when PayPal refuses every invoice number. */
const ATTEMPTS_MAX = 5

/** @param expressOrder becomes the checkout's, instead of a new one */
async function createWalletOrder(
  shop: WalletCheckoutNeeds,
  offered: OfferedCheckout,
  attempt: number,
  existing: readonly WalletOrder[],
  expressOrder?: string,
): Promise<{ id: string }> {
  const { checkout, frozen } = offered
  const now = shop.clock.now()
  const checkoutPage = baseUrlOf(shop.config) + paths.checkout
  try {
    const request: WalletOrderRequest = {
      checkoutId: checkout.id,
      quoteHash: checkout.quoteHash,
      invoice: checkout.orderNumber,
      shopName: (await readSiteSettingsCached(shop.db)).name,
      attempt,
      lines: frozen.lines,
      amounts: frozen.quote,
      delivery: { customer: frozen.customer, address: frozen.shippingAddress },
      returnUrl: checkoutPage,
      cancelUrl: checkoutPage,
    }
    if (expressOrder !== undefined) await shop.paypal.giveToCheckout(expressOrder, request)
    const id = expressOrder ?? (await shop.paypal.createOrder(request)).id
    const order = { id, checkoutId: checkout.id, quoteHash: checkout.quoteHash, attempt, createdAt: now, lookAt: now }
    await shop.db.transaction((tx) => insertWalletOrder(tx, order))
    return { id }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    if (isAddressRefused(error)) throw new Refusal('wallet_address', { details: error.message })
    if (error.code !== 'DUPLICATE_INVOICE_ID' || attempt >= ATTEMPTS_MAX) throw error
    // This invoice number was paid before: for this checkout, which `isPayable` refuses, or by another shop on the account.
    for (const earlier of existing) await isPayable(shop, earlier)
    return createWalletOrder(shop, offered, attempt + 1, existing, expressOrder)
  }
}

const addressIssues = new Set(['SHIPPING_ADDRESS_INVALID', 'POSTAL_CODE_REQUIRED', 'CITY_REQUIRED'])

/** Whether PayPal refused the shipping address. */
export const isAddressRefused = ({ code }: Pick<ProviderRefusal, 'code'>): boolean => addressIssues.has(code ?? '')

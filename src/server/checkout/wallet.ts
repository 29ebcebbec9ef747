import type { StartWalletOrder } from '#contract/checkout.ts'
import { paths } from '#contract/paths.ts'
import type { Address } from '#domain/checkout/address.ts'
import { paymentKey, type Payer, type SessionId } from '#shared/ids.ts'
import { centsFromDecimal } from '#shared/money.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { Refusal } from '#server/http/refusal.ts'
import { withTimeout } from '#server/providers/timeout.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Visitor } from '#server/partners/attribution.ts'
import type { Needs } from '#server/shop.ts'
import { countStart } from './declines.ts'
import { freezeCheckout, withSessionLock, type OfferedCheckout } from './frozen-checkout.ts'
import { insertWalletOrder, listWalletOrders, type WalletOrder } from './store.ts'
import { addressFrom, claimedItemsFrom, customerFrom } from './wire.ts'

type WalletCheckoutNeeds = Needs<'db' | 'stripe' | 'paypal' | 'printful' | 'log' | 'clock' | 'config'>

/**
 * Freezes the session's checkout and makes its wallet order, or finds the one that an equal wish has made.
 * @returns PayPal's order id; it says nothing to whoever has not approved it
 * @throws Refusal `summary_changed` with the fresh summary when the browser saw other amounts; nothing was started
 * @throws Refusal `wallet_address` when the wallet cannot take the address; nothing was started
 * @throws Refusal `already_paid` or `payment_held` when the checkout's money came in the meantime
 * @throws ProviderUnavailable when the making takes longer than a shopper waits; an equal wish finds it made
 */
export async function startWalletPayment(
  shop: WalletCheckoutNeeds,
  sessionId: SessionId,
  wanted: StartWalletOrder,
  visitor: Visitor,
  payer: Payer,
): Promise<{ id: string }> {
  if (wanted.intent !== undefined && wanted.intent !== 'CAPTURE') throw new Refusal('wrong_intent')
  const making = withSessionLock(sessionId, async () => {
    const offered = await freezeCheckout(shop, sessionId, {
      ...wanted,
      amount: amountIn(wanted.amount),
      cartItems: claimedItemsFrom(wanted.cartItems),
      ...walletCustomerFrom(wanted),
      visitor,
    })
    const { id, quoteHash } = offered.checkout
    await countStart(shop, offered.checkout, payer)
    const made = await listWalletOrders(shop.db, id)
    const last = made.find((order) => order.quoteHash === quoteHash)
    if (last && (await isPayable(shop, last))) return { id: last.id }
    return createWalletOrder(shop, offered, last ? last.attempt + 1 : 1, made)
  })
  return withTimeout(making, () => {
    throw new ProviderUnavailable('paypal', new Error('It answers, and too slowly.'))
  })
}

/** Numbers are cents, like everywhere; text is the wallet's own decimal form. What is neither differs from every total. */
function amountIn(amount: number | string | undefined): number | undefined {
  return typeof amount === 'string' ? (centsFromDecimal(amount) ?? Number.NaN) : amount
}

/** The address may stand within the customer or beside; two different ones would leave open which was priced. */
function walletCustomerFrom({ customerInfo, shippingAddress: beside }: StartWalletOrder) {
  const { address, shippingAddress: within = address, ...who } = customerInfo
  const wire = within ?? beside
  if (!wire) throw new Refusal('invalid', {}, { 'customerInfo.shippingAddress': 'Required' })
  const from = customerFrom({ ...who, shippingAddress: wire })
  const isElsewhere = (other: Address) => JSON.stringify(other) !== JSON.stringify(from.shippingAddress)
  if (within && beside && isElsewhere(addressFrom(beside, 'shippingAddress')))
    throw new Refusal('invalid', {}, { shippingAddress: 'This is another address than the customer’s.' })
  return { ...from, customer: { ...from.customer, phone: who.phone || null } }
}

/** An order that was declined for good or has lapsed is made anew; one that was paid is not offered again. */
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

/** More were never needed; it keeps a provider that refuses every number from being asked for ever. */
const ATTEMPTS_MAX = 5

async function createWalletOrder(
  shop: WalletCheckoutNeeds,
  offered: OfferedCheckout,
  attempt: number,
  made: readonly WalletOrder[],
): Promise<{ id: string }> {
  const { checkout, frozen } = offered
  const now = shop.clock.now()
  const checkoutPage = baseUrlOf(shop.config) + paths.checkout
  try {
    const { id } = await shop.paypal.createOrder({
      checkoutId: checkout.id,
      quoteHash: checkout.quoteHash,
      orderNumber: checkout.orderNumber,
      attempt,
      lines: frozen.lines,
      amounts: frozen.quote,
      customer: frozen.customer,
      address: frozen.shippingAddress,
      returnUrl: checkoutPage,
      cancelUrl: checkoutPage,
    })
    const order = { id, checkoutId: checkout.id, quoteHash: checkout.quoteHash, attempt, createdAt: now, lookAt: now }
    await shop.db.transaction((tx) => insertWalletOrder(tx, order))
    return { id }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    if (isAddressTrouble(error)) throw new Refusal('wallet_address', { details: error.message })
    if (error.code !== 'DUPLICATE_INVOICE_ID' || attempt >= ATTEMPTS_MAX) throw error
    // Money was taken under this number before. Of ours: then this checkout is paid. Of another shop on the account: not our business.
    for (const earlier of made) await isPayable(shop, earlier)
    return createWalletOrder(shop, offered, attempt + 1, made)
  }
}

const addressIssues = new Set(['SHIPPING_ADDRESS_INVALID', 'POSTAL_CODE_REQUIRED', 'CITY_REQUIRED'])

/** Whether the wallet refuses because of where the parcel goes. */
export const isAddressTrouble = ({ code }: Pick<ProviderRefusal, 'code'>): boolean => addressIssues.has(code ?? '')

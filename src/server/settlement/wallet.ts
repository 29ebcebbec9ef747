import { findCollection, defaultCollection } from '#brand/collections/collections.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { nextLook } from '#domain/settlement/next-look.ts'
import type { ProviderPayment } from '#domain/settlement/objection.ts'
import { paymentKey, type CheckoutId, type SessionId } from '#kernel/ids.ts'
import { SECOND_MS } from '#kernel/time.ts'
import { putBackIntoCart, takeBoughtFromCart } from '#server/cart/cart.ts'
import {
  countDeclines,
  countRefusal,
  findCheckout,
  findVersion,
  findWalletOrder,
  isAddressTrouble,
  lockCheckout,
  lookAgain,
  markHeld,
  refusalIfPaid,
  setState,
  type StoredCheckout,
  type WalletOrder,
} from '#server/checkout/checkout.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { Refused } from '#server/http/refused.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { reviewMail, type ReviewNews } from '#server/mail/templates/payment-review.ts'
import type { WalletPayment } from '#server/providers/paypal/paypal.ts'
import { findOrder, type Order } from '#server/orders/orders.ts'
import { inPatience } from '#server/providers/patience.ts'
import { ProviderRefused, ProviderUnavailable } from '#server/providers/trouble.ts'
import type { Needs } from '#server/shop.ts'
import { closeCard, settle } from './settlement.ts'

type Taking = Parameters<typeof settle>[0] & Needs<'paypal'>

/**
 * Takes the money of the session's approved wallet order and makes its order.
 * @returns the payment as the provider sees it now; `processing` when it has not answered yet
 * @throws Refused `wallet_declined`, `wallet_not_approved` or `wallet_address`: nothing was charged
 * @throws Refused `already_paid` when the checkout's money came another way; nothing was charged
 */
export async function captureWallet(
  shop: Taking,
  sessionId: SessionId | undefined,
  id: string,
): Promise<WalletPayment | 'processing'> {
  const order = await findWalletOrder(shop.db, id)
  const checkout = order && (await findCheckout(shop.db, order.checkoutId))
  if (!order || !checkout || checkout.sessionId !== sessionId) throw new Refused('unknown_payment')

  // Whether a provider that does not answer has taken the money, nobody knows yet: it is no failure.
  const taking = takeMoney(shop, order).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
    shop.log.warn({ err: error, walletOrder: id }, 'the taking of a wallet payment was not confirmed')
    return 'processing' as const
  })
  return inPatience(taking, () => 'processing' as const)
}

/** What became of a wallet order; the order itself is for the session that paid. */
export type Processed = { kind: 'held' } | { kind: 'processing' } | { kind: 'paid'; order: Order | undefined }

/**
 * Asks the provider what became of a wallet order, and makes its order when the money came. A session that paid is told
 * the partner's number as well, where it comes soon enough.
 * @throws Refused `payment_not_captured` when there is no money and none is on its way
 */
export function processWallet(shop: Taking, sessionId: SessionId | undefined, id: string): Promise<Processed> {
  let known: Processed = { kind: 'processing' }
  const work = async (): Promise<Processed> => {
    const payment = await shop.payments.read(paymentKey('paypal', id))
    if (payment?.status === 'held') {
      const order = await findWalletOrder(shop.db, id)
      if (order) await hold(shop, order)
      return { kind: 'held' }
    }
    // Approved and not captured yet: whoever captures it is at work, or the sweep will be.
    if (payment && (payment.status === 'processing' || isApproved(payment))) return { kind: 'processing' }
    if (payment?.status !== 'captured' || !payment.checkoutId) throw new Refused('payment_not_captured')

    const { order } = await settle(shop, paymentKey('paypal', id))
    const isPayer = order !== undefined && order.sessionId === sessionId
    known = { kind: 'paid', order: isPayer ? order : undefined }
    return isPayer ? { kind: 'paid', order: await accepted(shop, order) } : known
  }
  return inPatience(work(), () => known)
}

/** The payer agreed and nothing was captured yet. */
export const isApproved = (payment: ProviderPayment): boolean => 'approved' in payment && payment.approved === true

/** Never takes money for a checkout that was paid already or can no longer be fulfilled as it was frozen. */
async function takeMoney(shop: Taking, order: WalletOrder): Promise<WalletPayment> {
  const state = (await findCheckout(shop.db, order.checkoutId))?.state
  if (state !== 'open') {
    const payment = await stillKnown(shop, order.id)
    if (payment?.status === 'captured' || payment?.status === 'held') return payment
    throw (await refusalIfPaid(shop, order.checkoutId)) ?? new Refused('wallet_declined', { reason: LAPSED })
  }
  try {
    const payment = await shop.paypal.capture(order.id, order.refusals + 1)
    await followTaken(shop, order, payment)
    if (payment.status === 'cancelled') throw new Refused('wallet_declined', { reason: DECLINED })
    return payment
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    throw await refusalFor(shop, order, error)
  }
}

/** When the money came and the order could not be made at once, the money came all the same: the sweep makes the order. */
async function followTaken(shop: Taking, order: WalletOrder, payment: WalletPayment): Promise<void> {
  try {
    await follow(shop, order, payment)
  } catch (error) {
    if (payment.status !== 'captured') throw error
    shop.log.error({ err: error, walletOrder: order.id }, 'a taken wallet payment could not be settled at once')
  }
}

const LAPSED = 'This payment is no longer offered. Nothing was charged. Please try again or choose another way to pay.'
const DECLINED = 'PayPal declined this payment. Nothing was charged. Please try again or choose another way to pay.'

/** What the bank behind a wallet says no with (the issues of PayPal's Orders v2). */
const DECLINES = new Set(['INSTRUMENT_DECLINED', 'TRANSACTION_REFUSED'])

async function refusalFor(shop: Taking, { id, ...order }: WalletOrder, error: ProviderRefused): Promise<Refused> {
  if (error.code === 'ORDER_NOT_APPROVED') return new Refused('wallet_not_approved')
  if (error.code === 'RESOURCE_NOT_FOUND') return new Refused('unknown_payment')
  // The order number was paid by an earlier wallet order, which a webhook or the sweep settles.
  if (error.code === 'DUPLICATE_INVOICE_ID') return new Refused('already_paid')
  // The provider repeats its answer to a request id: after the payer chose anew it has to be another one.
  await shop.db.transaction((tx) => countRefusal(tx, id))
  // Of one try there is one decline, whoever tells of it.
  if (DECLINES.has(error.code ?? '')) await countDeclines(shop, order.checkoutId, [`${id}:${order.refusals + 1}`])
  return isAddressTrouble(error)
    ? new Refused('wallet_address', { details: error.message })
    : new Refused('wallet_declined', { reason: error.message })
}

/**
 * Finds out what became of a wallet order and does what follows from it: webhooks and the sweep come here.
 * An approved order is captured without its browser while its checkout is open: the payer has agreed, and paid means
 * ordered. Otherwise it lapses at the provider, uncharged.
 * @returns what it came to, in a word for the event's outcome
 * @throws ProviderUnavailable it is asked again later
 */
export async function followWalletOrder(shop: Taking, id: string): Promise<string> {
  const order = await findWalletOrder(shop.db, id)
  const key = paymentKey('paypal', id)
  if (!order) {
    // Ours all the same when its custom id says so: the row was lost, the money was not.
    const { order: made, exception } = await settle(shop, key)
    return made ? `order ${made.orderNumber}` : `exception ${exception.kind}`
  }
  const payment = await stillKnown(shop, id)
  if (!payment) return forget(shop, order)
  // After a refusal the payer has to choose anew, in front of the page.
  if (!payment.approved || order.refusals > 0) return follow(shop, order, payment)

  const isOpen = (await findCheckout(shop.db, order.checkoutId))?.state === 'open'
  if (!isOpen) return look(shop, order, payment, 'not captured: its checkout is closed')
  try {
    const taken = await takeMoney(shop, order)
    return taken.status
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return look(shop, order, payment, error.code)
  }
}

/** @returns undefined for an order that has lapsed: PayPal forgets it then */
async function stillKnown({ paypal }: Taking, id: string): Promise<WalletPayment | undefined> {
  try {
    return await paypal.readOrder(id)
  } catch (error) {
    if (error instanceof ProviderRefused && error.code === 'RESOURCE_NOT_FOUND') return undefined
    throw error
  }
}

async function forget({ db }: Taking, { id }: WalletOrder): Promise<string> {
  await db.transaction((tx) => lookAgain(tx, id, null))
  return 'lapsed'
}

async function follow(shop: Taking, order: WalletOrder, payment: WalletPayment): Promise<string> {
  if (payment.status === 'captured') await settle(shop, paymentKey('paypal', order.id))
  if (payment.status === 'held') await hold(shop, order)
  if (payment.status === 'cancelled') {
    await letGo(shop, order)
    if (payment.captureId) await countDeclines(shop, order.checkoutId, [payment.captureId])
  }
  return look(shop, order, payment, payment.status)
}

async function look(shop: Taking, order: WalletOrder, { status }: WalletPayment, outcome: string): Promise<string> {
  const at = nextLook(status, order.createdAt, shop.clock.now())
  if (status === 'held' && at === null)
    shop.log.error({ walletOrder: order.id }, 'a payment has been under review for two months: look it up at PayPal')
  await shop.db.transaction((tx) => lookAgain(tx, order.id, at))
  return outcome
}

/** The provider has the money and reviews it: nothing is made yet, and nothing more is to be paid. */
async function hold(shop: Taking, order: WalletOrder): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const held = await lockCheckout(tx, order.checkoutId)
    const version = await findVersion(tx, order.checkoutId, order.quoteHash)
    if (held?.state !== 'open' || !version) return
    await markHeld(tx, held.id, order.id, shop.clock.now())
    await takeBoughtFromCart(tx, held.sessionId, version.frozen.lines)
    await closeCard(tx, shop, held)
    await tell(tx, shop, held, version.frozen, 'held')
  })
}

/** The review ended with a no: nothing was charged, and the shopper finds the cart as it was. */
async function letGo(shop: Taking, order: WalletOrder): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const held = await lockCheckout(tx, order.checkoutId)
    const version = await findVersion(tx, order.checkoutId, order.quoteHash)
    // An earlier wallet order's no, told late, says nothing of the one that is reviewed.
    if (held?.state !== 'held' || !isHeldBy(held, order) || !version) return
    await setState(tx, held.id, 'released', shop.clock.now())
    await putBackIntoCart(tx, held.sessionId, version.frozen.lines)
    await tell(tx, shop, held, version.frozen, 'denied')
  })
}

/** Of one that was held by a release before this one nobody noted by which. */
const isHeldBy = ({ provider, providerPaymentId }: StoredCheckout, { id }: WalletOrder): boolean =>
  provider !== 'paypal' || providerPaymentId === id

async function tell(
  tx: Tx,
  shop: Taking,
  { id, orderNumber }: { id: CheckoutId; orderNumber: string },
  { customer, lines, quote }: FrozenCheckout,
  news: ReviewNews,
): Promise<void> {
  const mail = reviewMail({
    news,
    orderNumber,
    customerName: customer.name,
    total: quote.total,
    theme: findCollection(lines[0]?.collection ?? '') ?? defaultCollection,
    publicUrl: baseUrlOf(shop.config),
  })
  const recipient = { email: customer.email, name: customer.name }
  await mailLater(shop, tx, { kind: `payment_${news}`, recipient, orderId: null, about: id, ...mail }, shop.clock.now())
}

/** @throws ProviderUnavailable: the others would fail as well */
export async function followAlone(shop: Taking, id: string): Promise<boolean> {
  try {
    return (await followWalletOrder(shop, id)) === 'captured'
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    shop.log.error({ err: error, walletOrder: id }, 'a wallet order could not be followed')
    return false
  }
}

/** How long the wallet's page waits for the partner, so that it can name its number. */
const ACCEPTANCE_MS = 3 * SECOND_MS
const ACCEPTANCE_POLL_MS = 200

/** @returns the order as it is once the partner has accepted it, or after three seconds */
async function accepted({ db }: Needs<'db'>, made: Order): Promise<Order> {
  let order = made
  for (let waited = 0; order.printfulOrderId === null && waited < ACCEPTANCE_MS; waited += ACCEPTANCE_POLL_MS) {
    await new Promise((later) => setTimeout(later, ACCEPTANCE_POLL_MS))
    order = (await findOrder(db, made.id)) ?? made
  }
  return order
}

import { findCollection, defaultCollection } from '#site/collections/collections.ts'
import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { nextCheckAt } from '#domain/payments/next-check.ts'
import { walletRefusalSentence } from '#domain/payments/wallet-refusals.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { paymentKey, type CheckoutId, type SessionId } from '#shared/ids.ts'
import { after, SECOND_MS } from '#shared/time.ts'
import { returnToCart, removeBoughtFromCart } from '#server/cart/cart.ts'
import {
  countDeclines,
  beginCapture,
  endCapture,
  findCheckout,
  findVersion,
  findWalletOrder,
  isAddressTrouble,
  lockCheckout,
  scheduleNextCheck,
  markHeld,
  putCaptureOff,
  refusalIfPaid,
  setState,
  type StoredCheckout,
  type WalletOrder,
} from '#server/checkout/checkout.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { autocommitWrite, type Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { reviewMail, type ReviewOutcome } from '#server/mail/templates/payment-review.ts'
import type { WalletPayment } from '#server/providers/paypal/paypal.ts'
import { findOrder, type Order } from '#server/orders/orders.ts'
import { withTimeout } from '#server/providers/timeout.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { cancelCardIntentLater, settle } from './settlement.ts'

type WalletNeeds = Parameters<typeof settle>[0] & Needs<'paypal'>

/**
 * Takes the money of the session's approved wallet order and makes its order.
 * @returns the payment as the provider sees it now; `processing` when it has not answered yet
 * @throws Refusal `wallet_declined`, `wallet_not_approved` or `wallet_address`: nothing was charged
 * @throws Refusal `already_paid` when the checkout's money came another way; nothing was charged
 */
export async function captureWallet(
  shop: WalletNeeds,
  sessionId: SessionId | undefined,
  id: string,
): Promise<WalletPayment | 'processing'> {
  const order = await findWalletOrder(shop.db, id)
  const checkout = order && (await findCheckout(shop.db, order.checkoutId))
  if (!order || !checkout || checkout.sessionId !== sessionId) throw new Refusal('unknown_payment')

  // Whether a provider that does not answer has taken the money, nobody knows yet: it is no failure.
  const taking = capturePayment(shop, order, { waitMs: PAGE_WAITS_MS }).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
    shop.log.warn({ err: error, walletOrder: id }, 'the taking of a wallet payment was not confirmed')
    return 'processing' as const
  })
  return withTimeout(taking, () => 'processing' as const)
}

/** What became of a wallet order; the order itself is for the session that paid. */
export type WalletResult = { kind: 'held' } | { kind: 'processing' } | { kind: 'paid'; order: Order | undefined }

/**
 * Asks the provider what became of a wallet order, and makes its order when the money came. A session that paid is told
 * the partner's number as well, where it comes soon enough, and why a capture was refused; for it a capture in doubt is asked for again.
 * @throws Refusal `payment_not_captured` when there is no money and none is on its way; for the session that paid as `captureWallet`
 */
export function processWallet(shop: WalletNeeds, sessionId: SessionId | undefined, id: string): Promise<WalletResult> {
  let known: WalletResult = { kind: 'processing' }
  const work = async (): Promise<WalletResult> => {
    let payment = await shop.payments.read(paymentKey('paypal', id))
    if (payment && ['open', 'processing'].includes(payment.status))
      payment = await resolveDoubt(shop, sessionId, id, payment as WalletPayment)
    if (payment?.status === 'held') {
      const order = await findWalletOrder(shop.db, id)
      if (order) await holdCheckout(shop, order)
      return { kind: 'held' }
    }
    // Approved and not captured yet: whoever captures it is at work, or the sweep will be.
    if (payment && (payment.status === 'processing' || isApproved(payment))) return { kind: 'processing' }
    if (payment?.status !== 'captured' || !payment.checkoutId) throw new Refusal('payment_not_captured')

    const { order } = await settle(shop, paymentKey('paypal', id))
    const isPayer = order !== undefined && order.sessionId === sessionId
    known = { kind: 'paid', order: isPayer ? order : undefined }
    return isPayer ? { kind: 'paid', order: await waitForPrinter(shop, order) } : known
  }
  return withTimeout(work(), () => known)
}

/**
 * Of an order without money: what the session that pays is to know of its last capture.
 * @throws Refusal when that was refused for good
 */
async function resolveDoubt(
  shop: WalletNeeds,
  sessionId: SessionId | undefined,
  id: string,
  payment: WalletPayment,
): Promise<WalletPayment> {
  const order = await findWalletOrder(shop.db, id)
  if (!order || (await findCheckout(shop.db, order.checkoutId))?.sessionId !== sessionId) return payment
  if (isRefused(order)) throw refusalAgain(order)
  if (order.captureUntil === null || !payment.approved) return payment
  try {
    const taken = await capturePayment(shop, order)
    return taken === 'processing' ? { ...payment, status: 'processing' } : taken
  } catch (error) {
    if (error instanceof ProviderUnavailable) return payment
    throw error
  }
}

/** The payer agreed and nothing was captured yet. */
export const isApproved = (payment: ProviderPayment): boolean => 'approved' in payment && payment.approved === true

/** One capture may take this long, and is lost with whoever began it after that. Longer than the provider is waited for. */
const CAPTURE_MS = 30 * SECOND_MS
/** A capture in doubt is asked for again after this; the provider wants such requests spaced out. */
const ASK_AGAIN_MS = 2 * SECOND_MS
/** How long the page, which is answered within 8 s, and an event wait for a capture that another has begun. */
const PAGE_WAITS_MS = 8 * SECOND_MS
const EVENT_WAITS_MS = CAPTURE_MS + 5 * SECOND_MS
const LOOK_AGAIN_MS = 200

type CaptureOptions = {
  /** How long to wait for a capture that another has begun; 0 where nobody waits. */
  waitMs?: number
  /** Whether a final no after a doubt is told by mail, because no page may be there to tell it. */
  mails?: boolean
}

/**
 * Takes the money, unless another is about to, anywhere: then it waits for how that ends. Never takes money for a checkout that was
 * paid already or can no longer be fulfilled as it was frozen.
 * @returns `processing` while it is not known whether the money came
 * @throws Refusal only when it is certain that nothing was charged
 */
async function capturePayment(
  shop: WalletNeeds,
  order: WalletOrder,
  { waitMs = 0, mails = false }: CaptureOptions = {},
): Promise<WalletPayment | 'processing'> {
  let current: WalletOrder | undefined = order
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const now = shop.clock.now()
    const { state } = (await findCheckout(shop.db, order.checkoutId)) ?? {}
    if (state !== 'open') return takenBefore(shop, order.id)
    const begun = await autocommitWrite(shop.db, (tx) => beginCapture(tx, order.id, now, after(now, CAPTURE_MS)))
    // Only who was told that it is under way has to be told how it ended.
    if (begun) return capture(shop, begun, mails && current?.captureUntil !== null)
    if (waited >= waitMs) return 'processing'
    await new Promise((later) => setTimeout(later, LOOK_AGAIN_MS))
    current = await findWalletOrder(shop.db, order.id)
    if (current && current.refusals > order.refusals) throw refusalAgain(current)
  }
}

/** The checkout is closed: by this very order, or by something else. */
async function takenBefore(shop: WalletNeeds, id: string): Promise<WalletPayment | 'processing'> {
  const payment = await findAtProvider(shop, id)
  if (payment?.status === 'captured' || payment?.status === 'held') return payment
  const order = await findWalletOrder(shop.db, id)
  if (payment && order?.captureUntil) return 'processing'
  throw (order && (await refusalIfPaid(shop, order.checkoutId))) ?? new Refusal('wallet_declined', { reason: LAPSED })
}

/** @param order as `beginCapture` gave it */
async function capture(shop: WalletNeeds, order: WalletOrder, mails: boolean): Promise<WalletPayment> {
  const end = (refusal?: WalletOrder['refusal']) =>
    shop.db.transaction(async (tx) => {
      await endCapture(tx, order, refusal)
      if (refusal && mails) await tellDeclined(tx, shop, order)
    })
  const putOff = () => autocommitWrite(shop.db, (tx) => putCaptureOff(tx, order, after(shop.clock.now(), ASK_AGAIN_MS)))
  let payment: WalletPayment
  try {
    payment = await shop.paypal.capture(order.id, order.refusals + 1)
  } catch (error) {
    if (error instanceof ProviderRefusal) throw await refusalFor(shop, error, order, end)
    await putOff()
    throw error
  }
  if (payment.status === 'processing' && payment.captureId === null) {
    await putOff()
    return payment
  }
  await settleCaptured(shop, order, payment)
  await end()
  if (payment.status === 'cancelled') throw new Refusal('wallet_declined', { reason: DECLINED })
  return payment
}

/** When the money came and the order could not be made at once, the money came all the same: the sweep makes the order. */
async function settleCaptured(shop: WalletNeeds, order: WalletOrder, payment: WalletPayment): Promise<void> {
  try {
    await applyPayment(shop, order, payment)
  } catch (error) {
    if (payment.status !== 'captured') throw error
    shop.log.error({ err: error, walletOrder: order.id }, 'a taken wallet payment could not be settled at once')
  }
}

const LAPSED = 'This payment is no longer offered. Nothing was charged. Please try again or choose another way to pay.'
const DECLINED = walletRefusalSentence('')

/** What the bank behind a wallet says no with (the issues of PayPal's Orders v2). */
const DECLINES = new Set(['INSTRUMENT_DECLINED', 'TRANSACTION_REFUSED'])

/** What a final no means to the shopper; the capture ends with it. */
async function refusalFor(
  shop: WalletNeeds,
  { code, message }: ProviderRefusal,
  order: WalletOrder,
  end: (refusal?: WalletOrder['refusal']) => Promise<void>,
): Promise<Refusal> {
  switch (code) {
    case 'ORDER_NOT_APPROVED':
      await end()
      // After a no the payer has to choose again: then that no is the reason.
      return order.refusals > 0 ? refusalAgain(order) : new Refusal('wallet_not_approved')
    case 'RESOURCE_NOT_FOUND':
      await end()
      return new Refusal('unknown_payment')
    // The order number was paid by an earlier wallet order, which a webhook or the sweep settles.
    case 'DUPLICATE_INVOICE_ID':
      await end()
      return new Refusal('already_paid')
    case undefined:
    default: {
      // The provider repeats its answer to a request id: after the payer chose again it has to be another one.
      const refusal = { issue: code ?? '', sentence: message }
      await end(refusal)
      // Of one try there is one decline, whoever tells of it.
      if (DECLINES.has(code ?? '')) await countDeclines(shop, order.checkoutId, [`${order.id}:${order.refusals + 1}`])
      return refusalAgain({ refusal })
    }
  }
}

/** The last capture was refused, and none is in doubt since. */
const isRefused = ({ refusals, captureUntil }: WalletOrder): boolean => refusals > 0 && captureUntil === null

/** Of one that a release before this one refused nobody noted why. */
function refusalAgain({ refusal }: Pick<WalletOrder, 'refusal'>): Refusal {
  const { issue: code, sentence } = refusal ?? { issue: '', sentence: DECLINED }
  return isAddressTrouble({ code })
    ? new Refusal('wallet_address', { details: sentence })
    : new Refusal('wallet_declined', { reason: walletRefusalSentence(code) })
}

/** Whoever was told that the payment is under way hears that it is not. */
async function tellDeclined(tx: Tx, shop: WalletNeeds, { checkoutId, quoteHash }: WalletOrder): Promise<void> {
  const open = await lockCheckout(tx, checkoutId)
  const version = await findVersion(tx, checkoutId, quoteHash)
  if (open?.state === 'open' && version) await mailShopper(tx, shop, open, version.frozen, 'declined')
}

/**
 * Finds out what became of a wallet order and does what follows from it: webhooks and the sweep come here.
 * An approved order is captured without its browser while its checkout is open: the payer has agreed, and paid means
 * ordered. Otherwise it lapses at the provider, uncharged.
 * @param waitMs for a capture that another has begun
 * @returns what it came to, in a word for the event's outcome
 * @throws ProviderUnavailable it is asked again later
 */
async function followWalletOrder(shop: WalletNeeds, id: string, waitMs = 0): Promise<string> {
  const order = await findWalletOrder(shop.db, id)
  const key = paymentKey('paypal', id)
  if (!order) {
    // Ours all the same when its custom id says so: the row was lost, the money was not.
    const { order: made, exception } = await settle(shop, key)
    return made ? `order ${made.orderNumber}` : `exception ${exception.kind}`
  }
  const payment = await findAtProvider(shop, id)
  // Whoever was told that it is under way hears how it ended.
  const isInDoubt = order.captureUntil !== null && order.captureUntil <= shop.clock.now()
  if (isInDoubt && (!payment || isTurnedBack(payment))) await endDoubt(shop, order)
  if (!payment) return stopChecking(shop, order)
  // After a refusal the payer has to choose again, in front of the page.
  if (!payment.approved || isRefused(order)) return applyPayment(shop, order, payment)

  const isOpen = (await findCheckout(shop.db, order.checkoutId))?.state === 'open'
  if (!isOpen) return scheduleCheck(shop, order, payment, 'not captured: its checkout is closed')
  try {
    const taken = await capturePayment(shop, order, { waitMs, mails: true })
    return taken === 'processing' ? taken : taken.status
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return scheduleCheck(shop, order, payment, error.code)
  }
}

/** An event is followed when a capture that is under way has ended. */
export const followWalletEvent = (shop: WalletNeeds, id: string): Promise<string> =>
  followWalletOrder(shop, id, EVENT_WAITS_MS)

/** Without money, and no longer approved: the provider sent the payer back to choose again. */
const isTurnedBack = ({ status, approved }: WalletPayment): boolean => status === 'open' && !approved

/** A capture of which nobody knew how it ended took nothing: its order lapsed, or waits for its payer again. */
async function endDoubt(shop: WalletNeeds, order: WalletOrder): Promise<void> {
  await shop.db.transaction(async (tx) => {
    await endCapture(tx, order, { issue: 'PAYER_ACTION_REQUIRED', sentence: DECLINED })
    await tellDeclined(tx, shop, order)
  })
}

/** @returns undefined for an order that has lapsed: PayPal forgets it then */
async function findAtProvider({ paypal }: WalletNeeds, id: string): Promise<WalletPayment | undefined> {
  try {
    return await paypal.readOrder(id)
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'RESOURCE_NOT_FOUND') return undefined
    throw error
  }
}

async function stopChecking({ db }: WalletNeeds, { id }: WalletOrder): Promise<string> {
  await db.transaction((tx) => scheduleNextCheck(tx, id, null))
  return 'lapsed'
}

async function applyPayment(shop: WalletNeeds, order: WalletOrder, payment: WalletPayment): Promise<string> {
  if (payment.status === 'captured') await settle(shop, paymentKey('paypal', order.id))
  if (payment.status === 'held') await holdCheckout(shop, order)
  if (payment.status === 'cancelled') {
    await releaseHeldCheckout(shop, order)
    if (payment.captureId) await countDeclines(shop, order.checkoutId, [payment.captureId])
  }
  return scheduleCheck(shop, order, payment, payment.status)
}

async function scheduleCheck(
  shop: WalletNeeds,
  order: WalletOrder,
  { status }: WalletPayment,
  outcome: string,
): Promise<string> {
  const at = nextCheckAt(status, order.createdAt, shop.clock.now())
  if (status === 'held' && at === null)
    shop.log.error({ walletOrder: order.id }, 'a payment has been under review for two months: look it up at PayPal')
  await shop.db.transaction((tx) => scheduleNextCheck(tx, order.id, at))
  return outcome
}

/** The provider has the money and reviews it: nothing is made yet, and nothing more is to be paid. */
async function holdCheckout(shop: WalletNeeds, order: WalletOrder): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const held = await lockCheckout(tx, order.checkoutId)
    const version = await findVersion(tx, order.checkoutId, order.quoteHash)
    if (held?.state !== 'open' || !version) return
    await markHeld(tx, held.id, order.id, shop.clock.now())
    await removeBoughtFromCart(tx, held.sessionId, version.frozen.lines)
    await cancelCardIntentLater(tx, shop, held)
    await mailShopper(tx, shop, held, version.frozen, 'held')
  })
}

/** The review ended with a no: nothing was charged, and the shopper finds the cart as it was. */
async function releaseHeldCheckout(shop: WalletNeeds, order: WalletOrder): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const held = await lockCheckout(tx, order.checkoutId)
    const version = await findVersion(tx, order.checkoutId, order.quoteHash)
    // An earlier wallet order's no, told late, says nothing of the one that is reviewed.
    if (held?.state !== 'held' || !isHeldBy(held, order) || !version) return
    await setState(tx, held.id, 'released', shop.clock.now())
    await returnToCart(tx, held.sessionId, version.frozen.lines)
    await mailShopper(tx, shop, held, version.frozen, 'denied')
  })
}

/** Of one that was held by a release before this one nobody noted by which. */
const isHeldBy = ({ provider, providerPaymentId }: StoredCheckout, { id }: WalletOrder): boolean =>
  provider !== 'paypal' || providerPaymentId === id

async function mailShopper(
  tx: Tx,
  shop: WalletNeeds,
  { id, orderNumber }: { id: CheckoutId; orderNumber: string },
  { customer, lines, quote }: FrozenCheckout,
  news: ReviewOutcome,
): Promise<void> {
  const mail = reviewMail({
    outcome: news,
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
export async function followOrLog(shop: WalletNeeds, id: string): Promise<boolean> {
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
async function waitForPrinter({ db }: Needs<'db'>, made: Order): Promise<Order> {
  let order = made
  for (let waited = 0; order.printfulOrderId === null && waited < ACCEPTANCE_MS; waited += ACCEPTANCE_POLL_MS) {
    await new Promise((later) => setTimeout(later, ACCEPTANCE_POLL_MS))
    order = (await findOrder(db, made.id)) ?? made
  }
  return order
}

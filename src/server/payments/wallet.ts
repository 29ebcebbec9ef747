import type { FrozenCheckout } from '#domain/checkout/checkout.ts'
import { toCartLines } from '#domain/codes/discount.ts'
import { toPayOf } from '#domain/gift-cards/gift-card.ts'
import { nextCheckAt } from '#domain/payments/next-check.ts'
import { walletRefusalSentence } from '#domain/payments/wallet-refusals.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { paymentKey, type SessionId } from '#shared/ids.ts'
import { after, SECOND_MS } from '#shared/time.ts'
import { readTheme } from '#server/catalog/collections.ts'
import { returnToCart, removeBoughtFromCart } from '#server/cart/cart.ts'
import {
  findCheckout,
  findVersion,
  lockCheckout,
  markHeld,
  markReleased,
  type StoredCheckout,
} from '#server/checkout/checkout.ts'
import { keepUses } from '#server/checkout/codes.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { autocommitWrite, type Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailLater, writtenIn } from '#server/mail/outbox.ts'
import { reviewMail, type ReviewOutcome } from '#server/mail/templates/payment-review.ts'
import type { WalletPayment } from '#server/providers/paypal/orders.ts'
import { findOrder, type Order } from '#server/orders/orders.ts'
import { withTimeout } from '#server/limits/timeout.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import {
  beginCapture,
  endCapture,
  findWalletOrder,
  scheduleNextCheck,
  postponeCapture,
  type WalletOrder,
} from '#server/checkout/wallet-orders.ts'
import { countDeclines } from '#server/checkout/declines.ts'
import { refusalIfPaid } from '#server/checkout/already-paid.ts'
import { isAddressRefused } from '#server/checkout/wallet.ts'
import { findPurchaseOfWallet } from './gift-card-rows.ts'
import { followPurchaseWallet } from './gift-card-wallet.ts'
import { cancelCardIntentLater, outcomeOf, settle } from './settlement.ts'

type WalletNeeds = Parameters<typeof settle>[0] & Needs<'paypal'>

/**
 * Captures the session's approved wallet order and creates its order.
 * @returns the payment as PayPal reports it; `processing` while PayPal has not responded
 * @throws Refusal `wallet_declined`, `wallet_not_approved` or `wallet_address`: nothing was charged
 * @throws Refusal `already_paid` when the checkout was paid another way; nothing was charged
 */
export async function captureWallet(
  shop: WalletNeeds,
  sessionId: SessionId | undefined,
  id: string,
): Promise<WalletPayment | 'processing'> {
  const order = await findWalletOrder(shop.db, id)
  const checkout = order && (await findCheckout(shop.db, order.checkoutId))
  if (!order || !checkout || checkout.sessionId !== sessionId) throw new Refusal('unknown_payment')

  // Without a response, the capture may have succeeded: it has not failed.
  const captured = capturePayment(shop, order, { waitMs: PAGE_WAIT_MS }).catch((error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
    shop.log.warn({ err: error, walletOrder: id }, 'PayPal did not confirm a capture. The shop will ask again.')
    return 'processing' as const
  })
  return withTimeout(captured, () => 'processing' as const)
}

/** `order` only for the session that paid. */
export type WalletResult = { kind: 'held' } | { kind: 'processing' } | { kind: 'paid'; order: Order | undefined }

/**
 * Reads a wallet order from PayPal and creates its order once paid. The paying session also gets the printer's order number if it
 * comes in time, the reason for a refused capture, and another attempt at a capture with unknown outcome.
 * @throws Refusal `payment_not_captured` when it was not paid and no capture is running; for the paying session as `captureWallet`
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
    // Approved and not captured yet: a capture is running, or the sweep will start it.
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
 * Finds out how the last capture of an unpaid order ended, for the paying session.
 * @throws Refusal when it was refused for good
 */
async function resolveDoubt(
  shop: WalletNeeds,
  sessionId: SessionId | undefined,
  id: string,
  payment: WalletPayment,
): Promise<WalletPayment> {
  const order = await findWalletOrder(shop.db, id)
  if (!order || (await findCheckout(shop.db, order.checkoutId))?.sessionId !== sessionId) return payment
  if (isRefused(order)) throw lastRefusal(order)
  if (order.captureUntil === null || !payment.approved) return payment
  try {
    const captured = await capturePayment(shop, order)
    return captured === 'processing' ? { ...payment, status: 'processing' } : captured
  } catch (error) {
    if (error instanceof ProviderUnavailable) return payment
    throw error
  }
}

/** The payer approved, and nothing was captured yet. */
export const isApproved = (payment: ProviderPayment): boolean => 'approved' in payment && payment.approved === true

/** A capture running longer counts as lost. Longer than the provider's timeout. */
const CAPTURE_MS = 30 * SECOND_MS
/** Before retrying a capture with unknown outcome; PayPal wants retries spaced out. */
const RETRY_CAPTURE_MS = 2 * SECOND_MS
/** How long the page, which must respond within 8 s, and an event wait for a capture that another process started. */
const PAGE_WAIT_MS = 8 * SECOND_MS
const EVENT_WAIT_MS = CAPTURE_MS + 5 * SECOND_MS
const CAPTURE_POLL_MS = 200

type CaptureOptions = {
  /** How long to wait for a capture that another process started. */
  waitMs?: number
  /** Whether to email the shopper about a final decline after an unknown outcome, because no page may be open. */
  mails?: boolean
}

/**
 * Captures the payment, or waits if another process is capturing it. Never captures for a checkout that was paid already or can no
 * longer be fulfilled as frozen.
 * @returns `processing` while the outcome is unknown
 * @throws Refusal only when it is certain that nothing was charged
 */
async function capturePayment(
  shop: WalletNeeds,
  order: WalletOrder,
  { waitMs = 0, mails = false }: CaptureOptions = {},
): Promise<WalletPayment | 'processing'> {
  let current: WalletOrder | undefined = order
  for (let waited = 0; ; waited += CAPTURE_POLL_MS) {
    const now = shop.clock.now()
    const { state } = (await findCheckout(shop.db, order.checkoutId)) ?? {}
    if (state !== 'open') return resultOfClosedCheckout(shop, order.id)
    const claimed = await autocommitWrite(shop.db, (tx) => beginCapture(tx, order.id, now, after(now, CAPTURE_MS)))
    // Email only shoppers who were told that the payment is processing.
    if (claimed) return capture(shop, claimed, mails && current?.captureUntil !== null)
    if (waited >= waitMs) return 'processing'
    await new Promise((resolve) => setTimeout(resolve, CAPTURE_POLL_MS))
    current = await findWalletOrder(shop.db, order.id)
    if (current && current.refusals > order.refusals) throw lastRefusal(current)
  }
}

/** The checkout was closed by this order or by another payment. */
async function resultOfClosedCheckout(shop: WalletNeeds, id: string): Promise<WalletPayment | 'processing'> {
  const payment = await findAtProvider(shop, id)
  if (payment?.status === 'captured' || payment?.status === 'held') return payment
  const order = await findWalletOrder(shop.db, id)
  if (payment && order?.captureUntil) return 'processing'
  throw (order && (await refusalIfPaid(shop, order.checkoutId))) ?? new Refusal('wallet_declined', { reason: EXPIRED })
}

/** @param order as returned by `beginCapture` */
async function capture(shop: WalletNeeds, order: WalletOrder, mails: boolean): Promise<WalletPayment> {
  const end = (refusal?: WalletOrder['refusal']) =>
    shop.db.transaction(async (tx) => {
      await endCapture(tx, order, refusal)
      if (refusal && mails) await mailDeclined(tx, shop, order)
    })
  const putOff = () =>
    autocommitWrite(shop.db, (tx) => postponeCapture(tx, order, after(shop.clock.now(), RETRY_CAPTURE_MS)))
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

/** If the order cannot be created now, the payment still succeeded: the sweep creates the order. */
async function settleCaptured(shop: WalletNeeds, order: WalletOrder, payment: WalletPayment): Promise<void> {
  try {
    await applyPayment(shop, order, payment)
  } catch (error) {
    if (payment.status !== 'captured') throw error
    shop.log.error(
      { err: error, walletOrder: order.id },
      'A captured wallet payment could not be settled; the sweep tries again.',
    )
  }
}

const EXPIRED = 'This payment has expired. Nothing was charged. Please try again or choose another way to pay.'
const DECLINED = walletRefusalSentence('')

/** Issue codes of PayPal's Orders v2 for a decline by the bank. */
const DECLINES = new Set(['INSTRUMENT_DECLINED', 'TRANSACTION_REFUSED'])

/** Ends the capture and turns PayPal's final refusal into the shopper's. */
async function refusalFor(
  shop: WalletNeeds,
  { code, message }: ProviderRefusal,
  order: WalletOrder,
  end: (refusal?: WalletOrder['refusal']) => Promise<void>,
): Promise<Refusal> {
  switch (code) {
    case 'ORDER_NOT_APPROVED':
      await end()
      // After a refusal the payer has to approve again, so that refusal is the reason.
      return order.refusals > 0 ? lastRefusal(order) : new Refusal('wallet_not_approved')
    case 'RESOURCE_NOT_FOUND':
      await end()
      return new Refusal('unknown_payment')
    // An earlier wallet order with this order number was paid; a webhook or the sweep settles it.
    case 'DUPLICATE_INVOICE_ID':
      await end()
      return new Refusal('already_paid')
    case undefined:
    default: {
      // PayPal repeats its response to a request id, so the next capture needs a new one.
      const refusal = { issue: code ?? '', sentence: message }
      await end(refusal)
      // Keyed by attempt, so one decline is counted once.
      if (DECLINES.has(code ?? '')) await countDeclines(shop, order.checkoutId, [`${order.id}:${order.refusals + 1}`])
      return lastRefusal({ refusal })
    }
  }
}

/** The last capture was refused, and none has run since. */
const isRefused = ({ refusals, captureUntil }: WalletOrder): boolean => refusals > 0 && captureUntil === null

/** Orders refused by an earlier release have no stored reason. */
function lastRefusal({ refusal }: Pick<WalletOrder, 'refusal'>): Refusal {
  const { issue: code, sentence } = refusal ?? { issue: '', sentence: DECLINED }
  return isAddressRefused({ code })
    ? new Refusal('wallet_address', { details: sentence })
    : new Refusal('wallet_declined', { reason: walletRefusalSentence(code) })
}

/** For shoppers who were told that the payment is processing. */
async function mailDeclined(tx: Tx, shop: WalletNeeds, { checkoutId, quoteHash }: WalletOrder): Promise<void> {
  const open = await lockCheckout(tx, checkoutId)
  const version = await findVersion(tx, checkoutId, quoteHash)
  if (open?.state === 'open' && version) await mailShopper(tx, shop, open, version.frozen, 'declined')
}

/**
 * Reads a wallet order and acts on its status, for webhooks and the sweep. While its checkout is open, an approved order is captured
 * without the browser, because the payer agreed to buy. Otherwise it expires at PayPal, uncharged.
 * @param waitMs for a capture that another process started
 * @returns the outcome, for the event's record
 * @throws ProviderUnavailable the sweep tries again
 */
async function followWalletOrder(shop: WalletNeeds, id: string, waitMs = 0): Promise<string> {
  const order = await findWalletOrder(shop.db, id)
  const key = paymentKey('paypal', id)
  if (!order) {
    const purchase = await findPurchaseOfWallet(shop.db, id)
    if (purchase) return followPurchaseWallet(shop, purchase)
    // Its row may be lost; its custom id still names our checkout.
    return outcomeOf(await settle(shop, key))
  }
  const payment = await findAtProvider(shop, id)
  // The shopper was told that it is processing, and gets an email about how it ended.
  const isOutcomeUnknown = order.captureUntil !== null && order.captureUntil <= shop.clock.now()
  if (isOutcomeUnknown && (!payment || needsApproval(payment))) await endUnknownCapture(shop, order)
  if (!payment) return stopChecking(shop, order)
  // After a refusal the payer has to approve again on the page.
  if (!payment.approved || isRefused(order)) return applyPayment(shop, order, payment)

  const isOpen = (await findCheckout(shop.db, order.checkoutId))?.state === 'open'
  if (!isOpen) return scheduleCheck(shop, order, payment, 'not captured: its checkout is closed')
  try {
    const captured = await capturePayment(shop, order, { waitMs, mails: true })
    return captured === 'processing' ? captured : captured.status
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return scheduleCheck(shop, order, payment, error.code)
  }
}

/** Waits for a running capture to end. */
export const followWalletEvent = (shop: WalletNeeds, id: string): Promise<string> =>
  followWalletOrder(shop, id, EVENT_WAIT_MS)

/** Unpaid and no longer approved: PayPal wants the payer to choose again. */
const needsApproval = ({ status, approved }: WalletPayment): boolean => status === 'open' && !approved

/** A capture with unknown outcome charged nothing: its order expired, or needs the payer's approval again. */
async function endUnknownCapture(shop: WalletNeeds, order: WalletOrder): Promise<void> {
  await shop.db.transaction(async (tx) => {
    await endCapture(tx, order, { issue: 'PAYER_ACTION_REQUIRED', sentence: DECLINED })
    await mailDeclined(tx, shop, order)
  })
}

/** @returns undefined for an expired order: PayPal deletes those */
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
    shop.log.error(
      { walletOrder: order.id },
      'A PayPal payment has been under review for two months. Look it up at PayPal.',
    )
  await shop.db.transaction((tx) => scheduleNextCheck(tx, order.id, at))
  return outcome
}

/** PayPal has the money and reviews it: no order yet, and no second payment. */
async function holdCheckout(shop: WalletNeeds, order: WalletOrder): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const held = await lockCheckout(tx, order.checkoutId)
    const version = await findVersion(tx, order.checkoutId, order.quoteHash)
    if (held?.state !== 'open' || !version) return
    await markHeld(tx, held, order.id, shop.clock.now())
    await removeBoughtFromCart(tx, held.sessionId, version.frozen.lines)
    await keepUses(tx, held, version.frozen.quote.discounts)
    await cancelCardIntentLater(tx, shop, held)
    await mailShopper(tx, shop, held, version.frozen, 'held')
  })
}

/** PayPal declined after its review: nothing was charged, and the items go back into the cart. */
async function releaseHeldCheckout(shop: WalletNeeds, order: WalletOrder): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const held = await lockCheckout(tx, order.checkoutId)
    const version = await findVersion(tx, order.checkoutId, order.quoteHash)
    // A late decline of an earlier wallet order does not concern the one under review.
    if (held?.state !== 'held' || !isHeldBy(held, order) || !version) return
    await markReleased(tx, held, shop.clock.now())
    await returnToCart(tx, held.sessionId, toCartLines(version.frozen.lines), shop.clock.now())
    await mailShopper(tx, shop, held, version.frozen, 'denied')
  })
}

/** Checkouts held by an earlier release do not store which wallet order holds them. */
const isHeldBy = ({ provider, providerPaymentId }: StoredCheckout, { id }: WalletOrder): boolean =>
  provider !== 'paypal' || providerPaymentId === id

async function mailShopper(
  tx: Tx,
  shop: WalletNeeds,
  { id, orderNumber, language }: Pick<StoredCheckout, 'id' | 'orderNumber' | 'language'>,
  { customer, lines, quote }: FrozenCheckout,
  news: ReviewOutcome,
): Promise<void> {
  const theme = await readTheme(tx, lines[0]?.collection ?? '')
  const mail = writtenIn(language, () =>
    reviewMail({
      outcome: news,
      orderNumber,
      customerName: customer.name,
      total: toPayOf(quote),
      theme,
      publicUrl: baseUrlOf(shop.config),
    }),
  )
  const recipient = { email: customer.email, name: customer.name }
  await mailLater(shop, tx, { kind: `payment_${news}`, recipient, orderId: null, about: id, ...mail }, shop.clock.now())
}

/** @throws ProviderUnavailable: the others would fail as well */
export async function followWalletOrderOrLog(shop: WalletNeeds, id: string): Promise<boolean> {
  try {
    return (await followWalletOrder(shop, id)) === 'captured'
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    shop.log.error({ err: error, walletOrder: id }, 'A wallet order could not be checked; the next sweep tries again.')
    return false
  }
}

/** How long the wallet's page waits for the printer's order number. */
const ACCEPTANCE_MS = 3 * SECOND_MS
const ACCEPTANCE_POLL_MS = 200

/** @returns the order once the printer has accepted it, or after three seconds; at once while it waits for changes */
async function waitForPrinter({ db, clock }: Needs<'db' | 'clock'>, made: Order): Promise<Order> {
  if (clock.now() < made.changeableUntil) return made
  let order = made
  for (let waited = 0; order.printfulOrderId === null && waited < ACCEPTANCE_MS; waited += ACCEPTANCE_POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, ACCEPTANCE_POLL_MS))
    order = (await findOrder(db, made.id)) ?? made
  }
  return order
}

import { label } from '#site/label.ts'
import type { CheckoutState } from '#domain/checkout/checkout.ts'
import { taxEvidenceOf } from '#domain/checkout/tax-evidence.ts'
import { entriesOfException, entriesOfSale } from '#domain/ledger/ledger.ts'
import { objectionTo, type PaymentObjection, type ProviderPayment } from '#domain/payments/objection.ts'
import { assert } from '#shared/assert.ts'
import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { removeBoughtFromCart } from '#server/cart/cart.ts'
import {
  lockCheckoutWithVersion,
  markPaid,
  markStartPaid,
  setState,
  type StoredCheckout,
} from '#server/checkout/checkout.ts'
import { isLive } from '#server/config/config.ts'
import { combineWrites, type Reader, type Tx } from '#server/db/db.ts'
import { submitOrderLater } from '#server/fulfillment/fulfillment.ts'
import { Refusal } from '#server/http/refusal.ts'
import { post } from '#server/ledger/ledger.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { mailConfirmationLater } from '#server/orders/confirmation.ts'
import { createOrder, type Order } from '#server/orders/orders.ts'
import { recordTaxLater } from '#server/orders/tax-record.ts'
import type { Needs } from '#server/shop.ts'
import { followSale } from './commission.ts'
import { postFee } from './fees.ts'
import {
  claimPayment,
  findException,
  findSettled,
  insertException,
  insertPayment,
  insertRefund,
  logOutcome,
  type PaymentException,
} from './store.ts'

/** What became of a captured payment: an order, or an exception that waits for the owner. */
export type SettlementResult =
  | { order: Order; exception?: undefined }
  | { exception: PaymentException; order?: undefined }

type SettlementNeeds = Needs<'db' | 'clock' | 'payments' | 'jobs' | 'config' | 'log'>

/**
 * Turns a provider's payment into an order, exactly once, whoever asks first: browser, webhook or sweep.
 * @param paymentKey `stripe:<id>` or `paypal:<id>`; unique in the processing log
 * @returns the order; or the exception that a captured payment makes when it does not fit its checkout (the owner is told, nothing is fulfilled)
 * @throws Refusal `unknown_payment` when the provider does not know it, or it is not of this shop's making
 * @throws Refusal `payment_not_captured`, with the provider's `status`, while there is no money; nothing was written
 * @throws ProviderUnavailable the sweep tries again; nothing was written
 */
export async function settle(shop: SettlementNeeds, paymentKey: PaymentKey): Promise<SettlementResult> {
  const { db, payments } = shop
  // What is settled stays settled: browser, webhooks and sweep come after each other, and the provider is asked once.
  const settled = await findAsSettled(db, paymentKey)
  if (settled) return settled
  const payment = await payments.read(paymentKey)
  // A payment that names no checkout was made by somebody else with the same provider account.
  if (!payment?.checkoutId) throw new Refusal('unknown_payment')
  if (payment.status !== 'captured') throw new Refusal('payment_not_captured', { status: payment.status })
  return db.transaction((tx) => settleIn(tx, shop, payment))
}

async function settleIn(tx: Tx, shop: SettlementNeeds, payment: ProviderPayment): Promise<SettlementResult> {
  const { clock, config } = shop
  const now = clock.now()
  const key = paymentKey(payment.provider, payment.id)
  if (!(await claimPayment(tx, payment, now))) return getSettled(tx, key)

  const { checkout, version } = await lockWithVersion(tx, payment)
  const offered = checkout && { state: checkout.state, currency: checkout.currency, total: version?.frozen.quote.total }
  const objection = objectionTo(payment, offered, isLive(config, payment.provider))
  await insertPayment(tx, payment, checkout?.id ?? null, now)
  if (objection || !checkout || !version)
    return openException(tx, shop, payment, objection ?? 'unknown_version', checkout?.state)

  const { frozen } = version
  const { id, sessionId, orderNumber, termsVersion, termsAcceptedAt } = checkout
  const taxEvidence = taxEvidenceOf(frozen, version.frozenAt)
  const consent = { termsVersion, termsAcceptedAt }
  const paid = { checkoutId: id, sessionId, orderNumber, ...consent, paymentKey: key, taxEvidence, frozen }
  const { order, lines } = await createOrder(tx, paid, now)
  await combineWrites(
    tx,
    markPaid(tx, id, { provider: payment.provider, paymentId: payment.id, frozen }, now),
    markStartPaid(tx, id, now),
    logOutcome(tx, key, 'completed', { orderNumber }),
  )
  await post(tx, {
    kind: 'sale',
    key: `sale:${key}`,
    orderId: order.id,
    paymentKey: key,
    bookedAt: now,
    entries: entriesOfSale(payment.provider, frozen.quote),
  })
  await followSale(tx, shop, order, lines, payment)
  if (payment.fee !== null)
    await postFee(tx, { paymentKey: key, provider: payment.provider, orderId: order.id }, payment.fee, now)
  // While a payment was held its lines were gone already; what is in the cart now is another wish.
  if (checkout.state !== 'held') await removeBoughtFromCart(tx, sessionId, frozen.lines)
  if (payment.provider !== 'stripe') await cancelCardIntentLater(tx, shop, checkout)
  await submitOrderLater(shop, tx, order.id)
  await recordTaxLater(shop, tx, order.id)
  await mailConfirmationLater(shop, tx, order, lines, now)
  shop.log.info({ orderNumber, paymentKey: key }, 'order made')
  return { order }
}

/** The payment's checkout, held until the transaction ends, and the version of it that was paid. */
async function lockWithVersion(tx: Tx, { checkoutId, quoteHash }: ProviderPayment) {
  const found = checkoutId === null ? undefined : await lockCheckoutWithVersion(tx, checkoutId, quoteHash ?? '')
  return { checkout: found?.checkout, version: found?.version ?? undefined }
}

/** Whoever has paid by wallet shall not pay the same by card from another tab: its intent is canceled. */
export async function cancelCardIntentLater(
  tx: Tx,
  { jobs }: Needs<'jobs'>,
  { provider, providerPaymentId }: StoredCheckout,
): Promise<void> {
  if (provider === 'stripe' && providerPaymentId)
    await jobs.enqueue(tx, 'cancel-intent', { intentId: providerPaymentId })
}

async function getSettled(db: Reader, paymentKey: PaymentKey): Promise<SettlementResult> {
  const settled = await findAsSettled(db, paymentKey)
  assert(settled, `${paymentKey} is claimed, and its row cannot be read`)
  return settled
}

async function findAsSettled(db: Reader, paymentKey: PaymentKey): Promise<SettlementResult | undefined> {
  const found = await findSettled(db, paymentKey)
  if (!found?.order) return found && { exception: await getException(db, paymentKey) }
  return { order: found.order }
}

async function getException(db: Reader, paymentKey: PaymentKey): Promise<PaymentException> {
  const exception = await findException(db, paymentKey)
  assert(exception, `${paymentKey} is claimed, but neither order nor exception exists`)
  return exception
}

/** Money came that makes no order: it is booked as owed, the owner is told, and a second payment of a checkout goes back by itself. */
async function openException(
  tx: Tx,
  shop: SettlementNeeds,
  payment: ProviderPayment,
  kind: PaymentObjection,
  state: CheckoutState | undefined,
): Promise<SettlementResult> {
  const now = shop.clock.now()
  const key = paymentKey(payment.provider, payment.id)
  const exception = await insertException(tx, { key, kind, amount: payment.amount, orderId: null, now })
  await post(tx, {
    kind: 'exception',
    key: `exception:${key}`,
    orderId: null,
    paymentKey: key,
    bookedAt: now,
    entries: entriesOfException(payment.provider, payment.amount),
  })
  if (payment.fee !== null)
    await postFee(tx, { paymentKey: key, provider: payment.provider, orderId: null }, payment.fee, now)
  if (payment.checkoutId && state === 'open') await setState(tx, payment.checkoutId, 'exception', now)
  if (kind === 'second_payment') {
    const row = { paymentKey: key, amountCents: payment.amount, reason: 'second payment of a checkout', createdAt: now }
    const { id } = await insertRefund(tx, row)
    await shop.jobs.enqueue(tx, 'refund-payment', { refundId: id })
  }
  await mailOwner(tx, shop, exception)
  await logOutcome(tx, key, 'exception', { kind })
  shop.log.error({ kind, paymentKey: key, amountCents: payment.amount }, 'a captured payment made no order')
  return { exception }
}

async function mailOwner(
  tx: Tx,
  shop: Needs<'jobs' | 'config' | 'clock'>,
  { kind, paymentKey: key, amountCents }: PaymentException,
) {
  const words = kind.replaceAll('_', ' ')
  const text = [
    `A payment of ${formatUsd(amountCents)} came in and made no order: ${words}.`,
    `Payment: ${key}`,
    kind === 'second_payment'
      ? 'Its checkout had been paid before. The money goes back to the payer by itself; nothing has to be done.'
      : 'Nothing was sent to the printer. Look the payment up at the provider and decide: refund it, or make the order by hand.',
  ].join('\n\n')
  await mailLater(
    shop,
    tx,
    {
      kind: 'payment_exception',
      recipient: { email: label.businessEmail, name: label.name },
      orderId: null,
      about: key,
      subject: `Payment without an order: ${words}`,
      text,
      html: `<pre style="white-space:pre-wrap;font:16px/1.5 sans-serif">${text}</pre>`,
    },
    shop.clock.now(),
  )
}

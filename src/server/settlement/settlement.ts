import { label } from '#brand/label.ts'
import type { CheckoutState, FrozenCheckout } from '#domain/checkout/checkout.ts'
import { entriesOfException, entriesOfExceptionRefund, entriesOfSale } from '#domain/ledger/ledger.ts'
import { objectionTo, type PaymentObjection, type ProviderPayment } from '#domain/settlement/objection.ts'
import { assert } from '#kernel/assert.ts'
import { paymentKey, readPaymentKey, type PaymentKey } from '#kernel/ids.ts'
import { formatUsd } from '#kernel/money.ts'
import { after, DAY_MS, MINUTE_MS } from '#kernel/time.ts'
import { takeBoughtFromCart } from '#server/cart/cart.ts'
import { amountsOf, findVersion, lockCheckout, releaseAbandoned, setState } from '#server/checkout/checkout.ts'
import type { Tx } from '#server/db/db.ts'
import { submitOrderLater } from '#server/fulfilment/fulfilment.ts'
import { Refused } from '#server/http/refused.ts'
import { post } from '#server/ledger/ledger.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { mailConfirmationLater } from '#server/orders/confirmation.ts'
import { createOrder, findOrderOfPayment, listWaiting, type Order } from '#server/orders/orders.ts'
import { ProviderUnavailable } from '#server/providers/trouble.ts'
import type { Needs } from '#server/shop.ts'
import {
  claim,
  completeRefund,
  findException,
  findRefund,
  insertException,
  insertPayment,
  insertRefund,
  logOutcome,
  resolveException,
  settledAmong,
  tryLockSweep,
  type PaymentException,
} from './store.ts'

/** What became of a captured payment: an order, or an exception that waits for the owner. */
export type Settled = { order: Order; exception?: undefined } | { exception: PaymentException; order?: undefined }

type Settling = Needs<'db' | 'clock' | 'payments' | 'jobs' | 'config' | 'log'>

/**
 * Turns a provider's payment into an order, exactly once, whoever asks first: browser, webhook or sweep.
 * @param key `stripe:<id>`; unique in the processing log
 * @returns the order; or the exception that a captured payment makes when it does not fit its checkout (the owner is told, nothing is fulfilled)
 * @throws Refused `unknown_payment` when the provider does not know it, or it is not of this shop's making
 * @throws Refused `payment_not_captured`, with the provider's `status`, while there is no money; nothing was written
 * @throws ProviderUnavailable the sweep tries again; nothing was written
 */
export async function settle(shop: Settling, key: PaymentKey): Promise<Settled> {
  const { db, payments } = shop
  const payment = await payments.read(key)
  // A payment that names no checkout was made by somebody else with the same provider account.
  if (!payment?.checkoutId) throw new Refused('unknown_payment')
  if (payment.status !== 'captured') throw new Refused('payment_not_captured', { status: payment.status })
  return db.transaction((tx) => settleIn(tx, shop, payment))
}

async function settleIn(tx: Tx, shop: Settling, payment: ProviderPayment): Promise<Settled> {
  const { clock, config } = shop
  const now = clock.now()
  const key = paymentKey(payment.provider, payment.id)
  if (!(await claim(tx, payment, now))) return getSettled(tx, key)

  const checkout = payment.checkoutId ? await lockCheckout(tx, payment.checkoutId) : undefined
  const version = checkout && payment.quoteHash ? await findVersion(tx, checkout.id, payment.quoteHash) : undefined
  const offered = checkout && { state: checkout.state, currency: checkout.currency, total: version?.frozen.quote.total }
  const objection = objectionTo(payment, offered, config.stripe.live)
  await insertPayment(tx, payment, checkout?.id ?? null, now)
  if (objection || !checkout || !version)
    return openException(tx, shop, payment, objection ?? 'unknown_version', checkout?.state)

  const { frozen } = version
  const { id, sessionId, orderNumber } = checkout
  const order = await createOrder(tx, { checkoutId: id, sessionId, orderNumber, paymentKey: key, frozen }, now)
  await keepPaidVersion(tx, checkout.id, frozen, now)
  await post(tx, {
    kind: 'sale',
    key: `sale:${key}`,
    orderId: order.id,
    paymentKey: key,
    bookedAt: now,
    entries: entriesOfSale(payment.provider, frozen.quote),
  })
  await takeBoughtFromCart(tx, sessionId, frozen.lines)
  await submitOrderLater(shop, tx, order.id)
  await mailConfirmationLater(shop, tx, order, now)
  await logOutcome(tx, key, 'completed', { orderNumber })
  shop.log.info({ orderNumber, paymentKey: key }, 'order made')
  return { order }
}

/** The checkout's columns show what was paid, also when another version was offered since. */
async function keepPaidVersion(tx: Tx, id: Order['checkoutId'], frozen: FrozenCheckout, now: Date) {
  await setState(tx, id, 'paid', now, amountsOf(frozen))
}

async function getSettled(tx: Tx, key: PaymentKey): Promise<Settled> {
  const order = await findOrderOfPayment(tx, key)
  if (order) return { order }
  const exception = await findException(tx, key)
  assert(exception, `${key} is claimed, but neither order nor exception exists`)
  return { exception }
}

/** Money came that makes no order: it is booked as owed, the owner is told, and a second payment of a checkout goes back by itself. */
async function openException(
  tx: Tx,
  shop: Settling,
  payment: ProviderPayment,
  kind: PaymentObjection,
  state: CheckoutState | undefined,
): Promise<Settled> {
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
  if (payment.checkoutId && state === 'open') await setState(tx, payment.checkoutId, 'exception', now)
  if (kind === 'second_payment') {
    const { id } = await insertRefund(tx, key, payment.amount, 'second payment of a checkout', now)
    await shop.jobs.enqueue(tx, 'refund-payment', { refundId: id })
  }
  await tellOwner(tx, shop, exception)
  await logOutcome(tx, key, 'exception', { kind })
  shop.log.error({ kind, paymentKey: key, amountCents: payment.amount }, 'a captured payment made no order')
  return { exception }
}

async function tellOwner(
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
      : 'Nothing was sent to the print partner. Look the payment up at the provider and decide: refund it, or make the order by hand.',
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

/** The job behind a refund that the shop owes by itself. Safe to repeat: the provider knows the key. */
export async function refundPayment({ db, payments, clock, log }: Settling, refundId: number): Promise<void> {
  const wanted = await findRefund(db, refundId)
  if (wanted?.status !== 'requested') return
  const made = await payments.refund(wanted.paymentKey, wanted.amountCents, `refund:${refundId}`)
  await db.transaction(async (tx) => {
    if (!(await completeRefund(tx, refundId, made.id, made.status))) return
    const provider = readPaymentKey(wanted.paymentKey)?.provider
    assert(provider, `${wanted.paymentKey} is no payment of a provider of ours`)
    const now = clock.now()
    await post(tx, {
      kind: 'refund',
      key: `refund:${refundId}`,
      orderId: null,
      paymentKey: wanted.paymentKey,
      bookedAt: now,
      entries: entriesOfExceptionRefund(provider, wanted.amountCents),
    })
    await resolveException(tx, wanted.paymentKey, now)
  })
  log.info({ paymentKey: wanted.paymentKey, amountCents: wanted.amountCents }, 'second payment refunded')
}

/** How far back the provider's list is read. Longer than any outage that goes unnoticed; what is settled costs one look-up a page. */
const LOOK_BACK_MS = 3 * DAY_MS
/** An unpaid intent is cancelled after a day. */
const ABANDONED_AFTER_MS = DAY_MS
/** An order that still waits then has lost its job. */
const WAITING_TOO_LONG_MS = 10 * MINUTE_MS
const BATCH = 100

/**
 * Finishes what was left: payments that nobody reported, orders whose job was lost, checkouts that nobody paid.
 * @returns how many orders and exceptions it made
 */
export async function sweep(shop: Settling & Needs<'stripe'>): Promise<{ settled: number }> {
  const { db, clock, stripe, log } = shop
  let settled = 0
  let page: PaymentKey[] = []
  const settlePage = async () => {
    const known = await settledAmong(db, page)
    for (const key of page) {
      if (known.has(key)) continue
      await settle(shop, key)
      settled += 1
    }
    page = []
  }
  for await (const payment of stripe.listIntents(after(clock.now(), -LOOK_BACK_MS))) {
    if (payment.status !== 'captured' || !payment.checkoutId) continue
    page.push(paymentKey(payment.provider, payment.id))
    if (page.length >= BATCH) await settlePage()
  }
  await settlePage()
  await releaseAbandoned(shop, after(clock.now(), -ABANDONED_AFTER_MS))
  await db.transaction(async (tx) => {
    // Of several instances one looks after the lost jobs; submitting is idempotent all the same.
    if (!(await tryLockSweep(tx))) return
    for (const { id } of await listWaiting(tx, after(clock.now(), -WAITING_TOO_LONG_MS), BATCH))
      await submitOrderLater(shop, tx, id)
  })
  if (settled) log.warn({ settled }, 'the sweep settled payments that nobody had reported')
  return { settled }
}

/** Sweeps for as long as the shop lives. @returns a stop that waits for the sweep under way */
export function startSweep(shop: Parameters<typeof sweep>[0]): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = sweep(shop)
      .catch((error: unknown) => {
        if (error instanceof ProviderUnavailable) shop.log.warn({ err: error }, 'sweep: provider unavailable')
        else shop.log.error({ err: error }, 'sweep failed')
      })
      .finally(() => {
        busy = false
      })
  }, shop.config.sweepIntervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

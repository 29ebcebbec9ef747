import { label } from '#brand/label.ts'
import type { CheckoutState, FrozenCheckout } from '#domain/checkout/checkout.ts'
import { taxEvidenceOf } from '#domain/checkout/tax-evidence.ts'
import { entriesOfException, entriesOfExceptionRefund, entriesOfSale } from '#domain/ledger/ledger.ts'
import { objectionTo, type PaymentObjection, type ProviderPayment } from '#domain/settlement/objection.ts'
import { assert } from '#kernel/assert.ts'
import { paymentKey, readPaymentKey, type PaymentKey } from '#kernel/ids.ts'
import { formatUsd } from '#kernel/money.ts'
import { after, DAY_MS, MINUTE_MS } from '#kernel/time.ts'
import { endIdleSessions } from '#server/accounts/accounts.ts'
import { takeBoughtFromCart } from '#server/cart/cart.ts'
import { amountsOf, findVersion, lockCheckout, releaseAbandoned, setState } from '#server/checkout/checkout.ts'
import type { Tx } from '#server/db/db.ts'
import { submitOrderLater } from '#server/fulfilment/fulfilment.ts'
import { Refused } from '#server/http/refused.ts'
import { post } from '#server/ledger/ledger.ts'
import { mailLater, requeueMails } from '#server/mail/outbox.ts'
import { mailConfirmationLater } from '#server/orders/confirmation.ts'
import { createOrder, findOrderOfPayment, listWaiting, type Order } from '#server/orders/orders.ts'
import { listUnrecordedTax, recordTaxLater } from '#server/orders/tax-record.ts'
import { ProviderRefused, ProviderUnavailable } from '#server/providers/trouble.ts'
import type { Needs } from '#server/shop.ts'
import {
  claim,
  completeRefund,
  findException,
  findRefund,
  insertException,
  insertPayment,
  insertRefund,
  listRequestedRefunds,
  logOutcome,
  resolveException,
  settledAmong,
  type PaymentException,
  type Refund,
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
  const taxEvidence = taxEvidenceOf(frozen, version.frozenAt)
  const paid = { checkoutId: id, sessionId, orderNumber, paymentKey: key, taxEvidence, frozen }
  const order = await createOrder(tx, paid, now)
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
  await recordTaxLater(shop, tx, order.id)
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

/** What a provider says when the money has gone back already, by hand or by a try whose answer was lost. */
const ALREADY_REFUNDED = 'charge_already_refunded'

/** The job behind a refund that the shop owes by itself. Safe to repeat: the provider knows the key. */
export async function refundPayment(shop: Settling, refundId: number): Promise<void> {
  const { db, clock, log } = shop
  const wanted = await findRefund(db, refundId)
  if (wanted?.status !== 'requested') return
  const made = await giveBack(shop, wanted)
  const isOnItsWay = made.status === 'succeeded' || made.status === 'pending'
  await db.transaction(async (tx) => {
    if (!(await completeRefund(tx, refundId, made.id, made.status))) return
    // A refund that failed leaves the exception open, for somebody to look at.
    if (!isOnItsWay) return
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
  const facts = { paymentKey: wanted.paymentKey, amountCents: wanted.amountCents, status: made.status }
  if (isOnItsWay) log.info(facts, 'second payment refunded')
  else log.error(facts, 'the refund of a second payment failed')
}

async function giveBack(
  { payments }: Settling,
  { id, paymentKey: key, amountCents }: Refund,
): Promise<{ id: string | null; status: string }> {
  try {
    return await payments.refund(key, amountCents, `refund:${key}:${id}`)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    return { id: null, status: error.code === ALREADY_REFUNDED ? 'succeeded' : 'failed' }
  }
}

/** How far back the provider's list is read. Longer than any outage that goes unnoticed; what is settled costs one look-up a page. */
const LOOK_BACK_MS = 3 * DAY_MS
/** An unpaid intent is cancelled after a day. */
const ABANDONED_AFTER_MS = DAY_MS
/** An order that still waits then has lost its job. */
const WAITING_TOO_LONG_MS = 10 * MINUTE_MS
const BATCH = 100

/**
 * Finishes what was left: payments that nobody reported, checkouts that nobody paid, orders and mails whose job was
 * lost. The parts do not depend on each other, and one payment that cannot be settled does not keep the others.
 * @returns how many orders and exceptions it made
 */
export async function sweep(shop: Settling & Needs<'stripe'>): Promise<{ settled: number }> {
  const { clock, log } = shop
  let settled = 0
  const settleEach = async (keys: readonly PaymentKey[]) => {
    const known = await settledAmong(shop.db, keys)
    for (const key of keys) if (!known.has(key) && (await settledAlone(shop, key))) settled += 1
  }
  await part(log, 'payments', async () => {
    for await (const page of capturedPages(shop)) await settleEach(page)
  })
  await part(log, 'abandoned checkouts', async () => {
    // An intent lives on while the shopper comes back to it, so it may be older than the list above reaches.
    await settleEach(await releaseAbandoned(shop, after(clock.now(), -ABANDONED_AFTER_MS)))
  })
  await part(log, 'lost jobs', () => requeueLost(shop))
  await part(log, 'idle sessions', async () => {
    await endIdleSessions(shop)
  })
  if (settled) log.warn({ settled }, 'the sweep settled payments that nobody had reported')
  return { settled }
}

async function part(log: Settling['log'], name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ProviderUnavailable) log.warn({ err: error, part: name }, 'sweep: provider unavailable')
    else log.error({ err: error, part: name }, 'a part of the sweep failed')
  }
}

/** @returns whether it is settled now @throws ProviderUnavailable: the others would fail as well */
async function settledAlone(shop: Settling, key: PaymentKey): Promise<boolean> {
  try {
    await settle(shop, key)
    return true
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    shop.log.error({ err: error, paymentKey: key }, 'a captured payment could not be settled')
    return false
  }
}

/** What the provider took for us lately, in pages. */
async function* capturedPages({ stripe, clock }: Settling & Needs<'stripe'>): AsyncGenerator<PaymentKey[]> {
  let page: PaymentKey[] = []
  for await (const payment of stripe.listIntents(after(clock.now(), -LOOK_BACK_MS))) {
    if (payment.status !== 'captured' || !payment.checkoutId) continue
    page.push(paymentKey(payment.provider, payment.id))
    if (page.length < BATCH) continue
    yield page
    page = []
  }
  yield page
}

/** Puts work back into the queue whose job was lost or has given up; what is queued already is not queued twice. */
async function requeueLost(shop: Settling): Promise<void> {
  const { db, clock, jobs } = shop
  const before = after(clock.now(), -WAITING_TOO_LONG_MS)
  await db.transaction(async (tx) => {
    for (const { id } of await listWaiting(tx, before, BATCH)) await submitOrderLater(shop, tx, id)
    for (const { id } of await listUnrecordedTax(tx, before, BATCH)) await recordTaxLater(shop, tx, id)
    for (const { id } of await listRequestedRefunds(tx, before, BATCH))
      await jobs.enqueue(tx, 'refund-payment', { refundId: id })
    await requeueMails(shop, tx, before, BATCH)
  })
}

/** Sweeps for as long as the shop lives. @returns a stop that waits for the sweep under way */
export function startSweep(shop: Parameters<typeof sweep>[0]): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = sweep(shop)
      .catch((error: unknown) => shop.log.error({ err: error }, 'sweep failed'))
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

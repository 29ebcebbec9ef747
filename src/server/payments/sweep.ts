import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { negate, ZERO } from '#shared/money.ts'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { endExpiredLinks, endIdleSessions } from '#server/accounts/accounts.ts'
import { requeueChats } from '#server/messages/chat.ts'
import { deleteOldStarts, listWalletOrdersDue, releaseAbandoned } from '#server/checkout/checkout.ts'
import { autocommitWrite } from '#server/db/db.ts'
import { followOrdersWithoutNews, submitWaitingLater } from '#server/fulfillment/fulfillment.ts'
import { deleteExpiredCounts } from '#server/http/rate-counter.ts'
import { requeueMails } from '#server/mail/outbox.ts'
import { listUnsubmitted } from '#server/orders/orders.ts'
import { listUnrecordedTax, recordTaxLater } from '#server/orders/tax-record.ts'
import { insertEvent, knownAmong } from '#server/providers/events.ts'
import type { WalletTransaction } from '#server/providers/paypal/paypal.ts'
import { RETURN_EVENTS, type StripeEvent } from '#server/providers/stripe/stripe.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { takeBackOwnPurchases } from './commission.ts'
import { followFees } from './fees.ts'
import { bookPayout } from './payouts.ts'
import { bookWalletDisputeFee, followReturns } from './refunds.ts'
import { settle } from './settlement.ts'
import { isReturnKnown, listRequestedRefunds, settledAmong } from './store.ts'
import { followOrLog } from './wallet.ts'
import { followStripeEvent, storedAs } from './webhooks.ts'

type SweepNeeds = Needs<'db' | 'clock' | 'payments' | 'jobs' | 'config' | 'log' | 'stripe' | 'paypal' | 'printful'>

/** How far back the provider's list is read. Longer than any outage that goes unnoticed; what is settled costs one look-up a page. */
const LOOK_BACK_MS = 3 * DAY_MS
/** An unpaid intent is canceled after a day. */
const ABANDONED_AFTER_MS = DAY_MS
/**
 * An order that still waits then has lost its job, or was passed over: a job of which there is one at a time takes nothing that was
 * asked of it while it ended. Two sweeps, as they are set.
 */
const WAITING_TOO_LONG_MS = 10 * MINUTE_MS
const WAITING_SWEEPS = 2
const BATCH = 100

/**
 * Finishes what was left: payments that nobody reported, checkouts that nobody paid, orders and mails whose job was
 * lost. The parts do not depend on each other, and one payment that cannot be settled does not keep the others.
 * @returns how many orders and exceptions it made
 */
export async function sweep(shop: SweepNeeds): Promise<{ settled: number }> {
  const { clock, log } = shop
  let settled = 0
  const settleEach = async (keys: readonly PaymentKey[]) => {
    const known = await settledAmong(shop.db, keys)
    for (const key of keys) if (!known.has(key) && (await settleOrLog(shop, key))) settled += 1
  }
  await runSweepPart(log, 'payments', async () => {
    for await (const page of capturedPages(shop)) await settleEach(page)
  })
  await runSweepPart(log, 'wallet orders', async () => {
    // All that are due: those that nobody will ever approve must not keep an approved one waiting until it lapses.
    const seen = new Set<string>()
    for (;;) {
      const due = await listWalletOrdersDue(shop.db, clock.now(), BATCH)
      const fresh = due.filter(({ id }) => !seen.has(id))
      if (fresh.length === 0) return
      for (const { id } of fresh) {
        seen.add(id)
        if (await followOrLog(shop, id)) settled += 1
      }
    }
  })
  // Each by itself: a provider that does not let us read one of them still tells of the others.
  const since = after(clock.now(), -LOOK_BACK_MS)
  await runSweepPart(log, 'refunds, disputes and payouts by card', () => followStripeEvents(shop, since))
  await runSweepPart(log, 'the wallet’s history', async () => {
    // A wallet's payment that no order of ours names is found in its history alone, such as after an old backup was restored.
    const { payments, captures } = await listMissedTransactions(shop, since)
    await followCaptures(shop, captures)
    await settleEach(payments)
  })
  await runSweepPart(log, 'the wallet’s disputes', async () =>
    followCaptures(shop, await listMissedDisputes(shop, since)),
  )
  await runSweepPart(log, 'fees', () => followFees(shop))
  await runSweepPart(log, 'own purchases', async () => {
    await takeBackOwnPurchases(shop)
  })
  await runSweepPart(log, 'abandoned checkouts', async () => {
    // An intent lives on while the shopper comes back to it, so it may be older than the list above reaches.
    await settleEach(await releaseAbandoned(shop, after(clock.now(), -ABANDONED_AFTER_MS)))
  })
  await runSweepPart(log, 'lost jobs', () => requeueLost(shop))
  await runSweepPart(log, 'quiet orders', async () => {
    await followOrdersWithoutNews(shop)
  })
  await runSweepPart(log, 'idle sessions, links and counts', async () => {
    await endIdleSessions(shop)
    await endExpiredLinks(shop)
    await autocommitWrite(shop.db, (tx) => deleteExpiredCounts(tx, clock.now()))
    await shop.db.transaction((tx) => deleteOldStarts(tx, clock.now()))
  })
  if (settled) log.warn({ settled }, 'the sweep settled payments that nobody had reported')
  return { settled }
}

async function runSweepPart(log: SweepNeeds['log'], name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ProviderUnavailable) log.warn({ err: error, part: name }, 'sweep: provider unavailable')
    else log.error({ err: error, part: name }, 'a part of the sweep failed')
  }
}

/** @returns whether it is settled now @throws ProviderUnavailable: the others would fail as well */
async function settleOrLog(shop: SweepNeeds, paymentKey: PaymentKey): Promise<boolean> {
  try {
    await settle(shop, paymentKey)
    return true
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    shop.log.error({ err: error, paymentKey: paymentKey }, 'a captured payment could not be settled')
    return false
  }
}

/** What the provider took for us lately, in pages. */
async function* capturedPages({ stripe, clock }: SweepNeeds): AsyncGenerator<PaymentKey[]> {
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

/** Stripe keeps its events whether they reached us or not: those that did not are followed now, once for each thing that they name. */
async function followStripeEvents(shop: SweepNeeds, since: Date): Promise<void> {
  const events = await Array.fromAsync(shop.stripe.listEvents(since, RETURN_EVENTS))
  const known = await knownAmong(
    shop.db,
    'stripe',
    events.map(({ id }) => id),
  )
  const unheard = events.filter(({ id }) => !known.has(id))
  for (const [about, group] of Map.groupBy(unheard, ({ payout, paymentIntent }) => payout ?? paymentIntent)) {
    const [event] = group
    if (about && event) await runPart(shop, about, () => followMissedEvents(shop, event, group))
  }
}

/** Stored only when it is done: what is cut off is found unheard again. */
async function followMissedEvents(shop: SweepNeeds, event: StripeEvent, group: readonly StripeEvent[]): Promise<void> {
  const outcome = await followStripeEvent(shop, storedAs(event))
  await shop.db.transaction(async (tx) => {
    for (const one of group) await insertEvent(tx, storedAs(one), shop.clock.now(), outcome)
  })
}

/**
 * The wallet's history: its payments for checkouts of ours, settled or not, and the captures of which something went back that is not
 * known here. Payouts and fees for disputes are booked on the way. What happened counts, not how old that is to which it happened.
 */
async function listMissedTransactions(
  shop: SweepNeeds,
  since: Date,
): Promise<{ payments: PaymentKey[]; captures: Set<string> }> {
  const payments: PaymentKey[] = []
  const captures = new Set<string>()
  for await (const one of shop.paypal.listTransactions(since)) {
    if (PAYOUT_CODES.test(one.code) && one.status === 'S') await bookWalletPayout(shop, one)
    if (one.kind === 'payment' && one.status === 'S' && one.amount > ZERO && one.checkoutId && one.paymentId)
      payments.push(paymentKey('paypal', one.paymentId))
    if (!one.captureId) continue
    if (one.kind === 'refund' && !(await isReturnKnown(shop.db, { id: one.id }))) captures.add(one.captureId)
    if (LATE_FAILURE_CODES.test(one.code)) captures.add(one.captureId)
    if (one.fee !== ZERO && DISPUTE_CODES.test(one.code))
      await bookWalletDisputeFee(shop, one.id, one.captureId, one.fee)
  }
  return { payments, captures }
}

/** The captures whose disputes have moved on without our hearing of it. */
async function listMissedDisputes(shop: SweepNeeds, since: Date): Promise<Set<string>> {
  const captures = new Set<string>()
  for await (const { captureId, about } of shop.paypal.listDisputesSince(since))
    if (!(await isReturnKnown(shop.db, about))) captures.add(captureId)
  return captures
}

async function followCaptures(shop: SweepNeeds, captures: ReadonlySet<string>): Promise<void> {
  const returned = new Set<PaymentKey>()
  for (const captureId of captures) {
    const order = await shop.paypal.orderIdOfCapture(captureId)
    if (order) returned.add(paymentKey('paypal', order))
  }
  for (const key of returned) await runPart(shop, key, () => followReturns(shop, key))
}

/** PayPal's event codes (developer.paypal.com/docs/reports/reference/tcodes): withdrawals, refunds that came back, chargebacks. */
const PAYOUT_CODES = /^T04/
const LATE_FAILURE_CODES = /^T1106/
const DISPUTE_CODES = /^T120/

const bookWalletPayout = (shop: SweepNeeds, { id, amount, at }: WalletTransaction): Promise<string> =>
  bookPayout(shop, { provider: 'paypal', id, amount: negate(amount), status: 'paid', createdAt: at })

/** One that cannot be booked does not keep the others. @throws ProviderUnavailable: the others would fail as well */
async function runPart(shop: SweepNeeds, about: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    shop.log.error({ err: error, about }, 'what went back of a payment could not be booked')
  }
}

/** Puts work back into the queue whose job was lost or has given up; what is queued already is not queued twice. */
async function requeueLost(shop: SweepNeeds): Promise<void> {
  const { db, clock, jobs, config } = shop
  const before = after(clock.now(), -Math.min(WAITING_TOO_LONG_MS, WAITING_SWEEPS * config.sweepIntervalMs))
  await db.transaction(async (tx) => {
    if ((await listUnsubmitted(tx, before, 1)).length > 0) await submitWaitingLater(shop, tx)
    for (const { id } of await listUnrecordedTax(tx, before, BATCH)) await recordTaxLater(shop, tx, id)
    for (const { id } of await listRequestedRefunds(tx, before, BATCH))
      await jobs.enqueue(tx, 'refund-payment', { refundId: id })
    await requeueMails(shop, tx, before, BATCH)
    await requeueChats(shop, tx, before, BATCH)
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

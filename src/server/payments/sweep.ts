import { paymentKey, type PaymentKey } from '#shared/ids.ts'
import { negate, ZERO } from '#shared/money.ts'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { endExpiredLinks, endIdleSessions } from '#server/accounts/accounts.ts'
import { releaseAbandoned } from '#server/checkout/card.ts'
import { autocommitWrite } from '#server/db/db.ts'
import { followOrdersWithoutNews, submitWaitingLater } from '#server/fulfillment/fulfillment.ts'
import { deleteExpiredCounts } from '#server/limits/rate-counter.ts'
import { requeueMails } from '#server/mail/outbox.ts'
import { listUnpaidChanges } from '#server/orders/changes.ts'
import { listUnsubmitted } from '#server/orders/orders.ts'
import { issueMissing } from '#server/orders/invoices.ts'
import { bookMissingTax } from '#server/orders/tax-bookings.ts'
import { listUnrecordedTax, recordTaxLater } from '#server/orders/tax-record.ts'
import { neededTypes, stripeEvents, typesThatMean } from '#server/providers/event-types.ts'
import { insertEvent, filterStored } from '#server/providers/events.ts'
import type { WalletTransaction } from '#server/providers/paypal/transactions.ts'
import type { StripeEvent } from '#server/providers/stripe/events.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { listRequestedRefunds } from '#server/orders/refunds.ts'
import { listWalletOrdersDue } from '#server/checkout/wallet-orders.ts'
import { deleteOldStarts } from '#server/checkout/declines.ts'
import { takeBackOwnPurchases } from './commission.ts'
import { followFees } from './fees.ts'
import { endUnpaidPurchases, sendDueGiftCards } from './gift-card-purchases.ts'
import { followPurchaseWallets } from './gift-card-wallet.ts'
import { bookPayout } from './payouts.ts'
import { bookWalletDisputeFee } from './disputes.ts'
import { lapseChange } from './order-changes.ts'
import { settle } from './settlement.ts'
import { isReturnKnown, filterSettled } from './store.ts'
import { followWalletOrderOrLog } from './wallet.ts'
import { followStripeEvent, toStoredEvent } from './webhooks.ts'
import { followReturns } from './returns.ts'

type SweepNeeds = Needs<'db' | 'clock' | 'payments' | 'jobs' | 'config' | 'log' | 'stripe' | 'paypal' | 'printful'>

/** How far back provider lists are read: longer than any unnoticed outage. Settled payments cost one query per page. */
const LOOK_BACK_MS = 3 * DAY_MS
/** An unpaid intent is canceled after a day. */
const ABANDONED_AFTER_MS = DAY_MS
/**
 * An order waiting longer has lost its job, or was added just as the single submit job ended. With a short sweep interval, two sweeps.
 */
const WAITING_TOO_LONG_MS = 10 * MINUTE_MS
const WAITING_SWEEPS = 2
const BATCH = 100

/**
 * Finds and finishes what was missed: unreported payments, abandoned checkouts, and orders and emails whose job was lost. Parts are
 * independent, and one failing payment does not block the others.
 * @returns how many payments became orders or exceptions
 */
export async function sweep(shop: SweepNeeds): Promise<{ settled: number }> {
  const { clock, log } = shop
  let settled = 0
  const settleEach = async (keys: readonly PaymentKey[]) => {
    const known = await filterSettled(shop.db, keys)
    for (const key of keys) if (!known.has(key) && (await settleOrLog(shop, key))) settled += 1
  }
  await runSweepPart(log, 'payments', async () => {
    for await (const page of capturedPages(shop)) await settleEach(page)
  })
  await runSweepPart(log, 'wallet orders', async () => {
    // All due ones: orders that nobody will approve must not delay an approved one until it expires.
    const seen = new Set<string>()
    for (;;) {
      const due = await listWalletOrdersDue(shop.db, clock.now(), BATCH)
      const fresh = due.filter(({ id }) => !seen.has(id))
      if (fresh.length === 0) return
      for (const { id } of fresh) {
        seen.add(id)
        if (await followWalletOrderOrLog(shop, id)) settled += 1
      }
    }
  })
  // Separate parts, so a failing list does not block the others.
  const since = after(clock.now(), -LOOK_BACK_MS)
  await runSweepPart(log, 'card refunds, disputes and payouts', () => followStripeEvents(shop, since))
  await runSweepPart(log, 'wallet transactions', async () => {
    // Also finds wallet payments that the database does not know, such as after restoring an old backup.
    const { payments, captures } = await listMissedTransactions(shop, since)
    await followCaptures(shop, captures)
    await settleEach(payments)
  })
  await runSweepPart(log, 'wallet disputes', async () => followCaptures(shop, await listMissedDisputes(shop, since)))
  await runSweepPart(log, 'fees', () => followFees(shop))
  await runSweepPart(log, 'own purchases', async () => {
    await takeBackOwnPurchases(shop)
  })
  await runSweepPart(log, 'abandoned checkouts', async () => {
    // An intent can be older than the list above reaches, if the shopper came back to it.
    await settleEach(await releaseAbandoned(shop, after(clock.now(), -ABANDONED_AFTER_MS)))
  })
  await runSweepPart(log, 'gift cards to send', () => sendDueGiftCards(shop))
  await runSweepPart(log, 'gift cards paid by PayPal', () => followPurchaseWallets(shop))
  await runSweepPart(log, 'unpaid gift cards', async () => {
    const paid = await endUnpaidPurchases(shop, after(clock.now(), -ABANDONED_AFTER_MS), BATCH)
    await settleEach(paid.map((id) => paymentKey('stripe', id)))
  })
  await runSweepPart(log, 'unpaid changes', async () => {
    for (const { id } of await listUnpaidChanges(shop.db, clock.now(), BATCH)) await lapseChange(shop, id)
  })
  // A previous release that still runs during a rollout does not book for it.
  await runSweepPart(log, 'tax report', () => shop.db.transaction((tx) => bookMissingTax(tx, since)))
  await runSweepPart(log, 'credit notes', () => issueMissing(shop, since, BATCH))
  await runSweepPart(log, 'lost jobs', () => requeueLost(shop))
  await runSweepPart(log, 'orders without news', async () => {
    await followOrdersWithoutNews(shop)
  })
  await runSweepPart(log, 'idle sessions, expired links and counters', async () => {
    await endIdleSessions(shop)
    await endExpiredLinks(shop)
    await autocommitWrite(shop.db, (tx) => deleteExpiredCounts(tx, clock.now()))
    await shop.db.transaction((tx) => deleteOldStarts(tx, clock.now()))
  })
  if (settled) log.warn({ settled }, 'The sweep settled payments that no browser or webhook had reported.')
  return { settled }
}

async function runSweepPart(log: SweepNeeds['log'], name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ProviderUnavailable)
      log.warn({ err: error, part: name }, 'Part of the sweep was skipped: the provider is unavailable.')
    else log.error({ err: error, part: name }, 'Part of the sweep failed.')
  }
}

/** @returns whether it is settled now @throws ProviderUnavailable: the others would fail as well */
async function settleOrLog(shop: SweepNeeds, paymentKey: PaymentKey): Promise<boolean> {
  try {
    await settle(shop, paymentKey)
    return true
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    shop.log.error(
      { err: error, paymentKey: paymentKey },
      'A captured payment could not be settled; the next sweep tries again.',
    )
    return false
  }
}

/** Recently captured card payments, in pages. */
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

/** Stripe's event list takes no patterns, and at most twenty types. */
const MISSED_TYPES = typesThatMean(stripeEvents, 'return', 'payout').filter((type) =>
  neededTypes(stripeEvents).includes(type),
)

/** Stripe lists its events whether or not they reached us. Missed ones are processed now, once per payment or payout. */
async function followStripeEvents(shop: SweepNeeds, since: Date): Promise<void> {
  const events = await Array.fromAsync(shop.stripe.listEvents(since, MISSED_TYPES))
  const known = await filterStored(
    shop.db,
    'stripe',
    events.map(({ id }) => id),
  )
  const missed = events.filter(({ id }) => !known.has(id))
  for (const [about, group] of Map.groupBy(missed, ({ payout, paymentIntent }) => payout ?? paymentIntent)) {
    const [event] = group
    if (about && event) await runPart(shop, about, () => followMissedEvents(shop, event, group))
  }
}

/** Stored only when done, so an interrupted sweep finds them again. */
async function followMissedEvents(shop: SweepNeeds, event: StripeEvent, group: readonly StripeEvent[]): Promise<void> {
  const outcome = await followStripeEvent(shop, toStoredEvent(event))
  await shop.db.transaction(async (tx) => {
    for (const member of group) await insertEvent(tx, toStoredEvent(member), shop.clock.now(), outcome)
  })
}

/**
 * Reads the PayPal account's history: payments for this shop's checkouts, settled or not, and captures with unknown refunds. Books
 * payouts and dispute fees along the way. `since` limits the transactions' age, not that of the payments they are about.
 */
async function listMissedTransactions(
  shop: SweepNeeds,
  since: Date,
): Promise<{ payments: PaymentKey[]; captures: Set<string> }> {
  const payments: PaymentKey[] = []
  const captures = new Set<string>()
  for await (const transaction of shop.paypal.listTransactions(since)) {
    const { id, code, kind, status, amount, fee, checkoutId, paymentId, captureId } = transaction
    if (PAYOUT_CODES.test(code) && status === 'S') await bookWalletPayout(shop, transaction)
    if (kind === 'payment' && status === 'S' && amount > ZERO && checkoutId && paymentId)
      payments.push(paymentKey('paypal', paymentId))
    if (!captureId) continue
    if (kind === 'refund' && !(await isReturnKnown(shop.db, { id }))) captures.add(captureId)
    if (LATE_FAILURE_CODES.test(code)) captures.add(captureId)
    if (fee !== ZERO && DISPUTE_CODES.test(code)) await bookWalletDisputeFee(shop, id, captureId, fee)
  }
  return { payments, captures }
}

/** The captures of disputes that changed without an event reaching us. */
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

/** PayPal's event codes (developer.paypal.com/docs/reports/reference/tcodes): withdrawals, returned refunds, chargebacks. */
const PAYOUT_CODES = /^T04/
const LATE_FAILURE_CODES = /^T1106/
const DISPUTE_CODES = /^T120/

const bookWalletPayout = (shop: SweepNeeds, { id, amount, at }: WalletTransaction): Promise<string> =>
  bookPayout(shop, { provider: 'paypal', id, amount: negate(amount), status: 'paid', createdAt: at })

/** A failure does not block the others. @throws ProviderUnavailable: the others would fail as well */
async function runPart(shop: SweepNeeds, about: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    shop.log.error(
      { err: error, about },
      'A refund, dispute or payout could not be booked; the next sweep tries again.',
    )
  }
}

/** Queues work again whose job was lost or gave up; queued work is not queued twice. */
async function requeueLost(shop: SweepNeeds): Promise<void> {
  const { db, clock, jobs, config } = shop
  const before = after(clock.now(), -Math.min(WAITING_TOO_LONG_MS, WAITING_SWEEPS * config.sweepIntervalMs))
  await db.transaction(async (tx) => {
    if ((await listUnsubmitted(tx, before, 1)).length > 0) await submitWaitingLater(shop, tx)
    for (const { id } of await listUnrecordedTax(tx, before, BATCH)) await recordTaxLater(shop, tx, id)
    for (const { id } of await listRequestedRefunds(tx, before, BATCH))
      await jobs.enqueue(tx, 'refund-payment', { refundId: id })
    await requeueMails(shop, tx, before, BATCH)
  })
}

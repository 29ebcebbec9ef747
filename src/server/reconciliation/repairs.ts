import {
  entriesOfFee,
  entriesOfPrinterCost,
  entriesOfPrinterCredit,
  type Entry,
  type PostingKind,
} from '#domain/ledger/ledger.ts'
import {
  differenceKinds,
  chargedFor,
  type Difference,
  type DifferenceKind,
} from '#domain/reconciliation/differences.ts'
import { ruleOf, type Repair } from '#domain/reconciliation/exceptions.ts'
import type { ProviderPayout } from '#domain/payments/payouts.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId, PaymentKey, PaymentProvider } from '#shared/ids.ts'
import { minus, negate, sum, ZERO, type Cents } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { cancelAtPrinter } from '#server/fulfillment/cancellation.ts'
import { recordCost } from '#server/fulfillment/costs.ts'
import { followPrinterOrder, toPrinterOrder, submitOrderLater } from '#server/fulfillment/fulfillment.ts'
import { Refusal } from '#server/http/refusal.ts'
import { hasPosted, post } from '#server/ledger/ledger.ts'
import { findOrder, listOrderLines, lockOrder, type Order } from '#server/orders/orders.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import { followFee, setFee } from '#server/payments/fees.ts'
import { bookPayout } from '#server/payments/payouts.ts'
import { followReturns, refundOrder } from '#server/payments/refunds.ts'
import { refundException, takeBackUnknownRefunds } from '#server/payments/repairs.ts'
import { settle } from '#server/payments/settlement.ts'
import type { Needs } from '#server/shop.ts'
import { toFoundException, correctionKeys, differencesAbout, linesAbout } from './compare.ts'
import { lockOpenException, saveExceptions, type StoredException } from './exceptions.ts'
import { readBook, type BookReaderNeeds } from './book-reader.ts'
import { readOrderPairs, readStray, strayKeys } from './book-pairs.ts'
import { findOpenException } from './store.ts'

export type RepairNeeds = BookReaderNeeds & Parameters<typeof settle>[0] & Needs<'printful'>

/**
 * Heals one exception by the one operation that its kind names. Nothing is taken from what the list says: what differs is
 * looked up anew, so pressing twice, or late, does nothing more.
 * @returns whether it was still open
 * @throws Refusal `no_repair` where somebody has to decide
 * @throws ProviderUnavailable later again
 */
export async function repairException(shop: RepairNeeds, id: number, by: Actor): Promise<boolean> {
  const found = await findOpenException(shop.db, id)
  if (!found) return false
  const { repair } = ruleOf(found.kind)
  if (!repair) throw new Refusal('no_repair')
  if (await isResolved(shop, found)) {
    await shop.db.transaction((tx) => requestRecheck(tx, shop, found))
    return true
  }
  await repairActions[repair](shop, found, by)
  await shop.db.transaction(async (tx) => {
    await requestRecheck(tx, shop, found)
    const after = { kind: found.kind, about: found.about }
    await recordAction(tx, {
      by,
      what: `repaired (${repair})`,
      about: { kind: 'exception', id },
      after,
      at: shop.clock.now(),
    })
  })
  return true
}

type OpenException = Pick<StoredException, 'id' | 'about' | 'orderId'> & { kind: Parameters<typeof ruleOf>[0] }

/** The list may be minutes old: what no longer differs needs no repair, and none is written down. */
async function isResolved({ db }: { db: Reader }, { kind, about }: OpenException): Promise<boolean> {
  return isDifference(kind) && !(await differencesAbout(db, about)).some((one) => one.kind === kind)
}

/** What was a difference between books is compared again; the rest heals by itself, and the watch sees it. */
async function requestRecheck(tx: Tx, { clock }: Needs<'clock'>, { kind, about }: OpenException): Promise<void> {
  if (!isDifference(kind)) return
  const left = (await differencesAbout(tx, about)).filter((one) => one.kind === kind)
  await saveExceptions(tx, { kinds: [kind], abouts: [about] }, left.map(toFoundException), clock.now())
}

const isDifference = (kind: string): kind is DifferenceKind => (differenceKinds as readonly string[]).includes(kind)

const repairActions: Readonly<
  Record<Repair, (shop: RepairNeeds, found: OpenException, by: Actor) => Promise<unknown>>
> = {
  settle: (shop, { about }) => settle(shop, keyIn(about)),
  follow_returns: (shop, { about }) => followReturns(shop, keyIn(about)),
  take_refund_back: (shop, { about }) => takeBackUnknownRefunds(shop, keyIn(about)),
  give_back: (shop, { about }) => refundException(shop, keyIn(about), 'made no order'),
  refund_rest: async (shop, found, by) => {
    const order = await orderOf(shop, found.orderId)
    // Whoever sends it to the partner again in this moment has decided otherwise.
    const isStillDue = async (tx: Tx) => !(await isResolved({ db: tx }, found))
    await ignoreIfDone(['nothing_to_refund', 'refund_changed'], () =>
      refundOrder(shop, order.orderNumber, { kind: 'rest' }, 'cancelled by the printer', by, undefined, isStillDue),
    )
  },
  submit_again: submitAgain,
  stop_or_book_stray: stopOrBookStray,

  book_correction: async (shop, found) => {
    // What the provider knows after all has only not been read.
    if (found.kind === 'missing_payment' && (await shop.payments.read(keyIn(found.about)))?.status === 'captured')
      return readBook(shop, providerIn(found.about), 30 * DAY_MS)
    return bookDifference(shop, found, (gap, provider) => ({
      kind: 'correction',
      entries: [
        { account: `provider:${provider}`, amount: gap },
        { account: 'liability:unassigned_payments', amount: negate(gap) },
      ],
    }))
  },
  book_fee: async (shop, found) => {
    const key = keyIn(found.about)
    // What was not known yet is booked as the sweep would, or the sweep would book it once more.
    await followFee(shop, key)
    await bookDifference(
      shop,
      found,
      (gap, provider) => ({ kind: 'fee', entries: entriesOfFee(provider, gap) }),
      (tx, gap) => setFee(tx, key, gap),
    )
  },
  book_payout: async (shop, { about }) => bookPayout(shop, await payoutOf(shop, about)),
  book_partner_cost: async (shop, found) => {
    const { id, externalId } = await orderOf(shop, found.orderId)
    await followPrinterOrder(shop, externalId)
    await bookDifference(shop, found, costEntries, (tx) => alignCost(tx, id))
  },
}

const costEntries = (gap: Cents): { kind: PostingKind; entries: Entry[] } =>
  gap > ZERO
    ? { kind: 'partner_cost', entries: entriesOfPrinterCost(gap) }
    : { kind: 'partner_credit', entries: entriesOfPrinterCredit(negate(gap)) }

/** The partner's next news is compared with what it takes for the order by its book, as this is booked now. */
async function alignCost(tx: Tx, id: OrderId): Promise<void> {
  const [sides] = await readOrderPairs(tx, [id])
  const current = sides?.partnerOrders.find(({ externalId }) => externalId === sides.order.externalId)
  const cost = current && chargedFor(current)
  if (cost !== undefined) await recordCost(tx, id, cost)
}

/**
 * Books by what the other's book says more than ours, under the locks of the exception and of its order.
 * @param align has the ordinary path know what is booked
 */
async function bookDifference(
  { db, clock }: RepairNeeds,
  { id, about, kind, orderId }: OpenException,
  entriesFor: (gap: Cents, provider: PaymentProvider) => { kind: PostingKind; entries: Entry[] },
  align?: (tx: Tx, gap: Cents) => Promise<unknown>,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockOpenException(tx, id))) return
    if (orderId !== null) await lockOrder(tx, orderId)
    const difference = (await differencesAbout(tx, about)).find((one) => one.kind === kind)
    if (!difference) return
    const gap = minus(difference.theirs, difference.ours)
    await align?.(tx, gap)
    await post(tx, {
      ...entriesFor(gap, providerIn(about)),
      key: await nextKey(tx, correctionKeys(about)),
      orderId: difference.orderId,
      paymentKey: about.startsWith('payment:') ? keyIn(about) : null,
      bookedAt: clock.now(),
    })
  })
}

async function nextKey(tx: Tx, keys: readonly string[]): Promise<string> {
  for (const key of keys) if (!(await hasPosted(tx, key))) return key
  throw new Refusal('no_repair')
}

/** An order that waits is queued anew; one that the partner has lost is made there again under the same number. */
async function submitAgain(shop: RepairNeeds, { kind, orderId }: OpenException): Promise<void> {
  const order = await orderOf(shop, orderId)
  if (order.fulfillmentStatus === 'waiting') {
    await shop.db.transaction((tx) => submitOrderLater(shop, tx, order.id))
    return
  }
  if (kind === 'not_submitted') return
  if (!isBeingMade(order)) throw new Refusal('no_repair')
  if (!(await shop.printful.findOrder(order.externalId))) {
    // The number is unique at the partner: of two who try, one is refused.
    const drafted = await shop.printful.createDraft(toPrinterOrder(order, await listOrderLines(shop.db, order.id)))
    if (isBeingMade(await orderOf(shop, orderId))) await shop.printful.confirmOrder(drafted.id)
  }
  // Who canceled it or gave its money back meanwhile has found nothing to stop at the partner.
  if (isGivenUp(await orderOf(shop, orderId))) await cancelAtPrinter(shop, order.id)
  else await followPrinterOrder(shop, order.externalId)
  await readBook(shop, 'printful')
}

/** What has left, is held or waits for somebody is not printed a second time at one press. */
const isBeingMade = ({ fulfillmentStatus, paymentStatus }: Order): boolean =>
  (fulfillmentStatus === 'submitted' || fulfillmentStatus === 'in_production') &&
  (paymentStatus === 'paid' || paymentStatus === 'partially_refunded')

const isGivenUp = ({ fulfillmentStatus, paymentStatus }: Order): boolean =>
  fulfillmentStatus === 'cancelled' || paymentStatus === 'refunded'

/** Stopped where it has not been begun; otherwise its cost is ours, and is booked. */
async function stopOrBookStray(shop: RepairNeeds, { id, about }: OpenException): Promise<void> {
  const strayId = Number(about.split(':')[1])
  const stray = await readStray(shop.db, strayId)
  if (stray?.status === 'pending' || stray?.status === 'onhold') {
    try {
      await shop.printful.cancelOrder(strayId)
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error
    }
    await readBook(shop, 'printful')
  }
  await shop.db.transaction(async (tx) => {
    if (!(await lockOpenException(tx, id))) return
    const [difference]: readonly Difference[] = await differencesAbout(tx, about)
    if (!difference) return
    const booked = { orderId: null, paymentKey: null, bookedAt: shop.clock.now() }
    const key = await nextKey(tx, strayKeys(strayId))
    await post(tx, { ...costEntries(minus(difference.theirs, difference.ours)), ...booked, key })
  })
}

/** Stripe is asked how it stands; PayPal knows no payouts, only lines of money that went to the bank. */
async function payoutOf(shop: RepairNeeds, about: string): Promise<ProviderPayout> {
  const id = about.split(':').slice(2).join(':')
  if (providerIn(about) === 'stripe') return shop.stripe.readPayout(id)
  const lines = await linesAbout(shop.db, about)
  const amount = negate(sum(lines.map(({ amount }) => amount)))
  return { provider: 'paypal', id, amount, status: 'paid', createdAt: lines[0]?.occurredAt ?? shop.clock.now() }
}

async function orderOf({ db }: Needs<'db'>, orderId: OrderId | null): Promise<Order> {
  const order = orderId === null ? undefined : await findOrder(db, orderId)
  assert(order, 'an exception about an order without an order')
  return order
}

async function ignoreIfDone(codes: readonly Refusal['code'][], act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Refusal && codes.includes(error.code))) throw error
  }
}

const keyIn = (about: string): PaymentKey => about.slice('payment:'.length) as PaymentKey

/** `payment:stripe:…`, `payout:stripe:…`, `line:stripe:…`; of the partner's there is none. */
const providerIn = (about: string): PaymentProvider => (about.split(':')[1] === 'paypal' ? 'paypal' : 'stripe')

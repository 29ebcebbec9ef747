import {
  entriesOfFee,
  entriesOfPrinterCost,
  entriesOfPrinterCredit,
  type Entry,
  type PostingKind,
} from '#domain/ledger/ledger.ts'
import {
  differenceKinds,
  printerChargeOf,
  type Difference,
  type DifferenceKind,
} from '#domain/reconciliation/differences.ts'
import { ruleOf, type Repair } from '#domain/reconciliation/exceptions.ts'
import type { ProviderPayout } from '#domain/payments/payouts.ts'
import { mayBeMade } from '#domain/orders/status.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId, PaymentKey, PaymentProvider } from '#shared/ids.ts'
import { minus, negate, sum, ZERO, type Cents } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { recordCost } from '#server/orders/production.ts'
import {
  followPrinterOrder,
  slipMessageOf,
  stopAtPrinter,
  submitOrderLater,
  toPrinterOrder,
} from '#server/fulfillment/fulfillment.ts'
import { Refusal } from '#server/http/refusal.ts'
import { hasPosted, post } from '#server/ledger/ledger.ts'
import { findOrder, isSale, listOrderLines, lockOrder, type Order } from '#server/orders/orders.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import { followFee, setFee } from '#server/payments/fees.ts'
import { bookPayout } from '#server/payments/payouts.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { refundException, takeBackUnknownRefunds } from '#server/payments/repairs.ts'
import { settle } from '#server/payments/settlement.ts'
import type { Needs } from '#server/shop.ts'
import { readPrinterOrder } from '#server/fulfillment/printer-orders.ts'
import { followReturns } from '#server/payments/returns.ts'
import { toFoundException, correctionKeys, differencesAbout, linesAbout } from './compare.ts'
import { lockOpenException, saveExceptions, type StoredException } from './exceptions.ts'
import { readBook, type BookReaderNeeds } from './book-reader.ts'
import { readOrderPairs, strayKeys } from './book-pairs.ts'
import { findOpenException } from './store.ts'
import { isOneOf } from '#shared/one-of.ts'

export type RepairNeeds = BookReaderNeeds & Parameters<typeof settle>[0] & Needs<'printful'>

/**
 * Repairs an exception with its kind's operation. The current difference is computed again, so a second or late click changes nothing.
 * @returns whether it was still open
 * @throws Refusal `no_repair` when the owner has to decide
 * @throws ProviderUnavailable try again later
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

/** The list may be minutes old: a difference that is gone needs no repair. */
async function isResolved({ db }: { db: Reader }, { kind, about }: OpenException): Promise<boolean> {
  return isDifference(kind) && !(await differencesAbout(db, about)).some((difference) => difference.kind === kind)
}

/** Compares the books again. Exceptions of other kinds are resolved by the next check. */
async function requestRecheck(tx: Tx, { clock }: Needs<'clock'>, { kind, about }: OpenException): Promise<void> {
  if (!isDifference(kind)) return
  const left = (await differencesAbout(tx, about)).filter((difference) => difference.kind === kind)
  await saveExceptions(tx, { kinds: [kind], abouts: [about] }, left.map(toFoundException), clock.now())
}

const isDifference = (kind: string): kind is DifferenceKind => isOneOf(differenceKinds, kind)

const repairActions: Readonly<
  Record<Repair, (shop: RepairNeeds, found: OpenException, by: Actor) => Promise<unknown>>
> = {
  settle: (shop, { about }) => settle(shop, keyIn(about)),
  follow_returns: (shop, { about }) => followReturns(shop, keyIn(about)),
  take_refund_back: (shop, { about }) => takeBackUnknownRefunds(shop, keyIn(about)),
  give_back: (shop, { about }) => refundException(shop, keyIn(about), 'made no order'),
  refund_rest: async (shop, found, by) => {
    const order = await orderOf(shop, found.orderId)
    // The owner may have sent it to the printer again in the meantime.
    const isStillDue = async (tx: Tx) => !(await isResolved({ db: tx }, found))
    await ignoreIfDone(['nothing_to_refund', 'refund_changed'], () =>
      refundOrder(shop, order.orderNumber, { kind: 'rest' }, 'cancelled by the printer', by, undefined, isStillDue),
    )
  },
  submit_again: submitAgain,
  stop_or_book_stray: stopOrBookStray,

  book_correction: async (shop, found) => {
    // The provider may know it, and its books were just not read yet.
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
    // Book a fee that was unknown the way the sweep does, or the sweep would book it again.
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
    const order = await orderOf(shop, found.orderId)
    await followPrinterOrder(shop, order.externalId)
    await bookDifference(
      shop,
      found,
      (gap) => costEntries(gap, isSale(order)),
      (tx) => alignCost(tx, order.id),
    )
  },
}

const costEntries = (gap: Cents, isOfSale: boolean): { kind: PostingKind; entries: Entry[] } =>
  gap > ZERO
    ? { kind: 'partner_cost', entries: entriesOfPrinterCost(gap, isOfSale) }
    : { kind: 'partner_credit', entries: entriesOfPrinterCredit(negate(gap), isOfSale) }

/** Stores the printer's current charge, so its next webhook is compared with what is booked now. */
async function alignCost(tx: Tx, id: OrderId): Promise<void> {
  const [sides] = await readOrderPairs(tx, [id])
  const current = sides?.partnerOrders.find(({ externalId }) => externalId === sides.order.externalId)
  const cost = current && printerChargeOf(current)
  if (cost !== undefined) await recordCost(tx, id, cost)
}

/**
 * Books the difference between the provider's books and ours, with the exception and its order locked.
 * @param align updates what the regular booking depends on
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
    const difference = (await differencesAbout(tx, about)).find((candidate) => candidate.kind === kind)
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

/** Queues a waiting order again; creates one that the printer lost again under the same number. */
async function submitAgain(shop: RepairNeeds, { kind, orderId }: OpenException): Promise<void> {
  const order = await orderOf(shop, orderId)
  if (order.fulfillmentStatus === 'waiting') {
    await shop.db.transaction((tx) => submitOrderLater(shop, tx, order))
    return
  }
  if (kind === 'not_submitted') return
  if (!isBeingMade(order)) throw new Refusal('no_repair')
  if (!(await shop.printful.findOrder(order.externalId))) {
    // The number is unique at the printer, so a concurrent attempt is refused.
    const lines = await listOrderLines(shop.db, order.id)
    const drafted = await shop.printful.createDraft(toPrinterOrder(order, lines, await slipMessageOf(shop.db, order)))
    if (isBeingMade(await orderOf(shop, orderId))) await shop.printful.confirmOrder(drafted.id)
  }
  // It may have been canceled or refunded meanwhile, when there was nothing to cancel at the printer.
  if (isGivenUp(await orderOf(shop, orderId))) await stopAtPrinter(shop, order.id)
  else await followPrinterOrder(shop, order.externalId)
  await readBook(shop, 'printful')
}

/** Orders that shipped, are on hold or need attention must not be printed again by one click. */
const isBeingMade = ({ fulfillmentStatus, paymentStatus }: Order): boolean =>
  (fulfillmentStatus === 'submitted' || fulfillmentStatus === 'in_production') && mayBeMade(paymentStatus)

const isGivenUp = ({ fulfillmentStatus, paymentStatus }: Order): boolean =>
  fulfillmentStatus === 'cancelled' || paymentStatus === 'refunded'

/** Cancels it if production has not started; otherwise books its cost. */
async function stopOrBookStray(shop: RepairNeeds, { id, about }: OpenException): Promise<void> {
  const strayId = Number(about.split(':')[1])
  const stray = await readPrinterOrder(shop.db, strayId)
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
    await post(tx, { ...costEntries(minus(difference.theirs, difference.ours), true), ...booked, key })
  })
}

/** Stripe has payouts; PayPal only has lines of withdrawals. */
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

/** `payment:stripe:…`, `payout:stripe:…`, `line:stripe:…`; never the printer. */
const providerIn = (about: string): PaymentProvider => (about.split(':')[1] === 'paypal' ? 'paypal' : 'stripe')

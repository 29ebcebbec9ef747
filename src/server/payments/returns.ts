import {
  entriesOfExceptionRefund,
  entriesOfFee,
  entriesOfRefund,
  entriesOfRefundToGiftCard,
  replaceProviderWithBank,
  reverseEntries,
  type Entry,
} from '#domain/ledger/ledger.ts'
import {
  fitPartsToAmount,
  partsOfAmount,
  paymentStatusFor,
  remainingParts,
  withoutDisputeDuplicates,
  type RefundParts,
  type ProviderRefund,
  type Returns,
} from '#domain/payments/returns.ts'
import type { PaymentStatus } from '#domain/orders/status.ts'
import type { PaymentKey } from '#shared/ids.ts'
import { negate, sum, ZERO } from '#shared/money.ts'
import type { Tx } from '#server/db/db.ts'
import { cancelAtPrinterLater } from '#server/fulfillment/cancellation.ts'
import { countRepeats, nextRepeatKey, listLastEntries, post } from '#server/ledger/ledger.ts'
import { mailRefundedLater, mailRefundReturnedLater } from '#server/orders/mails.ts'
import {
  findOrderOfPayment,
  listPaymentKeys,
  lockOrder,
  setPaymentStatus,
  partsOfOrder,
  type Order,
} from '#server/orders/orders.ts'
import { bookTaxOfFailedRefund, bookTaxOfRefund } from '#server/orders/tax-bookings.ts'
import { rebookTaxLater, reverseTaxLater } from '#server/orders/tax-record.ts'
import type { Needs } from '#server/shop.ts'
import { changeRefund, insertRefund, listOrderRefunds, listRefunds, type Refund } from '#server/orders/refunds.ts'
import { followCommission } from './commission.ts'
import { lockPurchasedCard, restatePurchase } from './gift-card-purchases.ts'
import { filterSettled } from './store.ts'
import { lockException, resolveException, type PaymentException } from './exceptions.ts'
import { bookDispute, type ReturnedPayment } from './disputes.ts'
import { MANUAL_REFUND_HINT, mailRefundFailed } from './owner-mails.ts'
import { listDisputesOf, providerOf } from './payments.ts'

type RestateNeeds = Needs<'clock' | 'jobs' | 'config' | 'log'>
type RefundNeeds = RestateNeeds & Needs<'db' | 'payments'>

/**
 * Books a payment's refunds and disputes, whether the shop, the provider's dashboard or the payer started them. Safe to repeat, also
 * with late or reordered events.
 * @param made a refund that the provider just created: its list may not include it yet, or not the id that we gave it
 * @returns the outcome, for the event's record
 * @throws ProviderUnavailable nothing was written; try again later
 */
export async function followReturns(shop: RefundNeeds, paymentKey: PaymentKey, made?: ProviderRefund): Promise<string> {
  // Payments of other programs with the same provider account cost no call.
  if (!(await filterSettled(shop.db, [paymentKey])).has(paymentKey)) return 'not settled'
  const requestedAt = shop.clock.now()
  const listed = await shop.payments.listReturns(paymentKey)
  const isListed = listed.refunds.some(({ id }) => id === made?.id)
  if (made && !isListed) listed.refunds.push(made)
  return shop.db.transaction(async (tx) => {
    const found = await findOrderOfPayment(tx, paymentKey)
    const order = found && (await lockOrder(tx, found.id))
    const bought = order ? undefined : await lockPurchasedCard(tx, paymentKey)
    const exception = order || bought ? undefined : await lockException(tx, paymentKey)
    const about = { paymentKey: paymentKey, order }
    const { refunds, disputes } = await withoutWalletTwins(tx, paymentKey, listed)
    for (const theirs of refunds) {
      if (theirs.id !== made?.id) await bookRefund(tx, shop, about, theirs, requestedAt)
      else await bookRefund(tx, shop, about, { ...theirs, ours: made.ours }, isListed ? requestedAt : made.at)
    }
    for (const theirs of disputes) await bookDispute(tx, shop, about, theirs)
    if (bought) return restatePurchase(tx, shop, bought)
    return restatePayment(tx, shop, paymentKey, order, exception)
  })
}

/** Derives the payment status again, from all refunds and disputes of an order or of a payment without one. @returns the status */
export async function restatePayment(
  tx: Tx,
  shop: RestateNeeds,
  key: PaymentKey,
  order: Order | undefined,
  exception: PaymentException | undefined,
): Promise<string> {
  const refunds = order ? await listOrderRefunds(tx, order.id) : await listRefunds(tx, key)
  const booked = refunds.filter(({ bookedAt, reversedAt }) => bookedAt && !reversedAt)
  const returned = sum(booked.map(({ amountCents }) => amountCents))
  const disputes = await listDisputesOf(tx, order ? await listPaymentKeys(tx, order) : [key])
  const disputed = disputes.map(({ amountCents: amount, status }) => ({ amount, status }))
  if (order) return restateOrder(tx, shop, order, paymentStatusFor(order.totalCents, returned, disputed))
  return exception
    ? restateException(tx, shop, exception, paymentStatusFor(exception.amountCents, returned, disputed))
    : 'nothing'
}

async function withoutWalletTwins(tx: Tx, paymentKey: PaymentKey, returns: Returns): Promise<Returns> {
  if (providerOf(paymentKey) !== 'paypal' || returns.disputes.length === 0) return returns
  const booked = (await listRefunds(tx, paymentKey)).filter(({ bookedAt, reversedAt }) => bookedAt && !reversedAt)
  return withoutDisputeDuplicates(returns, (id) => booked.some(({ providerRefundId }) => providerRefundId === id))
}

async function restateOrder(tx: Tx, shop: RestateNeeds, order: Order, status: PaymentStatus): Promise<string> {
  if (!(await setPaymentStatus(tx, order, status, shop.clock.now()))) return status
  // Also for refunds made in the provider's dashboard.
  if (status === 'refunded') await cancelAtPrinterLater(shop, tx, order.id)
  shop.log.info({ orderNumber: order.orderNumber, status }, 'An order’s payment status changed.')
  return status
}

/** A payment without an order is resolved once it is fully refunded, and reopened if a refund fails later. */
async function restateException(
  tx: Tx,
  shop: RestateNeeds,
  { paymentKey: key, resolvedAt }: PaymentException,
  status: PaymentStatus,
): Promise<string> {
  const isRefunded = status === 'refunded'
  if (isRefunded !== (resolvedAt !== null)) await resolveException(tx, key, isRefunded ? shop.clock.now() : null)
  if (isRefunded && !resolvedAt) shop.log.info({ paymentKey: key }, 'A payment without an order was refunded in full.')
  return status
}

/** @param asOf when the provider reported this: a report older than a failure does not undo the failure */
async function bookRefund(
  tx: Tx,
  shop: RefundNeeds,
  about: ReturnedPayment,
  theirs: ProviderRefund,
  asOf: Date,
): Promise<void> {
  const { paymentKey: key, order } = about
  const rows = await listRefunds(tx, key)
  const row =
    rows.find(({ providerRefundId }) => providerRefundId === theirs.id) ??
    rows.find(({ id, providerRefundId }) => id === theirs.ours && providerRefundId === null) ??
    (await insertFound(tx, shop, about, theirs))
  const now = shop.clock.now()
  const isFailed = theirs.status === 'failed'
  const isBooked = row.bookedAt !== null && row.reversedAt === null
  const booked = { orderId: order?.id ?? null, paymentKey: key, bookedAt: now }

  if (!isFailed && !isBooked) {
    // What the provider reported as failed stays failed, unless this report is newer.
    const isOver = row.bookedAt
      ? row.reversedAt && asOf <= row.reversedAt
      : row.status === 'failed' && row.providerRefundId
    if (isOver) return
    // Fit the parts to what is left now: another refund may have been booked meanwhile.
    const parts = order ? await partsThatFit(tx, order, row) : null
    const entries = entriesOf({ ...row, parts })
    const cause = await nextRepeatKey(tx, `refund:${row.id}`)
    if (order) await bookTaxOfRefund(tx, order, { ...row, parts }, cause, now)
    await post(tx, { ...booked, kind: 'refund', key: cause, entries })
    const to = { providerRefundId: theirs.id, status: theirs.status, parts }
    await changeRefund(tx, row.id, { ...to, bookedAt: row.bookedAt ?? now, reversedAt: null })
    if (theirs.feeReturned > ZERO && !(await hasFeeBooked(tx, row))) {
      const fee = entriesOfFee(providerOf(key), negate(theirs.feeReturned))
      await post(tx, { ...booked, kind: 'fee', key: await nextRepeatKey(tx, `fee:refund:${row.id}`), entries: fee })
    }
    if (!order) return
    // The change itself has updated commission and tax, and told the customer.
    if (row.changeId !== null) return
    await followCommission(tx, shop, order, { kind: 'refund', cause })
    if (!row.bookedAt) await mailRefundedLater(shop, tx, order, { refundId: row.id, amount: row.amountCents }, now)
    await reverseTaxLater(shop, tx, row.id)
    return
  }
  if (isFailed && isBooked) {
    await reverseRefund(tx, shop, order, row)
    // The shopper was told that the refund is on its way.
    if (order) await mailRefundReturnedLater(shop, tx, order, { refundId: row.id, amount: row.amountCents }, now)
    await mailRefundFailed(
      tx,
      shop,
      order,
      row,
      `The customer’s bank returned it, so the customer does not have the money. ${MANUAL_REFUND_HINT}`,
    )
    return
  }
  if (row.status === theirs.status) return
  await changeRefund(tx, row.id, { providerRefundId: theirs.id, status: theirs.status })
  if (isFailed && row.source === 'shop')
    await mailRefundFailed(
      tx,
      shop,
      order,
      row,
      `The payment provider could not complete it. The customer got no money. ${MANUAL_REFUND_HINT}`,
    )
}

/** Whether the fee that the provider returned with a refund is booked. */
const hasFeeBooked = async (tx: Tx, { id }: Refund): Promise<boolean> =>
  (await countRepeats(tx, `fee:refund:${id}`)) > (await countRepeats(tx, `fee:refund-failed:${id}`))

/**
 * Reverses a booked refund that returned no money: its postings, returned fee, commission and tax.
 * @param order locked by the caller, as is the row
 */
export async function reverseRefund(tx: Tx, shop: RefundNeeds, order: Order | undefined, row: Refund): Promise<void> {
  const now = shop.clock.now()
  const cause = await nextRepeatKey(tx, `refund-failed:${row.id}`)
  const booked = { orderId: order?.id ?? null, paymentKey: row.paymentKey, bookedAt: now }
  if (order) await bookTaxOfFailedRefund(tx, order, row, cause, now)
  await post(tx, { ...booked, kind: 'refund', key: cause, entries: reverseEntries(entriesOf(row)) })
  if (await hasFeeBooked(tx, row)) {
    const entries = reverseEntries(await listLastEntries(tx, `fee:refund:${row.id}`))
    await post(tx, { ...booked, kind: 'fee', key: await nextRepeatKey(tx, `fee:refund-failed:${row.id}`), entries })
  }
  await changeRefund(tx, row.id, { status: 'failed', reversedAt: now })
  if (order) await followCommission(tx, shop, order, { kind: 'refund_failed', cause })
  if (row.taxReversalId) await rebookTaxLater(shop, tx, row.id)
}

export function entriesOf({ paymentKey: key, parts, amountCents, paysRefundId, giftCardId }: Refund): Entry[] {
  if (giftCardId !== null && parts) return entriesOfRefundToGiftCard(parts)
  const provider = providerOf(key)
  const entries = parts ? entriesOfRefund(provider, parts) : entriesOfExceptionRefund(provider, amountCents)
  return paysRefundId === null ? entries : replaceProviderWithBank(entries)
}

/** A refund made in the provider's dashboard. */
async function insertFound(
  tx: Tx,
  shop: RefundNeeds,
  { paymentKey, order }: ReturnedPayment,
  theirs: ProviderRefund,
): Promise<Refund> {
  return insertRefund(tx, {
    paymentKey,
    orderId: order?.id ?? null,
    amountCents: theirs.amount,
    providerRefundId: theirs.id,
    source: 'provider',
    reason: 'made at the provider',
    createdAt: shop.clock.now(),
  })
}

async function partsThatFit(tx: Tx, order: Order, { id, parts, amountCents, changeId }: Refund): Promise<RefundParts> {
  // What a change gives back is no part of the order any more.
  if (changeId !== null && parts) return parts
  const booked = (await listOrderRefunds(tx, order.id)).filter(
    (refund) => refund.id !== id && refund.bookedAt && !refund.reversedAt,
  )
  const rest = remainingParts(
    partsOfOrder(order),
    booked.flatMap((refund) => (refund.parts ? [refund.parts] : [])),
  )
  return parts ? fitPartsToAmount(rest, parts) : partsOfAmount(rest, amountCents)
}

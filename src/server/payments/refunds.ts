import { label } from '#site/label.ts'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import { paths } from '#contract/paths.ts'
import {
  entriesOfDecision,
  entriesOfDispute,
  entriesOfDisputeFeeReturn,
  entriesOfExceptionRefund,
  entriesOfFee,
  entriesOfRefund,
  replaceProviderWithBank,
  reverseEntries,
  type Entry,
} from '#domain/ledger/ledger.ts'
import {
  fitPartsToAmount,
  NO_PARTS,
  partsOfAmount,
  partsOfLines,
  partsOfShipping,
  paymentStatusFor,
  piecesOf,
  remainingParts,
  totalOf,
  withoutDisputeDuplicates,
  type RefundParts,
  type Pieces,
  type ProviderDispute,
  type ProviderRefund,
  type Returns,
} from '#domain/payments/returns.ts'
import { allowedActions, explainGoodsAfterRefund } from '#domain/orders/actions.ts'
import type { PaymentStatus } from '#domain/orders/status.ts'
import { assert } from '#shared/assert.ts'
import {
  formatOrderNumber,
  paymentKey,
  readPaymentKey,
  type OrderNumber,
  type PaymentKey,
  type PaymentProvider,
} from '#shared/ids.ts'
import { cents, formatUsd, minus, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { readOrderFacts } from '#server/fulfillment/owner-actions.ts'
import { cancelAtPrinterLater } from '#server/fulfillment/cancellation.ts'
import { Refusal } from '#server/http/refusal.ts'
import { countRepeats, nextRepeatKey, hasPosted, listLastEntries, post } from '#server/ledger/ledger.ts'
import { paragraph } from '#server/mail/content.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { mailRefundedLater, mailRefundReturnedLater } from '#server/orders/mails.ts'
import {
  findOrderByNumber,
  findOrderOfPayment,
  listOrderLines,
  lockOrder,
  setPaymentStatus,
  partsOfOrder,
  type Order,
} from '#server/orders/orders.ts'
import { rebookTaxLater, reverseTaxLater } from '#server/orders/tax-record.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { changeRefund, failRefund, findRefund, insertRefund, listRefunds, type Refund } from '#server/orders/refunds.ts'
import { followCommission } from './commission.ts'
import { listDisputes, upsertDispute, filterSettled, type Dispute } from './store.ts'
import { lockException, resolveException, type PaymentException } from './exceptions.ts'

type RefundNeeds = Needs<'db' | 'clock' | 'payments' | 'jobs' | 'config' | 'log'>

/** What to refund: everything left, an amount, pieces of lines, or the shipping cost. */
export type RefundRequest =
  | { kind: 'rest' }
  | { kind: 'amount'; amount: Cents }
  | { kind: 'pieces'; pieces: Pieces }
  | { kind: 'shipping' }

/** A refund as it would be made now. `limit`: the most that can be refunded. */
export type RefundPreview = { parts: RefundParts; amount: Cents; limit: Cents }

/**
 * What a refund would return and what happens to the goods; changes nothing.
 * @throws Refusal as `refundOrder`
 */
export async function previewRefund(
  { db }: Pick<RefundNeeds, 'db'>,
  orderNumber: OrderNumber,
  requested: RefundRequest,
): Promise<RefundPreview & { goods: string; canCancel: boolean }> {
  const found = await findOrderByNumber(db, orderNumber)
  if (!found) throw new Refusal('unknown_order')
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, found.id)
    const preview = await computeRefund(tx, order, requested)
    const facts = await readOrderFacts(tx, order, preview.limit)
    const goods = explainGoodsAfterRefund(facts, preview.amount === preview.limit, order.partnerCostCents)
    return { ...preview, goods, canCancel: allowedActions(facts).cancel === null }
  })
}

async function computeRefund(tx: Tx, order: Order, requested: RefundRequest): Promise<RefundPreview> {
  const { rest, limit } = await refundableOf(tx, order)
  const parts = fitPartsToAmount(rest, await requestedParts(tx, order, rest, limit, requested))
  const amount = totalOf(parts)
  if (amount <= ZERO || amount > limit) throw new Refusal('nothing_to_refund', { rest: formatUsd(limit) })
  return { parts, amount, limit }
}

/**
 * Requests a refund and queues it. Its row is stored before the provider is called, so a lost response cannot double it. When the
 * order is refunded in full, the printer's order is canceled if possible.
 * @param reason for the owner's own books
 * @param seen the preview that the owner confirmed: confirming it twice makes no second refund
 * @param isStillDue checked while the order is locked
 * @throws Refusal `unknown_order`; `nothing_to_refund` when more is requested than is left; `refund_changed` when the preview is out
 *   of date or the refund no longer due; nothing was changed
 */
export async function refundOrder(
  shop: RefundNeeds,
  orderNumber: OrderNumber,
  requested: RefundRequest,
  reason: string,
  by: Actor,
  seen?: Pick<RefundPreview, 'amount' | 'limit'>,
  isStillDue?: (tx: Tx) => Promise<boolean>,
): Promise<Refund> {
  const found = await findOrderByNumber(shop.db, orderNumber)
  if (!found) throw new Refusal('unknown_order')
  return shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, found.id)
    const now = shop.clock.now()
    if (isStillDue && !(await isStillDue(tx))) throw new Refusal('refund_changed')
    const { parts, amount, limit } = await computeRefund(tx, order, requested)
    if (seen && (seen.amount !== amount || seen.limit !== limit)) throw new Refusal('refund_changed')
    const refund = await insertRefund(tx, {
      paymentKey: order.paymentKey,
      orderId: order.id,
      amountCents: amount,
      parts,
      pieces: requested.kind === 'pieces' ? requested.pieces : null,
      reason,
      createdAt: now,
    })
    await shop.jobs.enqueue(tx, 'refund-payment', { refundId: refund.id })
    if (amount === limit) await cancelAtPrinterLater(shop, tx, order.id)
    await recordAction(tx, {
      by,
      what: 'refunded',
      about: { kind: 'order', id: orderNumber },
      before: { left: formatUsd(limit) },
      after: { left: formatUsd(minus(limit, amount)), amount: formatUsd(amount), refund: refund.id },
      at: now,
    })
    return refund
  })
}

/**
 * Books that a failed refund was paid outside of the provider, such as by bank transfer; at most once.
 * @param reference of the bank transfer
 * @throws Refusal `unknown_refund`, `refund_not_failed`, or `nothing_to_refund` when the money was refunded since
 */
export async function recordManualRefund(
  shop: RefundNeeds,
  refundId: number,
  reference: string,
  by: Actor,
): Promise<Refund> {
  const requested = await findRefund(shop.db, refundId)
  if (!requested) throw new Refusal('unknown_refund')
  const { paymentKey: key } = requested
  return shop.db.transaction(async (tx) => {
    const found = await findOrderOfPayment(tx, key)
    const order = found && (await lockOrder(tx, found.id))
    const exception = order ? undefined : await lockException(tx, key)
    const rows = await listRefunds(tx, key)
    const paid = rows.find(({ paysRefundId }) => paysRefundId === refundId)
    if (paid) return paid
    const failed = rows.find(({ id }) => id === refundId)
    if (failed?.status !== 'failed') throw new Refusal('refund_not_failed')
    const amount = failed.amountCents
    const given = sum(rows.flatMap((row) => (row.status === 'failed' ? [] : [row.amountCents])))
    const { rest, limit } = order
      ? await refundableOf(tx, order)
      : { rest: NO_PARTS, limit: minus(exception?.amountCents ?? ZERO, given) }
    if (amount > limit) throw new Refusal('nothing_to_refund', { rest: formatUsd(limit) })

    const now = shop.clock.now()
    const parts = order ? fitPartsToAmount(rest, failed.parts ?? partsOfAmount(rest, amount)) : null
    const row = await insertRefund(tx, {
      ...{ paymentKey: key, orderId: order?.id ?? null, amountCents: amount, parts, pieces: failed.pieces },
      ...{ paysRefundId: refundId, reference, reason: failed.reason, createdAt: now },
    })
    await changeRefund(tx, row.id, { status: 'succeeded', bookedAt: now })
    const cause = await nextRepeatKey(tx, `refund:${row.id}`)
    const booked = { orderId: order?.id ?? null, paymentKey: key, bookedAt: now }
    await post(tx, { ...booked, kind: 'refund', key: cause, entries: entriesOf(row) })
    await recordAction(tx, {
      ...{ by, what: 'paid a refund another way', at: now },
      about: order ? { kind: 'order', id: order.orderNumber } : { kind: 'payment', id: key },
      after: { refund: refundId, amount: formatUsd(amount), reference },
    })
    const disputed = (await listDisputes(tx, key)).map(({ amountCents, status }) => ({ amount: amountCents, status }))
    const returned = plus(
      amount,
      sum(rows.flatMap(({ bookedAt, reversedAt, amountCents }) => (bookedAt && !reversedAt ? [amountCents] : []))),
    )
    if (order) {
      await followCommission(tx, shop, order, { kind: 'refund', cause })
      await mailRefundedLater(shop, tx, order, { refundId: row.id, amount, reference }, now)
      await reverseTaxLater(shop, tx, row.id)
      await restateOrder(tx, shop, order, paymentStatusFor(order.totalCents, returned, disputed))
    } else if (exception)
      await restateException(tx, shop, exception, paymentStatusFor(exception.amountCents, returned, disputed))
    return row
  })
}

/** `rest`: what has not been refunded. `limit`: that, less open and lost disputes. */
async function refundableOf(tx: Tx, order: Order): Promise<{ rest: RefundParts; limit: Cents }> {
  const refunds = await listRefunds(tx, order.paymentKey)
  const rest = remainingParts(
    partsOfOrder(order),
    refunds.flatMap(({ status, parts }) => (status === 'failed' || !parts ? [] : [parts])),
  )
  const taken = (await listDisputes(tx, order.paymentKey)).filter(
    ({ status }) => status === 'open' || status === 'lost',
  )
  const disputed = sum(taken.map(({ amountCents }) => amountCents))
  return { rest, limit: cents(Math.max(0, minus(totalOf(rest), disputed))) }
}

async function requestedParts(
  tx: Tx,
  order: Order,
  rest: RefundParts,
  limit: Cents,
  requested: RefundRequest,
): Promise<RefundParts> {
  if (requested.kind === 'rest') return partsOfAmount(rest, limit)
  if (requested.kind === 'shipping') return partsOfShipping(partsOfOrder(order), rest)
  if (requested.kind === 'amount') {
    if (requested.amount > limit) throw new Refusal('nothing_to_refund', { rest: formatUsd(limit) })
    return partsOfAmount(rest, requested.amount)
  }
  const lines = await listOrderLines(tx, order.id)
  const given = (await listRefunds(tx, order.paymentKey)).flatMap(({ status, pieces }) =>
    status === 'failed' ? [] : (pieces ?? []),
  )
  const pieces = requested.pieces.map(({ position, quantity }) => {
    const line = lines.find((candidate) => candidate.position === position)
    // A piece is refunded at most once.
    const inAll = piecesOf(position, [...given, ...requested.pieces])
    if (!line || quantity < 1 || inAll > line.quantity)
      throw new Refusal('invalid', {}, { line: 'The order does not have that many pieces left to refund.' })
    return { unitPrice: line.unitPrice, quantity }
  })
  return partsOfLines(partsOfOrder(order), rest, pieces)
}

/** Makes a requested refund at the provider. Safe to repeat at any time: it looks for the refund there first. */
export async function refundPayment(shop: RefundNeeds, refundId: number): Promise<void> {
  const requested = await findRefund(shop.db, refundId)
  if (requested?.status !== 'requested') return
  const made = await sendRefund(shop, requested)
  await followReturns(shop, requested.paymentKey, made)
  if (made) return
  // The provider may refuse because an earlier attempt, whose response was lost, succeeded. `followReturns` has found that one by now.
  await shop.db.transaction(async (tx) => {
    if (!(await failRefund(tx, refundId))) return
    const order = await findOrderOfPayment(tx, requested.paymentKey)
    await mailOwner(
      tx,
      shop,
      order,
      requested,
      `The payment provider refused it. The customer got no money. ${MANUAL_REFUND_HINT}`,
    )
  })
}

/** @returns undefined when the provider refuses */
async function sendRefund(
  { payments, log }: RefundNeeds,
  { id, paymentKey: key, amountCents }: Refund,
): Promise<ProviderRefund | undefined> {
  try {
    // An earlier attempt may have succeeded without us seeing the response, longer ago than the idempotency key lives.
    const existing = (await payments.listReturns(key)).refunds.find(({ ours }) => ours === id)
    if (existing) return existing
    return { ...(await payments.refund(key, amountCents, id, `refund:${key}:${id}`)), ours: id }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.error({ err: error, paymentKey: key, refund: id }, 'The payment provider refused a refund.')
    return undefined
  }
}

function providerOf(paymentKey: PaymentKey): PaymentProvider {
  const provider = readPaymentKey(paymentKey)?.provider
  assert(provider, `${paymentKey} has an unknown provider`)
  return provider
}

/** A payment with returned money, and its order if it made one. */
type ReturnedPayment = { paymentKey: PaymentKey; order: Order | undefined }

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
    const exception = order ? undefined : await lockException(tx, paymentKey)
    const about = { paymentKey: paymentKey, order }
    const { refunds, disputes } = await withoutWalletTwins(tx, paymentKey, listed)
    for (const theirs of refunds) {
      if (theirs.id !== made?.id) await bookRefund(tx, shop, about, theirs, requestedAt)
      else await bookRefund(tx, shop, about, { ...theirs, ours: made.ours }, isListed ? requestedAt : made.at)
    }
    for (const theirs of disputes) await bookDispute(tx, shop, about, theirs)

    const booked = (await listRefunds(tx, paymentKey)).filter(({ bookedAt, reversedAt }) => bookedAt && !reversedAt)
    const returned = sum(booked.map(({ amountCents }) => amountCents))
    const disputed = (await listDisputes(tx, paymentKey)).map(({ amountCents: amount, status }) => ({ amount, status }))
    if (exception)
      return restateException(tx, shop, exception, paymentStatusFor(exception.amountCents, returned, disputed))
    return order ? restateOrder(tx, shop, order, paymentStatusFor(order.totalCents, returned, disputed)) : 'nothing'
  })
}

async function withoutWalletTwins(tx: Tx, paymentKey: PaymentKey, returns: Returns): Promise<Returns> {
  if (providerOf(paymentKey) !== 'paypal' || returns.disputes.length === 0) return returns
  const booked = (await listRefunds(tx, paymentKey)).filter(({ bookedAt, reversedAt }) => bookedAt && !reversedAt)
  return withoutDisputeDuplicates(returns, (id) => booked.some(({ providerRefundId }) => providerRefundId === id))
}

async function restateOrder(tx: Tx, shop: RefundNeeds, order: Order, status: PaymentStatus): Promise<string> {
  if (!(await setPaymentStatus(tx, order, status, shop.clock.now()))) return status
  // Also for refunds made in the provider's dashboard.
  if (status === 'refunded') await cancelAtPrinterLater(shop, tx, order.id)
  shop.log.info({ orderNumber: order.orderNumber, status }, 'An order’s payment status changed.')
  return status
}

/** A payment without an order is resolved once it is fully refunded, and reopened if a refund fails later. */
async function restateException(
  tx: Tx,
  shop: RefundNeeds,
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
    await post(tx, { ...booked, kind: 'refund', key: cause, entries })
    const to = { providerRefundId: theirs.id, status: theirs.status, parts }
    await changeRefund(tx, row.id, { ...to, bookedAt: row.bookedAt ?? now, reversedAt: null })
    if (theirs.feeReturned > ZERO && !(await hasFeeBooked(tx, row))) {
      const fee = entriesOfFee(providerOf(key), negate(theirs.feeReturned))
      await post(tx, { ...booked, kind: 'fee', key: await nextRepeatKey(tx, `fee:refund:${row.id}`), entries: fee })
    }
    if (!order) return
    await followCommission(tx, shop, order, { kind: 'refund', cause })
    if (!row.bookedAt) await mailRefundedLater(shop, tx, order, { refundId: row.id, amount: row.amountCents }, now)
    await reverseTaxLater(shop, tx, row.id)
    return
  }
  if (isFailed && isBooked) {
    await reverseRefund(tx, shop, order, row)
    // The shopper was told that the refund is on its way.
    if (order) await mailRefundReturnedLater(shop, tx, order, { refundId: row.id, amount: row.amountCents }, now)
    await mailOwner(
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
    await mailOwner(
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
  await post(tx, { ...booked, kind: 'refund', key: cause, entries: reverseEntries(entriesOf(row)) })
  if (await hasFeeBooked(tx, row)) {
    const entries = reverseEntries(await listLastEntries(tx, `fee:refund:${row.id}`))
    await post(tx, { ...booked, kind: 'fee', key: await nextRepeatKey(tx, `fee:refund-failed:${row.id}`), entries })
  }
  await changeRefund(tx, row.id, { status: 'failed', reversedAt: now })
  if (order) await followCommission(tx, shop, order, { kind: 'refund_failed', cause })
  if (row.taxReversalId) await rebookTaxLater(shop, tx, row.id)
}

function entriesOf({ paymentKey: key, parts, amountCents, paysRefundId }: Refund): Entry[] {
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

async function partsThatFit(tx: Tx, order: Order, { id, parts, amountCents }: Refund): Promise<RefundParts> {
  const booked = (await listRefunds(tx, order.paymentKey)).filter(
    (refund) => refund.id !== id && refund.bookedAt && !refund.reversedAt,
  )
  const rest = remainingParts(
    partsOfOrder(order),
    booked.flatMap((refund) => (refund.parts ? [refund.parts] : [])),
  )
  return parts ? fitPartsToAmount(rest, parts) : partsOfAmount(rest, amountCents)
}

async function bookDispute(tx: Tx, shop: RefundNeeds, about: ReturnedPayment, theirs: ProviderDispute): Promise<void> {
  const { paymentKey: key, order } = about
  const provider = providerOf(key)
  const now = shop.clock.now()
  const known = (await listDisputes(tx, key)).find(({ disputeId }) => disputeId === theirs.id)
  if (known) await bookDisputeFee(tx, shop, known, theirs)
  // A decision is final; ignore events that arrive later.
  if (known?.decidedAt) return
  // The bank may extend the deadline, and drops it once it has our evidence.
  if (known && known.respondBy?.getTime() !== theirs.respondBy?.getTime())
    await upsertDispute(tx, { ...known, feeCents: theirs.fee, respondBy: theirs.respondBy })
  const name = `dispute:${provider}:${theirs.id}`
  const booked = { orderId: order?.id ?? null, paymentKey: key, bookedAt: now, kind: 'dispute' as const }
  // The bank may take the money some time after the dispute opened.
  if (theirs.hasMoved && !(await hasPosted(tx, `${name}:taken`))) {
    await post(tx, { ...booked, key: `${name}:taken`, entries: entriesOfDispute(provider, theirs.amount, theirs.fee) })
    if (order && known?.status === theirs.status)
      await followCommission(tx, shop, order, { kind: 'dispute', cause: `${name}:taken` })
    if (known) await upsertDispute(tx, { ...known, feeCents: theirs.fee, respondBy: theirs.respondBy })
  }
  if (known?.status === theirs.status) return

  const isDecided = theirs.status === 'won' || theirs.status === 'lost'
  await upsertDispute(tx, {
    provider,
    disputeId: theirs.id,
    paymentKey: key,
    orderId: booked.orderId,
    amountCents: theirs.amount,
    feeCents: theirs.fee,
    status: theirs.status,
    openedAt: known?.openedAt ?? now,
    respondBy: theirs.respondBy,
    decidedAt: isDecided ? now : null,
  })
  if (theirs.hasMoved && isDecided) {
    const entries = entriesOfDecision(provider, theirs.amount, theirs.status === 'won')
    await post(tx, { ...booked, key: `${name}:decided`, entries })
  }
  const kind = theirs.status === 'won' ? 'dispute_won' : 'dispute'
  if (order) await followCommission(tx, shop, order, { kind, cause: `${name}:${theirs.status}` })
  await mailAboutDispute(tx, shop, about, theirs)
}

/** A dispute's fee may be returned when it is won, possibly after the decision. */
async function bookDisputeFee(tx: Tx, shop: RefundNeeds, known: Dispute, { fee }: ProviderDispute): Promise<void> {
  const { provider, disputeId, paymentKey: key, orderId, feeCents } = known
  if (!(await hasPosted(tx, `dispute:${provider}:${disputeId}:taken`)) || fee === feeCents) return
  await post(tx, {
    kind: 'dispute',
    key: `dispute:${provider}:${disputeId}:fee:${fee}`,
    orderId,
    paymentKey: key,
    bookedAt: shop.clock.now(),
    entries: entriesOfDisputeFeeReturn(provider, minus(feeCents, fee)),
  })
  await upsertDispute(tx, { ...known, feeCents: fee })
}

/** PayPal shows a dispute's fee only in the account's history. @param fee as there: negative when PayPal charged it */
export async function bookWalletDisputeFee(
  shop: Needs<'db' | 'clock' | 'paypal'>,
  transactionId: string,
  captureId: string,
  fee: Cents,
): Promise<void> {
  const name = `dispute:paypal:${transactionId}:fee`
  if (await hasPosted(shop.db, name)) return
  const paymentId = await shop.paypal.orderIdOfCapture(captureId)
  const key = paymentId && paymentKey('paypal', paymentId)
  if (!key || !(await filterSettled(shop.db, [key])).has(key)) return
  await shop.db.transaction(async (tx) => {
    const order = await findOrderOfPayment(tx, key)
    if (order) await lockOrder(tx, order.id)
    if (await hasPosted(tx, name)) return
    const about = { orderId: order?.id ?? null, paymentKey: key, bookedAt: shop.clock.now() }
    await post(tx, { ...about, kind: 'dispute', key: name, entries: entriesOfDisputeFeeReturn('paypal', fee) })
  })
}

const disputeSentences: Record<ProviderDispute['status'], string> = {
  inquiry: 'The customer’s bank has a question about a payment. No money has moved. Answer it at the payment provider.',
  open: 'A customer disputed a payment, and the bank took the money for now. Submit your evidence at the payment provider before the deadline.',
  won: 'You won a dispute. The money is yours.',
  lost: 'You lost a dispute. The money went to the customer.',
}

async function mailAboutDispute(
  tx: Tx,
  shop: RefundNeeds,
  { paymentKey: key, order }: ReturnedPayment,
  theirs: ProviderDispute,
) {
  const { id, amount, status, respondBy } = theirs
  const about = order ? `order ${formatOrderNumber(order.orderNumber)}` : `payment ${key}`
  await mailOwnerLater(tx, shop, {
    kind: 'dispute',
    about: `${id}:${status}`,
    subject: `Dispute ${status}: ${about}`,
    link: linkTo(order),
    sentences: [
      disputeSentences[status],
      amount === ZERO
        ? `The money had already been refunded: ${about}, dispute ${id}.`
        : `${formatUsd(amount)}, ${about}, dispute ${id}.`,
      ...(respondBy && (status === 'open' || status === 'inquiry')
        ? [`Evidence is due by ${respondBy.toISOString().slice(0, 16).replace('T', ' ')} UTC.`]
        : []),
    ],
  })
  shop.log.warn({ about, dispute: id, status }, 'A payment is disputed.')
}

const MANUAL_REFUND_HINT =
  'Refund it again, or pay the customer another way, such as by bank transfer, and record its reference next to the refund.'

/** The admin page to act on. */
const linkTo = (order: Order | undefined): string =>
  order ? paths.adminOrder(order.orderNumber) : paths.adminExceptions

async function mailOwner(
  tx: Tx,
  shop: RefundNeeds,
  order: Order | undefined,
  { id, paymentKey: key, amountCents }: Refund,
  sentence: string,
) {
  const about = order ? `order ${formatOrderNumber(order.orderNumber)}` : 'a payment without an order'
  await mailOwnerLater(tx, shop, {
    kind: 'refund_failed',
    about: String(id),
    subject: `A refund of ${formatUsd(amountCents)} for ${about} failed`,
    link: linkTo(order),
    sentences: [sentence, `Refund ${id} of payment ${key}.`],
  })
  shop.log.error({ refund: id, paymentKey: key }, 'A refund failed.')
}

type MailToOwner = { kind: MailKind; about: string; subject: string; sentences: string[]; link: string }

async function mailOwnerLater(
  tx: Tx,
  shop: RefundNeeds,
  { kind, about, subject, sentences, link }: MailToOwner,
): Promise<void> {
  const url = `${baseUrlOf(shop.config)}${link}`
  const recipient = { email: label.businessEmail, name: label.name }
  const mail = {
    kind,
    recipient,
    orderId: null,
    about,
    subject,
    isPlain: true,
    blocks: [
      ...sentences.map(paragraph),
      { kind: 'small print' as const, text: '', link: { text: url, url }, asText: url },
    ],
  }
  await mailLater(shop, tx, mail, shop.clock.now())
}

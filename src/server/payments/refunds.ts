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
  paidFromBank,
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
import { allowedActions, goodsAfterRefund } from '#domain/orders/actions.ts'
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
import { countRepeats, freeKey, hasPosted, listLastEntries, post } from '#server/ledger/ledger.ts'
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
import { followCommission } from './commission.ts'
import {
  changeRefund,
  failRefund,
  findRefund,
  insertRefund,
  listDisputes,
  listRefunds,
  lockException,
  upsertDispute,
  resolveException,
  settledAmong,
  type Dispute,
  type PaymentException,
  type Refund,
} from './store.ts'

type RefundNeeds = Needs<'db' | 'clock' | 'payments' | 'jobs' | 'config' | 'log'>

/** What is given back: all that is left, an amount, pieces of lines, or what sending them cost. */
export type RefundRequest =
  | { kind: 'rest' }
  | { kind: 'amount'; amount: Cents }
  | { kind: 'pieces'; pieces: Pieces }
  | { kind: 'shipping' }

/** A refund as it would be made now: what it is made of, and what could go back at most. */
export type RefundPreview = { parts: RefundParts; amount: Cents; limit: Cents }

/**
 * What a refund would give back, and what becomes of the goods; nothing is decided by it.
 * @throws Refusal as `refundOrder`
 */
export async function previewRefund(
  { db }: Pick<RefundNeeds, 'db'>,
  orderNumber: OrderNumber,
  wanted: RefundRequest,
): Promise<RefundPreview & { goods: string; canCancel: boolean }> {
  const found = await findOrderByNumber(db, orderNumber)
  if (!found) throw new Refusal('unknown_order')
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, found.id)
    const preview = await computeRefund(tx, order, wanted)
    const facts = await readOrderFacts(tx, order, preview.limit)
    const goods = goodsAfterRefund(facts, preview.amount === preview.limit, order.partnerCostCents)
    return { ...preview, goods, canCancel: allowedActions(facts).cancel === null }
  })
}

async function computeRefund(tx: Tx, order: Order, wanted: RefundRequest): Promise<RefundPreview> {
  const { rest, limit } = await refundableOf(tx, order)
  const parts = fitPartsToAmount(rest, await requestedParts(tx, order, rest, limit, wanted))
  const amount = totalOf(parts)
  if (amount <= ZERO || amount > limit) throw new Refusal('nothing_to_refund', { rest: formatUsd(limit) })
  return { parts, amount, limit }
}

/**
 * Decides a refund and has it made: its row stands before the provider is asked, so a lost answer cannot double it.
 * When nothing is left, the partner is told to stop if it still can.
 * @param reason in words, for the owner's own books
 * @param seen the preview that the owner said yes to: a second yes to the same one makes no second refund
 * @param isStillDue asked when nobody else can change the order any more
 * @throws Refusal `unknown_order`, `nothing_to_refund` when more is wanted than is left, or `refund_changed` when it is no
 *   longer as it was seen, or due; nothing was changed
 */
export async function refundOrder(
  shop: RefundNeeds,
  orderNumber: OrderNumber,
  wanted: RefundRequest,
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
    const { parts, amount, limit } = await computeRefund(tx, order, wanted)
    if (seen && (seen.amount !== amount || seen.limit !== limit)) throw new Refusal('refund_changed')
    const refund = await insertRefund(tx, {
      paymentKey: order.paymentKey,
      orderId: order.id,
      amountCents: amount,
      parts,
      pieces: wanted.kind === 'pieces' ? wanted.pieces : null,
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
 * Books that the shopper has the money of a failed refund another way than by the provider, such as by a bank transfer. However
 * often it is asked for, it is booked once.
 * @param reference by which the payment is found at the bank
 * @throws Refusal `unknown_refund`, `refund_not_failed`, or `nothing_to_refund` where the money went back since
 */
export async function recordManualRefund(
  shop: RefundNeeds,
  refundId: number,
  reference: string,
  by: Actor,
): Promise<Refund> {
  const wanted = await findRefund(shop.db, refundId)
  if (!wanted) throw new Refusal('unknown_refund')
  const { paymentKey: key } = wanted
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
    const cause = await freeKey(tx, `refund:${row.id}`)
    const booked = { orderId: order?.id ?? null, paymentKey: key, bookedAt: now }
    await post(tx, { ...booked, kind: 'refund', key: cause, entries: entriesOf(row) })
    await recordAction(tx, {
      ...{ by, what: 'paid a refund another way', at: now },
      about: order ? { kind: 'order', id: order.orderNumber } : { kind: 'payment', id: key },
      after: { refund: refundId, amount: formatUsd(amount), reference },
    })
    const asked = (await listDisputes(tx, key)).map((one) => ({ amount: one.amountCents, status: one.status }))
    const returned = plus(
      amount,
      sum(rows.flatMap((one) => (one.bookedAt && !one.reversedAt ? [one.amountCents] : []))),
    )
    if (order) {
      await followCommission(tx, shop, order, { kind: 'refund', cause })
      await mailRefundedLater(shop, tx, order, { refundId: row.id, amount, reference }, now)
      await reverseTaxLater(shop, tx, row.id)
      await restateOrder(tx, shop, order, paymentStatusFor(order.totalCents, returned, asked))
    } else if (exception)
      await restateException(tx, shop, exception, paymentStatusFor(exception.amountCents, returned, asked))
    return row
  })
}

/** `rest`: what has not gone back. `limit`: of it, what no bank has taken or asks for. */
async function refundableOf(tx: Tx, order: Order): Promise<{ rest: RefundParts; limit: Cents }> {
  const refunds = await listRefunds(tx, order.paymentKey)
  const rest = remainingParts(
    partsOfOrder(order),
    refunds.flatMap(({ status, parts }) => (status === 'failed' || !parts ? [] : [parts])),
  )
  const taken = (await listDisputes(tx, order.paymentKey)).filter(
    ({ status }) => status === 'open' || status === 'lost',
  )
  const asked = sum(taken.map(({ amountCents }) => amountCents))
  return { rest, limit: cents(Math.max(0, minus(totalOf(rest), asked))) }
}

async function requestedParts(
  tx: Tx,
  order: Order,
  rest: RefundParts,
  limit: Cents,
  wanted: RefundRequest,
): Promise<RefundParts> {
  if (wanted.kind === 'rest') return partsOfAmount(rest, limit)
  if (wanted.kind === 'shipping') return partsOfShipping(partsOfOrder(order), rest)
  if (wanted.kind === 'amount') {
    if (wanted.amount > limit) throw new Refusal('nothing_to_refund', { rest: formatUsd(limit) })
    return partsOfAmount(rest, wanted.amount)
  }
  const lines = await listOrderLines(tx, order.id)
  const given = (await listRefunds(tx, order.paymentKey)).flatMap((one) =>
    one.status === 'failed' ? [] : (one.pieces ?? []),
  )
  const pieces = wanted.pieces.map(({ position, quantity }) => {
    const line = lines.find((one) => one.position === position)
    // A piece goes back once, however often the owner asks for it.
    const inAll = piecesOf(position, [...given, ...wanted.pieces])
    if (!line || quantity < 1 || inAll > line.quantity)
      throw new Refusal('invalid', {}, { line: 'The order has no such pieces.' })
    return { unitPrice: line.unitPrice, quantity }
  })
  return partsOfLines(partsOfOrder(order), rest, pieces)
}

/** The job behind a refund that was decided. Safe to repeat, however late: the provider is asked for it first. */
export async function refundPayment(shop: RefundNeeds, refundId: number): Promise<void> {
  const wanted = await findRefund(shop.db, refundId)
  if (wanted?.status !== 'requested') return
  const made = await sendRefund(shop, wanted)
  await followReturns(shop, wanted.paymentKey, made)
  if (made) return
  // A no may hide that it was made by a try whose answer was lost: then it was found just now, and is no failure.
  await shop.db.transaction(async (tx) => {
    if (!(await failRefund(tx, refundId))) return
    const order = await findOrderOfPayment(tx, wanted.paymentKey)
    await mailOwner(tx, shop, order, wanted, `The provider refuses it: nothing went back by it. ${MANUAL_REFUND_HINT}`)
  })
}

/** @returns undefined when the provider says no */
async function sendRefund(
  { payments, log }: RefundNeeds,
  { id, paymentKey: key, amountCents }: Refund,
): Promise<ProviderRefund | undefined> {
  try {
    // A try whose answer was lost may have made it, longer ago than the provider remembers the key.
    const made = (await payments.listReturns(key)).refunds.find(({ ours }) => ours === id)
    if (made) return made
    return { ...(await payments.refund(key, amountCents, id, `refund:${key}:${id}`)), ours: id }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.error({ err: error, paymentKey: key, refund: id }, 'the provider refuses a refund')
    return undefined
  }
}

function providerOf(paymentKey: PaymentKey): PaymentProvider {
  const provider = readPaymentKey(paymentKey)?.provider
  assert(provider, `${paymentKey} is no payment of a provider of ours`)
  return provider
}

/** What money came back of: an order, or a payment that made none. */
type ReturnedPayment = { paymentKey: PaymentKey; order: Order | undefined }

/**
 * Books what the provider has given back or the bank asks back of a payment, whoever began it: this shop, the provider's
 * own pages, or the payer. Safe to repeat; late and reordered news change nothing twice.
 * @param made a refund that the provider has just answered with: its list may not show it yet, or not whose it is
 * @returns what it came to, in a word
 * @throws ProviderUnavailable later again; nothing was written
 */
export async function followReturns(shop: RefundNeeds, paymentKey: PaymentKey, made?: ProviderRefund): Promise<string> {
  // What another program took with the same account costs no call.
  if (!(await settledAmong(shop.db, [paymentKey])).has(paymentKey)) return 'not settled'
  const askedAt = shop.clock.now()
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
      if (theirs.id !== made?.id) await bookRefund(tx, shop, about, theirs, askedAt)
      else await bookRefund(tx, shop, about, { ...theirs, ours: made.ours }, isListed ? askedAt : made.at)
    }
    for (const theirs of disputes) await bookDispute(tx, shop, about, theirs)

    const booked = (await listRefunds(tx, paymentKey)).filter(({ bookedAt, reversedAt }) => bookedAt && !reversedAt)
    const returned = sum(booked.map(({ amountCents }) => amountCents))
    const asked = (await listDisputes(tx, paymentKey)).map(({ amountCents: amount, status }) => ({ amount, status }))
    if (exception)
      return restateException(tx, shop, exception, paymentStatusFor(exception.amountCents, returned, asked))
    return order ? restateOrder(tx, shop, order, paymentStatusFor(order.totalCents, returned, asked)) : 'nothing'
  })
}

async function withoutWalletTwins(tx: Tx, paymentKey: PaymentKey, returns: Returns): Promise<Returns> {
  if (providerOf(paymentKey) !== 'paypal' || returns.disputes.length === 0) return returns
  const booked = (await listRefunds(tx, paymentKey)).filter(({ bookedAt, reversedAt }) => bookedAt && !reversedAt)
  return withoutDisputeDuplicates(returns, (id) => booked.some(({ providerRefundId }) => providerRefundId === id))
}

async function restateOrder(tx: Tx, shop: RefundNeeds, order: Order, status: PaymentStatus): Promise<string> {
  if (!(await setPaymentStatus(tx, order, status, shop.clock.now()))) return status
  // Also what went back at the provider's own pages is not to be printed.
  if (status === 'refunded') await cancelAtPrinterLater(shop, tx, order.id)
  shop.log.info({ orderNumber: order.orderNumber, status }, 'the money of an order stands otherwise')
  return status
}

/** Money that made no order waits for somebody until all of it went back; again when a refund fails late. */
async function restateException(
  tx: Tx,
  shop: RefundNeeds,
  { paymentKey: key, resolvedAt }: PaymentException,
  status: PaymentStatus,
): Promise<string> {
  const isGone = status === 'refunded'
  if (isGone !== (resolvedAt !== null)) await resolveException(tx, key, isGone ? shop.clock.now() : null)
  if (isGone && !resolvedAt) shop.log.info({ paymentKey: key }, 'a payment without an order went back')
  return status
}

/** @param asOf when the provider had it so: news that are older than a failure do not undo it */
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
    // What the provider itself has called failed stays so, unless it was asked again since.
    const isOver = row.bookedAt
      ? row.reversedAt && asOf <= row.reversedAt
      : row.status === 'failed' && row.providerRefundId
    if (isOver) return
    // What is booked fits what is left now: another refund may have come in between.
    const parts = order ? await partsThatFit(tx, order, row) : null
    const entries = entriesOf({ ...row, parts })
    const cause = await freeKey(tx, `refund:${row.id}`)
    await post(tx, { ...booked, kind: 'refund', key: cause, entries })
    const to = { providerRefundId: theirs.id, status: theirs.status, parts }
    await changeRefund(tx, row.id, { ...to, bookedAt: row.bookedAt ?? now, reversedAt: null })
    if (theirs.feeReturned > ZERO && !(await hasFeeBooked(tx, row))) {
      const fee = entriesOfFee(providerOf(key), negate(theirs.feeReturned))
      await post(tx, { ...booked, kind: 'fee', key: await freeKey(tx, `fee:refund:${row.id}`), entries: fee })
    }
    if (!order) return
    await followCommission(tx, shop, order, { kind: 'refund', cause })
    if (!row.bookedAt) await mailRefundedLater(shop, tx, order, { refundId: row.id, amount: row.amountCents }, now)
    await reverseTaxLater(shop, tx, row.id)
    return
  }
  if (isFailed && isBooked) {
    await takeBackRefund(tx, shop, order, row)
    // The shopper was told that the money is on its way.
    if (order) await mailRefundReturnedLater(shop, tx, order, { refundId: row.id, amount: row.amountCents }, now)
    await mailOwner(
      tx,
      shop,
      order,
      row,
      `The payer’s bank sent it back: the shopper has no money yet. ${MANUAL_REFUND_HINT}`,
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
      `The provider could not make it: nothing went back by it. ${MANUAL_REFUND_HINT}`,
    )
}

/** What the provider gave back of its fee with a refund stands in the book. */
const hasFeeBooked = async (tx: Tx, { id }: Refund): Promise<boolean> =>
  (await countRepeats(tx, `fee:refund:${id}`)) > (await countRepeats(tx, `fee:refund-failed:${id}`))

/**
 * Takes a booked refund out of the book, of the order, the commission and the tax, and what the provider gave back of its fee
 * with it: no money has gone back by it.
 * @param order held by the caller, and so is the row
 */
export async function takeBackRefund(tx: Tx, shop: RefundNeeds, order: Order | undefined, row: Refund): Promise<void> {
  const now = shop.clock.now()
  const cause = await freeKey(tx, `refund-failed:${row.id}`)
  const booked = { orderId: order?.id ?? null, paymentKey: row.paymentKey, bookedAt: now }
  await post(tx, { ...booked, kind: 'refund', key: cause, entries: reverseEntries(entriesOf(row)) })
  if (await hasFeeBooked(tx, row)) {
    const entries = reverseEntries(await listLastEntries(tx, `fee:refund:${row.id}`))
    await post(tx, { ...booked, kind: 'fee', key: await freeKey(tx, `fee:refund-failed:${row.id}`), entries })
  }
  await changeRefund(tx, row.id, { status: 'failed', reversedAt: now })
  if (order) await followCommission(tx, shop, order, { kind: 'refund_failed', cause })
  if (row.taxReversalId) await rebookTaxLater(shop, tx, row.id)
}

function entriesOf({ paymentKey: key, parts, amountCents, paysRefundId }: Refund): Entry[] {
  const provider = providerOf(key)
  const entries = parts ? entriesOfRefund(provider, parts) : entriesOfExceptionRefund(provider, amountCents)
  return paysRefundId === null ? entries : paidFromBank(entries)
}

/** A refund that was made at the provider's own pages. */
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
    (one) => one.id !== id && one.bookedAt && !one.reversedAt,
  )
  const rest = remainingParts(
    partsOfOrder(order),
    booked.flatMap((one) => (one.parts ? [one.parts] : [])),
  )
  return parts ? fitPartsToAmount(rest, parts) : partsOfAmount(rest, amountCents)
}

async function bookDispute(tx: Tx, shop: RefundNeeds, about: ReturnedPayment, theirs: ProviderDispute): Promise<void> {
  const { paymentKey: key, order } = about
  const provider = providerOf(key)
  const now = shop.clock.now()
  const known = (await listDisputes(tx, key)).find(({ disputeId }) => disputeId === theirs.id)
  if (known) await bookDisputeFee(tx, shop, known, theirs)
  // What was decided stays decided, whatever arrives late.
  if (known?.decidedAt) return
  // The bank may give more time, and names none once it has heard us.
  if (known && known.respondBy?.getTime() !== theirs.respondBy?.getTime())
    await upsertDispute(tx, { ...known, feeCents: theirs.fee, respondBy: theirs.respondBy })
  const name = `dispute:${provider}:${theirs.id}`
  const booked = { orderId: order?.id ?? null, paymentKey: key, bookedAt: now, kind: 'dispute' as const }
  // The bank may take the money some time after it began to ask for it.
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

/** What the provider charges for a dispute may come back when it is won, be it after the decision. */
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

/** What PayPal charges for a dispute stands in its account's history alone. @param fee as there: negative where it was kept */
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
  if (!key || !(await settledAmong(shop.db, [key])).has(key)) return
  await shop.db.transaction(async (tx) => {
    const order = await findOrderOfPayment(tx, key)
    if (order) await lockOrder(tx, order.id)
    if (await hasPosted(tx, name)) return
    const about = { orderId: order?.id ?? null, paymentKey: key, bookedAt: shop.clock.now() }
    await post(tx, { ...about, kind: 'dispute', key: name, entries: entriesOfDisputeFeeReturn('paypal', fee) })
  })
}

const disputeSentences: Record<ProviderDispute['status'], string> = {
  inquiry: 'The payer’s bank asks about a payment. No money has moved; answer it at the provider.',
  open: 'A payment is disputed: the bank has taken the money for now. Send your evidence at the provider in time.',
  won: 'A dispute was decided for the shop.',
  lost: 'A dispute was decided for the payer: the money is gone.',
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
        ? `Its money had gone back as a refund of ${about}, dispute ${id}.`
        : `${formatUsd(amount)} of ${about}, dispute ${id}.`,
      ...(respondBy && (status === 'open' || status === 'inquiry')
        ? [`Evidence is taken until ${respondBy.toISOString().slice(0, 16).replace('T', ' ')} UTC.`]
        : []),
    ],
  })
  shop.log.warn({ about, dispute: id, status }, 'a payment is disputed')
}

const MANUAL_REFUND_HINT =
  'Refund it again, or pay it another way, such as by bank transfer, and book that with its reference beside the refund.'

/** Where the owner decides about it. */
const linkTo = (order: Order | undefined): string =>
  order ? paths.adminOrder(order.orderNumber) : paths.adminExceptions

async function mailOwner(
  tx: Tx,
  shop: RefundNeeds,
  order: Order | undefined,
  { id, paymentKey: key, amountCents }: Refund,
  sentence: string,
) {
  const about = order ? `order ${formatOrderNumber(order.orderNumber)}` : `a payment without an order`
  await mailOwnerLater(tx, shop, {
    kind: 'refund_failed',
    about: String(id),
    subject: `A refund of ${formatUsd(amountCents)} for ${about} failed`,
    link: linkTo(order),
    sentences: [sentence, `Refund ${id} of payment ${key}.`],
  })
  shop.log.error({ refund: id, paymentKey: key }, 'a refund failed')
}

type MailToOwner = { kind: MailKind; about: string; subject: string; sentences: string[]; link: string }

async function mailOwnerLater(
  tx: Tx,
  shop: RefundNeeds,
  { kind, about, subject, sentences, link }: MailToOwner,
): Promise<void> {
  const url = `${baseUrlOf(shop.config)}${link}`
  const recipient = { email: label.businessEmail, name: label.name }
  // Nothing in it was written by anybody but us.
  const html = [...sentences, `<a href="${url}">${url}</a>`].map(
    (one) => `<p style="font:16px/1.5 sans-serif">${one}</p>`,
  )
  const mail = {
    kind,
    recipient,
    orderId: null,
    about,
    subject,
    text: [...sentences, url].join('\n\n'),
    html: html.join(''),
  }
  await mailLater(shop, tx, mail, shop.clock.now())
}

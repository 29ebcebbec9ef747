import {
  fitPartsToAmount,
  NO_PARTS,
  partsOfAmount,
  partsOfLines,
  partsOfShipping,
  piecesOf,
  remainingParts,
  splitOver,
  totalOf,
  type RefundParts,
  type Pieces,
  type ProviderRefund,
} from '#domain/payments/returns.ts'
import { allowedActions, explainGoodsAfterRefund } from '#domain/orders/actions.ts'
import { assert } from '#shared/assert.ts'
import type { OrderNumber, PaymentKey } from '#shared/ids.ts'
import { cents, formatUsd, minus, sum, ZERO, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import { readOrderFacts } from '#server/fulfillment/owner-actions.ts'
import { cancelAtPrinterLater } from '#server/fulfillment/cancellation.ts'
import { Refusal } from '#server/http/refusal.ts'
import { nextRepeatKey, post } from '#server/ledger/ledger.ts'
import { mailRefundedLater } from '#server/orders/mails.ts'
import {
  findOrderByNumber,
  findOrderOfPayment,
  isSale,
  listOrderLines,
  listPaymentKeys,
  lockOrder,
  partsOfOrder,
  type Order,
  type PaidOrder,
} from '#server/orders/orders.ts'
import { bookTaxOfRefund } from '#server/orders/tax-bookings.ts'
import { reverseTaxLater } from '#server/orders/tax-record.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import {
  changeRefund,
  failRefund,
  findRefund,
  insertRefund,
  listOrderRefunds,
  listRefunds,
  listRefundsOf,
  type Refund,
} from '#server/orders/refunds.ts'
import { followCommission } from './commission.ts'
import { leftOfGiftCard, refundToGiftCard } from './gift-card-refunds.ts'
import { lockException } from './exceptions.ts'
import { MANUAL_REFUND_HINT, mailRefundFailed } from './owner-mails.ts'
import { amountsOfPayments, listDisputesOf } from './payments.ts'
import { countStaffRefund } from './refund-limits.ts'
import { entriesOf, followReturns, restatePayment } from './returns.ts'

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
 * @param asCredit as store credit, which the customer gets by email, instead of back to where the money came from
 * @throws Refusal `unknown_order`; `nothing_to_refund` when more is requested than is left; `refund_changed` when the preview is out
 *   of date or the refund no longer due; `over_refund_limit` for a role with limits; nothing was changed
 */
export async function refundOrder(
  shop: RefundNeeds,
  orderNumber: OrderNumber,
  requested: RefundRequest,
  reason: string,
  by: Actor,
  seen?: Pick<RefundPreview, 'amount' | 'limit'>,
  isStillDue?: (tx: Tx) => Promise<boolean>,
  asCredit = false,
): Promise<{ amount: Cents; refunds: Refund[] }> {
  const found = await findOrderByNumber(shop.db, orderNumber)
  if (!found) throw new Refusal('unknown_order')
  return shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, found.id)
    const now = shop.clock.now()
    if (isStillDue && !(await isStillDue(tx))) throw new Refusal('refund_changed')
    const { parts, amount, limit } = await computeRefund(tx, order, requested)
    if (seen && (seen.amount !== amount || seen.limit !== limit)) throw new Refusal('refund_changed')
    assert(isSale(order), 'an order without a payment has nothing to refund')
    await countStaffRefund(tx, by, order.id, amount, now)
    const pieces = requested.kind === 'pieces' ? requested.pieces : null
    const refunds = await requestRefunds(tx, shop, order, { parts, pieces, reason, asCredit })
    if (amount === limit) await cancelAtPrinterLater(shop, tx, order.id)
    await recordAction(tx, {
      by,
      what: 'refunded',
      about: { kind: 'order', id: orderNumber },
      before: { left: formatUsd(limit) },
      after: {
        left: formatUsd(minus(limit, amount)),
        amount: formatUsd(amount),
        ...(asCredit && { as: 'store credit' }),
        refund: idsOf(refunds),
      },
      at: now,
    })
    return { amount, refunds }
  })
}

/** One number, or several with commas. */
export const idsOf = (refunds: readonly Refund[]): number | string =>
  refunds.length === 1 ? (refunds[0]?.id ?? '') : refunds.map(({ id }) => id).join(', ')

type RequestNeeds = Parameters<typeof refundToGiftCard>[1]

/**
 * Requests a refund of parts of an order and queues it, from the first of its payments that has it. What the payments don't have, the
 * gift card paid: it goes back there.
 * @param order locked
 * @param asCredit as store credit instead, which the customer gets by email
 */
export async function requestRefunds(
  tx: Tx,
  shop: RequestNeeds,
  order: Order,
  {
    parts,
    asCredit = false,
    ...about
  }: { parts: RefundParts; pieces: Pieces | null; reason: string; changeId?: number; asCredit?: boolean },
): Promise<Refund[]> {
  const refunds: Refund[] = []
  if (asCredit) return [await refundToGiftCard(tx, shop, order, { ...about, parts, giftCardId: 'new' })]
  const payments = await paymentsOf(tx, order)
  const { giftCardId } = order
  const leftOfCard = giftCardId === null ? ZERO : await leftOfGiftCard(tx, order)
  const shares = splitOver(parts, [...payments.map(({ left }) => left), leftOfCard])
  assert(
    totalOf(remainingParts(parts, shares)) === ZERO,
    `the payments of ${order.orderNumber} don’t have what is to be refunded`,
  )
  for (const [index, { paymentKey }] of payments.entries()) {
    const share = shares[index] ?? NO_PARTS
    const amountCents = totalOf(share)
    if (amountCents === ZERO) continue
    const refund = await insertRefund(tx, {
      ...{ ...about, paymentKey, orderId: order.id, amountCents, parts: share, createdAt: shop.clock.now() },
      // Split over several payments, the pieces still count once.
      pieces: refunds.length === 0 ? about.pieces : null,
    })
    await shop.jobs.enqueue(tx, 'refund-payment', { refundId: refund.id })
    refunds.push(refund)
  }
  const byCard = shares.at(-1) ?? NO_PARTS
  if (giftCardId !== null && totalOf(byCard) > ZERO) {
    const pieces = refunds.length === 0 ? about.pieces : null
    refunds.push(await refundToGiftCard(tx, shop, order, { ...about, pieces, parts: byCard, giftCardId }))
  }
  return refunds
}

/** An order's payments and what is left of each: less refunds, and open and lost disputes. */
async function paymentsOf(tx: Tx, order: Order): Promise<{ paymentKey: PaymentKey; left: Cents }[]> {
  const keys = await listPaymentKeys(tx, order)
  const refunds = (await listRefundsOf(tx, keys)).filter(
    ({ status, giftCardId }) => status !== 'failed' && giftCardId === null,
  )
  const disputes = (await listDisputesOf(tx, keys)).filter(({ status }) => status === 'open' || status === 'lost')
  const taken = await amountsOfPayments(tx, keys)
  return keys.map((paymentKey) => {
    const gone = [...refunds, ...disputes].filter((row) => row.paymentKey === paymentKey)
    return { paymentKey, left: minus(taken.get(paymentKey) ?? ZERO, sum(gone.map(({ amountCents }) => amountCents))) }
  })
}

const leftOfPayment = async (tx: Tx, order: Order, key: PaymentKey): Promise<Cents> =>
  (await paymentsOf(tx, order)).find(({ paymentKey }) => paymentKey === key)?.left ?? ZERO

/**
 * Requests a refund of all that is left of an order, if anything is.
 * @param order locked
 * @returns its amount
 */
export async function refundRest(tx: Tx, shop: RequestNeeds, order: PaidOrder, reason: string): Promise<Cents> {
  const { rest, limit } = await refundableOf(tx, order)
  if (limit === ZERO) return ZERO
  await requestRefunds(tx, shop, order, { parts: partsOfAmount(rest, limit), pieces: null, reason })
  return limit
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
    const { rest, limit } = !order
      ? { rest: NO_PARTS, limit: minus(exception?.amountCents ?? ZERO, given) }
      : failed.changeId === null
        ? await refundableOf(tx, order)
        : // What a change gives back is no part of the order any more.
          { rest: failed.parts ?? NO_PARTS, limit: await leftOfPayment(tx, order, key) }
    if (amount > limit) throw new Refusal('nothing_to_refund', { rest: formatUsd(limit) })

    const now = shop.clock.now()
    const parts = order ? fitPartsToAmount(rest, failed.parts ?? partsOfAmount(rest, amount)) : null
    const row = await insertRefund(tx, {
      ...{ paymentKey: key, orderId: order?.id ?? null, amountCents: amount, parts, pieces: failed.pieces },
      ...{ paysRefundId: refundId, reference, reason: failed.reason, changeId: failed.changeId, createdAt: now },
    })
    await changeRefund(tx, row.id, { status: 'succeeded', bookedAt: now })
    const cause = await nextRepeatKey(tx, `refund:${row.id}`)
    const booked = { orderId: order?.id ?? null, paymentKey: key, bookedAt: now }
    if (order) await bookTaxOfRefund(tx, order, row, cause, now)
    await post(tx, { ...booked, kind: 'refund', key: cause, entries: entriesOf(row) })
    await recordAction(tx, {
      ...{ by, what: 'paid a refund another way', at: now },
      about: order ? { kind: 'order', id: order.orderNumber } : { kind: 'payment', id: key },
      after: { refund: refundId, amount: formatUsd(amount), reference },
    })
    if (order) await mailRefundedLater(shop, tx, order, { refundId: row.id, amount, reference }, now)
    if (order && failed.changeId === null) {
      await followCommission(tx, shop, order, { kind: 'refund', cause })
      await reverseTaxLater(shop, tx, row.id)
    }
    await restatePayment(tx, shop, key, order, exception)
    return row
  })
}

/** `rest`: what has not been refunded. `limit`: that, less open and lost disputes. */
async function refundableOf(tx: Tx, order: Order): Promise<{ rest: RefundParts; limit: Cents }> {
  const refunds = await listOrderRefunds(tx, order.id)
  const rest = remainingParts(
    partsOfOrder(order),
    refunds.flatMap(({ status, parts }) => (status === 'failed' || !parts ? [] : [parts])),
  )
  const taken = (await listDisputesOf(tx, await listPaymentKeys(tx, order))).filter(
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
  const given = (await listOrderRefunds(tx, order.id)).flatMap(({ status, pieces }) =>
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
    await mailRefundFailed(
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

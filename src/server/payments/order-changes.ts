import {
  moneyOfChange,
  partsOfAmounts,
  whyNotChange,
  type ChangePlan,
  type OrderedLine,
} from '#domain/orders/change.ts'
import type { ChangeKind } from '#domain/orders/changes.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import { taxLabelOf } from '#domain/checkout/quote.ts'
import { entriesOfSale } from '#domain/ledger/ledger.ts'
import { totalOf, type RefundParts } from '#domain/payments/returns.ts'
import type { PaymentKey, PaymentProvider } from '#shared/ids.ts'
import { formatUsd, plus, ZERO, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Tx } from '#server/db/db.ts'
import { submitOrderLater } from '#server/fulfillment/fulfillment.ts'
import {
  changedFacts,
  recordCorrection,
  requireVersion,
  type CorrectionAuthor,
} from '#server/fulfillment/order-corrections.ts'
import { Refusal } from '#server/http/refusal.ts'
import { post } from '#server/ledger/ledger.ts'
import {
  dropAwaitingChange,
  endChange,
  findAwaitingChange,
  findChange,
  insertChange,
  setChangeableUntil,
  writeChangedOrder,
  type OrderChange,
} from '#server/orders/changes.ts'
import { mailChangedLater, mailChangeToPayLater, mailCorrectedLater } from '#server/orders/mails.ts'
import { findOrder, isSale, listOrderLines, lockOrder, partsOfOrder, type Order } from '#server/orders/orders.ts'
import { listOrderRefunds } from '#server/orders/refunds.ts'
import { bookTaxOfChange } from '#server/orders/tax-bookings.ts'
import { correctTaxLater } from '#server/orders/tax-record.ts'
import type { Needs } from '#server/shop.ts'
import { planChange, toOrderedLine, type OrderWish, type PlannedChange } from './change-plan.ts'
import { followCommission } from './commission.ts'
import { providerOf } from './payments.ts'
import { countStaffRefund } from './refund-limits.ts'
import { requestRefunds } from './refunds.ts'
import { bookReturns, changeUnmade, freeFromPrinter, type UnmadeOrderNeeds } from './unmade-orders.ts'

type ChangeNeeds = UnmadeOrderNeeds & Needs<'stripe'>

const UNDER_WAY = 'in_production'

export type PreviewedChange = {
  difference: Cents
  waived: Cents
  amounts: ChangePlan['amounts']
  taxLabel: string
  lines: OrderedLine[]
}

/**
 * What a change would cost; changes nothing.
 * @throws Refusal as `changeOrder`
 */
export async function previewChange(shop: ChangeNeeds, order: Order, wish: OrderWish): Promise<PreviewedChange> {
  await requireChangeable(shop, order)
  const { difference, waived, plan } = await planChange(shop, order, wish)
  const { amounts, lines, recipient } = plan
  return { difference, waived, amounts, taxLabel: taxLabelOf(recipient.address.country), lines }
}

/**
 * Changes a paid order for shopper or owner: recipient, phone, size or color of lines, fewer or more pieces. Callers decide who may do it
 * and when; this decides what is possible and does it whole: price and tax, refund, books, commission, the printer's order, the log
 * with before and after, and emails.
 *
 * `difference` of the result (cents): zero or less: done, and what is negative is being refunded. More than zero: nothing has changed
 * yet, the order waits (`awaiting_payment`) until the difference is paid on the order's page, or for `timeToPayMs` (default: a day); then
 * it goes to the printer as it was.
 *
 * An order that the printer may already have is canceled there first, and continues under the next external id, which stops any worker
 * about to confirm the old one. An order on hold stays on hold.
 * @param seen the difference of the preview that somebody confirmed
 * @param version `countCorrections` of the order that somebody looked at
 * @throws Refusal `order_changed` when it is another version; `change_refused` with the reason and the next way; `change_differs` when it costs something else than was seen;
 *   `invalid`, `country_blocked`, `address_refused` for the recipient
 * @throws Refusal and ProviderUnavailable as `changeUnmade`
 */
export async function changeOrder(
  shop: ChangeNeeds,
  { id }: Pick<Order, 'id'>,
  wish: OrderWish,
  by: CorrectionAuthor,
  { seen: confirmed, version, timeToPayMs = DAY_MS }: { seen?: Cents; version?: number; timeToPayMs?: number } = {},
): Promise<{ order: Order; difference: Cents }> {
  return changeUnmade(shop, id, {
    plan: async (seen) => {
      await requireChangeable(shop, seen)
      // A later change is noticed by `apply`, and the next plan refuses it.
      if (version !== undefined) await requireVersion(shop.db, seen, version)
      const planned = await planChange(shop, seen, wish)
      const { difference } = planned
      if (confirmed !== undefined && confirmed !== difference)
        throw new Refusal('change_differs', { difference: formatUsd(difference) })
      if (difference < ZERO) await bookReturns(shop, seen)
      return { seen, planned }
    },
    apply: async (tx, order, { seen, planned }, stopped) => {
      if (!(await isAsPlanned(tx, order, seen, planned)) || (await findAwaitingChange(tx, id))) return undefined
      const { difference } = planned
      const free = await freeFromPrinter(tx, shop, order, stopped)
      if (difference > ZERO) await awaitPayment(tx, shop, free, planned, by, after(shop.clock.now(), timeToPayMs))
      else await applyNow(tx, shop, free, planned, by)
      return { order: (await findOrder(tx, id)) ?? free, difference }
    },
    tooLate,
  })
}

/** Drops a change that waits for its payment; nothing of the order has changed. @returns false when none waits */
export const dropChange = (
  shop: Pick<ChangeNeeds, 'db' | 'clock' | 'jobs' | 'log'>,
  { id }: Pick<Order, 'id'>,
): Promise<boolean> =>
  shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    return lapse(tx, shop, order)
  })

/** Ends a change that nobody paid in time. Safe to repeat. */
export const lapseChange = (
  shop: Pick<ChangeNeeds, 'db' | 'clock' | 'jobs' | 'log'>,
  changeId: number,
): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const found = await findChange(tx, changeId)
    if (!found) return
    const order = await lockOrder(tx, found.orderId)
    const change = await findChange(tx, changeId)
    if (change?.state !== 'awaiting_payment') return
    if (change.expiresAt && change.expiresAt > shop.clock.now()) return
    await lapse(tx, shop, order)
  })

/** The order continues as it was. @param order locked @returns false when no change waits */
async function lapse(tx: Tx, shop: Pick<ChangeNeeds, 'clock' | 'jobs' | 'log'>, order: Order): Promise<boolean> {
  const change = await dropAwaitingChange(tx, shop, order)
  if (!change) return false
  await continueOrder(tx, shop, order, change)
  shop.log.info({ orderNumber: order.orderNumber, change: change.id }, 'A change of an order was not paid.')
  return true
}

async function continueOrder(
  tx: Tx,
  shop: Pick<ChangeNeeds, 'clock' | 'jobs'>,
  order: Order,
  { resumesAt }: OrderChange,
): Promise<void> {
  const changeableUntil = resumesAt ?? shop.clock.now()
  await setChangeableUntil(tx, order, changeableUntil, shop.clock.now())
  await submitOrderLater(shop, tx, { id: order.id, changeableUntil })
}

/** @throws Refusal `change_refused` */
async function requireChangeable({ db }: Pick<ChangeNeeds, 'db'>, order: Order): Promise<void> {
  const reason = whyNotChange({
    fulfillment: order.fulfillmentStatus,
    payment: order.paymentStatus,
    isErased: order.erasedAt !== null,
    isAwaitingPayment: (await findAwaitingChange(db, order.id)) !== undefined,
  })
  if (reason) throw new Refusal('change_refused', { reason })
}

const tooLate = ({ paymentStatus: payment }: Order): Refusal =>
  new Refusal('change_refused', {
    reason: whyNotChange({ fulfillment: UNDER_WAY, payment, isErased: false, isAwaitingPayment: false }) ?? '',
  })

/** Whether the plan still fits the order. */
const isAsPlanned = async (tx: Tx, order: Order, seen: Order, { before }: PlannedChange): Promise<boolean> =>
  order.totalCents === seen.totalCents &&
  order.paymentStatus === seen.paymentStatus &&
  JSON.stringify(recipientOf(order)) === JSON.stringify(recipientOf(seen)) &&
  JSON.stringify(await linesOf(tx, order)) === JSON.stringify(before)

const recipientOf = (order: Order) => {
  const { customerPhone: phone, taxNumber, shippingAddress: address } = order
  return { name: recipientNameOf(order), phone, taxNumber, address }
}

const linesOf = async (tx: Tx, { id }: Pick<Order, 'id'>): Promise<OrderedLine[]> =>
  (await listOrderLines(tx, id)).map(toOrderedLine)

const kindOf = (order: Order, { plan, before }: PlannedChange): ChangeKind => {
  if (JSON.stringify(before) !== JSON.stringify(plan.lines)) return 'lines'
  const { name, address } = plan.recipient
  const isSame = recipientNameOf(order) === name && JSON.stringify(order.shippingAddress) === JSON.stringify(address)
  return isSame ? 'phone' : 'address'
}

const rowOf = (order: Order, planned: PlannedChange, by: CorrectionAuthor, at: Date) => ({
  orderId: order.id,
  madeBy: by.kind,
  kind: kindOf(order, planned),
  amountCents: planned.difference,
  plan: planned.plan,
  createdAt: at,
})

async function applyNow(tx: Tx, shop: ChangeNeeds, order: Order, planned: PlannedChange, by: CorrectionAuthor) {
  const row = rowOf(order, planned, by, shop.clock.now())
  const change = await insertChange(tx, { ...row, state: 'done' })
  await applyPlan(tx, shop, order, planned.plan, change, by)
  if (order.fulfillmentStatus === 'waiting') await submitOrderLater(shop, tx, order)
}

/** The order waits for the money, and the printer for the order. */
async function awaitPayment(
  tx: Tx,
  shop: ChangeNeeds,
  order: Order,
  planned: PlannedChange,
  by: CorrectionAuthor,
  expiresAt: Date,
): Promise<void> {
  const now = shop.clock.now()
  const row = { ...rowOf(order, planned, by, now), state: 'awaiting_payment' as const }
  const change = await insertChange(tx, { ...row, expiresAt, resumesAt: order.changeableUntil })
  await setChangeableUntil(tx, order, expiresAt, now)
  await shop.jobs.enqueue(tx, 'lapse-change', { changeId: change.id }, expiresAt)
  await mailChangeToPayLater(shop, tx, order, { changeId: change.id, amount: planned.difference, expiresAt }, now)
}

/** The audit log names the customer for a change that their payment completed. */
const PAYER: CorrectionAuthor = { kind: 'shopper' }

/**
 * Completes a change whose difference was paid.
 * @param order locked
 * @param paymentKey stored already
 * @returns false, with nothing changed, when it is no longer possible: the payment must go back
 */
export async function completePaidChange(
  tx: Tx,
  shop: AppliedBy,
  order: Order,
  change: OrderChange,
  paymentKey: PaymentKey,
): Promise<boolean> {
  if (!change.plan || !(await isPayable(tx, order, change, change.plan))) return false
  await endChange(tx, change, 'done', paymentKey)
  await applyPlan(tx, shop, order, change.plan, { ...change, paymentKey }, PAYER)
  await continueOrder(tx, shop, order, change)
  return true
}

/** Whether the order is still the one that the change was computed for, and not at the printer. */
async function isPayable(tx: Tx, order: Order, change: OrderChange, plan: ChangePlan): Promise<boolean> {
  const { fulfillmentStatus: status, heldAt, partnerTriedAt, paymentStatus, totalCents, erasedAt } = order
  const isHere = partnerTriedAt === null && (status === 'waiting' || (status === 'on_hold' && heldAt !== null))
  if (change.state !== 'awaiting_payment' || !isHere || paymentStatus !== 'paid' || erasedAt) return false
  const isRefunded = (await listOrderRefunds(tx, order.id)).some((refund) => refund.status !== 'failed')
  return !isRefunded && plus(totalCents, change.amountCents) === plan.amounts.total
}

type AppliedBy = Needs<'clock' | 'jobs' | 'config' | 'log'>

/** Makes the order what was planned, in one transaction with everything that follows. @param order locked, not at the printer */
async function applyPlan(
  tx: Tx,
  shop: AppliedBy,
  order: Order,
  plan: ChangePlan,
  change: OrderChange,
  by: CorrectionAuthor,
): Promise<void> {
  const now = shop.clock.now()
  const { difference, refund, moved } = moneyOfChange(partsOfOrder(order), partsOfAmounts(plan.amounts))
  const before = await linesOf(tx, order)
  await writeChangedOrder(tx, order, plan, now)
  const changed = (await findOrder(tx, order.id)) ?? order

  const { id: changeId, paymentKey: ofChange } = change
  const paymentKey = ofChange ?? order.paymentKey
  const entries = paymentKey === null ? [] : entriesOfParts(providerOf(paymentKey), moved)
  const posted = ofChange
    ? { kind: 'sale' as const, key: `sale:${ofChange}` }
    : { kind: 'change' as const, key: `change:${changeId}` }
  const { taxEvidence: evidence } = plan
  if (evidence) await bookTaxOfChange(tx, changed, { changeId, refund, evidence, key: posted.key, at: now })
  if (entries.length > 0) await post(tx, { ...posted, ...{ orderId: order.id, paymentKey, bookedAt: now, entries } })
  const refunded = totalOf(refund)
  if (refunded > ZERO) {
    // A change that was paid for is made in any case.
    if (by.kind === 'owner' && ofChange === null) await countStaffRefund(tx, by.actor, order.id, refunded, now)
    await requestRefunds(tx, shop, order, { parts: refund, pieces: null, reason: 'the order was changed', changeId })
  }
  if (isSale(changed)) await followCommission(tx, shop, changed, { kind: 'change', cause: `change:${changeId}` })
  if (evidence) await correctTaxLater(shop, tx, changeId)

  const facts = changedFacts(
    { name: recipientNameOf(order), phone: order.customerPhone, address: order.shippingAddress, lines: before },
    { ...plan.recipient, lines: plan.lines },
  )
  await recordCorrection(tx, order, facts, by, now)
  if (difference !== ZERO || facts.after.lines) await mailChangedLater(shop, tx, changed, { changeId, difference }, now)
  else if (facts.after.name !== undefined || facts.after.address)
    await mailCorrectedLater(shop, tx, order, { what: 'address', about: `change ${changeId}` }, now)
}

const entriesOfParts = (provider: PaymentProvider, parts: RefundParts) =>
  entriesOfSale(provider, {
    subtotal: parts.merchandise,
    shipping: plus(parts.shipping, parts.surcharge),
    surcharge: parts.surcharge,
    tax: parts.tax,
    vatProtection: parts.vatProtection,
    total: totalOf(parts),
  })

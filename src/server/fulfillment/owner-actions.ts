import { allowedActions, type OrderFacts } from '#domain/orders/actions.ts'
import { nextExternalId } from '#domain/orders/external-id.ts'
import type { OrderNumber } from '#shared/ids.ts'
import { minus, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { dropAwaitingChange } from '#server/orders/changes.ts'
import { mailCanceledLater } from '#server/orders/mails.ts'
import {
  endChangeWindow,
  restartFulfillment,
  findOrder,
  findOrderByNumber,
  lockOrder,
  moveFulfillment,
  type Order,
} from '#server/orders/orders.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { recordHold } from '#server/orders/production.ts'
import { refundedOrRequestedOf } from '#server/orders/refunds.ts'
import { recordCancellation, cancelDraftOrOrder } from './cancellation.ts'
import { followPrinterOrder, submitOrder, submitOrderLater } from './fulfillment.ts'
import { findPrinterStatus } from './printer-orders.ts'

/*
 * The owner's actions on an order's fulfillment, from the admin and by command. Each is recorded in the audit log, returns the changed
 * order, and throws Refusal `unknown_order` for an unknown number.
 */

type OwnerActionNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'printful'>

/** The facts that decide which actions are allowed, with the printer's last known status. @param left how much can still be refunded */
export async function readOrderFacts(
  db: Reader,
  { paymentStatus: payment, fulfillmentStatus: fulfillment, heldAt, externalId }: Order,
  left: Cents,
): Promise<OrderFacts> {
  const printerStatus = await findPrinterStatus(db, externalId)
  return { payment, fulfillment, isHeldHere: heldAt !== null, printerStatus, left }
}

/** The same without disputed amounts. */
const factsNow = async (db: Reader, order: Order): Promise<OrderFacts> =>
  readOrderFacts(db, order, minus(order.totalCents, await refundedOrRequestedOf(db, order)))

/**
 * Holds an order back from the printer until it is released. A submission already running may still succeed; the order is then
 * `submitted`.
 * @param reason for the shop's team
 * @throws Refusal `cannot_hold` once the printer has it or it is finished
 */
export function holdOrder(shop: OwnerActionNeeds, orderNumber: OrderNumber, reason: string, by: Actor): Promise<Order> {
  return recordOwnerAction(shop, orderNumber, by, 'put on hold', async (tx, order, now) => {
    if (allowedActions(await factsNow(tx, order)).hold !== null) throw new Refusal('cannot_hold')
    await moveFulfillment(tx, order, 'on_hold', now, { attentionReason: `On hold by the shop: ${reason}` })
    await recordHold(tx, order.id, now)
  })
}

/**
 * Releases an order from `holdOrder` to the printer.
 * @throws Refusal `cannot_release` unless the shop holds it; the printer's own holds are released in its dashboard
 */
export function releaseOrder(shop: OwnerActionNeeds, orderNumber: OrderNumber, by: Actor): Promise<Order> {
  return recordOwnerAction(shop, orderNumber, by, 'released', async (tx, order, now) => {
    if (allowedActions(await factsNow(tx, order)).release !== null) throw new Refusal('cannot_release')
    await restartFulfillment(tx, order, order.externalId, now)
    await submitOrderLater(shop, tx, order)
  })
}

/**
 * Cancels an order, at the printer too, and emails the customer. It does not refund anything.
 * @throws Refusal `too_late_to_cancel` once it is in production, shipped or finished
 * @throws ProviderUnavailable when it is unknown whether the printer canceled: retry
 */
export async function cancelOrder(shop: OwnerActionNeeds, orderNumber: OrderNumber, by: Actor): Promise<Order> {
  const found = await getOrder(shop, orderNumber)
  if (found.fulfillmentStatus === 'cancelled') return found
  if (allowedActions(await factsNow(shop.db, found)).cancel !== null) throw new Refusal('too_late_to_cancel')
  const stopped = await cancelDraftOrOrder(shop, found)
  if (!stopped.isStopped) {
    // Production has started: update the status, so canceling is no longer offered.
    await followPrinterOrder(shop, found.externalId)
    throw new Refusal('too_late_to_cancel')
  }
  return recordOwnerAction(shop, orderNumber, by, 'cancelled', async (tx, order, now) => {
    // If resubmitted in the meantime, the canceled submission is not the current one.
    const isAsSeen = order.externalId === found.externalId && order.fulfillmentStatus === found.fulfillmentStatus
    if (!isAsSeen && order.fulfillmentStatus !== 'cancelled') throw new Refusal('too_late_to_cancel')
    await recordCancellation(tx, order, stopped, now)
    await dropAwaitingChange(tx, shop, order)
    // An event of the printer may have come first, and has already emailed the customer.
    if (await moveFulfillment(tx, order, 'cancelled', now)) await mailCanceledLater(shop, tx, order, now)
  })
}

/**
 * Submits an order to the printer again: under the same external id if the printer has nothing or only a draft, under the next one
 * (`-2`) if the printer canceled it. An order that failed there is confirmed again, because it may have been fixed there. One that the
 * customer could still change goes at once.
 * @throws Refusal `cannot_resubmit` when the printer has it, it was refunded, or it is being resubmitted at the same time
 * @throws ProviderUnavailable with nothing changed
 */
export async function resubmitOrder(shop: OwnerActionNeeds, orderNumber: OrderNumber, by: Actor): Promise<Order> {
  const seen = await getOrder(shop, orderNumber)
  const theirs = await shop.printful.findOrder(seen.externalId)
  /** By the printer's current status, not the last known one. */
  const isAllowed = async (db: Reader, order: Order) =>
    allowedActions({ ...(await factsNow(db, order)), printerStatus: theirs?.status ?? null }).resubmit === null
  if (!(await isAllowed(shop.db, seen))) {
    // Our copy may be outdated.
    if (theirs) await followPrinterOrder(shop, seen.externalId)
    throw new Refusal('cannot_resubmit')
  }
  const externalId = theirs?.status === 'canceled' ? nextExternalId(orderNumber, seen.externalId) : seen.externalId
  return recordOwnerAction(shop, orderNumber, by, 'resubmitted to the printer', async (tx, order, now) => {
    const isAsSeen = order.externalId === seen.externalId && order.fulfillmentStatus === seen.fulfillmentStatus
    const isWaiting = order.fulfillmentStatus === 'waiting'
    if (!isAsSeen || !(await isAllowed(tx, order))) throw new Refusal('cannot_resubmit')
    if (theirs) await recordCancellation(tx, order, { isStopped: true, theirs }, now)
    await dropAwaitingChange(tx, shop, order)
    if (!isWaiting || externalId !== order.externalId) await restartFulfillment(tx, order, externalId, now)
    await submitOrderLater(shop, tx, await endChangeWindow(tx, order, now))
  })
}

export const PRINTER_DOWN = 'The printer isn’t answering. The order will be submitted as soon as it is back.'

/**
 * Submits a waiting order immediately instead of by its job, and returns a sentence about the result.
 * @throws Refusal `printer_refused` with the printer's reason
 */
export async function submitNow(shop: OwnerActionNeeds, { id }: Pick<Order, 'id'>): Promise<string> {
  try {
    await submitOrder(shop, id)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    return PRINTER_DOWN
  }
  const order = await findOrder(shop.db, id)
  if (order?.fulfillmentStatus === 'needs_attention')
    throw new Refusal('printer_refused', { reason: order.attentionReason ?? '' })
  if (order?.fulfillmentStatus === 'on_hold') return 'The order stays on hold.'
  if (order && shop.clock.now() < order.changeableUntil)
    return 'The order goes to the printer when the customer can no longer change it.'
  return order?.fulfillmentStatus === 'waiting'
    ? 'The order is on its way to the printer.'
    : 'The printer accepted the order.'
}

async function getOrder({ db }: Needs<'db'>, orderNumber: OrderNumber): Promise<Order> {
  const order = await findOrderByNumber(db, orderNumber)
  if (!order) throw new Refusal('unknown_order')
  return order
}

async function recordOwnerAction(
  shop: OwnerActionNeeds,
  orderNumber: OrderNumber,
  by: Actor,
  what: string,
  work: (tx: Tx, order: Order, now: Date) => Promise<void>,
): Promise<Order> {
  const { id } = await getOrder(shop, orderNumber)
  return shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const before = await lockOrder(tx, id)
    await work(tx, before, now)
    const after = (await findOrder(tx, id)) ?? before
    await recordAction(tx, {
      by,
      what,
      about: { kind: 'order', id: orderNumber },
      before: factsOf(before),
      after: factsOf(after),
      at: now,
    })
    return after
  })
}

const factsOf = ({ fulfillmentStatus: status, externalId }: Order) => ({ status, externalId })

import { allowedActions, type OrderFacts } from '#domain/orders/actions.ts'
import { nextExternalId } from '#domain/orders/external-id.ts'
import type { OrderNumber } from '#shared/ids.ts'
import { minus, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailCanceledLater } from '#server/orders/mails.ts'
import {
  refundedOrRequestedOf,
  restartFulfillment,
  findOrder,
  findOrderByNumber,
  lockOrder,
  moveFulfillment,
  type Order,
} from '#server/orders/orders.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { recordCancellation, cancelDraftOrOrder } from './cancellation.ts'
import { followPrinterOrder, submitOrder, submitOrderLater } from './fulfillment.ts'
import { findPrinterStatus, recordHold } from './store.ts'

/*
 * What the owner does with the making of an order, from the admin and by command. Each writes itself down in the log of
 * actions, answers the order as it stands then, and throws Refused `unknown_order` for a number that is none.
 */

type OwnerActionNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'printful'>

/** What decides what can be done with an order now, by what the printer was last heard to say. @param left what could still go back */
export async function readOrderFacts(
  db: Reader,
  { paymentStatus: payment, fulfillmentStatus: fulfillment, heldAt, externalId }: Order,
  left: Cents,
): Promise<OrderFacts> {
  const printerStatus = await findPrinterStatus(db, externalId)
  return { payment, fulfillment, isHeldHere: heldAt !== null, printerStatus, left }
}

/** The same without what banks have taken: of an order that is locked, or about to be. */
const factsNow = async (db: Reader, order: Order): Promise<OrderFacts> =>
  readOrderFacts(db, order, minus(order.totalCents, await refundedOrRequestedOf(db, order)))

/**
 * Holds an order back from the partner until it is released. One that the partner is just being asked to make may still get there:
 * then it is `submitted`, and says so.
 * @param reason in words, for the shop's own people
 * @throws Refusal `cannot_hold` once the partner has it, or it has come to an end
 */
export function holdOrder(shop: OwnerActionNeeds, orderNumber: OrderNumber, reason: string, by: Actor): Promise<Order> {
  return recordOwnerAction(shop, orderNumber, by, 'put on hold', async (tx, order, now) => {
    if (allowedActions(await factsNow(tx, order)).hold !== null) throw new Refusal('cannot_hold')
    await moveFulfillment(tx, order, 'on_hold', now, { attentionReason: `Held by the shop: ${reason}` })
    await recordHold(tx, order.id, now)
  })
}

/**
 * Lets an order that `holdOrder` held go on to the partner.
 * @throws Refusal `cannot_release` when nobody here holds it: the partner's own holds are released on its pages
 */
export function releaseOrder(shop: OwnerActionNeeds, orderNumber: OrderNumber, by: Actor): Promise<Order> {
  return recordOwnerAction(shop, orderNumber, by, 'released', async (tx, order, now) => {
    if (allowedActions(await factsNow(tx, order)).release !== null) throw new Refusal('cannot_release')
    await restartFulfillment(tx, order, order.externalId, now)
    await submitOrderLater(shop, tx, order.id)
  })
}

/**
 * Stops an order for good, at the partner as well, and tells the shopper. Its money stays where it is: that is a refund's to move.
 * @throws Refusal `too_late_to_cancel` when it is being made, sent, or came to another end
 * @throws ProviderUnavailable whether the partner has stopped is unknown: again
 */
export async function cancelOrder(shop: OwnerActionNeeds, orderNumber: OrderNumber, by: Actor): Promise<Order> {
  const found = await getOrder(shop, orderNumber)
  if (found.fulfillmentStatus === 'cancelled') return found
  if (allowedActions(await factsNow(shop.db, found)).cancel !== null) throw new Refusal('too_late_to_cancel')
  const stopped = await cancelDraftOrOrder(shop, found)
  if (!stopped.isStopped) {
    // It was begun since we last heard of it: from now on nobody is offered to cancel it.
    await followPrinterOrder(shop, found.externalId)
    throw new Refusal('too_late_to_cancel')
  }
  return recordOwnerAction(shop, orderNumber, by, 'cancelled', async (tx, order, now) => {
    // Sent to the partner again meanwhile, it is another one than the one that was stopped.
    const isAsSeen = order.externalId === found.externalId && order.fulfillmentStatus === found.fulfillmentStatus
    if (!isAsSeen && order.fulfillmentStatus !== 'cancelled') throw new Refusal('too_late_to_cancel')
    await recordCancellation(tx, order, stopped, now)
    // An event of the partner's may have been quicker, and has told the shopper then.
    if (await moveFulfillment(tx, order, 'cancelled', now)) await mailCanceledLater(shop, tx, order, now)
  })
}

/**
 * Sends an order to the partner once more: under the same external id where the partner has nothing or only a draft of it,
 * under the next one (`-2`) where the partner has canceled it. One that failed there is confirmed again, because somebody
 * may have mended it there meanwhile.
 * @throws Refusal `cannot_resubmit` when the partner has it, its money went back, or somebody else does the same just now
 * @throws ProviderUnavailable nothing was changed
 */
export async function resubmitOrder(shop: OwnerActionNeeds, orderNumber: OrderNumber, by: Actor): Promise<Order> {
  const seen = await getOrder(shop, orderNumber)
  const theirs = await shop.printful.findOrder(seen.externalId)
  /** By what the printer says now, not by what was last heard of it. */
  const isAllowed = async (db: Reader, order: Order) =>
    allowedActions({ ...(await factsNow(db, order)), printerStatus: theirs?.status ?? null }).resubmit === null
  if (!(await isAllowed(shop.db, seen))) {
    // It may stand otherwise here because nothing was heard of it.
    if (theirs) await followPrinterOrder(shop, seen.externalId)
    throw new Refusal('cannot_resubmit')
  }
  const externalId = theirs?.status === 'canceled' ? nextExternalId(orderNumber, seen.externalId) : seen.externalId
  return recordOwnerAction(shop, orderNumber, by, 'sent to the printer again', async (tx, order, now) => {
    const isAsSeen = order.externalId === seen.externalId && order.fulfillmentStatus === seen.fulfillmentStatus
    const isWaiting = order.fulfillmentStatus === 'waiting'
    if (!isAsSeen || !(await isAllowed(tx, order))) throw new Refusal('cannot_resubmit')
    if (theirs) await recordCancellation(tx, order, { isStopped: true, theirs }, now)
    if (!isWaiting || externalId !== order.externalId) await restartFulfillment(tx, order, externalId, now)
    await submitOrderLater(shop, tx, order.id)
  })
}

/**
 * Sends an order that waits now, instead of leaving it to its job, and says what came of it.
 * @throws Refusal `printer_refused` with the printer's reason
 */
export async function submitNow(shop: OwnerActionNeeds, { id }: Pick<Order, 'id'>): Promise<string> {
  try {
    await submitOrder(shop, id)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    return 'The printer does not answer now; it gets the order as soon as it does.'
  }
  const order = await findOrder(shop.db, id)
  if (order?.fulfillmentStatus === 'needs_attention')
    throw new Refusal('printer_refused', { reason: order.attentionReason ?? '' })
  if (order?.fulfillmentStatus === 'on_hold') return 'The order waits: it is held.'
  return order?.fulfillmentStatus === 'waiting'
    ? 'The order is on its way to the printer.'
    : 'The printer has taken it.'
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

import type { ChangeObjection } from '#domain/orders/changes.ts'
import { formatUsd, negate, ZERO, type Cents } from '#shared/money.ts'
import { CUSTOMER, recordAction } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import { cancelDraftOrOrder, recordCancellation, type CancellationResult } from '#server/fulfillment/cancellation.ts'
import { followPrinterOrder, submitOrderLater } from '#server/fulfillment/fulfillment.ts'
import { Refusal } from '#server/http/refusal.ts'
import { mailCanceledByShopperLater } from '#server/orders/mails.ts'
import {
  endChangeWindow,
  findOrder,
  isSale,
  listPaymentKeys,
  lockOrder,
  moveFulfillment,
  type Order,
  type PaidOrder,
} from '#server/orders/orders.ts'
import { changeObjectionOf, findShopperCancellation, recordChange } from '#server/orders/shopper-changes.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { refundRest } from './refunds.ts'
import { followReturns } from './returns.ts'

type ChangeNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'printful' | 'payments'>

/** Tries for an order that keeps changing at the same time. */
const TRIES = 3

/**
 * Cancels an order for its customer and refunds all that is left of it, in one transaction. An order that the printer may already have
 * is canceled there first: it is never both printed and canceled, and never neither. Safe to repeat.
 * @returns the refund; zero if nothing was left
 * @throws Refusal `correction_too_late` once the time for changes is over or the printer makes it; `change_disputed`;
 *   `correction_under_way` if the order keeps changing
 * @throws ProviderUnavailable when it is unknown whether the printer canceled; nothing was changed here
 */
export async function cancelByShopper(shop: ChangeNeeds, { id }: Pick<Order, 'id'>): Promise<{ refund: Cents }> {
  const { db, clock } = shop
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const canceled = await findShopperCancellation(db, id)
    if (canceled) return { refund: negate(canceled.amountCents) }
    const seen = await findOrder(db, id)
    // An order without a payment goes to the printer right away.
    if (!seen || !isSale(seen)) throw new Refusal('correction_too_late')
    requireChangeable(changeObjectionOf(seen, clock.now()))
    await bookReturns(shop, seen)
    // Never submitted means that there is nothing to cancel.
    const stopped = seen.partnerTriedAt ? await cancelDraftOrOrder(shop, seen) : undefined
    if (stopped && !stopped.isStopped) {
      await followPrinterOrder(shop, seen.externalId)
      throw new Refusal('correction_too_late')
    }
    const refund = await db.transaction(async (tx) => {
      const order = await lockOrder(tx, id)
      if (order.externalId !== seen.externalId || !isSale(order)) return undefined
      // What was canceled at the printer stays canceled, even if our copy has changed in the meantime.
      if (!stopped?.theirs && !isUntouched(order, seen)) return undefined
      if (await findShopperCancellation(tx, id)) return undefined
      return cancelNow(tx, shop, order, stopped)
    })
    if (refund !== undefined) return { refund }
  }
  throw new Refusal('correction_under_way')
}

/** Refunds made in the provider's dashboard must not be paid twice. */
async function bookReturns(shop: ChangeNeeds, order: PaidOrder): Promise<void> {
  try {
    for (const paymentKey of await listPaymentKeys(shop.db, order)) await followReturns(shop, paymentKey)
  } catch (error) {
    // The refund waits for the provider too, and takes no more than is left there.
    if (!(error instanceof ProviderUnavailable)) throw error
  }
}

/** Whether the order still waits here, and the printer was not called about it since. */
const isUntouched = (order: Order, seen: Order): boolean =>
  order.fulfillmentStatus === seen.fulfillmentStatus &&
  order.partnerTriedAt?.getTime() === seen.partnerTriedAt?.getTime() &&
  order.partnerAskedAt?.getTime() === seen.partnerAskedAt?.getTime()

/** @param order locked */
async function cancelNow(
  tx: Tx,
  shop: ChangeNeeds,
  order: PaidOrder,
  stopped: CancellationResult | undefined,
): Promise<Cents | undefined> {
  const now = shop.clock.now()
  // A dispute may have been opened since. What the printer canceled is canceled all the same.
  if (!stopped?.theirs) requireChangeable(changeObjectionOf(order, now))
  if (stopped) await recordCancellation(tx, order, stopped, now)
  await moveFulfillment(tx, order, 'cancelled', now)
  const refund = await refundRest(tx, shop, order, 'canceled by the customer')
  const row = { orderId: order.id, madeBy: 'shopper', kind: 'canceled', state: 'done', createdAt: now } as const
  await recordChange(tx, { ...row, amountCents: negate(refund) })
  await recordAction(tx, {
    ...{ by: CUSTOMER, what: 'canceled', about: { kind: 'order', id: order.orderNumber }, at: now },
    before: { status: order.fulfillmentStatus },
    after: { status: 'cancelled', refund: formatUsd(refund) },
  })
  await mailCanceledByShopperLater(shop, tx, order, refund, now)
  return refund
}

/**
 * Sends an order to the printer before its time for changes has ended. Safe to repeat.
 * @throws Refusal as `cancelByShopper`, except that an order already on its way to the printer is none
 */
export const makeNow = (shop: ChangeNeeds, { id }: Pick<Order, 'id'>): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const order = await lockOrder(tx, id)
    const objection = changeObjectionOf(order, now)
    if (objection === 'over') return
    requireChangeable(objection)
    await submitOrderLater(shop, tx, await endChangeWindow(tx, order, now))
    const row = { orderId: id, madeBy: 'shopper', kind: 'made_now', state: 'done', createdAt: now } as const
    await recordChange(tx, { ...row, amountCents: ZERO })
    await recordAction(tx, {
      ...{ by: CUSTOMER, what: 'wanted made at once', about: { kind: 'order', id: order.orderNumber }, at: now },
      before: { until: order.changeableUntil.toISOString() },
    })
  })

function requireChangeable(objection: ChangeObjection | null): void {
  if (objection) throw new Refusal(objection === 'disputed' ? 'change_disputed' : 'correction_too_late')
}

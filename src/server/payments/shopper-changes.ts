import type { ChangeObjection } from '#domain/orders/changes.ts'
import { formatUsd, negate, ZERO, type Cents } from '#shared/money.ts'
import { CUSTOMER, recordAction } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import { recordCancellation, type CancellationResult } from '#server/fulfillment/cancellation.ts'
import { submitOrderLater } from '#server/fulfillment/fulfillment.ts'
import { Refusal } from '#server/http/refusal.ts'
import { changeObjectionOf, dropAwaitingChange, findShopperCancellation, insertChange } from '#server/orders/changes.ts'
import { mailCanceledByShopperLater } from '#server/orders/mails.ts'
import {
  endChangeWindow,
  isSale,
  lockOrder,
  moveFulfillment,
  type Order,
  type PaidOrder,
} from '#server/orders/orders.ts'
import { refundRest } from './refunds.ts'
import { bookReturns, changeUnmade, type UnmadeOrderNeeds } from './unmade-orders.ts'

/**
 * Cancels an order for its customer and refunds all that is left of it, in one transaction. An order that the printer may already have
 * is canceled there first: it is never both printed and canceled, and never neither. Safe to repeat.
 * @returns the refund; zero if nothing was left
 * @throws Refusal `correction_too_late` once the time for changes is over or the printer makes it; `change_disputed`
 * @throws Refusal and ProviderUnavailable as `changeUnmade`
 */
export async function cancelByShopper(shop: UnmadeOrderNeeds, { id }: Pick<Order, 'id'>): Promise<{ refund: Cents }> {
  const tooLate = () => new Refusal('correction_too_late')
  return changeUnmade(shop, id, {
    plan: async (seen) => {
      if (await findShopperCancellation(shop.db, id)) return
      // An order without a payment goes to the printer right away.
      if (!isSale(seen)) throw tooLate()
      requireChangeable(changeObjectionOf(seen, shop.clock.now()))
      await bookReturns(shop, seen)
    },
    apply: async (tx, order, _, stopped) => {
      const canceled = await findShopperCancellation(tx, id)
      if (canceled) return { refund: negate(canceled.amountCents) }
      return isSale(order) ? { refund: await cancelNow(tx, shop, order, stopped) } : undefined
    },
    tooLate,
  })
}

/** @param order locked */
async function cancelNow(
  tx: Tx,
  shop: UnmadeOrderNeeds,
  order: PaidOrder,
  stopped: CancellationResult | undefined,
): Promise<Cents> {
  const now = shop.clock.now()
  // A dispute may have been opened since. What the printer canceled is canceled all the same.
  if (!stopped?.theirs) requireChangeable(changeObjectionOf(order, now))
  if (stopped) await recordCancellation(tx, order, stopped, now)
  await dropAwaitingChange(tx, shop, order)
  await moveFulfillment(tx, order, 'cancelled', now)
  const refund = await refundRest(tx, shop, order, 'canceled by the customer')
  const row = { orderId: order.id, madeBy: 'shopper', kind: 'canceled', state: 'done', createdAt: now } as const
  await insertChange(tx, { ...row, amountCents: negate(refund) })
  await recordAction(tx, {
    ...{ by: CUSTOMER, what: 'canceled', about: { kind: 'order', id: order.orderNumber }, at: now },
    before: { status: order.fulfillmentStatus },
    after: { status: 'cancelled', refund: formatUsd(refund) },
  })
  await mailCanceledByShopperLater(shop, tx, order, refund, now)
  return refund
}

/**
 * Sends an order to the printer before its time for changes has ended, without a change that waits for its payment. Safe to repeat.
 * @throws Refusal as `cancelByShopper`, except that an order already on its way to the printer is none
 */
export const makeNow = (shop: UnmadeOrderNeeds, { id }: Pick<Order, 'id'>): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const order = await lockOrder(tx, id)
    const objection = changeObjectionOf(order, now)
    if (objection === 'over') return
    requireChangeable(objection)
    await dropAwaitingChange(tx, shop, order)
    await submitOrderLater(shop, tx, await endChangeWindow(tx, order, now))
    const row = { orderId: id, madeBy: 'shopper', kind: 'made_now', state: 'done', createdAt: now } as const
    await insertChange(tx, { ...row, amountCents: ZERO })
    await recordAction(tx, {
      ...{ by: CUSTOMER, what: 'wanted made at once', about: { kind: 'order', id: order.orderNumber }, at: now },
      before: { until: order.changeableUntil.toISOString() },
    })
  })

export function requireChangeable(objection: ChangeObjection | null): void {
  if (objection) throw new Refusal(objection === 'disputed' ? 'change_disputed' : 'correction_too_late')
}

import type { OrderId } from '#kernel/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { findOrder, moveFulfilment } from '#server/orders/orders.ts'
import { ProviderRefused } from '#server/providers/trouble.ts'
import type { Needs } from '#server/shop.ts'

/** Has the partner told to stop once the caller's transaction commits. */
export const cancelAtPartnerLater = ({ jobs }: Needs<'jobs'>, tx: Tx, orderId: OrderId): Promise<void> =>
  jobs.enqueue(tx, 'cancel-at-partner', { orderId })

/** What the partner still lets go (its orders documentation): before it is being made. */
const cancellable = new Set(['draft', 'pending', 'onhold', 'failed'])

/**
 * Stops an order that is not to be made any more; what is being made or on its way goes on.
 * @throws ProviderUnavailable the job tries again
 */
export async function cancelAtPartner(
  { db, clock, printful, log }: Needs<'db' | 'clock' | 'printful' | 'log'>,
  orderId: OrderId,
): Promise<void> {
  const order = await findOrder(db, orderId)
  if (!order) return
  const theirs = await printful.findOrder(order.externalId)
  if (theirs && theirs.status !== 'canceled') {
    if (!cancellable.has(theirs.status)) {
      log.warn({ orderNumber: order.orderNumber, status: theirs.status }, 'too late to cancel at the partner')
      return
    }
    try {
      await printful.cancelOrder(theirs.id)
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error
      log.warn({ err: error, orderNumber: order.orderNumber }, 'the partner does not cancel any more')
      return
    }
  }
  await db.transaction((tx) => moveFulfilment(tx, orderId, 'cancelled', clock.now()))
}

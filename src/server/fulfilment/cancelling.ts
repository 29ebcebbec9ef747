import { printerLetsGo } from '#domain/orders/actions.ts'
import type { OrderId } from '#kernel/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { findOrder, lockOrder, moveFulfilment, type Order } from '#server/orders/orders.ts'
import type { PartnerOrder } from '#server/providers/printful/client.ts'
import { ProviderRefused } from '#server/providers/trouble.ts'
import type { Needs } from '#server/shop.ts'
import { bookPartnerCost } from './costs.ts'

type Cancelling = Needs<'db' | 'clock' | 'printful' | 'log'>

/** Has the partner told to stop once the caller's transaction commits. */
export const cancelAtPartnerLater = ({ jobs }: Needs<'jobs'>, tx: Tx, orderId: OrderId): Promise<void> =>
  jobs.enqueue(tx, 'cancel-at-partner', { orderId })

/**
 * Stops an order that is not to be made any more; what is being made or on its way goes on.
 * @throws ProviderUnavailable the job tries again
 */
export async function cancelAtPartner(shop: Cancelling, orderId: OrderId): Promise<void> {
  const order = await findOrder(shop.db, orderId)
  if (!order) return
  const stopped = await stopAtPartner(shop, order)
  if (!stopped.isStopped) return
  const isNoted = await shop.db.transaction(async (tx) => {
    const locked = await lockOrder(tx, orderId)
    if (locked.externalId !== order.externalId) return false
    await noteStopped(tx, locked, stopped, shop.clock.now())
    await moveFulfilment(tx, locked, 'cancelled', shop.clock.now())
    return true
  })
  // Sent again meanwhile: it is the new one that has to stop.
  if (!isNoted) await cancelAtPartner(shop, orderId)
}

/** `theirs`: how it stands there; undefined where the partner never had it. */
export type Stopped = { isStopped: boolean; theirs?: PartnerOrder | undefined }

/** Asks the partner to let go of an order. @throws ProviderUnavailable whether it did is unknown: ask again */
export async function stopAtPartner(
  { printful, log }: Pick<Cancelling, 'printful' | 'log'>,
  { externalId, orderNumber }: Order,
): Promise<Stopped> {
  const theirs = await printful.findOrder(externalId)
  if (!theirs || theirs.status === 'canceled') return { isStopped: true, theirs }
  if (!printerLetsGo(theirs.status)) {
    log.warn({ orderNumber, status: theirs.status }, 'too late to cancel at the printer')
    return { isStopped: false, theirs }
  }
  try {
    return { isStopped: true, theirs: await printful.cancelOrder(theirs.id) }
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    log.warn({ err: error, orderNumber }, 'the printer does not cancel any more')
    return { isStopped: false, theirs }
  }
}

/** What the partner had taken for it comes back. @param order locked */
export async function noteStopped(tx: Tx, order: Order, { theirs }: Stopped, now: Date): Promise<void> {
  if (theirs) await bookPartnerCost(tx, order, theirs, now)
}

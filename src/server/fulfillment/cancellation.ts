import { printerLetsGo } from '#domain/orders/actions.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { findOrder, lockOrder, moveFulfillment, type Order } from '#server/orders/orders.ts'
import type { PrinterOrder } from '#server/providers/printful/client.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { bookPrinterCost } from './costs.ts'

type CancellationNeeds = Needs<'db' | 'clock' | 'printful' | 'log'>

/** Has the partner told to stop once the caller's transaction commits. */
export const cancelAtPrinterLater = ({ jobs }: Needs<'jobs'>, tx: Tx, orderId: OrderId): Promise<void> =>
  jobs.enqueue(tx, 'cancel-at-partner', { orderId })

/**
 * Stops an order that is not to be made any more; what is being made or on its way goes on.
 * @throws ProviderUnavailable the job tries again
 */
export async function cancelAtPrinter(shop: CancellationNeeds, orderId: OrderId): Promise<void> {
  const order = await findOrder(shop.db, orderId)
  if (!order) return
  const stopped = await cancelDraftOrOrder(shop, order)
  if (!stopped.isStopped) return
  const isNoted = await shop.db.transaction(async (tx) => {
    const locked = await lockOrder(tx, orderId)
    if (locked.externalId !== order.externalId) return false
    await recordCancellation(tx, locked, stopped, shop.clock.now())
    await moveFulfillment(tx, locked, 'cancelled', shop.clock.now())
    return true
  })
  // Sent again meanwhile: it is the new one that has to stop.
  if (!isNoted) await cancelAtPrinter(shop, orderId)
}

/** `theirs`: how it stands there; undefined where the partner never had it. */
export type CancellationResult = { isStopped: boolean; theirs?: PrinterOrder | undefined }

/** Asks the partner to let go of an order. @throws ProviderUnavailable whether it did is unknown: ask again */
export async function cancelDraftOrOrder(
  { printful, log }: Pick<CancellationNeeds, 'printful' | 'log'>,
  { externalId, orderNumber }: Order,
): Promise<CancellationResult> {
  const theirs = await printful.findOrder(externalId)
  if (!theirs || theirs.status === 'canceled') return { isStopped: true, theirs }
  if (!printerLetsGo(theirs.status)) {
    log.warn({ orderNumber, status: theirs.status }, 'too late to cancel at the printer')
    return { isStopped: false, theirs }
  }
  try {
    return { isStopped: true, theirs: await printful.cancelOrder(theirs.id) }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.warn({ err: error, orderNumber }, 'the printer does not cancel any more')
    return { isStopped: false, theirs }
  }
}

/** What the partner had taken for it comes back. @param order locked */
export async function recordCancellation(
  tx: Tx,
  order: Order,
  { theirs }: CancellationResult,
  now: Date,
): Promise<void> {
  if (theirs) await bookPrinterCost(tx, order, theirs, now)
}

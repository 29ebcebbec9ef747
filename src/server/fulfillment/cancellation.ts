import { isCancelableAtPrinter } from '#domain/orders/actions.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { dropAwaitingChange } from '#server/orders/changes.ts'
import { findOrder, lockOrder, moveFulfillment, type Order } from '#server/orders/orders.ts'
import type { PrinterOrder } from '#server/providers/printful/client.ts'
import { ProviderRefusal } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { bookPrinterCost } from './costs.ts'

type CancellationNeeds = Needs<'db' | 'clock' | 'printful' | 'jobs' | 'log'>

/** Queues a cancellation at the printer, if the caller's transaction commits. */
export const cancelAtPrinterLater = ({ jobs }: Needs<'jobs'>, tx: Tx, orderId: OrderId): Promise<void> =>
  jobs.enqueue(tx, 'cancel-at-partner', { orderId })

/**
 * Cancels an order at the printer, unless it is already in production or shipped.
 * @returns the order if the printer makes it all the same
 * @throws ProviderUnavailable to make the job retry
 */
export async function cancelAtPrinter(shop: CancellationNeeds, orderId: OrderId): Promise<Order | undefined> {
  const order = await findOrder(shop.db, orderId)
  if (!order) return undefined
  const stopped = await cancelDraftOrOrder(shop, order)
  if (!stopped.isStopped) return order
  const isRecorded = await shop.db.transaction(async (tx) => {
    const locked = await lockOrder(tx, orderId)
    if (locked.externalId !== order.externalId) return false
    await recordCancellation(tx, locked, stopped, shop.clock.now())
    await dropAwaitingChange(tx, shop, locked)
    await moveFulfillment(tx, locked, 'cancelled', shop.clock.now())
    return true
  })
  // Resubmitted in the meantime: now the new submission must be canceled.
  return isRecorded ? undefined : cancelAtPrinter(shop, orderId)
}

/** `theirs`: the printer's order; undefined if it never had one. */
export type CancellationResult = { isStopped: boolean; theirs?: PrinterOrder | undefined }

/** Cancels an order or draft at the printer. @throws ProviderUnavailable when the result is unknown: retry */
export async function cancelDraftOrOrder(
  { printful, log }: Pick<CancellationNeeds, 'printful' | 'log'>,
  { externalId, orderNumber }: Order,
): Promise<CancellationResult> {
  const theirs = await printful.findOrder(externalId)
  if (!theirs || theirs.status === 'canceled') return { isStopped: true, theirs }
  if (!isCancelableAtPrinter(theirs.status)) {
    log.warn({ orderNumber, status: theirs.status }, 'too late to cancel at the printer')
    return { isStopped: false, theirs }
  }
  try {
    return { isStopped: true, theirs: await printful.cancelOrder(theirs.id) }
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error
    log.warn({ err: error, orderNumber }, 'the printer refused to cancel')
    return { isStopped: false, theirs }
  }
}

/** Books what the printer credits for a canceled order. @param order locked */
export async function recordCancellation(
  tx: Tx,
  order: Order,
  { theirs }: CancellationResult,
  now: Date,
): Promise<void> {
  if (theirs) await bookPrinterCost(tx, order, theirs, now)
}

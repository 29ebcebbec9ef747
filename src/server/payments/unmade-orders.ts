import { nextExternalId } from '#domain/orders/external-id.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { cancelDraftOrOrder, recordCancellation, type CancellationResult } from '#server/fulfillment/cancellation.ts'
import { followPrinterOrder, submitOrderLater } from '#server/fulfillment/fulfillment.ts'
import { Refusal } from '#server/http/refusal.ts'
import {
  findOrder,
  listPaymentKeys,
  lockOrder,
  replaceExternalId,
  restartFulfillment,
  type Order,
} from '#server/orders/orders.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { followReturns } from './returns.ts'

export type UnmadeOrderNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'printful' | 'payments'>

/** Tries for an order that keeps changing at the same time. */
const TRIES = 3

type Work<Plan, Result> = {
  /** Checks and computes before the printer is called; may call other providers. */
  plan: (seen: Order) => Promise<Plan>
  /**
   * Applies the plan in one transaction. @param order locked @param stopped what the printer canceled; undefined if it was never called
   * @returns undefined when the plan no longer fits: it is made again
   */
  apply: (tx: Tx, order: Order, plan: Plan, stopped: CancellationResult | undefined) => Promise<Result | undefined>
  /** When the printer makes it already. */
  tooLate: (seen: Order) => Refusal
}

/**
 * Changes or ends an order that is never made as it was: one that the printer may have is canceled there first. Either the printer's
 * confirmation comes first, or this.
 * @throws Refusal `unknown_order`; `tooLate`'s; `correction_under_way` if the order keeps changing
 * @throws ProviderUnavailable when it is unknown whether the printer canceled; nothing was changed here
 */
export async function changeUnmade<Plan, Result>(
  shop: UnmadeOrderNeeds,
  id: OrderId,
  { plan, apply, tooLate }: Work<Plan, Result>,
): Promise<Result> {
  let canceled: CancellationResult | undefined
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const seen = await findOrder(shop.db, id)
    if (!seen) throw new Refusal('unknown_order')
    const planned = await plan(seen).catch(async (error: unknown) => {
      if (canceled) await submitAgain(shop, id, canceled)
      throw error
    })
    // Never submitted means that there is nothing to cancel.
    const stopped = seen.partnerTriedAt ? await cancelDraftOrOrder(shop, seen) : undefined
    if (stopped && !stopped.isStopped) {
      await followPrinterOrder(shop, seen.externalId)
      throw tooLate(seen)
    }
    canceled = stopped?.theirs ? stopped : undefined
    const result = await shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, id)
      if (order.externalId !== seen.externalId || order.erasedAt) return undefined
      // What was canceled at the printer stays canceled, even if our copy has changed in the meantime.
      if (!stopped?.theirs && !isUntouched(order, seen)) return undefined
      return apply(tx, order, planned, stopped)
    })
    if (result !== undefined) return result
  }
  if (canceled) await submitAgain(shop, id, canceled)
  throw new Refusal('correction_under_way')
}

/** An order that was canceled at the printer for a change that then turned out to be impossible is made as it was. */
const submitAgain = (shop: UnmadeOrderNeeds, id: OrderId, canceled: CancellationResult): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (order.externalId !== canceled.theirs?.externalId || order.fulfillmentStatus === 'cancelled') return
    const free = await freeFromPrinter(tx, shop, order, canceled)
    await submitOrderLater(shop, tx, free)
  })

/**
 * Records what the printer canceled, and gives the order a new external id if it had one there. It waits then, unless it is on hold here.
 * @returns the order now
 */
export async function freeFromPrinter(
  tx: Tx,
  { clock }: Needs<'clock'>,
  order: Order,
  stopped: CancellationResult | undefined,
): Promise<Order> {
  const now = clock.now()
  if (stopped) await recordCancellation(tx, order, stopped, now)
  const externalId = stopped ? nextExternalId(order.orderNumber, order.externalId) : order.externalId
  const isHeldHere = order.fulfillmentStatus === 'on_hold' && order.heldAt !== null
  if (isHeldHere && stopped) await replaceExternalId(tx, order, externalId, now)
  if (!isHeldHere && (order.fulfillmentStatus !== 'waiting' || stopped))
    await restartFulfillment(tx, order, externalId, now)
  return (await findOrder(tx, order.id)) ?? order
}

/** Whether the order is unchanged and the printer was not called about it since. */
const isUntouched = (order: Order, seen: Order): boolean =>
  order.fulfillmentStatus === seen.fulfillmentStatus &&
  order.paymentStatus === seen.paymentStatus &&
  order.partnerTriedAt?.getTime() === seen.partnerTriedAt?.getTime() &&
  order.partnerAskedAt?.getTime() === seen.partnerAskedAt?.getTime()

/** Books refunds and disputes of an order that were made at the provider: they must not be paid twice. */
export async function bookReturns(shop: UnmadeOrderNeeds, order: Order): Promise<void> {
  try {
    for (const paymentKey of await listPaymentKeys(shop.db, order)) await followReturns(shop, paymentKey)
  } catch (error) {
    // The refund waits for the provider too, and takes no more than is left there.
    if (!(error instanceof ProviderUnavailable)) throw error
  }
}

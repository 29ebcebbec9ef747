import { piecesOf } from '#domain/payments/returns.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { endLapsedReservations } from '#server/checkout/reservations.ts'
import { forgetGuests } from '#server/drops/room.ts'
import { renewPages } from '#server/drops/shown.ts'
import { announceDrops, serveWaitingLists } from '#server/drops/waiting-list.ts'
import { returnNumbers } from '#server/drops/drops.ts'
import { listNumberedRefunds } from '#server/orders/numbered.ts'
import { isSale, listOrderLines, lockOrder } from '#server/orders/orders.ts'
import { listOrderRefunds } from '#server/orders/refunds.ts'
import type { Needs } from '#server/shop.ts'
import { settle } from './settlement.ts'

/** How far back refunded orders are looked at again, for one whose turn was missed. */
const LOOK_BACK_MS = 7 * DAY_MS
const BATCH = 100

/**
 * Retires or frees the numbers of pieces that were refunded. What may still be canceled at the printer waits until it is known whether
 * it was made.
 * @returns how many numbers changed
 */
async function followReturnedNumbers(shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): Promise<number> {
  let changed = 0
  for (const id of await listNumberedRefunds(shop.db, after(shop.clock.now(), -LOOK_BACK_MS), BATCH))
    changed += await shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, id)
      if (!isSale(order)) return 0
      const given = (await listOrderRefunds(tx, id)).flatMap(({ bookedAt, reversedAt, pieces }) =>
        bookedAt && !reversedAt ? (pieces ?? []) : [],
      )
      const lines = (await listOrderLines(tx, id)).map(({ position, quantity }) => ({
        ...{ position, quantity },
        gone: order.paymentStatus === 'refunded' ? quantity : Math.min(quantity, piecesOf(position, given)),
      }))
      const wasMade = order.fulfillmentStatus !== 'waiting' && order.fulfillmentStatus !== 'cancelled'
      return returnNumbers(tx, shop, order, lines, wasMade)
    })
  return changed
}

/** What happens to drops by time: reservations and offers end, what became free is offered, and those who asked are told of a start. */
export async function followDrops(
  shop: Parameters<typeof settle>[0] & Parameters<typeof endLapsedReservations>[0],
): Promise<void> {
  for (const key of await endLapsedReservations(shop)) await settle(shop, key)
  await followReturnedNumbers(shop)
  await serveWaitingLists(shop)
  await announceDrops(shop)
  await renewPages(shop)
  await forgetGuests(shop)
}

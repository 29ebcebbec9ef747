import { and, eq } from 'drizzle-orm'
import { objectionToChange, type ChangeObjection } from '#domain/orders/changes.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { orderChange } from '#server/orders/schema.ts'
import type { Order } from './orders.ts'

export const recordChange = (tx: Tx, row: typeof orderChange.$inferInsert) => tx.insert(orderChange).values(row)

/** The change by which the customer canceled an order. */
export const findShopperCancellation = async (db: Reader, orderId: OrderId) =>
  (
    await db
      .select()
      .from(orderChange)
      .where(and(eq(orderChange.orderId, orderId), eq(orderChange.kind, 'canceled'), eq(orderChange.madeBy, 'shopper')))
  )[0]

/** Why the customer can't change or cancel the order now; null if they can. */
export const changeObjectionOf = (order: Order, now: Date): ChangeObjection | null =>
  objectionToChange(
    {
      fulfillment: order.fulfillmentStatus,
      payment: order.paymentStatus,
      isErased: order.erasedAt !== null,
      until: order.changeableUntil,
    },
    now,
  )

import { and, eq } from 'drizzle-orm'
import type { OrderId } from '#kernel/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { shipment, shopOrder } from '#server/db/schema.ts'

/** Appends a parcel. @returns false when it is already known: parcels are never replaced */
export async function appendShipment(tx: Tx, row: typeof shipment.$inferInsert): Promise<boolean> {
  const rows = await tx.insert(shipment).values(row).onConflictDoNothing().returning({ id: shipment.id })
  return rows.length > 0
}

/** The flag is set by the first mail of its kind. */
export const flagTrackingMail = (tx: Tx, orderId: OrderId) =>
  tx
    .update(shopOrder)
    .set({ trackingNotificationSent: true })
    .where(and(eq(shopOrder.id, orderId), eq(shopOrder.trackingNotificationSent, false)))

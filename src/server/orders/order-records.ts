import { asc, eq } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { listShipments, listTrackingEvents } from './production.ts'
import { orderCorrection, orderStep } from './schema.ts'
import { listVisits } from './store.ts'

/** What happened to an order's production, parcels and recipient, each in the order it happened. */
export async function readOrderSteps(db: Reader, id: OrderId) {
  const parcels = await listShipments(db, id)
  return {
    steps: await db.select().from(orderStep).where(eq(orderStep.orderId, id)).orderBy(asc(orderStep.id)),
    parcels,
    trackingEvents: await listTrackingEvents(
      db,
      parcels.map((parcel) => parcel.id),
    ),
    visits: await listVisits(db, id),
    corrections: await db
      .select()
      .from(orderCorrection)
      .where(eq(orderCorrection.orderId, id))
      .orderBy(asc(orderCorrection.id)),
  }
}

import { asc, eq } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { orderCorrection, orderStep, shipment } from './schema.ts'

/** What happened to an order's production, parcels and recipient, each in the order it happened. */
export const readOrderSteps = async (db: Reader, id: OrderId) => ({
  steps: await db.select().from(orderStep).where(eq(orderStep.orderId, id)).orderBy(asc(orderStep.id)),
  parcels: await db.select().from(shipment).where(eq(shipment.orderId, id)).orderBy(asc(shipment.shippedAt)),
  corrections: await db
    .select()
    .from(orderCorrection)
    .where(eq(orderCorrection.orderId, id))
    .orderBy(asc(orderCorrection.id)),
})

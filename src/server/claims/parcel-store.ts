import { asc, eq, inArray } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { parcelNotice } from './schema.ts'

export type ParcelNotice = typeof parcelNotice.$inferSelect

/** @returns undefined when the shopper was told of it before */
export const insertNotice = async (tx: Tx, row: typeof parcelNotice.$inferInsert): Promise<ParcelNotice | undefined> =>
  (await tx.insert(parcelNotice).values(row).onConflictDoNothing().returning())[0]

export const listNotices = (db: Reader, orderId: OrderId): Promise<ParcelNotice[]> =>
  db.select().from(parcelNotice).where(eq(parcelNotice.orderId, orderId)).orderBy(asc(parcelNotice.id))

export const updateNotice = (tx: Tx, id: number, to: Partial<typeof parcelNotice.$inferInsert>) =>
  tx.update(parcelNotice).set(to).where(eq(parcelNotice.id, id))

/** Orders whose shoppers can still choose about a parcel. */
export const listOrdersToChoose = async (db: Reader): Promise<OrderId[]> =>
  (
    await db
      .selectDistinct({ id: parcelNotice.orderId })
      .from(parcelNotice)
      .where(inArray(parcelNotice.state, ['open', 'waits']))
      .orderBy(asc(parcelNotice.orderId))
  ).map(({ id }) => id)

import { asc, eq } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { orderNote } from './schema.ts'

export async function addNote(tx: Tx, row: typeof orderNote.$inferInsert): Promise<void> {
  await tx.insert(orderNote).values(row)
}

export const listNotes = (db: Reader, id: OrderId) =>
  db.select().from(orderNote).where(eq(orderNote.orderId, id)).orderBy(asc(orderNote.id))

import type { Tx } from '#server/db/db.ts'
import { contactMessage } from '#server/db/schema.ts'

export async function addMessage(tx: Tx, row: typeof contactMessage.$inferInsert): Promise<void> {
  await tx.insert(contactMessage).values(row)
}

import { eq } from 'drizzle-orm'
import type { SessionId } from '#shared/ids.ts'
import type { Tx } from '#server/db/db.ts'
import { dropGuest, dropPlace } from './schema.ts'

/** Places in waiting rooms, and pieces that are set aside. */
export async function moveDropPlaces(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  await tx.update(dropGuest).set({ sessionId: to }).where(eq(dropGuest.sessionId, from))
  await tx.update(dropPlace).set({ sessionId: to }).where(eq(dropPlace.sessionId, from))
}

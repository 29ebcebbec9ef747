import { and, asc, eq, lt } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import { mail } from '#server/db/schema.ts'

export type StoredMail = typeof mail.$inferSelect

/** @returns the mail's id; undefined when there is one of its order, kind and subject matter already */
export async function addMail(tx: Tx, row: typeof mail.$inferInsert): Promise<number | undefined> {
  const [added] = await tx.insert(mail).values(row).onConflictDoNothing().returning({ id: mail.id })
  return added?.id
}

export async function findMail(db: Reader, id: number): Promise<StoredMail | undefined> {
  const [found] = await db.select().from(mail).where(eq(mail.id, id))
  return found
}

/** The oldest first. */
export const listUnsent = (db: Reader, before: Date, limit: number): Promise<{ id: number }[]> =>
  db
    .select({ id: mail.id })
    .from(mail)
    .where(and(eq(mail.state, 'queued'), lt(mail.createdAt, before)))
    .orderBy(asc(mail.id))
    .limit(limit)

/** Closes a mail that still waits; one that is closed stays as it is. @param sentAt null when it bounced */
export async function closeMail(tx: Tx, id: number, sentAt: Date | null): Promise<void> {
  await tx
    .update(mail)
    .set({ state: sentAt ? 'sent' : 'bounced', sentAt })
    .where(and(eq(mail.id, id), eq(mail.state, 'queued')))
}

import { and, asc, desc, eq, lt, ne, sql, type SQL } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { mail } from '#server/db/schema.ts'

export type StoredMail = typeof mail.$inferSelect

/**
 * Writes a mail and whatever else is made of its row; nothing, when there is one of its order, kind and subject matter already.
 * @param job the last part of the statement, which calls the row `letter`
 */
export const addMail = (tx: Tx, row: typeof mail.$inferInsert, job: SQL) => {
  const written = tx.insert(mail).values(row).onConflictDoNothing().returning({ id: mail.id })
  return tx.execute(sql`with letter as (${written.getSQL()}) ${job}`)
}

export async function findMail(db: Reader, id: number): Promise<StoredMail | undefined> {
  const [found] = await db.select().from(mail).where(eq(mail.id, id))
  return found
}

/** All mails about an order, the latest first. */
export const listMailsOfOrder = (db: Reader, orderId: OrderId): Promise<StoredMail[]> =>
  db.select().from(mail).where(eq(mail.orderId, orderId)).orderBy(desc(mail.id))

/** What still waits to be sent about an order goes to another email; the news of the change itself stays with the old one. */
export const redirectQueued = (tx: Tx, orderId: OrderId, email: string) =>
  tx
    .update(mail)
    .set({ recipient: email })
    .where(and(eq(mail.orderId, orderId), eq(mail.state, 'queued'), ne(mail.kind, 'corrected')))

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

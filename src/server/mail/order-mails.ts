import { and, asc, eq } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { mail } from './schema.ts'
import type { StoredMail } from './store.ts'

/** An order's emails without their texts, oldest first. */
export const listMailHeaders = (db: Reader, orderId: OrderId) => {
  const { id, kind, subject, recipient, state, createdAt, sentAt } = mail
  return db
    .select({ id, kind, subject, recipient, state, createdAt, sentAt })
    .from(mail)
    .where(eq(mail.orderId, orderId))
    .orderBy(asc(id))
}

export const findMailOf = async (db: Reader, orderId: OrderId, mailId: number): Promise<StoredMail | undefined> =>
  (
    await db
      .select()
      .from(mail)
      .where(and(eq(mail.id, mailId), eq(mail.orderId, orderId)))
  )[0]

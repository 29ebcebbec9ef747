import { and, asc, eq, like, or } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { mail } from './schema.ts'
import type { StoredMail } from './store.ts'

const { id, kind, subject, recipient, state, createdAt, sentAt } = mail
const header = { id, kind, subject, recipient, state, createdAt, sentAt }

/** An order's emails without their texts, oldest first. */
export const listMailHeaders = (db: Reader, orderId: OrderId) =>
  db.select(header).from(mail).where(eq(mail.orderId, orderId)).orderBy(asc(id))

/** The same of a gift card that was bought: its receipts, and the emails with its code. */
export const listGiftCardMails = (db: Reader, of: { purchase: string; card: number }) =>
  db
    .select(header)
    .from(mail)
    .where(
      or(
        and(eq(kind, 'gift_card_bought'), like(mail.about, `${of.purchase}%`)),
        and(eq(kind, 'gift_card'), like(mail.about, `${of.card} %`)),
      ),
    )
    .orderBy(asc(id))

export const findMailOf = async (db: Reader, orderId: OrderId, mailId: number): Promise<StoredMail | undefined> =>
  (
    await db
      .select()
      .from(mail)
      .where(and(eq(mail.id, mailId), eq(mail.orderId, orderId)))
  )[0]

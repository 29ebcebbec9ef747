import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import { moment } from '#server/db/columns.ts'
import { shopOrder } from '#server/orders/schema.ts'
import type { OrderId } from '#shared/ids.ts'

export type MailAttachment = { name: string; type: string; text: string }

export const mail = pgTable(
  'mail',
  {
    id: serial().primaryKey(),
    kind: text().notNull().$type<MailKind>(),
    recipient: text().notNull(),
    recipientName: text(),
    orderId: integer()
      .$type<OrderId>()
      .references(() => shopOrder.id),
    /** Distinguishes emails of the same kind about an order, such as a parcel's number; empty otherwise. */
    about: text().notNull().default(''),
    subject: text().notNull(),
    textPart: text().notNull(),
    htmlPart: text().notNull(),
    /** Set before the first try, to recognize repeated deliveries. */
    messageId: text().notNull().unique(),
    /** Additional headers, such as `List-Unsubscribe`. */
    headers: jsonb().$type<Record<string, string>>(),
    /** A small text file, such as a calendar entry. */
    attachment: jsonb().$type<MailAttachment>(),
    state: text().notNull().default('queued'),
    createdAt: moment().notNull(),
    sentAt: moment(),
  },
  (t) => [
    unique().on(t.orderId, t.kind, t.about),
    index('mail_with_words')
      .on(t.createdAt)
      .where(sql`${t.textPart} <> ''`),
    // How many went out in the last minutes.
    index('mail_sent').on(t.sentAt),
    index('mail_of_person').on(sql`lower(${t.recipient})`),
    index('mail_unsent')
      .on(t.createdAt)
      .where(sql`${t.state} = 'queued'`),
    index('mail_bounced')
      .on(t.createdAt)
      .where(sql`${t.state} = 'bounced'`),
    check('mail_state_known', sql`${t.state} in ('queued', 'sent', 'bounced')`),
  ],
)

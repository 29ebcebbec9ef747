import { and, asc, eq, inArray, isNull, lt, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import { type Email, ERASED, type Fates, type PersonalData } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'
import { mail } from './schema.ts'

const isTo = (email: Email) => sql`lower(${mail.recipient}) = ${email}`

/** Matches the whole email only: not `ann@mail.example` in `joann@mail.example`. */
const appearsIn = (column: typeof mail.textPart | typeof mail.subject, email: Email) => {
  const escaped = email.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)
  return sql`lower(${column}) ~ ${String.raw`(?<![[:alnum:]._%+-])${escaped}(?![[:alnum:]-]|\.[[:alnum:]])`}`
}

/** Emails to the owner about somebody. They may mention others, so they are erased but never exported. */
const isNoteAbout = (email: Email) =>
  and(isNull(mail.orderId), ne(mail.textPart, ''), or(appearsIn(mail.textPart, email), appearsIn(mail.subject, email)))

/** Deletes queued emails and empties sent ones, keeping the fact that they were sent. */
async function empty(tx: Tx, which: SQL | undefined): Promise<void> {
  await tx.delete(mail).where(and(eq(mail.state, 'queued'), which))
  await tx
    .update(mail)
    .set({
      recipient: '',
      recipientName: null,
      subject: ERASED,
      textPart: '',
      htmlPart: '',
      headers: null,
      attachment: null,
      about: sql`case when ${mail.orderId} is null then '' else ${mail.about} end`,
    })
    .where(which)
}

export const personalData = {
  fates: {
    mail: {
      recipient: 'erased',
      recipientName: 'erased',
      about: 'erased',
      subject: 'erased',
      textPart: 'erased',
      htmlPart: 'erased',
      messageId: 'kept: random',
      headers: 'erased',
      attachment: 'erased',
      state: 'kept: queued, sent or bounced',
    },
  } satisfies Fates<typeof schema>,

  /** Emails sent to somebody. */
  find: (db: Reader, email: Email) =>
    db
      .select({
        recipient: mail.recipient,
        subject: mail.subject,
        createdAt: mail.createdAt,
        sentAt: mail.sentAt,
        text: mail.textPart,
      })
      .from(mail)
      .where(isTo(email))
      .orderBy(asc(mail.id)),

  eraseOrders: (tx, orders) =>
    empty(
      tx,
      inArray(
        mail.orderId,
        orders.map(({ id }) => id),
      ),
    ),

  erasePerson: (tx, { email, except: { orders } }) =>
    empty(
      tx,
      and(or(isTo(email), isNoteAbout(email)), or(isNull(mail.orderId), notInArray(mail.orderId, [...orders]))),
    ),

  /** @returns how many */
  async eraseBefore(tx: Tx, before: Date, limit: number): Promise<number> {
    const old = await tx
      .select({ id: mail.id })
      .from(mail)
      .where(and(lt(mail.createdAt, before), ne(mail.textPart, '')))
      .orderBy(asc(mail.createdAt))
      .limit(limit)
    const ids = old.map(({ id }) => id)
    if (ids.length) await empty(tx, inArray(mail.id, ids))
    return ids.length
  },
} satisfies PersonalData

import { and, asc, desc, eq, inArray, isNull, lt, ne, sql } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { mail } from './schema.ts'

export type StoredMail = typeof mail.$inferSelect

/** @returns the email's id; undefined when the order already has one of this kind and `about` */
export async function addMail(tx: Tx, row: typeof mail.$inferInsert): Promise<number | undefined> {
  const [added] = await tx.insert(mail).values(row).onConflictDoNothing().returning({ id: mail.id })
  return added?.id
}

export async function findMail(db: Reader, id: number): Promise<StoredMail | undefined> {
  const [found] = await db.select().from(mail).where(eq(mail.id, id))
  return found
}

/** Latest first. */
export const listMailsOfOrder = (db: Reader, orderId: OrderId): Promise<StoredMail[]> =>
  db.select().from(mail).where(eq(mail.orderId, orderId)).orderBy(desc(mail.id))

/** What became of an order's emails, or somebody's about no order, by their `about`. */
export async function listMailStates(
  db: Reader,
  to: { orderId: OrderId } | { email: string },
  abouts: readonly string[],
): Promise<ReadonlyMap<string, MailState>> {
  if (abouts.length === 0) return new Map()
  const isTheirs =
    'orderId' in to
      ? eq(mail.orderId, to.orderId)
      : and(isNull(mail.orderId), eq(sql`lower(${mail.recipient})`, to.email.toLowerCase()))
  const rows = await db
    .select({ about: mail.about, state: mail.state })
    .from(mail)
    .where(and(isTheirs, inArray(mail.about, [...abouts])))
    .orderBy(asc(mail.id))
  return new Map(rows.map(({ about, state }) => [about, state === 'sent' || state === 'bounced' ? state : 'queued']))
}

export type MailState = 'queued' | 'sent' | 'bounced'

/** Redirects an order's queued emails to a new address; the notice of the change itself still goes to the old one. */
export const redirectQueued = (tx: Tx, orderId: OrderId, email: string) =>
  tx
    .update(mail)
    .set({ recipient: email })
    .where(and(eq(mail.orderId, orderId), eq(mail.state, 'queued'), ne(mail.kind, 'corrected')))

/** An email without an order. @returns whether it was not sent yet, so that it goes to the other address */
export const redirectMail = async (
  tx: Tx,
  { kind, about }: Pick<StoredMail, 'kind' | 'about'>,
  email: string,
): Promise<boolean> => {
  const redirected = await tx
    .update(mail)
    .set({ recipient: email })
    .where(and(eq(mail.kind, kind), eq(mail.about, about), eq(mail.state, 'queued')))
    .returning({ id: mail.id })
  return redirected.length > 0
}

/** Oldest first. */
export const listUnsent = (db: Reader, before: Date, limit: number): Promise<{ id: number }[]> =>
  db
    .select({ id: mail.id })
    .from(mail)
    .where(and(eq(mail.state, 'queued'), lt(mail.createdAt, before)))
    .orderBy(asc(mail.id))
    .limit(limit)

/** Closes a queued email; does nothing if it is closed already. @param sentAt null when it bounced */
export async function closeMail(tx: Tx, id: number, sentAt: Date | null): Promise<void> {
  await tx
    .update(mail)
    .set({ state: sentAt ? 'sent' : 'bounced', sentAt })
    .where(and(eq(mail.id, id), eq(mail.state, 'queued')))
}

import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or } from 'drizzle-orm'
import { assert } from '#shared/assert.ts'
import { isEverybody, type Segment } from '#domain/messages/issue.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { hasOrder } from '#server/orders/buyers.ts'
import { newsletterIssue, subscriber, subscriberAccess } from './schema.ts'

export type StoredSubscriber = typeof subscriber.$inferSelect

/** Locked until the transaction ends; created if missing. */
export async function lockSubscriber(tx: Tx, email: string, askedAt: Date): Promise<StoredSubscriber | undefined> {
  await tx.insert(subscriber).values({ email, askedAt }).onConflictDoNothing({ target: subscriber.email })
  return (await tx.select().from(subscriber).where(eq(subscriber.email, email)).for('update'))[0]
}

export async function lockSubscriberById(tx: Tx, id: number): Promise<StoredSubscriber | undefined> {
  return (await tx.select().from(subscriber).where(eq(subscriber.id, id)).for('update'))[0]
}

export async function changeSubscriber(
  tx: Tx,
  id: number,
  changed: Partial<Omit<StoredSubscriber, 'id' | 'email'>>,
): Promise<void> {
  await tx.update(subscriber).set(changed).where(eq(subscriber.id, id))
}

export async function addSubscriberLink(tx: Tx, row: typeof subscriberAccess.$inferInsert): Promise<void> {
  await tx.insert(subscriberAccess).values(row)
}

export async function findSubscriberOfLink(db: Reader, tokenHash: string): Promise<{ id: number } | undefined> {
  const [found] = await db
    .select({ id: subscriberAccess.subscriberId })
    .from(subscriberAccess)
    .where(eq(subscriberAccess.tokenHash, tokenHash))
  return found
}

export const listSubscribers = (db: Reader, older: number | undefined, limit: number): Promise<StoredSubscriber[]> =>
  db
    .select()
    .from(subscriber)
    .where(older === undefined ? undefined : lt(subscriber.id, older))
    .orderBy(desc(subscriber.id))
    .limit(limit)

const isSubscribed = and(isNotNull(subscriber.confirmedAt), isNull(subscriber.leftAt))

/** @param segment only those who fit it */
export const countSubscribed = (db: Reader, segment: Segment = {}): Promise<number> =>
  db.$count(subscriber, and(isSubscribed, isInSegment(segment)))

/** What somebody bought is known by the email of their orders. */
const isInSegment = (segment: Segment) => (isEverybody(segment) ? undefined : hasOrder(subscriber.email, segment))

/** New subscribers that the owner has not been emailed about, locked so none is reported twice. */
export const lockUnreported = (tx: Tx, limit: number): Promise<StoredSubscriber[]> =>
  tx
    .select()
    .from(subscriber)
    .where(and(isSubscribed, isNull(subscriber.toldAt)))
    .orderBy(asc(subscriber.id))
    .limit(limit)
    .for('update')

export async function markReported(tx: Tx, ids: number[], now: Date): Promise<void> {
  await tx.update(subscriber).set({ toldAt: now }).where(inArray(subscriber.id, ids))
}

export type StoredIssue = typeof newsletterIssue.$inferSelect

export async function addIssue(tx: Tx, row: typeof newsletterIssue.$inferInsert): Promise<{ id: number }> {
  const [added] = await tx.insert(newsletterIssue).values(row).returning({ id: newsletterIssue.id })
  assert(added, 'an insert without a row')
  return added
}

/** Locked until the transaction ends. */
export const lockIssue = async (tx: Tx, id: number): Promise<StoredIssue | undefined> =>
  (await tx.select().from(newsletterIssue).where(eq(newsletterIssue.id, id)).for('update'))[0]

export async function changeIssue(
  tx: Tx,
  id: number,
  changed: Partial<typeof newsletterIssue.$inferInsert>,
): Promise<void> {
  await tx.update(newsletterIssue).set(changed).where(eq(newsletterIssue.id, id))
}

export const listIssues = (db: Reader, limit: number): Promise<StoredIssue[]> =>
  db.select().from(newsletterIssue).orderBy(desc(newsletterIssue.id)).limit(limit)

/** Scheduled issues whose time has come, and those that are being sent; locked. */
export const listDueIssues = (tx: Tx, now: Date): Promise<StoredIssue[]> =>
  tx
    .select()
    .from(newsletterIssue)
    .where(
      or(
        eq(newsletterIssue.state, 'sending'),
        and(eq(newsletterIssue.state, 'scheduled'), lte(newsletterIssue.sendAt, now)),
      ),
    )
    .for('update')

/** Current subscribers of a segment who had confirmed by a given time, by id. */
export const listReaders = (
  db: Reader,
  { after, confirmedBy, segment, limit }: { after: number; confirmedBy: Date; segment: Segment; limit: number },
): Promise<StoredSubscriber[]> =>
  db
    .select()
    .from(subscriber)
    .where(and(isSubscribed, isInSegment(segment), gt(subscriber.id, after), lte(subscriber.confirmedAt, confirmedBy)))
    .orderBy(asc(subscriber.id))
    .limit(limit)

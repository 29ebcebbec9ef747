import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { assert } from '#shared/assert.ts'
import type { SessionId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Queue } from '#server/db/queue-page.ts'
import {
  chat,
  chatMessage,
  contactAnswer,
  contactMessage,
  newsletterIssue,
  subscriber,
  subscriberAccess,
} from '#server/messages/schema.ts'

export type StoredMessage = typeof contactMessage.$inferSelect
export type StoredChat = typeof chat.$inferSelect
export type StoredLine = typeof chatMessage.$inferSelect
export type StoredSubscriber = typeof subscriber.$inferSelect

// ---- contact form

export async function addMessage(tx: Tx, row: typeof contactMessage.$inferInsert): Promise<void> {
  await tx.insert(contactMessage).values(row)
}

export const messageQueue = (db: Reader): Queue<StoredMessage> => ({
  isWaiting: isNull(contactMessage.closedAt),
  since: contactMessage.createdAt,
  id: contactMessage.id,
  list: (where, order, limit) =>
    db
      .select()
      .from(contactMessage)
      .where(where)
      .orderBy(...order)
      .limit(limit),
  count: (where) => db.$count(contactMessage, where),
  placeOf: ({ closedAt, createdAt, id }) => ({ waitsSince: closedAt ? null : createdAt, id }),
})

export const listAnswers = (db: Reader, messageIds: number[]) =>
  db.select().from(contactAnswer).where(inArray(contactAnswer.messageId, messageIds)).orderBy(asc(contactAnswer.id))

export async function lockMessage(tx: Tx, id: number): Promise<StoredMessage | undefined> {
  return (await tx.select().from(contactMessage).where(eq(contactMessage.id, id)).for('update'))[0]
}

/** @returns its id */
export async function addAnswer(tx: Tx, row: typeof contactAnswer.$inferInsert): Promise<number | undefined> {
  return (await tx.insert(contactAnswer).values(row).returning({ id: contactAnswer.id }))[0]?.id
}

export async function closeMessage(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.update(contactMessage).set({ closedAt: now }).where(eq(contactMessage.id, id))
}

// ---- chat

export async function findChatOf(db: Reader, sessionId: SessionId): Promise<StoredChat | undefined> {
  return (await db.select().from(chat).where(eq(chat.sessionId, sessionId)))[0]
}

/** Locks the session's chat, created if missing, so lines are added one at a time. */
export async function lockChatOf(tx: Tx, sessionId: SessionId, now: Date): Promise<StoredChat | undefined> {
  await tx.insert(chat).values({ sessionId, startedAt: now }).onConflictDoNothing()
  return (await tx.select().from(chat).where(eq(chat.sessionId, sessionId)).for('update'))[0]
}

export async function lockChat(tx: Tx, id: number): Promise<StoredChat | undefined> {
  return (await tx.select().from(chat).where(eq(chat.id, id)).for('update'))[0]
}

export async function changeChat(
  tx: Tx,
  id: number,
  changed: Partial<Pick<StoredChat, 'email' | 'waitingSince'>>,
): Promise<void> {
  await tx.update(chat).set(changed).where(eq(chat.id, id))
}

export async function setChatSession(tx: Tx, from: SessionId, to: SessionId | null): Promise<void> {
  await tx.update(chat).set({ sessionId: to }).where(eq(chat.sessionId, from))
}

export async function addLine(tx: Tx, row: typeof chatMessage.$inferInsert): Promise<void> {
  await tx.insert(chatMessage).values(row)
}

export const countLines = (db: Reader, chatId: number): Promise<number> =>
  db.$count(chatMessage, eq(chatMessage.chatId, chatId))

/** The latest lines, oldest first. */
export async function listLines(
  db: Reader,
  chatId: number,
  after: number | undefined,
  limit: number,
): Promise<StoredLine[]> {
  const rows = await db
    .select()
    .from(chatMessage)
    .where(and(eq(chatMessage.chatId, chatId), after === undefined ? undefined : gt(chatMessage.id, after)))
    .orderBy(desc(chatMessage.id))
    .limit(limit)
  return rows.toReversed()
}

export const listUnmailed = (tx: Tx, chatId: number): Promise<StoredLine[]> =>
  tx
    .select()
    .from(chatMessage)
    .where(and(eq(chatMessage.chatId, chatId), isNull(chatMessage.mailedAt)))
    .orderBy(asc(chatMessage.id))

export async function markMailed(tx: Tx, ids: number[], now: Date): Promise<void> {
  await tx.update(chatMessage).set({ mailedAt: now }).where(inArray(chatMessage.id, ids))
}

/** Chats with lines that should have been emailed by now, without replies to visitors who left no address. */
export async function listUnmailedChats(db: Reader, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: chatMessage.chatId })
    .from(chatMessage)
    .innerJoin(chat, eq(chat.id, chatMessage.chatId))
    .where(
      and(
        isNull(chatMessage.mailedAt),
        lt(chatMessage.timestamp, before),
        or(eq(chatMessage.author, 'visitor'), isNotNull(chat.email)),
      ),
    )
    .limit(limit)
  return rows.map(({ id }) => id)
}

export const chatQueue = (db: Reader): Queue<StoredChat> => ({
  isWaiting: isNotNull(chat.waitingSince),
  since: chat.waitingSince,
  id: chat.id,
  list: (where, order, limit) =>
    db
      .select()
      .from(chat)
      .where(where)
      .orderBy(...order)
      .limit(limit),
  count: (where) => db.$count(chat, where),
  placeOf: ({ waitingSince, id }) => ({ waitsSince: waitingSince, id }),
})

/** The latest lines of each chat, oldest first. */
export async function listLatestLines(db: Reader, chatIds: number[], limitEach: number): Promise<StoredLine[]> {
  const rank = sql<number>`row_number() over (partition by ${chatMessage.chatId} order by ${chatMessage.id} desc)`
  const ranked = db
    .select({ id: chatMessage.id, rank: rank.as('rank') })
    .from(chatMessage)
    .where(inArray(chatMessage.chatId, chatIds))
    .as('ranked')
  return db
    .select({ line: chatMessage })
    .from(chatMessage)
    .innerJoin(ranked, and(eq(ranked.id, chatMessage.id), sql`${ranked.rank} <= ${limitEach}`))
    .orderBy(asc(chatMessage.id))
    .then((rows) => rows.map(({ line }) => line))
}

// ---- newsletter

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

export const countSubscribed = (db: Reader): Promise<number> => db.$count(subscriber, isSubscribed)

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

/** Current subscribers who had confirmed by a given time, by id. */
export const listReaders = (
  db: Reader,
  { after, confirmedBy, limit }: { after: number; confirmedBy: Date; limit: number },
): Promise<StoredSubscriber[]> =>
  db
    .select()
    .from(subscriber)
    .where(and(isSubscribed, gt(subscriber.id, after), lte(subscriber.confirmedAt, confirmedBy)))
    .orderBy(asc(subscriber.id))
    .limit(limit)

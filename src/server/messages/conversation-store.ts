import { and, asc, desc, eq, gt, ilike, inArray, isNotNull, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import type { ConversationState } from '#domain/messages/conversation.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId, SessionId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { containsPattern } from '#server/db/like.ts'
import type { Queue } from '#server/db/queue-page.ts'
import { conversation, conversationMessage, conversationPhoto, inboundMail, savedReply } from './schema.ts'

export type Conversation = typeof conversation.$inferSelect
export type Message = typeof conversationMessage.$inferSelect

export const findConversation = async (db: Reader, id: number): Promise<Conversation | undefined> =>
  (await db.select().from(conversation).where(eq(conversation.id, id)))[0]

export const findConversationOfOrder = async (db: Reader, orderId: OrderId): Promise<Conversation | undefined> =>
  (await db.select().from(conversation).where(eq(conversation.orderId, orderId)))[0]

export const findConversationOfSession = async (db: Reader, sessionId: SessionId): Promise<Conversation | undefined> =>
  (await db.select().from(conversation).where(eq(conversation.sessionId, sessionId)))[0]

export const findConversationByReference = async (db: Reader, reference: string): Promise<Conversation | undefined> =>
  (await db.select().from(conversation).where(eq(conversation.reference, reference)))[0]

/** Locked until the transaction ends. */
export const lockConversation = async (tx: Tx, id: number): Promise<Conversation | undefined> =>
  (await tx.select().from(conversation).where(eq(conversation.id, id)).for('update'))[0]

/** Each merge that comes between takes one more. */
const TRIES_MAX = 5

/** The conversation of an order or a session, made if it does not exist: closed, until somebody writes. Locked until the transaction ends. */
export async function lockOrInsert(
  tx: Tx,
  row: Omit<typeof conversation.$inferInsert, 'state' | 'waitingSince' | 'isUnread'>,
): Promise<Conversation> {
  const isIt = row.orderId
    ? eq(conversation.orderId, row.orderId)
    : row.sessionId
      ? eq(conversation.sessionId, row.sessionId)
      : eq(conversation.reference, row.reference)
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    await tx
      .insert(conversation)
      .values({ ...row, state: 'closed', isUnread: false })
      .onConflictDoNothing()
    const [locked] = await tx.select().from(conversation).where(isIt).for('update')
    if (locked) return locked
    // It was there, and was merged into another one while this waited for it.
  }
  throw new Error('a conversation was neither found nor made')
}

export async function updateConversation(
  tx: Tx,
  id: number,
  changed: Partial<typeof conversation.$inferInsert>,
): Promise<void> {
  await tx.update(conversation).set(changed).where(eq(conversation.id, id))
}

export async function setConversationSession(tx: Tx, from: SessionId, to: SessionId | null): Promise<void> {
  await tx.update(conversation).set({ sessionId: to }).where(eq(conversation.sessionId, from))
}

/** Moves all messages of a conversation into another one, and deletes it. */
export async function mergeConversation(tx: Tx, from: number, to: number): Promise<void> {
  await tx.update(conversationMessage).set({ conversationId: to }).where(eq(conversationMessage.conversationId, from))
  await tx.delete(conversation).where(eq(conversation.id, from))
}

/** What was said in the chat before, another browser's chat no longer shows. */
export async function endChatOf(tx: Tx, id: number): Promise<void> {
  await tx.update(conversationMessage).set({ isInChat: false }).where(eq(conversationMessage.conversationId, id))
  await tx.update(conversation).set({ sessionId: null }).where(eq(conversation.id, id))
}

// ---- messages

/** @returns undefined when this submission was stored before */
export async function insertMessage(
  tx: Tx,
  row: typeof conversationMessage.$inferInsert,
): Promise<Message | undefined> {
  return (await tx.insert(conversationMessage).values(row).onConflictDoNothing().returning())[0]
}

export const hasSubmission = async (db: Reader, submission: string): Promise<boolean> =>
  (await db.$count(conversationMessage, eq(conversationMessage.submission, submission))) > 0

export const countMessages = (db: Reader, conversationId: number): Promise<number> =>
  db.$count(conversationMessage, eq(conversationMessage.conversationId, conversationId))

/** Written by email since a time. */
export const countEmails = (db: Reader, conversationId: number, since: Date): Promise<number> =>
  db.$count(
    conversationMessage,
    and(
      eq(conversationMessage.conversationId, conversationId),
      eq(conversationMessage.channel, 'email'),
      gt(conversationMessage.writtenAt, since),
    ),
  )

async function listLatest(db: Reader, where: SQL | undefined, limit: number): Promise<Message[]> {
  const rows = await db
    .select()
    .from(conversationMessage)
    .where(where)
    .orderBy(desc(conversationMessage.id))
    .limit(limit)
  return rows.toReversed()
}

/** What the customer wrote last. */
export const findLastOfCustomer = async (db: Reader, conversationId: number): Promise<Message | undefined> =>
  (
    await listLatest(
      db,
      and(eq(conversationMessage.conversationId, conversationId), eq(conversationMessage.author, 'customer')),
      1,
    )
  )[0]

/** The latest, oldest first. @param forCustomer leaves out notes */
export const listMessages = (
  db: Reader,
  conversationId: number,
  { limit, forCustomer = false }: { limit: number; forCustomer?: boolean },
): Promise<Message[]> =>
  listLatest(
    db,
    and(
      eq(conversationMessage.conversationId, conversationId),
      forCustomer ? ne(conversationMessage.author, 'note') : undefined,
    ),
    limit,
  )

/** What the chat shows: the latest lines, oldest first. */
export const listChatLines = (
  db: Reader,
  conversationId: number,
  after: number | undefined,
  limit: number,
): Promise<Message[]> =>
  listLatest(
    db,
    and(
      eq(conversationMessage.conversationId, conversationId),
      eq(conversationMessage.isInChat, true),
      after === undefined ? undefined : gt(conversationMessage.id, after),
    ),
    limit,
  )

export const listUnmailed = (tx: Tx, conversationId: number): Promise<Message[]> =>
  tx
    .select()
    .from(conversationMessage)
    .where(and(eq(conversationMessage.conversationId, conversationId), isNull(conversationMessage.mailedAt)))
    .orderBy(asc(conversationMessage.id))

export async function markMailed(tx: Tx, ids: number[], now: Date): Promise<void> {
  await tx.update(conversationMessage).set({ mailedAt: now }).where(inArray(conversationMessage.id, ids))
}

/** Conversations with lines that should have been emailed by now, without replies to visitors who left no address. */
export async function listUnmailedConversations(db: Reader, before: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: conversationMessage.conversationId })
    .from(conversationMessage)
    .innerJoin(conversation, eq(conversation.id, conversationMessage.conversationId))
    .where(
      and(
        isNull(conversationMessage.mailedAt),
        lt(conversationMessage.writtenAt, before),
        or(eq(conversationMessage.author, 'customer'), isNotNull(conversation.email)),
      ),
    )
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** The latest message of each conversation, without notes. */
export async function listLatestOfEach(db: Reader, ids: readonly number[]): Promise<Message[]> {
  if (ids.length === 0) return []
  return db
    .selectDistinctOn([conversationMessage.conversationId])
    .from(conversationMessage)
    .where(and(inArray(conversationMessage.conversationId, [...ids]), ne(conversationMessage.author, 'note')))
    .orderBy(conversationMessage.conversationId, desc(conversationMessage.id))
}

// ---- the owner's list

/**
 * Conversations in whose subject, name or email a text is, and the latest messages that contain it, by their conversation: the newest
 * of each.
 */
export async function searchConversations(
  db: Reader,
  text: string,
  limit: number,
): Promise<{ conversations: Conversation[]; matches: ReadonlyMap<number, Message> }> {
  const pattern = containsPattern(text)
  const messages = await db
    .select()
    .from(conversationMessage)
    .where(ilike(conversationMessage.words, pattern))
    .orderBy(desc(conversationMessage.id))
    .limit(limit * MATCHES_EACH)
  const headed = await db
    .select({ id: conversation.id })
    .from(conversation)
    .where(
      or(ilike(conversation.subject, pattern), ilike(conversation.name, pattern), ilike(conversation.email, pattern)),
    )
    .orderBy(desc(conversation.id))
    .limit(limit)
  const ids = [...new Set([...messages.map(({ conversationId }) => conversationId), ...headed.map(({ id }) => id)])]
  const conversations = await db
    .select()
    .from(conversation)
    .where(inArray(conversation.id, ids))
    .orderBy(desc(conversation.startedAt))
    .limit(limit)
  // The latest message that matches comes first, so it is set last.
  return { conversations, matches: new Map(messages.toReversed().map((message) => [message.conversationId, message])) }
}

/** Several messages that match may be of one conversation. */
const MATCHES_EACH = 3

export const conversationQueue = (db: Reader, state: ConversationState | undefined): Queue<Conversation> => {
  const ofState = state && eq(conversation.state, state)
  return {
    isWaiting: isNotNull(conversation.waitingSince),
    since: conversation.waitingSince,
    id: conversation.id,
    list: (where, order, limit) =>
      db
        .select()
        .from(conversation)
        .where(and(where, ofState))
        .orderBy(...order)
        .limit(limit),
    count: (where) => db.$count(conversation, where),
    placeOf: ({ waitingSince, id }) => ({ waitsSince: waitingSince, id }),
  }
}

export const countUnread = (db: Reader): Promise<number> => db.$count(conversation, eq(conversation.isUnread, true))

// ---- photos

export async function insertPhotos(
  tx: Tx,
  messageId: number,
  photos: readonly { id: string; body: Buffer }[],
): Promise<void> {
  if (photos.length > 0) await tx.insert(conversationPhoto).values(photos.map((photo) => ({ ...photo, messageId })))
}

export const listPhotos = (db: Reader, messages: readonly number[]): Promise<{ id: string; messageId: number }[]> =>
  messages.length > 0
    ? db
        .select({ id: conversationPhoto.id, messageId: conversationPhoto.messageId })
        .from(conversationPhoto)
        .where(inArray(conversationPhoto.messageId, [...messages]))
        .orderBy(asc(conversationPhoto.messageId), asc(conversationPhoto.id))
    : Promise.resolve([])

/** @param orderId unset for the owner, who sees those of every conversation */
export async function findPhoto(db: Reader, id: string, orderId?: OrderId): Promise<Buffer | undefined> {
  const [found] = await db
    .select({ body: conversationPhoto.body })
    .from(conversationPhoto)
    .innerJoin(conversationMessage, eq(conversationMessage.id, conversationPhoto.messageId))
    .innerJoin(conversation, eq(conversation.id, conversationMessage.conversationId))
    .where(and(eq(conversationPhoto.id, id), orderId === undefined ? undefined : eq(conversation.orderId, orderId)))
  return found?.body
}

// ---- saved replies

export type SavedReply = typeof savedReply.$inferSelect

export const listReplies = (db: Reader): Promise<SavedReply[]> =>
  db
    .select()
    .from(savedReply)
    .orderBy(sql`lower(${savedReply.title})`, asc(savedReply.id))

export const countReplies = (db: Reader): Promise<number> => db.$count(savedReply)

export async function insertReply(tx: Tx, row: { title: string; words: string }): Promise<number> {
  const [added] = await tx.insert(savedReply).values(row).returning({ id: savedReply.id })
  assert(added, 'an insert without a row')
  return added.id
}

export const lockReply = async (tx: Tx, id: number): Promise<SavedReply | undefined> =>
  (await tx.select().from(savedReply).where(eq(savedReply.id, id)).for('update'))[0]

export async function updateReply(tx: Tx, { id, ...values }: SavedReply): Promise<void> {
  await tx.update(savedReply).set(values).where(eq(savedReply.id, id))
}

export async function deleteReply(tx: Tx, id: number): Promise<void> {
  await tx.delete(savedReply).where(eq(savedReply.id, id))
}

// ---- the mailbox

export async function listRead(db: Reader, emailIds: readonly string[]): Promise<Set<string>> {
  if (emailIds.length === 0) return new Set()
  const rows = await db
    .select({ emailId: inboundMail.emailId })
    .from(inboundMail)
    .where(inArray(inboundMail.emailId, [...emailIds]))
  return new Set(rows.map(({ emailId }) => emailId))
}

/** @returns false if it was read before */
export async function markRead(tx: Tx, emailId: string, readAt: Date): Promise<boolean> {
  const added = await tx.insert(inboundMail).values({ emailId, readAt }).onConflictDoNothing().returning()
  return added.length > 0
}

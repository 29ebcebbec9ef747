import { and, eq, gt, inArray, lt } from 'drizzle-orm'
import { appUser, cartLine, checkout, session, shopOrder } from '#server/db/schema.ts'
import type { SessionUser } from '#contract/accounts.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { SessionId, UserId } from '#kernel/ids.ts'

export type User = typeof appUser.$inferSelect

/** What a session shows of its user. */
export const sessionUserOf = ({ id, shownName, isPartner, isOwner }: User): SessionUser => ({
  id,
  username: shownName,
  isPartner,
  isOwner,
})

export async function findUser(db: Reader, username: string): Promise<User | undefined> {
  const [found] = await db.select().from(appUser).where(eq(appUser.username, username))
  return found
}

/** @returns undefined when somebody else has the name already */
export async function addUser(tx: Tx, user: typeof appUser.$inferInsert): Promise<User | undefined> {
  const [made] = await tx.insert(appUser).values(user).onConflictDoNothing({ target: appUser.username }).returning()
  return made
}

export async function changeUser(tx: Tx, id: UserId, changed: Partial<Omit<User, 'id' | 'username'>>): Promise<void> {
  await tx.update(appUser).set(changed).where(eq(appUser.id, id))
}

export async function endSessionsOf(tx: Tx, userId: UserId): Promise<void> {
  await tx.update(session).set({ userId: null }).where(eq(session.userId, userId))
}

/** A session that was seen after `since`, with whoever is signed in. */
export async function findSession(db: Reader, id: SessionId, since: Date) {
  const [found] = await db
    .select({ id: session.id, seenAt: session.seenAt, user: appUser })
    .from(session)
    .leftJoin(appUser, eq(appUser.id, session.userId))
    .where(and(eq(session.id, id), gt(session.seenAt, since)))
  return found
}

export async function addSession(tx: Tx, id: SessionId, userId: UserId | null, now: Date): Promise<void> {
  await tx.insert(session).values({ id, userId, createdAt: now, seenAt: now })
}

export async function markSeen(tx: Tx, id: SessionId, now: Date): Promise<void> {
  await tx.update(session).set({ seenAt: now }).where(eq(session.id, id))
}

/** Holds the session, so that nobody puts a line into its cart while the cart moves. @returns false when it is gone */
export async function lockSession(tx: Tx, id: SessionId): Promise<boolean> {
  return (await tx.select({ id: session.id }).from(session).where(eq(session.id, id)).for('update')).length > 0
}

/** What is still to be paid goes along, whoever the session belongs to from now on. */
export async function moveCart(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  // Checkout before cart, as a settlement takes them: the other way round the two would wait for each other.
  await tx
    .update(checkout)
    .set({ sessionId: to })
    .where(and(eq(checkout.sessionId, from), inArray(checkout.state, ['open', 'held'])))
  await tx.update(cartLine).set({ sessionId: to }).where(eq(cartLine.sessionId, from))
}

/** What was paid: its names and addresses are shown to the session that paid. */
export async function movePurchases(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  await tx.update(checkout).set({ sessionId: to }).where(eq(checkout.sessionId, from))
  await tx.update(shopOrder).set({ sessionId: to }).where(eq(shopOrder.sessionId, from))
}

export async function removeSession(tx: Tx, id: SessionId): Promise<void> {
  await tx.delete(session).where(eq(session.id, id))
}

/** Ends sessions that nobody came back to; their carts go with them. @returns how many */
export async function removeIdle(tx: Tx, before: Date, limit: number): Promise<number> {
  const idle = tx.select({ id: session.id }).from(session).where(lt(session.seenAt, before)).limit(limit)
  return (await tx.delete(session).where(inArray(session.id, idle)).returning({ id: session.id })).length
}

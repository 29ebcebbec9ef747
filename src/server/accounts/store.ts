import { and, eq, gt, inArray, lte, ne, or } from 'drizzle-orm'
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

/** Ends what a user is signed in to; the carts there go with it. @param keeping the one that goes on */
export async function endSessionsOf(tx: Tx, userId: UserId, keeping?: SessionId): Promise<void> {
  await tx.delete(session).where(and(eq(session.userId, userId), keeping && ne(session.id, keeping)))
}

type Age = { seenAfter: Date; createdAfter: Date }

const isAlive = ({ seenAfter, createdAfter }: Age) =>
  and(gt(session.seenAt, seenAfter), gt(session.createdAt, createdAfter))

/** A session that is not too old, with the user that it was signed in for. */
export async function findSession(db: Reader, id: SessionId, age: Age) {
  const { signedInAt, seenAt, confirmedAt, formerUserId } = session
  const [found] = await db
    .select({ id: session.id, signedInAt, seenAt, confirmedAt, formerUserId, user: appUser })
    .from(session)
    .leftJoin(appUser, eq(appUser.id, session.userId))
    .where(and(eq(session.id, id), isAlive(age)))
  return found
}

export async function addSession(tx: Tx, row: typeof session.$inferInsert): Promise<void> {
  await tx.insert(session).values(row)
}

/** Its cart and what was bought in it stay where they are. */
export async function endSignIn(tx: Tx, id: SessionId): Promise<void> {
  await tx.update(session).set({ userId: null, signedInAt: null, confirmedAt: null }).where(eq(session.id, id))
}

export async function markSeen(tx: Tx, id: SessionId, now: Date): Promise<void> {
  await tx.update(session).set({ seenAt: now }).where(eq(session.id, id))
}

/** Holds the session, so that nobody puts a line into its cart while the cart moves. @returns undefined when it is gone */
export async function lockSession(tx: Tx, id: SessionId): Promise<typeof session.$inferSelect | undefined> {
  return (await tx.select().from(session).where(eq(session.id, id)).for('update'))[0]
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

/** Ends sessions that nobody came back to, and very old ones; their carts go with them. @returns how many */
export async function removeIdle(tx: Tx, { seenAfter, createdAfter }: Age, limit: number): Promise<number> {
  const over = tx
    .select({ id: session.id })
    .from(session)
    .where(or(lte(session.seenAt, seenAfter), lte(session.createdAt, createdAfter)))
    .limit(limit)
  return (await tx.delete(session).where(inArray(session.id, over)).returning({ id: session.id })).length
}

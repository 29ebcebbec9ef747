import { and, count, desc, eq, gt, inArray, isNull, lt, lte, ne, notInArray, or, sql } from 'drizzle-orm'
import {
  accountLink,
  accountRequest,
  appUser,
  cartLine,
  chat,
  checkout,
  orderViewer,
  recoveryCode,
  secondFactor,
  session,
  shopOrder,
} from '#server/db/schema.ts'
import type { SessionUser } from '#contract/accounts.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { SessionId, UserId } from '#shared/ids.ts'

export type User = typeof appUser.$inferSelect
export type AccountRequest = typeof accountRequest.$inferSelect

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

export async function findUserById(db: Reader, id: UserId): Promise<User | undefined> {
  const [found] = await db.select().from(appUser).where(eq(appUser.id, id))
  return found
}

/** By a name or a proven email; who has the email goes before who has taken it for a name. */
export async function findUserByNameOrEmail(db: Reader, typed: string): Promise<User | undefined> {
  const [found] = await db
    .select()
    .from(appUser)
    .where(or(eq(appUser.username, typed), eq(appUser.email, typed)))
    .orderBy(sql`${appUser.email} = ${typed} desc nulls last`)
    .limit(1)
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

const TO_BE_PAID = ['open', 'held'] as const satisfies (typeof checkout.$inferSelect.state)[]

/** Ends what a user is signed in to; the carts there go with it. @param keeping the one that goes on */
export async function endSessionsOf(tx: Tx, userId: UserId, keeping?: SessionId): Promise<void> {
  await tx.delete(session).where(and(eq(session.userId, userId), keeping && ne(session.id, keeping)))
}

type SessionAge = { seenAfter: Date; createdAfter: Date }

const isAlive = ({ seenAfter, createdAfter }: SessionAge) =>
  and(gt(session.seenAt, seenAfter), gt(session.createdAt, createdAfter))

/** A session that is not too old, with the user that it was signed in for. */
export async function findSession(db: Reader, id: SessionId, age: SessionAge) {
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

/**
 * Its cart stays, and what is still to be paid. What was bought and said goes, as when somebody signs out: the next one at the
 * machine does not see it.
 * @param nobody an id that no cookie has
 */
export async function endSession(tx: Tx, id: SessionId, nobody: SessionId): Promise<void> {
  await tx.update(session).set({ userId: null, signedInAt: null, confirmedAt: null }).where(eq(session.id, id))
  await tx
    .update(checkout)
    .set({ sessionId: nobody })
    .where(and(eq(checkout.sessionId, id), notInArray(checkout.state, TO_BE_PAID)))
  await tx.update(shopOrder).set({ sessionId: nobody }).where(eq(shopOrder.sessionId, id))
  await tx.update(chat).set({ sessionId: null }).where(eq(chat.sessionId, id))
  await tx.delete(orderViewer).where(eq(orderViewer.sessionId, id))
}

export async function touchSession(tx: Tx, id: SessionId, now: Date): Promise<void> {
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
    .where(and(eq(checkout.sessionId, from), inArray(checkout.state, TO_BE_PAID)))
  await tx.update(cartLine).set({ sessionId: to }).where(eq(cartLine.sessionId, from))
}

/** What is being said in the support chat goes on. */
export async function moveChat(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  await tx.update(chat).set({ sessionId: to }).where(eq(chat.sessionId, from))
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
export async function removeIdle(tx: Tx, { seenAfter, createdAfter }: SessionAge, limit: number): Promise<number> {
  const over = tx
    .select({ id: session.id })
    .from(session)
    .where(or(lte(session.seenAt, seenAfter), lte(session.createdAt, createdAfter)))
    .limit(limit)
  return (await tx.delete(session).where(inArray(session.id, over)).returning({ id: session.id })).length
}

const SIGN_INS_SHOWN = 50

/** Where a user is signed in, the latest seen first. */
export const listSignIns = (db: Reader, userId: UserId) => {
  const { id, handle, device, signedInAt, seenAt } = session
  return db
    .select({ id, handle, device, signedInAt, seenAt })
    .from(session)
    .where(eq(session.userId, userId))
    .orderBy(desc(session.seenAt))
    .limit(SIGN_INS_SHOWN)
}

/** @returns false when there is none of this user */
export async function removeSignIn(tx: Tx, userId: UserId, handle: string): Promise<boolean> {
  const ended = await tx
    .delete(session)
    .where(and(eq(session.userId, userId), eq(session.handle, handle)))
    .returning({ id: session.id })
  return ended.length > 0
}

export async function markConfirmed(tx: Tx, id: SessionId, now: Date): Promise<void> {
  await tx.update(session).set({ confirmedAt: now }).where(eq(session.id, id))
}

// ---- what a mailed link is to do

export async function addRequest(tx: Tx, row: typeof accountRequest.$inferInsert): Promise<number> {
  const [made] = await tx.insert(accountRequest).values(row).returning({ id: accountRequest.id })
  return made?.id ?? 0
}

/** A request with its user, if anybody has the name. */
export async function findRequest(db: Reader, id: number) {
  const [found] = await db
    .select({ request: accountRequest, user: appUser })
    .from(accountRequest)
    .leftJoin(appUser, eq(appUser.id, accountRequest.userId))
    .where(eq(accountRequest.id, id))
  return found
}

/** How many of a kind were asked for a user since a moment, up to this one. */
export async function countRequests(db: Reader, { id, kind, userId }: AccountRequest, since: Date): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(accountRequest)
    .where(
      and(
        userId === null ? isNull(accountRequest.userId) : eq(accountRequest.userId, userId),
        eq(accountRequest.kind, kind),
        gt(accountRequest.createdAt, since),
        lte(accountRequest.id, id),
      ),
    )
  return row?.total ?? 0
}

/** The address that waits for its proof. */
export async function findUnprovenEmail(db: Reader, userId: UserId, now: Date): Promise<string | null> {
  const [found] = await db
    .select({ email: accountRequest.email })
    .from(accountRequest)
    .where(and(eq(accountRequest.userId, userId), eq(accountRequest.kind, 'email'), gt(accountRequest.expiresAt, now)))
    .orderBy(desc(accountRequest.id))
    .limit(1)
  return found?.email ?? null
}

export const addAccountLink = (tx: Tx, row: typeof accountLink.$inferInsert) => tx.insert(accountLink).values(row)

/** What a link is to do, if it is still to be done. */
export async function findRequestOfLink(db: Reader, tokenHash: string, now: Date) {
  const [found] = await db
    .select({ request: accountRequest, user: appUser })
    .from(accountLink)
    .innerJoin(accountRequest, eq(accountRequest.id, accountLink.requestId))
    .innerJoin(appUser, eq(appUser.id, accountRequest.userId))
    .where(and(eq(accountLink.tokenHash, tokenHash), gt(accountRequest.expiresAt, now)))
  return found
}

/** Takes a request, so that nobody else does what it asks for. @returns false when somebody has */
export async function takeRequest(tx: Tx, id: number): Promise<boolean> {
  const taken = await tx.delete(accountRequest).where(eq(accountRequest.id, id)).returning({ id: accountRequest.id })
  return taken.length > 0
}

export async function removeRequestsOf(tx: Tx, userId: UserId, kind: AccountRequest['kind']): Promise<void> {
  await tx.delete(accountRequest).where(and(eq(accountRequest.userId, userId), eq(accountRequest.kind, kind)))
}

/** @returns how many */
export async function removeExpiredRequests(tx: Tx, now: Date, limit: number): Promise<number> {
  const over = tx
    .select({ id: accountRequest.id })
    .from(accountRequest)
    .where(lt(accountRequest.expiresAt, now))
    .limit(limit)
  return (await tx.delete(accountRequest).where(inArray(accountRequest.id, over)).returning({ id: accountRequest.id }))
    .length
}

/** @returns false when somebody else has proven the address already */
export async function setProvenEmail(tx: Tx, id: UserId, email: string): Promise<boolean> {
  const [taken] = await tx
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(eq(appUser.email, email), ne(appUser.id, id)))
  if (taken) return false
  await tx.update(appUser).set({ email }).where(eq(appUser.id, id))
  return true
}

// ---- the second factor

export async function findSecondFactor(db: Reader, userId: UserId) {
  const [found] = await db.select().from(secondFactor).where(eq(secondFactor.userId, userId))
  return found
}

/** In place of one that was begun and not switched on. @returns false when one is on */
export async function addSecondFactor(tx: Tx, userId: UserId, secret: string, now: Date): Promise<boolean> {
  const begun = await tx
    .insert(secondFactor)
    .values({ userId, secret, startedAt: now })
    .onConflictDoUpdate({
      target: secondFactor.userId,
      set: { secret, startedAt: now },
      setWhere: isNull(secondFactor.switchedOnAt),
    })
    .returning({ userId: secondFactor.userId })
  return begun.length > 0
}

export async function changeSecondFactor(
  tx: Tx,
  userId: UserId,
  changed: { switchedOnAt: Date; lastStep: number },
): Promise<void> {
  await tx.update(secondFactor).set(changed).where(eq(secondFactor.userId, userId))
}

export async function removeSecondFactor(tx: Tx, userId: UserId): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.delete(secondFactor).where(eq(secondFactor.userId, userId))
}

/** Takes the code of an interval. @returns false when it, or a later one, was taken before */
export async function consumeTotpStep(tx: Tx, userId: UserId, step: number): Promise<boolean> {
  const taken = await tx
    .update(secondFactor)
    .set({ lastStep: step })
    .where(and(eq(secondFactor.userId, userId), or(isNull(secondFactor.lastStep), lt(secondFactor.lastStep, step))))
    .returning({ userId: secondFactor.userId })
  return taken.length > 0
}

/** @returns false when there is no such code any more */
export async function consumeRecoveryCode(tx: Tx, userId: UserId, codeHash: string): Promise<boolean> {
  const taken = await tx
    .delete(recoveryCode)
    .where(and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash)))
    .returning({ userId: recoveryCode.userId })
  return taken.length > 0
}

/** In place of all former ones. */
export async function replaceRecoveryCodes(tx: Tx, userId: UserId, codeHashes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.insert(recoveryCode).values(codeHashes.map((codeHash) => ({ userId, codeHash })))
}

export async function countRecoveryCodes(db: Reader, userId: UserId): Promise<number> {
  const [row] = await db.select({ total: count() }).from(recoveryCode).where(eq(recoveryCode.userId, userId))
  return row?.total ?? 0
}

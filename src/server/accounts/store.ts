import { and, count, desc, eq, gt, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import {
  accountLink,
  accountRequest,
  appUser,
  recoveryCode,
  secondFactor,
  session,
  staffRole,
} from '#server/accounts/schema.ts'
import type { SessionUser } from '#contract/accounts.ts'
import type { StaffRole } from '#domain/accounts/roles.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { SessionId, UserId } from '#shared/ids.ts'

export type User = typeof appUser.$inferSelect
export type AccountRequest = typeof accountRequest.$inferSelect

/** The parts of a user that the session returns to the browser. */
export const toSessionUser = async (db: Reader, { id, shownName, isPartner, role }: User): Promise<SessionUser> => ({
  id,
  username: shownName,
  isPartner,
  isOwner: role === 'owner',
  role,
  needsSecondFactor: role !== null && (await lacksSecondFactor(db, id, role)),
})

/** Whether the role requires a second factor that the person has not switched on. */
async function lacksSecondFactor(db: Reader, id: UserId, role: StaffRole): Promise<boolean> {
  const [found] = await db
    .select({ switchedOnAt: secondFactor.switchedOnAt })
    .from(staffRole)
    .leftJoin(secondFactor, eq(secondFactor.userId, id))
    .where(and(eq(staffRole.role, role), staffRole.requiresSecondFactor))
  return found !== undefined && found.switchedOnAt === null
}

export async function findUser(db: Reader, username: string): Promise<User | undefined> {
  const [found] = await db.select().from(appUser).where(eq(appUser.username, username))
  return found
}

export async function findUserById(db: Reader, id: UserId): Promise<User | undefined> {
  const [found] = await db.select().from(appUser).where(eq(appUser.id, id))
  return found
}

/** By username or proven email. The owner of an email wins over a user who chose it as a username. */
export async function findUserByNameOrEmail(db: Reader, typed: string): Promise<User | undefined> {
  const [found] = await db
    .select()
    .from(appUser)
    .where(or(eq(appUser.username, typed), eq(appUser.email, typed)))
    .orderBy(sql`${appUser.email} = ${typed} desc nulls last`)
    .limit(1)
  return found
}

/** @returns undefined when the username is taken */
export async function addUser(tx: Tx, user: typeof appUser.$inferInsert): Promise<User | undefined> {
  const [made] = await tx.insert(appUser).values(user).onConflictDoNothing({ target: appUser.username }).returning()
  return made
}

export async function changeUser(tx: Tx, id: UserId, changed: Partial<Omit<User, 'id' | 'username'>>): Promise<void> {
  await tx.update(appUser).set(changed).where(eq(appUser.id, id))
}

/** Deletes a user's sessions and their carts. @param keeping a session that stays */
export async function endSessionsOf(tx: Tx, userId: UserId, keeping?: SessionId): Promise<void> {
  await tx.delete(session).where(and(eq(session.userId, userId), keeping && ne(session.id, keeping)))
}

type SessionAge = { seenAfter: Date; createdAfter: Date }

const isAlive = ({ seenAfter, createdAfter }: SessionAge) =>
  and(gt(session.seenAt, seenAfter), gt(session.createdAt, createdAfter))

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

export async function signOutSession(tx: Tx, id: SessionId): Promise<void> {
  await tx.update(session).set({ userId: null, signedInAt: null, confirmedAt: null }).where(eq(session.id, id))
}

export async function touchSession(tx: Tx, id: SessionId, now: Date): Promise<void> {
  await tx.update(session).set({ seenAt: now }).where(eq(session.id, id))
}

/** Locks the session: no line is added to its cart while the cart moves. @returns undefined when it no longer exists */
export async function lockSession(tx: Tx, id: SessionId): Promise<typeof session.$inferSelect | undefined> {
  return (await tx.select().from(session).where(eq(session.id, id)).for('update'))[0]
}

export async function removeSession(tx: Tx, id: SessionId): Promise<void> {
  await tx.delete(session).where(eq(session.id, id))
}

/** Deletes idle and very old sessions with their carts. @returns how many */
export async function removeIdle(tx: Tx, { seenAfter, createdAfter }: SessionAge, limit: number): Promise<number> {
  const over = tx
    .select({ id: session.id })
    .from(session)
    .where(or(lte(session.seenAt, seenAfter), lte(session.createdAt, createdAfter)))
    .limit(limit)
  return (await tx.delete(session).where(inArray(session.id, over)).returning({ id: session.id })).length
}

const SIGN_INS_SHOWN = 50

/** A user's sessions, most recently seen first. */
export const listSignIns = (db: Reader, userId: UserId) => {
  const { id, handle, device, signedInAt, seenAt } = session
  return db
    .select({ id, handle, device, signedInAt, seenAt })
    .from(session)
    .where(eq(session.userId, userId))
    .orderBy(desc(session.seenAt))
    .limit(SIGN_INS_SHOWN)
}

/** @returns false when this user has no such session */
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

// ---- requests behind emailed links

export async function addRequest(tx: Tx, row: typeof accountRequest.$inferInsert): Promise<number> {
  const [made] = await tx.insert(accountRequest).values(row).returning({ id: accountRequest.id })
  return made?.id ?? 0
}

export async function findRequest(db: Reader, id: number) {
  const [found] = await db
    .select({ request: accountRequest, user: appUser })
    .from(accountRequest)
    .leftJoin(appUser, eq(appUser.id, accountRequest.userId))
    .where(eq(accountRequest.id, id))
  return found
}

/** A user's requests of the same kind since `since`, up to and including this request. */
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

/** The address whose confirmation is pending. */
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

/** The open request behind a link; undefined once used or expired. */
export async function findRequestOfLink(db: Reader, tokenHash: string, now: Date) {
  const [found] = await db
    .select({ request: accountRequest, user: appUser })
    .from(accountLink)
    .innerJoin(accountRequest, eq(accountRequest.id, accountLink.requestId))
    .innerJoin(appUser, eq(appUser.id, accountRequest.userId))
    .where(and(eq(accountLink.tokenHash, tokenHash), gt(accountRequest.expiresAt, now)))
  return found
}

/** Deletes a request; only one caller may act on it. @returns false when another already did */
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

/** @returns false when the address belongs to another user */
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

/** Replaces a setup that was never finished. @returns false when a second factor is already on */
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

/** Marks the code of an interval as used. @returns false when it or a later one was used before */
export async function consumeTotpStep(tx: Tx, userId: UserId, step: number): Promise<boolean> {
  const taken = await tx
    .update(secondFactor)
    .set({ lastStep: step })
    .where(and(eq(secondFactor.userId, userId), or(isNull(secondFactor.lastStep), lt(secondFactor.lastStep, step))))
    .returning({ userId: secondFactor.userId })
  return taken.length > 0
}

/** Deletes a recovery code, which works once. @returns false when it is unknown or was used */
export async function consumeRecoveryCode(tx: Tx, userId: UserId, codeHash: string): Promise<boolean> {
  const taken = await tx
    .delete(recoveryCode)
    .where(and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash)))
    .returning({ userId: recoveryCode.userId })
  return taken.length > 0
}

/** The old codes stop working. */
export async function replaceRecoveryCodes(tx: Tx, userId: UserId, codeHashes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.insert(recoveryCode).values(codeHashes.map((codeHash) => ({ userId, codeHash })))
}

export async function countRecoveryCodes(db: Reader, userId: UserId): Promise<number> {
  const [row] = await db.select({ total: count() }).from(recoveryCode).where(eq(recoveryCode.userId, userId))
  return row?.total ?? 0
}

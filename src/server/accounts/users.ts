import { and, eq, inArray, or } from 'drizzle-orm'
import type { UserId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { accountRequest, appUser, session, staffRole } from './schema.ts'

// What other areas may know and change of a user.

/** `userEmail` is confirmed. */
export type UserContact = { id: UserId; username: string; userEmail: string | null }

export const listUserContacts = (db: Reader, ids: readonly UserId[]): Promise<UserContact[]> =>
  db
    .select({ id: appUser.id, username: appUser.shownName, userEmail: appUser.email })
    .from(appUser)
    .where(inArray(appUser.id, [...ids]))

export const findUserContact = async (db: Reader, id: UserId): Promise<UserContact | undefined> =>
  (await listUserContacts(db, [id]))[0]

export const findUserId = async (db: Reader, username: string): Promise<UserId | undefined> =>
  (await db.select({ id: appUser.id }).from(appUser).where(eq(appUser.username, username)))[0]?.id

export async function markAsPartner(tx: Tx, id: UserId): Promise<void> {
  await tx.update(appUser).set({ isPartner: true }).where(eq(appUser.id, id))
}

/** The user's email, and those that wait for their confirmation. */
export async function listEmailsOf(db: Reader, id: UserId): Promise<(string | null)[]> {
  const unconfirmed = await db
    .select({ email: accountRequest.email })
    .from(accountRequest)
    .where(and(eq(accountRequest.userId, id), eq(accountRequest.kind, 'email')))
  return [(await findUserContact(db, id))?.userEmail ?? null, ...unconfirmed.map(({ email }) => email)]
}

/**
 * Locks a person who works here: of two refunds at the same time, the second counts the first.
 * @returns undefined for somebody whose role has no limits
 */
export async function lockRefundLimits(tx: Tx, id: UserId): Promise<{ orderMax: Cents; dayMax: Cents } | undefined> {
  const { refundOrderMaxCents: orderMax, refundDayMaxCents: dayMax } = staffRole
  const [found] = await tx
    .select({ orderMax, dayMax })
    .from(appUser)
    .innerJoin(staffRole, eq(staffRole.role, appUser.role))
    .where(eq(appUser.id, id))
    .for('update', { of: appUser })
  if (!found || found.orderMax === null || found.dayMax === null) return undefined
  return { orderMax: found.orderMax, dayMax: found.dayMax }
}

/** A subquery: the ids of sessions where the user is signed in, or was the last to be. */
export const sessionsOfUser = (db: Reader, id: UserId) =>
  db
    .select({ id: session.id })
    .from(session)
    .where(or(eq(session.userId, id), eq(session.formerUserId, id)))

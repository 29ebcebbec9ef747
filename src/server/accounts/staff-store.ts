import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import type { StaffRole } from '#domain/accounts/roles.ts'
import type { UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { accountLink, accountRequest, appUser, secondFactor, session, staffRole } from './schema.ts'

// SQL about people who work here, their roles and invitations.

export type RoleRow = typeof staffRole.$inferSelect

/** Owners first, then by name. */
export const listStaff = (db: Reader) =>
  db
    .select({
      id: appUser.id,
      username: appUser.shownName,
      email: appUser.email,
      role: appUser.role,
      secondFactorSince: secondFactor.switchedOnAt,
      seenAt:
        sql<Date | null>`(select max(${session.seenAt}) from ${session} where ${session.userId} = ${appUser.id})`.mapWith(
          session.seenAt,
        ),
    })
    .from(appUser)
    .leftJoin(secondFactor, eq(secondFactor.userId, appUser.id))
    .where(isNotNull(appUser.role))
    .orderBy(sql`${appUser.role} <> 'owner'`, asc(appUser.username))

export const listRoles = (db: Reader): Promise<RoleRow[]> => db.select().from(staffRole)

export async function saveRoleRow(tx: Tx, { role, ...changed }: RoleRow): Promise<void> {
  await tx.update(staffRole).set(changed).where(eq(staffRole.role, role))
}

/** Locks a role's row. */
export async function lockRole(tx: Tx, role: StaffRole): Promise<RoleRow | undefined> {
  return (await tx.select().from(staffRole).where(eq(staffRole.role, role)).for('update'))[0]
}

/** Locks all owners, in one order: of two who act on each other at the same time, the second sees what the first did. */
export async function lockOwners(tx: Tx): Promise<UserId[]> {
  const rows = await tx
    .select({ id: appUser.id })
    .from(appUser)
    .where(eq(appUser.role, 'owner'))
    .orderBy(asc(appUser.id))
    .for('update')
  return rows.map(({ id }) => id)
}

export async function lockUser(tx: Tx, id: UserId): Promise<typeof appUser.$inferSelect | undefined> {
  return (await tx.select().from(appUser).where(eq(appUser.id, id)).for('update'))[0]
}

export async function lockUserOfEmail(tx: Tx, email: string): Promise<typeof appUser.$inferSelect | undefined> {
  return (await tx.select().from(appUser).where(eq(appUser.email, email)).for('update'))[0]
}

export async function findUserOfEmail(db: Reader, email: string): Promise<typeof appUser.$inferSelect | undefined> {
  return (await db.select().from(appUser).where(eq(appUser.email, email)))[0]
}

// ---- invitations

const isInvitation = eq(accountRequest.kind, 'invitation')

export type InvitationRow = typeof accountRequest.$inferSelect

/** Open ones with the inviting owner's name, the newest first. */
export const listInvitations = (db: Reader, now: Date) =>
  db
    .select({ invitation: accountRequest, invitedBy: appUser.shownName })
    .from(accountRequest)
    .innerJoin(appUser, eq(appUser.id, accountRequest.invitedBy))
    .where(and(isInvitation, gt(accountRequest.expiresAt, now)))
    .orderBy(sql`${accountRequest.id} desc`)

/** @returns undefined when an open invitation has this email */
export async function addInvitation(
  tx: Tx,
  invitation: { email: string; role: StaffRole; invitedBy: UserId; createdAt: Date; expiresAt: Date },
): Promise<InvitationRow | undefined> {
  const { email, createdAt } = invitation
  await tx
    .delete(accountRequest)
    .where(and(isInvitation, eq(accountRequest.email, email), lte(accountRequest.expiresAt, createdAt)))
  const [made] = await tx
    .insert(accountRequest)
    .values({ kind: 'invitation', userId: null, ...invitation })
    .onConflictDoNothing()
    .returning()
  return made
}

/** Deletes an invitation and its link. @returns undefined when it was accepted or withdrawn before */
export async function takeInvitation(tx: Tx, id: number): Promise<InvitationRow | undefined> {
  return (
    await tx
      .delete(accountRequest)
      .where(and(isInvitation, eq(accountRequest.id, id)))
      .returning()
  )[0]
}

export async function removeInvitationsBy(tx: Tx, owner: UserId): Promise<void> {
  await tx.delete(accountRequest).where(and(isInvitation, eq(accountRequest.invitedBy, owner)))
}

/** The open invitation behind a link, with the inviting owner's name. */
export async function findInvitationOfLink(db: Reader, tokenHash: string, now: Date) {
  const [found] = await db
    .select({ invitation: accountRequest, invitedBy: appUser.shownName })
    .from(accountLink)
    .innerJoin(accountRequest, eq(accountRequest.id, accountLink.requestId))
    .innerJoin(appUser, eq(appUser.id, accountRequest.invitedBy))
    .where(and(eq(accountLink.tokenHash, tokenHash), isInvitation, gt(accountRequest.expiresAt, now)))
  return found
}

import { and, desc, eq, isNotNull, isNull, lt, lte, sql, type SQL } from 'drizzle-orm'
import type { QueuePosition } from '#contract/queue-page.ts'
import type { UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Queue } from '#server/db/queue-page.ts'
import { listUserContacts, type UserContact } from '#server/accounts/users.ts'
import {
  affiliateLink,
  callRequest,
  partnerApplication,
  partnerProposal,
  partnerRate,
} from '#server/partners/schema.ts'

export type StoredApplication = typeof partnerApplication.$inferSelect
export type StoredProposal = typeof partnerProposal.$inferSelect
export type StoredCall = typeof callRequest.$inferSelect
export type StoredLink = typeof affiliateLink.$inferSelect

/** An application or call request with the user behind it. */
export type Requested<Request> = { request: Request; requester: UserContact | undefined }

async function withRequesters<Request extends { userId: UserId }>(
  db: Reader,
  requests: Request[],
): Promise<Requested<Request>[]> {
  if (!requests.length) return []
  const requesters = await listUserContacts(
    db,
    requests.map(({ userId }) => userId),
  )
  return requests.map((request) => ({ request, requester: requesters.find(({ id }) => id === request.userId) }))
}

/** The partner's current general share in basis points; undefined for the usual one. */
export async function findShare(db: Reader, partnerId: UserId, now: Date): Promise<number | undefined> {
  const [newest] = await db
    .select({ basisPoints: partnerRate.basisPoints })
    .from(partnerRate)
    .where(and(eq(partnerRate.partnerId, partnerId), isNull(partnerRate.productId), lte(partnerRate.startsAt, now)))
    .orderBy(desc(partnerRate.startsAt), desc(partnerRate.id))
    .limit(1)
  return newest?.basisPoints
}

export async function addRate(tx: Tx, row: typeof partnerRate.$inferInsert): Promise<void> {
  await tx.insert(partnerRate).values(row)
}

// ---- applications and proposals

/** @returns undefined while an earlier one is undecided */
export async function addApplication(
  tx: Tx,
  row: typeof partnerApplication.$inferInsert,
): Promise<StoredApplication | undefined> {
  return (await tx.insert(partnerApplication).values(row).onConflictDoNothing().returning())[0]
}

export async function findLastApplication(db: Reader, userId: UserId): Promise<StoredApplication | undefined> {
  const [last] = await db
    .select()
    .from(partnerApplication)
    .where(eq(partnerApplication.userId, userId))
    .orderBy(desc(partnerApplication.id))
    .limit(1)
  return last
}

export const applicationQueue = (db: Reader): Queue<Requested<StoredApplication>> => ({
  isWaiting: isWaiting(partnerApplication),
  since: partnerApplication.createdAt,
  id: partnerApplication.id,
  list: async (where, order, limit) =>
    withRequesters(
      db,
      await db
        .select()
        .from(partnerApplication)
        .where(where)
        .orderBy(...order)
        .limit(limit),
    ),
  count: (where) => db.$count(partnerApplication, where),
  placeOf: ({ request }) => placeOf(request),
})

/** A literal, not a parameter: PostgreSQL then uses the partial index. */
const isWaiting = ({ state }: typeof partnerApplication | typeof callRequest): SQL => sql`${state} = 'waiting'`

const placeOf = ({ state, createdAt, id }: { state: string; createdAt: Date; id: number }): QueuePosition => ({
  waitsSince: state === 'waiting' ? createdAt : null,
  id,
})

/** Locked until the transaction ends, so it is decided once. */
export async function lockApplication(tx: Tx, id: number): Promise<StoredApplication | undefined> {
  return (await tx.select().from(partnerApplication).where(eq(partnerApplication.id, id)).for('update'))[0]
}

export async function closeApplication(
  tx: Tx,
  id: number,
  decision: { state: 'accepted' | 'declined'; reply: string | null; decidedAt: Date },
): Promise<void> {
  await tx.update(partnerApplication).set(decision).where(eq(partnerApplication.id, id))
}

export async function findLastProposal(db: Reader, userId: UserId): Promise<StoredProposal | undefined> {
  const [last] = await db
    .select()
    .from(partnerProposal)
    .where(eq(partnerProposal.userId, userId))
    .orderBy(desc(partnerProposal.version))
    .limit(1)
  return last
}

/** The last accepted version. */
export async function findAcceptedProposal(db: Reader, userId: UserId): Promise<StoredProposal | undefined> {
  const [last] = await db
    .select()
    .from(partnerProposal)
    .where(and(eq(partnerProposal.userId, userId), isNotNull(partnerProposal.acceptedAt)))
    .orderBy(desc(partnerProposal.version))
    .limit(1)
  return last
}

export async function addProposal(tx: Tx, row: typeof partnerProposal.$inferInsert): Promise<void> {
  await tx.insert(partnerProposal).values(row)
}

/**
 * Stores the accepted text for good. Accepting twice keeps the first date.
 * @param textOf the text of versions offered before texts were stored
 * @returns false when that version is not the newest, or was never offered
 */
export async function markAccepted(
  tx: Tx,
  userId: UserId,
  version: number,
  textOf: (proposal: StoredProposal) => string[],
  now: Date,
): Promise<boolean> {
  const newest = await findLastProposal(tx, userId)
  if (newest?.version !== version) return false
  await tx
    .update(partnerProposal)
    .set({ acceptedAt: now, paragraphs: newest.paragraphs ?? textOf(newest) })
    .where(
      and(eq(partnerProposal.userId, userId), eq(partnerProposal.version, version), isNull(partnerProposal.acceptedAt)),
    )
  return true
}

// ---- calls

/** @returns undefined while an earlier one is undecided */
export async function addCall(tx: Tx, row: typeof callRequest.$inferInsert): Promise<StoredCall | undefined> {
  return (await tx.insert(callRequest).values(row).onConflictDoNothing().returning())[0]
}

export async function findLastCall(db: Reader, userId: UserId): Promise<StoredCall | undefined> {
  const [last] = await db
    .select()
    .from(callRequest)
    .where(eq(callRequest.userId, userId))
    .orderBy(desc(callRequest.id))
    .limit(1)
  return last
}

export async function findCall(db: Reader, id: number): Promise<StoredCall | undefined> {
  return (await db.select().from(callRequest).where(eq(callRequest.id, id)))[0]
}

export async function lockCall(tx: Tx, id: number): Promise<StoredCall | undefined> {
  return (await tx.select().from(callRequest).where(eq(callRequest.id, id)).for('update'))[0]
}

export async function closeCall(
  tx: Tx,
  id: number,
  answer: Pick<StoredCall, 'state' | 'agreedTime' | 'reply' | 'answeredAt'>,
): Promise<void> {
  await tx.update(callRequest).set(answer).where(eq(callRequest.id, id))
}

export const callQueue = (db: Reader): Queue<Requested<StoredCall>> => ({
  isWaiting: isWaiting(callRequest),
  since: callRequest.createdAt,
  id: callRequest.id,
  list: async (where, order, limit) =>
    withRequesters(
      db,
      await db
        .select()
        .from(callRequest)
        .where(where)
        .orderBy(...order)
        .limit(limit),
    ),
  count: (where) => db.$count(callRequest, where),
  placeOf: ({ request }) => placeOf(request),
})

// ---- links

/** @returns undefined when the code is taken */
export async function addLink(tx: Tx, row: typeof affiliateLink.$inferInsert): Promise<StoredLink | undefined> {
  return (await tx.insert(affiliateLink).values(row).onConflictDoNothing().returning())[0]
}

export async function findSameLink(
  db: Reader,
  link: Pick<StoredLink, 'partnerId' | 'path' | 'campaign'>,
): Promise<StoredLink | undefined> {
  const [found] = await db
    .select()
    .from(affiliateLink)
    .where(
      and(
        eq(affiliateLink.partnerId, link.partnerId),
        eq(affiliateLink.path, link.path),
        eq(affiliateLink.campaign, link.campaign),
      ),
    )
    .limit(1)
  return found
}

export async function findLinkByCode(db: Reader, code: string): Promise<StoredLink | undefined> {
  return (await db.select().from(affiliateLink).where(eq(affiliateLink.code, code)))[0]
}

export const listLinks = (
  db: Reader,
  partnerId: UserId,
  older: number | undefined,
  limit: number,
): Promise<StoredLink[]> =>
  db
    .select()
    .from(affiliateLink)
    .where(and(eq(affiliateLink.partnerId, partnerId), older === undefined ? undefined : lt(affiliateLink.id, older)))
    .orderBy(desc(affiliateLink.id))
    .limit(limit)

export const countLinks = (db: Reader, partnerId: UserId): Promise<number> =>
  db.$count(affiliateLink, eq(affiliateLink.partnerId, partnerId))

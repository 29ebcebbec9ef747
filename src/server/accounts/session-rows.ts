import { eq, sql, type SQL } from 'drizzle-orm'
import type { SessionId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { FreshSession } from '#server/http/context.ts'
import { session } from './schema.ts'

/**
 * A part of the statement that writes the first row of a new session.
 * @param found a table expression; the session is inserted only if that has a row
 */
export const insertSession = ({ id, createdAt, seenAt }: FreshSession, found: SQL): SQL => sql`
  insert into ${session} (id, created_at, seen_at)
  select ${id}, ${createdAt}::timestamptz, ${seenAt}::timestamptz from ${found}`

export const hasSession = async (db: Reader, id: SessionId): Promise<boolean> =>
  (await db.$count(session, eq(session.id, id))) > 0

/** A session that no browser has: its id is the hash of no token. */
export async function addSessionOfNobody(tx: Tx, id: SessionId, now: Date): Promise<void> {
  await tx.insert(session).values({ id, createdAt: now, seenAt: now })
}

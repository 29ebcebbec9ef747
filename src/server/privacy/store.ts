import { and, asc, eq, gt, lt } from 'drizzle-orm'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Email } from '#server/db/personal-data.ts'
import { dataRequest, erasure } from './schema.ts'

export const saveErasure = (tx: Tx, email: Email, now: Date) =>
  tx.insert(erasure).values({ email, askedAt: now }).onConflictDoNothing()

export const deleteErasure = (tx: Tx, email: Email) => tx.delete(erasure).where(eq(erasure.email, email))

export const listErasures = (db: Reader): Promise<{ email: string }[]> =>
  db.select({ email: erasure.email }).from(erasure).orderBy(asc(erasure.askedAt))

export const addDataLink = (tx: Tx, row: typeof dataRequest.$inferInsert) => tx.insert(dataRequest).values(row)

export const findDataLink = async (db: Reader, tokenHash: string, now: Date) =>
  (
    await db
      .select()
      .from(dataRequest)
      .where(and(eq(dataRequest.tokenHash, tokenHash), gt(dataRequest.expiresAt, now)))
  )[0]

export const deleteDataLink = (tx: Tx, tokenHash: string) =>
  tx.delete(dataRequest).where(eq(dataRequest.tokenHash, tokenHash))

export const deleteExpiredDataLinks = (tx: Tx, now: Date) =>
  tx.delete(dataRequest).where(lt(dataRequest.expiresAt, now))

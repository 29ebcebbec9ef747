import { and, desc, eq, inArray, isNull, max, min, notExists, sql } from 'drizzle-orm'
import type { Pair } from '#domain/reconciliation/bank-matching.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { bankLine, bankMatch, bankStatement } from './bank-schema.ts'

export type StoredLine = typeof bankLine.$inferSelect

/** One upload at a time, so that no two match the same. */
export const lockBank = (tx: Tx) => tx.execute(sql`lock table ${bankStatement} in share row exclusive mode`)

export const findStatement = async (db: Reader, fileHash: string): Promise<boolean> =>
  (await db.$count(bankStatement, eq(bankStatement.fileHash, fileHash))) > 0

export async function insertStatement(tx: Tx, row: typeof bankStatement.$inferInsert): Promise<number | undefined> {
  const [added] = await tx.insert(bankStatement).values(row).returning({ id: bankStatement.id })
  return added?.id
}

const LINES_AT_ONCE = 1000

/** @returns how many were new */
export async function insertLines(tx: Tx, rows: readonly (typeof bankLine.$inferInsert)[]): Promise<number> {
  let added = 0
  for (let at = 0; at < rows.length; at += LINES_AT_ONCE) {
    const fresh = await tx
      .insert(bankLine)
      .values(rows.slice(at, at + LINES_AT_ONCE))
      .onConflictDoNothing()
      .returning({ id: bankLine.id })
    added += fresh.length
  }
  return added
}

export const listStatements = (db: Reader, limit: number): Promise<(typeof bankStatement.$inferSelect)[]> =>
  db.select().from(bankStatement).orderBy(desc(bankStatement.id)).limit(limit)

/** The first and the last day that statements cover, ISO; null without any. */
export const coveredDays = async (db: Reader): Promise<{ from: string | null; until: string | null } | undefined> =>
  (await db.select({ from: min(bankStatement.fromDay), until: max(bankStatement.toDay) }).from(bankStatement))[0]

/** Lines without a payout, the latest first. */
export const listOpenLines = (db: Reader, limit: number): Promise<StoredLine[]> =>
  db
    .select()
    .from(bankLine)
    .where(
      notExists(
        db
          .select({ one: sql`1` })
          .from(bankMatch)
          .where(and(eq(bankMatch.lineId, bankLine.id), isNull(bankMatch.undoneAt))),
      ),
    )
    .orderBy(desc(bankLine.day), desc(bankLine.id))
    .limit(limit)

export const findLine = async (db: Reader, id: number): Promise<StoredLine | undefined> =>
  (await db.select().from(bankLine).where(eq(bankLine.id, id)))[0]

export type StoredMatch = typeof bankMatch.$inferSelect

export const listMatches = (db: Reader, limit: number): Promise<{ match: StoredMatch; line: StoredLine }[]> =>
  db
    .select({ match: bankMatch, line: bankLine })
    .from(bankMatch)
    .innerJoin(bankLine, eq(bankLine.id, bankMatch.lineId))
    .where(isNull(bankMatch.undoneAt))
    .orderBy(desc(bankLine.day), desc(bankLine.id))
    .limit(limit)

export const findLineOf = async (
  db: Reader,
  provider: PaymentProvider,
  payoutId: string,
): Promise<StoredLine | undefined> =>
  (
    await db
      .select({ line: bankLine })
      .from(bankMatch)
      .innerJoin(bankLine, eq(bankLine.id, bankMatch.lineId))
      .where(and(eq(bankMatch.provider, provider), eq(bankMatch.payoutId, payoutId), isNull(bankMatch.undoneAt)))
  )[0]?.line

/** Payouts among these that have a line. */
export async function filterMatched(db: Reader, payoutIds: readonly string[]): Promise<Set<string>> {
  if (!payoutIds.length) return new Set()
  const rows = await db
    .select({ id: bankMatch.payoutId })
    .from(bankMatch)
    .where(and(inArray(bankMatch.payoutId, [...payoutIds]), isNull(bankMatch.undoneAt)))
  return new Set(rows.map(({ id }) => id))
}

/** Pairs that were taken apart, by `line payout`. */
export async function listUndone(db: Reader, lineIds: readonly number[]): Promise<Set<string>> {
  if (!lineIds.length) return new Set()
  const rows = await db
    .select({ lineId: bankMatch.lineId, payoutId: bankMatch.payoutId })
    .from(bankMatch)
    .where(and(inArray(bankMatch.lineId, [...lineIds]), sql`${bankMatch.undoneAt} is not null`))
  return new Set(rows.map(({ lineId, payoutId }) => `${lineId} ${payoutId}`))
}

type NewMatch = { lineId: number; provider: PaymentProvider; payoutId: string; matchedBy: string; matchedAt: Date }

/** @returns whether both were free */
export async function insertMatch(tx: Tx, row: NewMatch): Promise<boolean> {
  const rows = await tx.insert(bankMatch).values(row).onConflictDoNothing().returning({ id: bankMatch.id })
  return rows.length > 0
}

export const toMatch = ({ line, payout }: Pair, matchedBy: string, matchedAt: Date): NewMatch => ({
  ...{ lineId: line.id, provider: payout.provider, payoutId: payout.payoutId, matchedBy, matchedAt },
})

/** @returns the match that was taken apart */
export async function undoMatch(tx: Tx, lineId: number, undoneAt: Date): Promise<StoredMatch | undefined> {
  const [row] = await tx
    .update(bankMatch)
    .set({ undoneAt })
    .where(and(eq(bankMatch.lineId, lineId), isNull(bankMatch.undoneAt)))
    .returning()
  return row
}

import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import { codeCanBecome, type CodeState } from '#domain/codes/code.ts'
import { assert } from '#shared/assert.ts'
import type { CheckoutId, SessionId, UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { checkout, checkoutVersion, code, codeUse, sessionCode } from './schema.ts'

export type StoredCode = typeof code.$inferSelect
export type NewRow = Omit<typeof code.$inferInsert, 'state'>

/** @returns undefined when another code has this name */
export const insertCode = async (tx: Tx, row: NewRow): Promise<StoredCode | undefined> =>
  (await tx.insert(code).values(row).onConflictDoNothing().returning())[0]

/** One that can be typed. */
export const findCode = async (db: Reader, name: string): Promise<StoredCode | undefined> =>
  (
    await db
      .select()
      .from(code)
      .where(and(eq(code.code, name), eq(code.isAutomatic, false)))
  )[0]

export const findCodeById = async (db: Reader, id: number): Promise<StoredCode | undefined> =>
  (await db.select().from(code).where(eq(code.id, id)))[0]

/** Newest first, with their uses. @param partnerId whose; unset: everybody's */
export const listCodes = async (
  db: Reader,
  limit: number,
  partnerId?: UserId,
): Promise<(StoredCode & { uses: number })[]> =>
  (
    await db
      .select({ code, uses: count(checkout.id) })
      .from(code)
      .leftJoin(codeUse, eq(codeUse.codeId, code.id))
      .leftJoin(checkout, and(eq(checkout.id, codeUse.checkoutId), ne(checkout.state, 'released')))
      .where(partnerId === undefined ? undefined : eq(code.partnerId, partnerId))
      .groupBy(code.id)
      .orderBy(desc(code.id))
      .limit(limit)
  ).map((row) => ({ ...row.code, uses: row.uses }))

/** All that can be used, now or later; oldest first. */
export const listActiveCodes = (db: Reader, now: Date): Promise<StoredCode[]> =>
  db
    .select()
    .from(code)
    .where(and(eq(code.state, 'active'), or(isNull(code.endsAt), gt(code.endsAt, now))))
    .orderBy(asc(code.id))

/** Others that can be used together with one that combines, now or later; oldest first. */
export const listCombining = (db: Reader, { id }: StoredCode, now: Date): Promise<StoredCode[]> =>
  db
    .select()
    .from(code)
    .where(
      and(
        ne(code.id, id),
        eq(code.state, 'active'),
        sql`${code.rule}->>'combines' = 'true'`,
        or(isNull(code.endsAt), gt(code.endsAt, now)),
      ),
    )
    .orderBy(asc(code.id))

/** Active codes that a partner made. */
export const countMadeBy = (db: Reader, partnerId: UserId): Promise<number> =>
  db.$count(code, and(eq(code.partnerId, partnerId), eq(code.isMadeByPartner, true), eq(code.state, 'active')))

/** @returns false when it has changed since it was read */
export async function setCodeState(tx: Tx, { id, state }: StoredCode, to: CodeState): Promise<boolean> {
  assert(codeCanBecome(state, to), `a code cannot go from ${state} to ${to}`)
  const rows = await tx
    .update(code)
    .set({ state: to })
    .where(and(eq(code.id, id), eq(code.state, state)))
    .returning({ id: code.id })
  return rows.length > 0
}

// ---- in carts

export const listCodesOfSession = async (db: Reader, sessionId: SessionId): Promise<StoredCode[]> =>
  (
    await db
      .select({ code })
      .from(sessionCode)
      .innerJoin(code, eq(code.id, sessionCode.codeId))
      .where(eq(sessionCode.sessionId, sessionId))
      .orderBy(asc(code.id))
  ).map((row) => row.code)

/** Active, in the order of their making. */
export const listAutomatic = (db: Reader): Promise<StoredCode[]> =>
  db
    .select()
    .from(code)
    .where(and(eq(code.isAutomatic, true), eq(code.state, 'active')))
    .orderBy(asc(code.id))

export const addSessionCode = (tx: Tx, sessionId: SessionId, codeId: number) =>
  tx.insert(sessionCode).values({ sessionId, codeId }).onConflictDoNothing()

export const removeSessionCodes = (tx: Tx, sessionId: SessionId, codeIds: readonly number[]) =>
  tx.delete(sessionCode).where(and(eq(sessionCode.sessionId, sessionId), inArray(sessionCode.codeId, [...codeIds])))

/** The new session's own codes stay. */
export async function moveCodes(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  const moved = await tx.delete(sessionCode).where(eq(sessionCode.sessionId, from)).returning()
  for (const { codeId } of moved) await addSessionCode(tx, to, codeId)
}

// ---- uses

/** Whose uses do not count: those of the session's open checkout, or of one checkout. */
export type Own = { sessionId: SessionId } | { checkoutId: CheckoutId } | undefined

const isOthers = (own: Own) =>
  own === undefined
    ? undefined
    : 'checkoutId' in own
      ? ne(checkout.id, own.checkoutId)
      : sql`not (${checkout.state} = 'open' and ${checkout.sessionId} = ${own.sessionId})`

const isWithEmail = (email: string) => sql`exists (
  select 1 from ${checkoutVersion} v where v.checkout_id = ${checkout.id}
    and lower(v.frozen->'customer'->>'email') = lower(${email}))`

/** Uses by others, or with an email; those of released checkouts do not count. */
export async function countUses(db: Reader, codeId: number, own: Own, email?: string): Promise<number> {
  const [row] = await db
    .select({ uses: count() })
    .from(codeUse)
    .innerJoin(checkout, eq(checkout.id, codeUse.checkoutId))
    .where(
      and(
        eq(codeUse.codeId, codeId),
        ne(checkout.state, 'released'),
        isOthers(own),
        email === undefined ? undefined : isWithEmail(email),
      ),
    )
  return row?.uses ?? 0
}

/** Whether somebody with this email has bought something. */
export async function hasBought(db: Reader, email: string): Promise<boolean> {
  const bought = await db
    .select({ id: checkout.id })
    .from(checkoutVersion)
    .innerJoin(checkout, eq(checkout.id, checkoutVersion.checkoutId))
    .where(
      and(
        sql`lower(${checkoutVersion.frozen}->'customer'->>'email') = lower(${email})`,
        inArray(checkout.state, ['paid', 'held']),
      ),
    )
    .limit(1)
  return bought.length > 0
}

/**
 * Locks the codes that have a limit, so that the last use is taken once. In the order of ids: two checkouts with the same codes never
 * deadlock. Others are in many carts at once, and nobody waits for them.
 */
export async function lockLimited(tx: Tx, ids: readonly number[]): Promise<StoredCode[]> {
  const hasLimit = or(isNotNull(code.usesMax), isNotNull(code.usesMaxPerPerson))
  await tx
    .select({ id: code.id })
    .from(code)
    .where(and(inArray(code.id, [...ids]), hasLimit))
    .orderBy(asc(code.id))
    .for('no key update')
  return tx
    .select()
    .from(code)
    .where(inArray(code.id, [...ids]))
}

/** Makes these the codes that a checkout uses. @param checkoutId locked */
export async function setUses(tx: Tx, checkoutId: CheckoutId, ids: readonly number[]): Promise<void> {
  await tx.delete(codeUse).where(and(eq(codeUse.checkoutId, checkoutId), notInArray(codeUse.codeId, [...ids])))
  if (ids.length === 0) return
  await tx
    .insert(codeUse)
    .values(ids.map((codeId) => ({ checkoutId, codeId })))
    .onConflictDoNothing()
}

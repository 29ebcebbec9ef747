import { and, count, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { CheckoutId, SessionId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { dropGuest, dropPiece, dropPlace, dropRoom } from './schema.ts'

export type StoredGuest = typeof dropGuest.$inferSelect
export type StoredRoom = typeof dropRoom.$inferSelect

export const addRoom = (tx: Tx, dropId: number, letInAt: Date) =>
  tx.insert(dropRoom).values({ dropId, letInAt }).onConflictDoNothing()

export const findRoom = async (db: Reader, dropId: number): Promise<StoredRoom | undefined> =>
  (await db.select().from(dropRoom).where(eq(dropRoom.dropId, dropId)))[0]

/** @returns undefined also while another instance moves the line on */
export const lockRoom = async (tx: Tx, dropId: number): Promise<StoredRoom | undefined> =>
  (await tx.select().from(dropRoom).where(eq(dropRoom.dropId, dropId)).for('update', { skipLocked: true }))[0]

export const updateRoom = (tx: Tx, dropId: number, to: Partial<StoredRoom>) =>
  tx.update(dropRoom).set(to).where(eq(dropRoom.dropId, dropId))

export const findGuest = async (db: Reader, dropId: number, sessionId: SessionId): Promise<StoredGuest | undefined> =>
  (
    await db
      .select()
      .from(dropGuest)
      .where(and(eq(dropGuest.sessionId, sessionId), eq(dropGuest.dropId, dropId)))
  )[0]

/** Adds a guest; one whose visit is over goes to the end, and any other keeps the place. */
export const addGuest = (tx: Tx, row: Pick<StoredGuest, 'dropId' | 'sessionId' | 'network' | 'arrivedAt'>) =>
  tx
    .insert(dropGuest)
    .values(row)
    .onConflictDoUpdate({
      target: [dropGuest.sessionId, dropGuest.dropId],
      set: { arrivedAt: row.arrivedAt, turn: null, until: null, enteredAt: null, checkoutId: null },
      setWhere: sql`${dropGuest.until} <= ${row.arrivedAt}`,
    })

/** Guests of a connection who wait or visit. */
export const countOfNetwork = (db: Reader, dropId: number, network: string, now: Date): Promise<number> =>
  db.$count(
    dropGuest,
    and(
      eq(dropGuest.dropId, dropId),
      eq(dropGuest.network, network),
      or(isNull(dropGuest.until), gt(dropGuest.until, now)),
    ),
  )

export const countGuests = (db: Reader, dropId: number): Promise<number> =>
  db.$count(dropGuest, eq(dropGuest.dropId, dropId))

/** Guests without a turn. */
export const countNew = (db: Reader, dropId: number): Promise<number> =>
  db.$count(dropGuest, and(eq(dropGuest.dropId, dropId), isNull(dropGuest.turn)))

/** Let in, with time left and without a reservation. */
export const countVisiting = (db: Reader, dropId: number, now: Date): Promise<number> =>
  db.$count(dropGuest, and(eq(dropGuest.dropId, dropId), gt(dropGuest.until, now), isNull(dropGuest.checkoutId)))

/**
 * Gives turns to those without: first those who came before the start, in an order that the seed decides, then the others as they came.
 * @returns how many got one
 */
export async function giveTurns(
  tx: Tx,
  { dropId, lastTurn }: StoredRoom,
  seed: string,
  startsAt: Date,
): Promise<number> {
  const { rows } = await tx.execute<{ given: number }>(sql`
    with fresh as (
      select id, row_number() over (
        order by (arrived_at < ${startsAt}) desc,
          case when arrived_at < ${startsAt} then sha256(convert_to(${seed} || ' ' || id, 'UTF8')) end, arrived_at, id) as place
      from drop_guest where drop_id = ${dropId} and turn is null),
    given as (
      update drop_guest g set turn = ${lastTurn}::int + fresh.place from fresh where fresh.id = g.id returning g.id)
    select count(*)::int as given from given`)
  return rows[0]?.given ?? 0
}

/** Calls the guests with these turns. */
export const callGuests = (tx: Tx, { dropId, letInTurn }: StoredRoom, number: number, until: Date) =>
  tx
    .update(dropGuest)
    .set({ until })
    .where(
      and(
        eq(dropGuest.dropId, dropId),
        sql`${dropGuest.turn} between ${letInTurn + 1}::int and ${letInTurn + number}::int`,
      ),
    )

/** Who was called is here. */
export const markEntered = (tx: Tx, id: number, now: Date, until: Date) =>
  tx
    .update(dropGuest)
    .set({ enteredAt: now, until })
    .where(and(eq(dropGuest.id, id), isNull(dropGuest.enteredAt), gt(dropGuest.until, now)))

/**
 * Binds a visit to a checkout. It belongs to one at a time: to another only after the first gave its reservation back.
 * @returns whether the session has a visit for this checkout
 */
export async function useVisit(
  tx: Tx,
  dropId: number,
  { id, sessionId }: { id: CheckoutId; sessionId: SessionId },
  now: Date,
): Promise<boolean> {
  const rows = await tx
    .update(dropGuest)
    .set({ checkoutId: id })
    .where(
      and(
        eq(dropGuest.sessionId, sessionId),
        eq(dropGuest.dropId, dropId),
        gt(dropGuest.until, now),
        or(
          isNull(dropGuest.checkoutId),
          eq(dropGuest.checkoutId, id),
          sql`not exists (select 1 from drop_hold h where h.checkout_id = ${dropGuest.checkoutId} and h.drop_id = ${dropGuest.dropId})`,
        ),
      ),
    )
    .returning({ id: dropGuest.id })
  return rows.length > 0
}

/** Pieces that are set aside for a session by the waiting list: it does not wait again. */
export async function countOffered(tx: Tx, dropId: number, sessionId: SessionId): Promise<number> {
  const [row] = await tx
    .select({ pieces: count() })
    .from(dropPiece)
    .innerJoin(dropPlace, eq(dropPlace.id, dropPiece.placeId))
    .where(and(eq(dropPiece.dropId, dropId), eq(dropPiece.state, 'offered'), eq(dropPlace.sessionId, sessionId)))
  return row?.pieces ?? 0
}

export const deleteGuests = (tx: Tx, arrivedBefore: Date, now: Date) =>
  tx
    .delete(dropGuest)
    .where(and(lt(dropGuest.arrivedAt, arrivedBefore), or(isNull(dropGuest.until), lt(dropGuest.until, now))))

import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, lte, ne, or, sql, sum } from 'drizzle-orm'
import {
  editionCanBecome,
  pieceCanBecome,
  placeCanBecome,
  type EditionState,
  type PieceState,
  type PlaceState,
} from '#domain/drops/drop.ts'
import type { Language } from '#shared/language.ts'
import { assert } from '#shared/assert.ts'
import type { CheckoutId, OrderId, ProductId, SessionId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { drop, dropHold, dropNotice, dropPiece, dropPlace, edition, editionStep } from './schema.ts'

export type Drop = typeof drop.$inferSelect
export type Piece = typeof dropPiece.$inferSelect
export type Hold = typeof dropHold.$inferSelect
export type Edition = typeof edition.$inferSelect
export type Place = typeof dropPlace.$inferSelect

// ---- drops

export const findDrop = async (db: Reader, id: number): Promise<Drop | undefined> =>
  (await db.select().from(drop).where(eq(drop.id, id)))[0]

export const lockDrop = async (tx: Tx, id: number): Promise<Drop | undefined> =>
  (await tx.select().from(drop).where(eq(drop.id, id)).for('no key update'))[0]

/** Newest first. */
export const listDrops = (db: Reader, limit: number): Promise<Drop[]> =>
  db.select().from(drop).orderBy(desc(drop.id)).limit(limit)

/** Drops that decide how these products are sold: neither drafts nor released. Newest first. */
export const listDropsOver = (
  db: Reader,
  products: readonly ProductId[],
  collections: readonly string[],
): Promise<Drop[]> =>
  db
    .select()
    .from(drop)
    .where(
      and(
        inArray(drop.decision, ['scheduled', 'paused', 'ended']),
        or(inArray(drop.productId, [...products]), inArray(drop.collectionId, [...collections])),
      ),
    )
    .orderBy(desc(drop.id))

/** Those that pages show: neither drafts nor released, and not over for long. Newest first. */
export const listShown = (db: Reader, endedSince: Date, limit: number): Promise<Drop[]> =>
  db
    .select()
    .from(drop)
    .where(
      and(
        inArray(drop.decision, ['scheduled', 'paused', 'ended']),
        or(sql`${drop.endsAt} is null`, gt(drop.endsAt, endedSince)),
      ),
    )
    .orderBy(desc(drop.id))
    .limit(limit)

/** Begun, and those who wanted to know have not been told. */
export const listToAnnounce = (db: Reader, now: Date): Promise<Drop[]> =>
  db
    .select()
    .from(drop)
    .where(and(eq(drop.decision, 'scheduled'), lte(drop.startsAt, now), sql`${drop.announcedAt} is null`))

export const insertDrop = async (tx: Tx, row: typeof drop.$inferInsert): Promise<Drop> => {
  const [inserted] = await tx.insert(drop).values(row).returning()
  assert(inserted, 'an insert without a row')
  return inserted
}

export const updateDrop = async (tx: Tx, id: number, to: Partial<typeof drop.$inferInsert>): Promise<Drop> => {
  const [updated] = await tx.update(drop).set(to).where(eq(drop.id, id)).returning()
  assert(updated, `drop ${id} does not exist`)
  return updated
}

/** Whether an email is subscribed to the newsletter: its tables belong to the messages. */
export async function isReader(db: Reader, email: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from newsletter_reader where email = ${email.toLowerCase()} limit 1`)
  return rows.length > 0
}

// ---- pieces

export const addPieces = (tx: Tx, dropId: number, number: number) =>
  tx.execute(sql`insert into drop_piece (drop_id) select ${dropId}::int from generate_series(1, ${number}::int)`)

/** How many pieces of these drops are in each state. */
export async function countPieces(
  db: Reader,
  ids: readonly number[],
): Promise<Map<number, Partial<Record<PieceState, number>>>> {
  const counts = new Map<number, Partial<Record<PieceState, number>>>()
  if (ids.length === 0) return counts
  const rows = await db
    .select({ dropId: dropPiece.dropId, state: dropPiece.state, pieces: count() })
    .from(dropPiece)
    .where(inArray(dropPiece.dropId, [...ids]))
    .groupBy(dropPiece.dropId, dropPiece.state)
  for (const { dropId, state, pieces } of rows) counts.set(dropId, { ...counts.get(dropId), [state]: pieces })
  return counts
}

/**
 * Reserves pieces that anybody can have. Of two who want the last one, one gets it and the other is not kept waiting.
 * @returns how many it got
 */
export async function takeFree(tx: Tx, dropId: number, checkoutId: CheckoutId, wanted: number): Promise<number> {
  assert(pieceCanBecome('free', 'reserved'), 'a free piece can be reserved')
  const { rows } = await tx.execute(sql`
    update drop_piece set state = 'reserved', checkout_id = ${checkoutId} where id in (
      select id from drop_piece where drop_id = ${dropId} and state = 'free'
      order by id limit ${wanted} for update skip locked)
    returning id`)
  return rows.length
}

/** Reserves pieces that are set aside for a session. @returns how many it got */
export async function takeOffered(
  tx: Tx,
  dropId: number,
  { id, sessionId }: { id: CheckoutId; sessionId: SessionId },
  wanted: number,
): Promise<number> {
  assert(pieceCanBecome('offered', 'reserved'), 'an offered piece can be reserved')
  const { rows } = await tx.execute(sql`
    update drop_piece set state = 'reserved', checkout_id = ${id} where id in (
      select p.id from drop_piece p join drop_place w on w.id = p.place_id
      where p.drop_id = ${dropId} and p.state = 'offered' and w.session_id = ${sessionId}
      order by p.id limit ${wanted} for update of p skip locked)
    returning id`)
  return rows.length
}

/** Pieces of a drop without a number of pieces. */
export const makeReserved = (tx: Tx, dropId: number, checkoutId: CheckoutId, wanted: number) =>
  tx
    .insert(dropPiece)
    .values(Array.from({ length: wanted }, () => ({ dropId, checkoutId, state: 'reserved' as const })))

/** A checkout's pieces in one state, locked. */
export const lockPieces = (tx: Tx, dropId: number, checkoutId: CheckoutId, state: PieceState): Promise<Piece[]> =>
  tx
    .select()
    .from(dropPiece)
    .where(and(eq(dropPiece.checkoutId, checkoutId), eq(dropPiece.dropId, dropId), eq(dropPiece.state, state)))
    .orderBy(asc(dropPiece.id))
    .for('update')

/** Pieces of a drop that anybody could have, locked; those that somebody is taking are left out. */
export const lockFree = (tx: Tx, dropId: number, limit: number): Promise<Piece[]> =>
  tx
    .select()
    .from(dropPiece)
    .where(and(eq(dropPiece.dropId, dropId), eq(dropPiece.state, 'free')))
    .orderBy(asc(dropPiece.id))
    .limit(limit)
    .for('update', { skipLocked: true })

export async function setPiece(
  tx: Tx,
  { id, state }: Pick<Piece, 'id' | 'state'>,
  to: PieceState,
  also: Partial<Pick<Piece, 'checkoutId' | 'placeId'>> = {},
): Promise<void> {
  assert(pieceCanBecome(state, to), `a piece cannot go from ${state} to ${to}`)
  await tx
    .update(dropPiece)
    .set({ ...also, state: to })
    .where(eq(dropPiece.id, id))
}

export async function sellReserved(tx: Tx, dropId: number, checkoutId: CheckoutId): Promise<number> {
  assert(pieceCanBecome('reserved', 'sold'), 'a reserved piece can be sold')
  const sold = await tx
    .update(dropPiece)
    .set({ state: 'sold' })
    .where(and(eq(dropPiece.dropId, dropId), eq(dropPiece.checkoutId, checkoutId), eq(dropPiece.state, 'reserved')))
    .returning({ placeId: dropPiece.placeId })
  for (const { placeId } of sold) if (placeId !== null) await setPlace(tx, { id: placeId, state: 'offered' }, 'bought')
  return sold.length
}

export const deletePieces = (tx: Tx, ids: readonly number[]) =>
  tx.delete(dropPiece).where(inArray(dropPiece.id, [...ids]))

// ---- holds

export const listHolds = (db: Reader, checkoutId: CheckoutId): Promise<Hold[]> =>
  db.select().from(dropHold).where(eq(dropHold.checkoutId, checkoutId)).orderBy(asc(dropHold.dropId))

/** Reservations that are over, oldest first. */
export const listLapsed = async (db: Reader, now: Date, limit: number): Promise<CheckoutId[]> =>
  (
    await db
      .select({ id: dropHold.checkoutId })
      .from(dropHold)
      .where(and(isNotNull(dropHold.until), lte(dropHold.until, now)))
      .orderBy(asc(dropHold.until))
      .limit(limit)
  ).map(({ id }) => id)

export const saveHold = (tx: Tx, hold: Hold) =>
  tx
    .insert(dropHold)
    .values(hold)
    .onConflictDoUpdate({
      target: [dropHold.checkoutId, dropHold.dropId],
      set: { quantity: hold.quantity, until: hold.until, persons: hold.persons },
    })

/** Reservations of a checkout end at another moment. */
export const moveHolds = (tx: Tx, checkoutId: CheckoutId, until: Date) =>
  tx
    .update(dropHold)
    .set({ until })
    .where(and(eq(dropHold.checkoutId, checkoutId), isNotNull(dropHold.until)))

export const deleteHold = (tx: Tx, { checkoutId, dropId }: Pick<Hold, 'checkoutId' | 'dropId'>) =>
  tx.delete(dropHold).where(and(eq(dropHold.checkoutId, checkoutId), eq(dropHold.dropId, dropId)))

export const markHoldSold = (tx: Tx, { checkoutId, dropId }: Pick<Hold, 'checkoutId' | 'dropId'>) =>
  tx
    .update(dropHold)
    .set({ until: null })
    .where(and(eq(dropHold.checkoutId, checkoutId), eq(dropHold.dropId, dropId)))

/** After a refund the buyer may buy again. */
export const lowerHold = (tx: Tx, { checkoutId, dropId }: Pick<Hold, 'checkoutId' | 'dropId'>, by: number) =>
  tx
    .update(dropHold)
    .set({ quantity: sql`greatest(0, ${dropHold.quantity} - ${by})` })
    .where(and(eq(dropHold.checkoutId, checkoutId), eq(dropHold.dropId, dropId)))

/** Nobody can be recognized by the digest of this any more. */
export const forgetPersons = (tx: Tx, digests: readonly string[]) =>
  tx.execute(sql`update drop_hold set persons = '{}' where persons && ${toArray(digests)}`)

/** What recognizes the buyers of these orders, and whom they want to give a piece to. */
export async function forgetBuyers(
  tx: Tx,
  orders: readonly { id: OrderId; checkoutId: CheckoutId | null }[],
): Promise<void> {
  const checkouts = orders.flatMap(({ checkoutId }) => checkoutId ?? [])
  await tx.update(dropHold).set({ persons: [] }).where(inArray(dropHold.checkoutId, checkouts))
  const ids = orders.map(({ id }) => id)
  await tx.update(edition).set({ nextEmail: null, nextAskedAt: null }).where(inArray(edition.orderId, ids))
}

const toArray = (texts: readonly string[]) =>
  sql`array[${sql.join(
    texts.map((text) => sql`${text}`),
    sql`, `,
  )}]::text[]`

/** Serializes what concerns one person, in the order of the digests: two checkouts never wait for each other. */
export async function lockPersons(tx: Tx, dropId: number, persons: readonly string[]): Promise<void> {
  for (const person of persons.toSorted())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`drop ${dropId} ${person}`}, 0))`)
}

/** How many pieces other checkouts of the same person have. */
export async function countOfPerson(
  db: Reader,
  dropId: number,
  checkoutId: CheckoutId,
  persons: readonly string[],
): Promise<number> {
  if (persons.length === 0) return 0
  const [row] = await db
    .select({ pieces: sum(dropHold.quantity).mapWith(Number) })
    .from(dropHold)
    .where(
      and(
        eq(dropHold.dropId, dropId),
        ne(dropHold.checkoutId, checkoutId),
        sql`${dropHold.persons} && ${toArray(persons)}`,
      ),
    )
  return row?.pieces ?? 0
}

// ---- numbers

/** @returns the highest number before, with the drop locked until the transaction ends */
export async function raiseLastNumber(tx: Tx, dropId: number, by: number): Promise<number> {
  const [row] = await tx
    .update(drop)
    .set({ lastNumber: sql`${drop.lastNumber} + ${by}` })
    .where(eq(drop.id, dropId))
    .returning({ last: drop.lastNumber })
  assert(row, `drop ${dropId} does not exist`)
  return row.last - by
}

/** Lowest first. */
export const listReturned = (tx: Tx, dropId: number, limit: number): Promise<Edition[]> =>
  tx
    .select()
    .from(edition)
    .where(and(eq(edition.dropId, dropId), eq(edition.state, 'returned')))
    .orderBy(asc(edition.number))
    .limit(limit)

export const countIssued = (db: Reader, dropId: number, since: Date): Promise<number> =>
  db.$count(edition, and(eq(edition.dropId, dropId), gte(edition.issuedAt, since)))

export const insertEditions = (tx: Tx, rows: (typeof edition.$inferInsert)[]) =>
  rows.length > 0 ? tx.insert(edition).values(rows) : undefined

export const findEdition = async (db: Reader, dropId: number, number: number): Promise<Edition | undefined> =>
  (await db.select().from(edition).where(isEdition({ dropId, number })))[0]

export const lockEdition = async (tx: Tx, dropId: number, number: number): Promise<Edition | undefined> =>
  (await tx.select().from(edition).where(isEdition({ dropId, number })).for('update'))[0]

export const listEditions = (db: Reader, orderId: OrderId): Promise<Edition[]> =>
  db.select().from(edition).where(eq(edition.orderId, orderId)).orderBy(asc(edition.position), asc(edition.number))

const isEdition = ({ dropId, number }: Pick<Edition, 'dropId' | 'number'>) =>
  and(eq(edition.dropId, dropId), eq(edition.number, number))

export const updateEdition = (tx: Tx, of: Edition, to: Partial<Omit<typeof edition.$inferInsert, 'state'>>) =>
  tx.update(edition).set(to).where(isEdition(of))

export async function setEdition(
  tx: Tx,
  of: Pick<Edition, 'dropId' | 'number' | 'state'>,
  to: EditionState,
  also: Partial<Omit<typeof edition.$inferInsert, 'state'>> = {},
): Promise<void> {
  assert(editionCanBecome(of.state, to), `a number cannot go from ${of.state} to ${to}`)
  await tx
    .update(edition)
    .set({ ...also, state: to })
    .where(isEdition(of))
}

export const addSteps = (tx: Tx, rows: (typeof editionStep.$inferInsert)[]) =>
  rows.length > 0 ? tx.insert(editionStep).values(rows) : undefined

/** In order. */
export const listSteps = (db: Reader, { dropId, number }: Pick<Edition, 'dropId' | 'number'>) =>
  db
    .select({ kind: editionStep.kind, at: editionStep.at })
    .from(editionStep)
    .where(and(eq(editionStep.dropId, dropId), eq(editionStep.number, number)))
    .orderBy(asc(editionStep.id))

// ---- notices and the waiting list

/** Who gets an email. @property email in lower case */
export type Addressee = { email: string; language: Language }

export const addNotice = (tx: Tx, dropId: number, reader: Addressee, now: Date) =>
  tx
    .insert(dropNotice)
    .values({ dropId, ...reader, createdAt: now })
    .onConflictDoNothing()

/** Takes some off the list, locked by their deletion. */
export async function takeNotices(tx: Tx, dropId: number, limit: number): Promise<Addressee[]> {
  const { rows } = await tx.execute<Addressee>(sql`
    delete from drop_notice where drop_id = ${dropId} and email in (
      select email from drop_notice where drop_id = ${dropId} order by created_at limit ${limit} for update skip locked)
    returning email, language`)
  return rows
}

export const countNotices = async (db: Reader, dropId: number): Promise<number> =>
  db.$count(dropNotice, eq(dropNotice.dropId, dropId))

export const listNoticesOf = (db: Reader, email: string) =>
  db
    .select({ drop: drop.title, since: dropNotice.createdAt })
    .from(dropNotice)
    .innerJoin(drop, eq(drop.id, dropNotice.dropId))
    .where(eq(dropNotice.email, email))

export const deleteNoticesOf = (tx: Tx, email: string) => tx.delete(dropNotice).where(eq(dropNotice.email, email))

export const findPlace = async (db: Reader, id: number): Promise<Place | undefined> =>
  (await db.select().from(dropPlace).where(eq(dropPlace.id, id)))[0]

export const lockPlace = async (tx: Tx, id: number): Promise<Place | undefined> =>
  (await tx.select().from(dropPlace).where(eq(dropPlace.id, id)).for('update'))[0]

/** Inserted if new; locked. */
export async function lockPlaceOf(tx: Tx, dropId: number, { email, language }: Addressee, now: Date): Promise<Place> {
  await tx.insert(dropPlace).values({ dropId, email, language, queuedAt: now }).onConflictDoNothing()
  const [place] = await tx
    .select()
    .from(dropPlace)
    .where(and(eq(dropPlace.dropId, dropId), eq(dropPlace.email, email)))
    .for('update')
  assert(place, 'a place was written and is not there')
  return place
}

export async function lockNextPlace(tx: Tx, dropId: number): Promise<Place | undefined> {
  const [place] = await tx
    .select()
    .from(dropPlace)
    .where(and(eq(dropPlace.dropId, dropId), eq(dropPlace.state, 'waiting')))
    .orderBy(asc(dropPlace.queuedAt), asc(dropPlace.id))
    .limit(1)
    .for('update', { skipLocked: true })
  return place
}

export async function setPlace(
  tx: Tx,
  { id, state }: Pick<Place, 'id' | 'state'>,
  to: PlaceState,
  also: Partial<Omit<typeof dropPlace.$inferInsert, 'state'>> = {},
): Promise<void> {
  assert(placeCanBecome(state, to), `a place cannot go from ${state} to ${to}`)
  await tx
    .update(dropPlace)
    .set({ ...also, state: to })
    .where(and(eq(dropPlace.id, id), eq(dropPlace.state, state)))
}

export const setSessionOfPlace = (tx: Tx, id: number, sessionId: SessionId) =>
  tx.update(dropPlace).set({ sessionId }).where(eq(dropPlace.id, id))

/** Offers that nobody took up, with the pieces that are set aside for them; locked. */
export async function lockLapsedOffers(tx: Tx, now: Date, limit: number): Promise<{ piece: Piece; place: Place }[]> {
  const rows = await tx
    .select({ piece: dropPiece, place: dropPlace })
    .from(dropPiece)
    .innerJoin(dropPlace, eq(dropPlace.id, dropPiece.placeId))
    .where(and(eq(dropPiece.state, 'offered'), lte(dropPlace.offerUntil, now)))
    .orderBy(asc(dropPlace.offerUntil))
    .limit(limit)
    .for('update', { skipLocked: true })
  return rows
}

/** Drops with both a piece that anybody could have and somebody who waits. */
export async function listServable(db: Reader): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select d.id from drop d where d.decision in ('scheduled', 'paused')
      and exists (select 1 from drop_place w where w.drop_id = d.id and w.state = 'waiting')
      and exists (select 1 from drop_piece p where p.drop_id = d.id and p.state = 'free')`)
  return rows.map(({ id }) => id)
}

export const countAhead = async (db: Reader, { dropId, queuedAt, id }: Place): Promise<number> =>
  db.$count(
    dropPlace,
    and(
      eq(dropPlace.dropId, dropId),
      eq(dropPlace.state, 'waiting'),
      sql`(${dropPlace.queuedAt}, ${dropPlace.id}) < (${queuedAt}, ${id})`,
    ),
  )

export async function countPlaces(db: Reader, dropId: number): Promise<Partial<Record<PlaceState, number>>> {
  const rows = await db
    .select({ state: dropPlace.state, places: count() })
    .from(dropPlace)
    .where(eq(dropPlace.dropId, dropId))
    .groupBy(dropPlace.state)
  return Object.fromEntries(rows.map(({ state, places }) => [state, places]))
}

export const listPlacesOf = (db: Reader, email: string) =>
  db
    .select({ drop: drop.title, state: dropPlace.state, since: dropPlace.queuedAt })
    .from(dropPlace)
    .innerJoin(drop, eq(drop.id, dropPlace.dropId))
    .where(eq(dropPlace.email, email))

/** The place stays counted, without its person. */
export const erasePlacesOf = (tx: Tx, email: string) =>
  tx.execute(sql`
    update drop_place set email = 'erased-' || id, session_id = null,
      state = case when state = 'waiting' then 'left' else state end
    where email = ${email}`)

export const forgetNextHolder = (tx: Tx, email: string) =>
  tx.update(edition).set({ nextEmail: null, nextAskedAt: null }).where(eq(edition.nextEmail, email))

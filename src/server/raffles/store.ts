import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { RaffleState } from '#domain/raffles/raffle.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { raffle, raffleAccess, raffleCommitment, raffleDraw, raffleEntry } from './schema.ts'

export type Raffle = typeof raffle.$inferSelect
export type Entry = typeof raffleEntry.$inferSelect
export type Draw = typeof raffleDraw.$inferSelect

export const listRaffles = (db: Reader): Promise<Raffle[]> =>
  db.select().from(raffle).orderBy(desc(raffle.id)).limit(100)

export const findRaffle = async (db: Reader, slug: string): Promise<Raffle | undefined> =>
  (await db.select().from(raffle).where(eq(raffle.slug, slug)))[0]

export const lockRaffle = async (tx: Tx, id: number): Promise<Raffle | undefined> =>
  (await tx.select().from(raffle).where(eq(raffle.id, id)).for('update'))[0]

/** @returns undefined when the address is taken */
export const addRaffle = async (tx: Tx, row: typeof raffle.$inferInsert): Promise<Raffle | undefined> =>
  (await tx.insert(raffle).values(row).onConflictDoNothing().returning())[0]

export const changeRaffle = (tx: Tx, id: number, change: Partial<typeof raffle.$inferInsert>) =>
  tx.update(raffle).set(change).where(eq(raffle.id, id))

/** Raffles with something to do: those that ended or whose entries are not deleted yet. */
export const listRunning = (db: Reader, now: Date): Promise<Raffle[]> =>
  db
    .select()
    .from(raffle)
    .where(
      and(isNull(raffle.erasedAt), ne(raffle.state, 'draft'), or(ne(raffle.state, 'open'), lte(raffle.endsAt, now))),
    )
    .orderBy(asc(raffle.id))

export const hasRunningRaffle = async (db: Reader): Promise<boolean> => {
  const waiting: RaffleState[] = ['open', 'frozen']
  return (await db.$count(raffle, inArray(raffle.state, waiting))) > 0
}

/** Entries that were confirmed, by raffle. */
export async function countEntries(db: Reader): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .select({ id: raffleEntry.raffleId, entries: count() })
    .from(raffleEntry)
    .where(isNotNull(raffleEntry.confirmedAt))
    .groupBy(raffleEntry.raffleId)
  return new Map(rows.map(({ id, entries }) => [id, entries]))
}

/** The address's only entry, a new one if it has no entry yet. */
export async function addEntryOnce(tx: Tx, row: typeof raffleEntry.$inferInsert): Promise<Entry> {
  await tx.insert(raffleEntry).values(row).onConflictDoNothing()
  const [entry] = await tx
    .select()
    .from(raffleEntry)
    .where(and(eq(raffleEntry.raffleId, row.raffleId), eq(raffleEntry.email, row.email)))
  assert(entry, 'an insert without a row')
  return entry
}

/** Whether another entry of the same person counts. */
export const hasConfirmed = async (db: Reader, { raffleId, entrant }: Entry): Promise<boolean> =>
  (await db.$count(
    raffleEntry,
    and(eq(raffleEntry.raffleId, raffleId), eq(raffleEntry.entrant, entrant), isNotNull(raffleEntry.confirmedAt)),
  )) > 0

export const changeEntry = (tx: Tx, id: number, change: Partial<typeof raffleEntry.$inferInsert>) =>
  tx.update(raffleEntry).set(change).where(eq(raffleEntry.id, id))

export const deleteEntry = (tx: Tx, id: number) => tx.delete(raffleEntry).where(eq(raffleEntry.id, id))

export const deleteEntries = (tx: Tx, raffleId: number) =>
  tx.delete(raffleEntry).where(eq(raffleEntry.raffleId, raffleId))

export const deleteUnconfirmed = (tx: Tx, raffleId: number) =>
  tx.delete(raffleEntry).where(and(eq(raffleEntry.raffleId, raffleId), isNull(raffleEntry.confirmedAt)))

export const listEntries = (db: Reader, raffleId: number): Promise<Entry[]> =>
  db.select().from(raffleEntry).where(eq(raffleEntry.raffleId, raffleId)).orderBy(asc(raffleEntry.id))

export const addAccess = (tx: Tx, row: typeof raffleAccess.$inferInsert) => tx.insert(raffleAccess).values(row)

export const findEntryByToken = async (db: Reader, tokenHash: string): Promise<Entry | undefined> =>
  (
    await db
      .select({ entry: raffleEntry })
      .from(raffleAccess)
      .innerJoin(raffleEntry, eq(raffleEntry.id, raffleAccess.entryId))
      .where(eq(raffleAccess.tokenHash, tokenHash))
  )[0]?.entry

export const findEntry = async (db: Reader, id: number): Promise<Entry | undefined> =>
  (await db.select().from(raffleEntry).where(eq(raffleEntry.id, id)))[0]

/** In parts, since a statement has a limited number of parameters. */
const ROWS_A_STATEMENT = 5000

export async function addCommitments(tx: Tx, rows: readonly (typeof raffleCommitment.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
    await tx.insert(raffleCommitment).values(rows.slice(from, from + ROWS_A_STATEMENT))
}

/** The published commitments, in order, with the entries that are still there. */
export const listCommitments = (db: Reader, raffleId: number) =>
  db
    .select({ commitment: raffleCommitment.commitment, entryId: raffleCommitment.entryId })
    .from(raffleCommitment)
    .where(eq(raffleCommitment.raffleId, raffleId))
    .orderBy(sql`${raffleCommitment.commitment} collate "C"`)

export const findCommitment = async (db: Reader, entryId: number): Promise<string | undefined> =>
  (
    await db
      .select({ commitment: raffleCommitment.commitment })
      .from(raffleCommitment)
      .where(eq(raffleCommitment.entryId, entryId))
  )[0]?.commitment

export const listDraws = (db: Reader, raffleId: number): Promise<Draw[]> =>
  db.select().from(raffleDraw).where(eq(raffleDraw.raffleId, raffleId)).orderBy(asc(raffleDraw.number))

export const addDraw = (tx: Tx, row: typeof raffleDraw.$inferInsert) => tx.insert(raffleDraw).values(row)

export const endDraw = (
  tx: Tx,
  { raffleId, number }: Pick<Draw, 'raffleId' | 'number'>,
  end: { lapsedAt: Date } | { orderId: OrderId },
) =>
  tx
    .update(raffleDraw)
    .set(end)
    .where(and(eq(raffleDraw.raffleId, raffleId), eq(raffleDraw.number, number)))

export const findRaffleById = async (db: Reader, id: number): Promise<Raffle | undefined> =>
  (await db.select().from(raffle).where(eq(raffle.id, id)))[0]

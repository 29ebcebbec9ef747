import { and, asc, desc, eq, ilike, inArray, lt, or, sql, sum } from 'drizzle-orm'
import { stateAfter, type GiftCardMovement } from '#domain/gift-cards/gift-card.ts'
import type { OrderNumber } from '#shared/ids.ts'
import { cents, plus, ZERO, type Cents } from '#shared/money.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { giftCard, giftCardMovement } from './schema.ts'

export type GiftCard = typeof giftCard.$inferSelect
export type StoredMovement = typeof giftCardMovement.$inferSelect

/** @returns undefined when the request made a card before */
export const insertGiftCard = async (
  tx: Tx,
  row: Omit<typeof giftCard.$inferInsert, 'state' | 'balanceCents'>,
): Promise<GiftCard | undefined> =>
  (
    await tx
      .insert(giftCard)
      .values({ ...row, balanceCents: ZERO })
      .onConflictDoNothing({ target: giftCard.requestKey })
      .returning()
  )[0]

export const findByRequest = async (db: Reader, requestKey: string): Promise<GiftCard | undefined> =>
  (await db.select().from(giftCard).where(eq(giftCard.requestKey, requestKey)))[0]

export const findGiftCard = async (db: Reader, id: number): Promise<GiftCard | undefined> =>
  (await db.select().from(giftCard).where(eq(giftCard.id, id)))[0]

export const findByHash = async (db: Reader, codeHash: string): Promise<GiftCard | undefined> =>
  (await db.select().from(giftCard).where(eq(giftCard.codeHash, codeHash)))[0]

/** One after the other: what is read stays true until the transaction ends. */
export const lockGiftCard = async (tx: Tx, id: number): Promise<GiftCard | undefined> =>
  (await tx.select().from(giftCard).where(eq(giftCard.id, id)).for('no key update'))[0]

/** Moves a balance and records it. The database refuses one below zero. @param card locked */
export async function moveBalance(
  tx: Tx,
  card: GiftCard,
  movement: {
    kind: GiftCardMovement
    /** Positive: onto the card. */
    amount: Cents
    /** Of the ledger's posting in the same transaction. */
    postingKey: string
    orderNumber?: OrderNumber
    at: Date
  },
): Promise<void> {
  const { kind, amount, postingKey, orderNumber = null, at } = movement
  const balanceCents = plus(card.balanceCents, amount)
  const state = stateAfter(card.state, kind, balanceCents)
  await tx.update(giftCard).set({ balanceCents, state }).where(eq(giftCard.id, card.id))
  const row = { giftCardId: card.id, kind, amountCents: amount, postingKey, orderNumber, movedAt: at }
  await tx.insert(giftCardMovement).values(row)
}

/** @param card locked */
export const changeGiftCard = (
  tx: Tx,
  { id }: Pick<GiftCard, 'id'>,
  to: Partial<Pick<GiftCard, 'frozenAt' | 'lostCents' | 'codeHash' | 'seed' | 'lastFour' | 'recipientEmail'>>,
) => tx.update(giftCard).set(to).where(eq(giftCard.id, id))

export const addReason = (tx: Tx, { id, reason }: GiftCard, more: string) =>
  tx
    .update(giftCard)
    .set({ reason: `${reason} ${more}` })
    .where(eq(giftCard.id, id))

/** Newest first. @param search the last characters of a code, or a part of an email; @param olderThan the last id of the page before */
export const selectGiftCards = (
  db: Reader,
  { search, olderThan, limit }: { search?: string | undefined; olderThan?: number | undefined; limit: number },
): Promise<GiftCard[]> =>
  db
    .select()
    .from(giftCard)
    .where(
      and(
        olderThan === undefined ? undefined : lt(giftCard.id, olderThan),
        search
          ? or(
              eq(giftCard.lastFour, search.toUpperCase()),
              ilike(giftCard.recipientEmail, `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
            )
          : undefined,
      ),
    )
    .orderBy(desc(giftCard.id))
    .limit(limit)

export const listMovementsOf = (db: Reader, cards: readonly { id: number }[]): Promise<StoredMovement[]> =>
  db
    .select()
    .from(giftCardMovement)
    .where(
      inArray(
        giftCardMovement.giftCardId,
        cards.map(({ id }) => id),
      ),
    )
    .orderBy(asc(giftCardMovement.id))

/** Sums of all movements by kind. */
export async function sumMovements(db: Reader): Promise<Map<GiftCardMovement, Cents>> {
  const rows = await db
    .select({ kind: giftCardMovement.kind, total: sum(giftCardMovement.amountCents).mapWith(Number) })
    .from(giftCardMovement)
    .groupBy(giftCardMovement.kind)
  return new Map(rows.map(({ kind, total }) => [kind, cents(total)]))
}

const isOf = (email: string) => sql`lower(${giftCard.recipientEmail}) = ${email}`

export const listOfEmail = (db: Reader, email: string): Promise<GiftCard[]> =>
  db.select().from(giftCard).where(isOf(email)).orderBy(asc(giftCard.id))

export const eraseRecipient = (tx: Tx, email: string, reason: string) =>
  tx.update(giftCard).set({ recipientEmail: null, reason }).where(isOf(email))
